// The naive exhaustive search (Sec. 3): every feasible set of candidates is scored. Slow, and obviously complete.
//
// Summaries checked are the feasible sets, so that a finished run agrees with Appendix B (Table 7, "naive").
#pragma once

#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/enumeration.hpp"
#include "oraclesum/search/instance.hpp"

namespace oraclesum::search {

[[nodiscard]] Enumeration enumerate_exhaustively(const Instance& instance, const Request& request, Clock& clock);

}  // namespace oraclesum::search
