// Tokens of ROUGE-1.5.5: runs of [a-z0-9] after ASCII lower-casing, over bytes.
//
// Every other byte separates: hyphens, apostrophes, full stops, and each byte of a character outside ASCII. Nothing
// is lower-cased but A-Z (the Kelvin sign is no k).
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace oraclesum::text {

// A token's byte, lower-cased, or 0 for a separator.
constexpr char fold_byte(char byte) {
    const auto plain = static_cast<unsigned char>(byte);
    const auto lower = static_cast<unsigned char>(plain | 0x20U);
    const bool letter = static_cast<unsigned char>(lower - 'a') < 26;
    const bool digit = static_cast<unsigned char>(plain - '0') < 10;
    return static_cast<char>(letter ? lower : digit ? plain : 0);
}

// Calls take(token) for every token in order; `buffer` is scratch that is kept between calls, and the token a view
// into it.
template <class Take>
void for_each_token(std::string_view text, std::string& buffer, Take&& take) {
    buffer.resize(text.size() + 1);
    char* const folded = buffer.data();
    for (std::size_t i = 0; i < text.size(); ++i) folded[i] = fold_byte(text[i]);
    folded[text.size()] = 0;
    const char* place = folded;
    const char* const end = folded + text.size();
    while (true) {
        while (place < end && *place == 0) ++place;
        if (place == end) return;
        const char* const start = place;
        while (*place != 0) ++place;
        take(std::string_view(start, static_cast<std::size_t>(place - start)));
    }
}

}  // namespace oraclesum::text
