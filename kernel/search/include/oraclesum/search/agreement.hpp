// How much the sets of a family overlap, pair by pair.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/search/family.hpp"

namespace oraclesum::search {

// table[t][k]: number of pairs of different places a < b whose sets have t sentences together, counted twice if
// they share them, and k in common.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> tally_overlaps(std::span<const Set> sets, const Bounds& bounds);

}  // namespace oraclesum::search
