// Gain per length, compared and shared out exactly: cross-multiplied in 128 bits, never divided into a float.
#pragma once

#include <cstdint>

namespace oraclesum::search {

__extension__ typedef __int128 Wide;  // products of a gain and a length can pass 64 bits

struct Density {
    std::int64_t gain;
    std::int64_t length;
};

// Strictly denser. Anything gained at no length is densest of all; there the larger gain comes first.
[[nodiscard]] inline bool denser(const Density& a, const Density& b) {
    if (a.length == 0 && b.length == 0) return a.gain > b.gain;
    return static_cast<Wide>(a.gain) * b.length > static_cast<Wide>(b.gain) * a.length;
}

// The whole part of what the first `room` units of an item yield; room <= length.
[[nodiscard]] inline std::int64_t share(const Density& item, std::int64_t room) {
    return static_cast<std::int64_t>(static_cast<Wide>(item.gain) * room / item.length);
}

}  // namespace oraclesum::search
