// Alg. 3: the paper's depth-first branch and bound that enumerates all oracles.
//
// Faithful but for slips of the printed text: sets kept so far are thrown away when a better score comes; the bound
// works with the budget that is left; ties are kept, on integers. A summary is checked (lines 11-13) whenever a sentence
// is appended to V, also where V then turns out too long.
#pragma once

#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/enumeration.hpp"
#include "oraclesum/search/instance.hpp"

namespace oraclesum::search {

[[nodiscard]] Enumeration enumerate_paper(const Instance& instance, const Request& request, Clock& clock);

}  // namespace oraclesum::search
