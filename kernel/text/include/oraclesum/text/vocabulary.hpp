// Text to word ids under the rules of ROUGE-1.5.5 and of other programs: tokens, then stop words, then stems.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "oraclesum/text/interner.hpp"

namespace oraclesum::text {

// Whose tokens: those of ROUGE-1.5.5 (with its stemmer), of rouge_score (with NLTK's), of PreSumm (without any).
enum class Rules : std::uint8_t { rouge_155, rouge_score, presumm };

struct Settings {
    bool stem;
    bool remove_stop_words;
    Rules rules = Rules::rouge_155;
};

// One token's stem, or nothing if a stop word is removed; `scratch` has the result if it is new.
struct Resolved {
    std::string_view word;
    bool kept;
};
Resolved resolve_token(std::string_view token, Settings settings, std::string& scratch);

// Numbers the words of the texts it is shown; the work on a token is done once and remembered by its bytes.
class Vocabulary {
public:
    explicit Vocabulary(Settings settings) : settings_(settings) {}

    // Appends the ids of the text's words, in order.
    void analyse(std::string_view text, std::vector<std::uint32_t>& ids);

    [[nodiscard]] std::string_view word(std::uint32_t id) const { return words_[id]; }
    [[nodiscard]] std::size_t size() const { return words_.size(); }

private:
    // What stands for a token: the number of its word, or one of these, which the interner never gives.
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};  // not analysed yet
    static constexpr std::uint32_t dropped = unknown - 1;

    void take(const Interner::Sought& token, std::vector<std::uint32_t>& ids);

    Settings settings_;
    Interner tokens_;
    Interner words_;
    std::vector<std::uint32_t> meanings_;  // by token id
    std::string buffer_;
    std::string scratch_;
};

}  // namespace oraclesum::text
