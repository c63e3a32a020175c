// Alg. 2: the density greedy against the best single sentence, the first score of the branch and bound.
//
// As printed, a sentence that does not fit still uses up budget; meant (Khuller et al. 1999) is to skip it, and so it
// is done here. Under one limit the result has at least (1 - 1/e)/2 of the optimal hits. Under several limits density is
// taken under the first one, feasibility under all, and nothing is guaranteed. Sentences that add no hit are left out.
#pragma once

#include <cstdint>
#include <vector>

#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/instance.hpp"

namespace oraclesum::search {

struct Selection {
    std::vector<std::uint32_t> set;  // ascending
    std::int64_t hits = 0;
    std::uint64_t checked = 0;  // sets whose score was looked at
    StopReason reason = StopReason::none;
};

// Ties go to the lowest index; a single sentence wins only if it is strictly better. A clock that ends it leaves what
// was selected until then, and says why.
[[nodiscard]] Selection select_greedily(const Instance& instance, Clock& clock);

}  // namespace oraclesum::search
