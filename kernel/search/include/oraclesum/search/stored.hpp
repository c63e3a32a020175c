// A family as bytes, and back, with every promise of a diagram checked before anything relies on it.
//
// All numbers are unsigned, 32 bits, lowest byte first: C, N and R; then C sizes of classes and, class by class, their
// sentences in ascending order; then of all N nodes first the class, then the copies, then how far back `lo` stands,
// then how far back `hi` stands. The first node has the id 2, after 0 (no set) and 1 (the empty set). R is the root:
// the last node, or 0 or 1 if N is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/search/family.hpp"

namespace oraclesum::search {

[[nodiscard]] std::vector<std::uint8_t> pack_family(const DiagramFamily& family);

// Throws InputError if the bytes are no family: wrong in number, a child at or after its parent, a class or a number
// of copies that does not exist, a node that nothing leads to, a class twice on a path, a sentence in two classes.
[[nodiscard]] DiagramFamily unpack_family(std::span<const std::uint8_t> bytes, std::size_t sentences,
                                          const Bounds& bounds);

}  // namespace oraclesum::search
