// The two word lists of the English analysis: stop words, and irregular forms with their base forms.
#pragma once

#include <optional>
#include <string_view>

namespace oraclesum::text {

// Whether a token is on the stop list; asked of the token before any stemming.
bool is_stop_word(std::string_view token);

// The base form of an irregular form (WordNet 2.0's exception lists), which replaces stemming altogether.
std::optional<std::string_view> find_exception(std::string_view token);

}  // namespace oraclesum::text
