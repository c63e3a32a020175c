// Walks over every feasible set of candidates in the caller's order, without a bound.
#include "oraclesum/search/exhaustive.hpp"

#include <algorithm>

#include "collector.hpp"
#include "walk.hpp"

namespace oraclesum::search {

Enumeration enumerate_exhaustively(const Instance& instance, const Request& request, Clock& clock) {
    Collector kept(instance, request);
    Walk walk(instance, instance.candidates());
    walk.run(clock, [&](auto set, const Coverage& covered, auto) {
        if (covered.hits() >= kept.threshold()) kept.offer(set, covered, clock);
        return true;
    });

    const bool stopped = clock.reason() != StopReason::none;
    const std::int64_t open = stopped ? walk.bound_open() : 0;
    return {.hits = kept.hits(),
            .upper_bound = std::max(kept.hits(), open),
            .checked = walk.visited(),
            .reason = clock.reason(),
            .listing = kept.take(stopped)};
}

}  // namespace oraclesum::search
