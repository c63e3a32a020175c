// The Porter stemmers of ROUGE-1.5.5 and of rouge_score.
#pragma once

#include <string>

namespace oraclesum::text {

// Stems a lower-case word of [a-z0-9] in place; the stem is never longer than the word.
void stem_porter(std::string& word);

// The same with NLTK's extensions, as rouge_score stems words of more than three letters.
void stem_nltk(std::string& word);

}  // namespace oraclesum::text
