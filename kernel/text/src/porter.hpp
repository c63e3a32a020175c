// The Porter stemmer as ROUGE-1.5.5 runs it.
#pragma once

#include <string>

namespace oraclesum::text {

// Stems a lower-case word of [a-z0-9] in place; the stem is never longer than the word.
void stem_porter(std::string& word);

}  // namespace oraclesum::text
