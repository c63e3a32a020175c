// The two ways to fold text that look at characters outside ASCII.
#include "tokens.hpp"

#include <array>
#include <cstring>

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

// Nothing becomes longer: ascii(byte, out) and other(rest, out) write at most as many bytes as they take, and give the
// place behind them. `other` takes the first byte of a character outside ASCII, or all of it, and says how many.
template <class Ascii, class Other>
void fold(std::string_view text, std::string& buffer, Ascii&& ascii, Other&& other) {
    buffer.resize(text.size() + window);
    char* out = buffer.data();
    for (std::size_t i = 0; i < text.size();) {
        if (static_cast<unsigned char>(text[i]) < 0x80) {
            out = ascii(text[i++], out);
            continue;
        }
        const std::string_view rest = text.substr(i);
        if (rest.starts_with(kelvin)) {
            *out++ = 'k';
            i += kelvin.size();
        } else if (rest.starts_with(dotted_i)) {
            *out++ = 'i';
            other(std::string_view("\xcc\x87"), out);  // the combining dot
            i += dotted_i.size();
        } else {
            i += other(rest, out);
        }
    }
    buffer.resize(static_cast<std::size_t>(out - buffer.data()) + window);
    std::memset(buffer.data() + buffer.size() - window, 0, window);
}

}  // namespace

void fold_rouge_score(std::string_view text, std::string& buffer) {
    const auto ascii = [](char byte, char* out) {
        *out = fold_byte(byte);
        return out + 1;
    };
    fold(text, buffer, ascii, [](std::string_view, char*& out) {
        *out++ = 0;
        return std::size_t{1};
    });
}

void fold_presumm(std::string_view text, std::string& buffer) {
    const auto ascii = [](char byte, char* out) {
        *out = fold_byte(byte);  // written over by the next one if it is deleted
        return out + ((*out != 0) | is_ascii_space(byte));
    };
    fold(text, buffer, ascii, [](std::string_view rest, char*& out) {
        const std::size_t space = starting_space(rest);
        if (space > 0) *out++ = 0;
        return space > 0 ? space : std::size_t{1};
    });
}

}  // namespace oraclesum::text
