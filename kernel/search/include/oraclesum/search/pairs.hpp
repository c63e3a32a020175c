// Which sentences of a family go together, always or never.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "oraclesum/search/family.hpp"

namespace oraclesum::search {

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // first < second

struct Pairs {
    std::vector<Pair> together;  // every set that holds one holds the other, and some set does
    std::vector<Pair> apart;     // each is in some set, no set holds both
};

// Both lists ascending. Work: classes / 64 passes over the diagram.
[[nodiscard]] Pairs find_pairs(const DiagramFamily& family, const Bounds& bounds);

}  // namespace oraclesum::search
