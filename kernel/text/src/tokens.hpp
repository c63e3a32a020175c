// Tokens under the rules of several programs: runs of [a-z0-9] after lower-casing.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "oraclesum/text/vocabulary.hpp"

namespace oraclesum::text {

// A token's byte, lower-cased, or 0 for any other.
constexpr char fold_byte(char byte) {
    const auto plain = static_cast<unsigned char>(byte);
    const auto lower = static_cast<unsigned char>(plain | 0x20U);
    const bool letter = static_cast<unsigned char>(lower - 'a') < 26;
    const bool digit = static_cast<unsigned char>(plain - '0') < 10;
    return static_cast<char>(letter ? lower : digit ? plain : 0);
}

// Tokens are looked for in eight bytes at once; whoever reads them may read as many from any place of one.
constexpr std::size_t window = 8;
static_assert(std::endian::native == std::endian::little, "the first byte of a window is its lowest");

// Writes the text's token bytes, lower-cased, with a 0 between tokens and a window of them at the end.
//
// ROUGE-1.5.5: every other byte separates: hyphens, apostrophes, full stops, and each byte of a character outside
// ASCII. Nothing is lower-cased but A-Z (the Kelvin sign is no k).
inline void fold_rouge_155(std::string_view text, std::string& buffer) {
    buffer.resize(text.size() + window);
    char* const folded = buffer.data();
    for (std::size_t i = 0; i < text.size(); ++i) folded[i] = fold_byte(text[i]);
    std::memset(folded + text.size(), 0, window);
}

// The others lower-case as Python does: of all characters outside ASCII, the Kelvin sign and the dotted capital I have
// an ASCII letter as the first of their lower-case form. rouge_score: every other character separates. PreSumm: white
// space (of Unicode) separates, and every other character is deleted.
void fold_rouge_score(std::string_view text, std::string& buffer);
void fold_presumm(std::string_view text, std::string& buffer);

// Bytes before the first 0.
inline std::size_t length_of(const char* token) {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    for (std::size_t size = 0;; size += window) {
        std::uint64_t bytes;
        std::memcpy(&bytes, token + size, window);
        // The lowest bit that is left is that of the first 0; those above it may mean nothing.
        const std::uint64_t zeros = (bytes - ones) & ~bytes & (ones << 7U);
        if (zeros != 0) return size + static_cast<std::size_t>(std::countr_zero(zeros)) / 8;
    }
}

// Calls take(token) for every token in order; `buffer` is scratch that is kept between calls, and the token a view
// into it.
template <class Take>
void for_each_token(std::string_view text, Rules rules, std::string& buffer, Take&& take) {
    if (rules == Rules::rouge_155)
        fold_rouge_155(text, buffer);
    else if (rules == Rules::rouge_score)
        fold_rouge_score(text, buffer);
    else
        fold_presumm(text, buffer);
    const char* place = buffer.data();
    const char* const end = place + buffer.size() - window;
    while (true) {
        while (place < end && *place == 0) ++place;
        if (place == end) return;
        const std::string_view token(place, length_of(place));
        take(token);
        place += token.size();
    }
}

}  // namespace oraclesum::text
