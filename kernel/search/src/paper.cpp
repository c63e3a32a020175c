// Alg. 3: sentences by single score, greedy threshold, and the bound of Alg. 1 to prune.
#include "oraclesum/search/paper.hpp"

#include <algorithm>

#include "collector.hpp"
#include "walk.hpp"

namespace oraclesum::search {

Enumeration enumerate_paper(const Instance& instance, const Request& request, Clock& clock) {
    Collector kept(instance, request);
    Clock unhurried = clock.with_at_least(1.0);  // a search that is out of time at once has a set all the same
    kept.start(select_greedily(instance, unhurried));

    // Lines 3-6: the sentences in order of their own score, best first; equal ones stay in the caller's order.
    std::vector<std::uint32_t> order = instance.candidates();
    std::vector<std::int64_t> single(instance.sentences(), 0);
    for (const std::uint32_t i : order) single[i] = instance.hits(std::span(&i, 1));
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::uint32_t i) { return single[i]; });

    Walk walk(instance, std::move(order));
    walk.run(clock, [&](auto set, const Coverage& covered, auto remaining) {
        if (covered.hits() >= kept.threshold()) {
            kept.offer(set, covered, clock);
            return true;
        }
        // One bound of a large instance takes milliseconds, too long for a look after 256 of them.
        return clock.look() || walk.bound().reaches(covered, remaining, kept.threshold());
    });

    const bool stopped = clock.reason() != StopReason::none;
    const std::int64_t open = stopped ? walk.bound_open() : 0;
    return {.hits = kept.hits(),
            .upper_bound = std::max(kept.hits(), open),
            .checked = walk.tried(),
            .reason = clock.reason(),
            .listing = kept.take(stopped)};
}

std::int64_t bound_hits(const Instance& instance, std::span<const std::uint32_t> selected,
                        std::span<const std::uint32_t> remaining) {
    Coverage covered(instance);
    for (const std::uint32_t i : selected) covered.add(i);
    return Bound(instance).best(covered, remaining);
}

}  // namespace oraclesum::search
