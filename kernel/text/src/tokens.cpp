// The two ways to fold text that look at characters outside ASCII.
#include "tokens.hpp"

#include <array>

namespace oraclesum::text {

namespace {

constexpr std::string_view kelvin = "\xe2\x84\xaa";
constexpr std::string_view dotted_i = "\xc4\xb0";  // its lower-case form is i and a combining dot

// White space of Unicode outside ASCII, as Python's str.split knows it.
constexpr std::array<std::string_view, 19> spaces = {
    "\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80", "\xe2\x80\x80", "\xe2\x80\x81", "\xe2\x80\x82", "\xe2\x80\x83",
    "\xe2\x80\x84", "\xe2\x80\x85", "\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88", "\xe2\x80\x89", "\xe2\x80\x8a",
    "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80",
};

constexpr bool is_ascii_space(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r') || (byte >= 0x1c && byte <= 0x1f);
}

// The bytes of the white space that the text begins with, or 0.
std::size_t starting_space(std::string_view text) {
    for (const std::string_view space : spaces)
        if (text.starts_with(space)) return space.size();
    return 0;
}

// take(byte) writes; `other` says what becomes of the character at the front, and how many bytes it has.
template <class Other>
void fold(std::string_view text, std::string& buffer, Other&& other) {
    buffer.clear();
    for (std::size_t i = 0; i < text.size();) {
        if (const char byte = fold_byte(text[i])) {
            buffer.push_back(byte);
            ++i;
            continue;
        }
        const std::string_view rest = text.substr(i);
        if (rest.starts_with(kelvin)) {
            buffer.push_back('k');
            i += kelvin.size();
        } else if (rest.starts_with(dotted_i)) {
            buffer.push_back('i');
            other(std::string_view("\xcc\x87"), buffer);  // the combining dot
            i += dotted_i.size();
        } else {
            i += other(rest, buffer);
        }
    }
    buffer.append(window, '\0');
}

}  // namespace

void fold_rouge_score(std::string_view text, std::string& buffer) {
    fold(text, buffer, [](std::string_view, std::string& written) {
        written.push_back(0);
        return std::size_t{1};
    });
}

void fold_presumm(std::string_view text, std::string& buffer) {
    fold(text, buffer, [](std::string_view rest, std::string& written) {
        const std::size_t space = is_ascii_space(rest.front()) ? 1 : starting_space(rest);
        if (space > 0) written.push_back(0);
        return space > 0 ? space : std::size_t{1};
    });
}

}  // namespace oraclesum::text
