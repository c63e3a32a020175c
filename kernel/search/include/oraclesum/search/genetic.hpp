// A seeded genetic algorithm for one good set, after Riedhammer et al.: proves nothing, and is here to compare with.
//
// Individuals are feasible sets. A child keeps what both parents share and half of the rest, loses what does not fit,
// and is filled up with random sentences that add hits; the best individuals survive unchanged.
#pragma once

#include <cstdint>

#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/greedy.hpp"
#include "oraclesum/search/instance.hpp"

namespace oraclesum::search {

struct Breeding {
    std::uint64_t seed;
    std::uint32_t population;   // individuals, at least 2
    std::uint32_t generations;  // at most this many
    std::uint32_t patience;     // stop after this many generations without a better best
};

struct Evolution {
    Selection best;
    StopReason reason = StopReason::none;
};

// Equal on every platform for equal settings, unless the clock stops it.
[[nodiscard]] Evolution evolve(const Instance& instance, const Breeding& settings, Clock& clock);

}  // namespace oraclesum::search
