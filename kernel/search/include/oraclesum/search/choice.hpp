// The best member of a family under weights of sentences: exact, in one pass over the diagram.
#pragma once

#include <optional>
#include <span>

#include "oraclesum/search/family.hpp"
#include "oraclesum/search/int128.hpp"

namespace oraclesum::search {

using Weight = SignedWide;

// The set with the largest sum of weights (one per sentence); of several the one that holds the first sentence in
// which they differ. None if the family is empty. Sums must fit: |weight| * sentences < 2^127.
[[nodiscard]] std::optional<Set> find_heaviest(const DiagramFamily& family, std::span<const Weight> weights,
                                               const Bounds& bounds);

}  // namespace oraclesum::search
