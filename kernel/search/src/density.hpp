// Gain per length, compared and shared out exactly: cross-multiplied in 128 bits, never divided into a float.
#pragma once

#include <cstdint>

#include "oraclesum/search/int128.hpp"

namespace oraclesum::search {

struct Density {
    std::int64_t gain;
    std::int64_t length;
};

// Strictly denser. Anything gained at no length is densest of all; there the larger gain comes first.
[[nodiscard]] inline bool denser(const Density& a, const Density& b) {
    if (a.length == 0 && b.length == 0) return a.gain > b.gain;
    return static_cast<SignedWide>(a.gain) * b.length > static_cast<SignedWide>(b.gain) * a.length;
}

// The whole part of what the first `room` units of an item yield; room <= length.
[[nodiscard]] inline std::int64_t share(const Density& item, std::int64_t room) {
    return static_cast<std::int64_t>(static_cast<SignedWide>(item.gain) * room / item.length);
}

}  // namespace oraclesum::search
