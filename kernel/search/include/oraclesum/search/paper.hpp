// Alg. 3: the paper's depth-first branch and bound that enumerates all oracles.
//
// Faithful but for slips of the printed text: sets kept so far are thrown away when a better score comes; the bound
// works with the budget that is left; ties are kept, on integers. A summary is checked (lines 11-13) whenever a sentence
// is appended to V, even if V then turns out too long.
#pragma once

#include <cstdint>
#include <span>

#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/enumeration.hpp"
#include "oraclesum/search/instance.hpp"

namespace oraclesum::search {

[[nodiscard]] Enumeration enumerate_paper(const Instance& instance, const Request& request, Clock& clock);

// Alg. 1: no feasible set of `selected` and some of `remaining` has more hits. The two have no sentence in common.
[[nodiscard]] std::int64_t bound_hits(const Instance& instance, std::span<const std::uint32_t> selected,
                                      std::span<const std::uint32_t> remaining);

}  // namespace oraclesum::search
