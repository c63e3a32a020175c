// How much the sets of a family overlap, pair by pair.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/search/family.hpp"

namespace oraclesum::search {

// table[u]: how many sentences the pairs of different places a < b whose sets have u sentences together have in common,
// added up over these pairs.
[[nodiscard]] std::vector<std::uint64_t> tally_overlaps(std::span<const Set> sets, const Bounds& bounds);

}  // namespace oraclesum::search
