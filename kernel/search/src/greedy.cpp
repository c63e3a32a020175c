// Alg. 2, mended: grow by the densest sentence that fits, then compare with the best single sentence.
#include "oraclesum/search/greedy.hpp"

#include <algorithm>
#include <optional>

#include "coverage.hpp"
#include "density.hpp"

namespace oraclesum::search {

namespace {

struct Choice {
    std::uint32_t sentence;
    Density density;
};

}  // namespace

Selection select_greedily(const Instance& instance, Clock& clock) {
    Selection result;
    const auto& lengths = instance.limits().front().lengths;
    Coverage coverage(instance);
    std::vector<std::uint32_t> open = instance.candidates();

    std::optional<Choice> single;
    for (const std::uint32_t i : open) {
        if (clock.expired()) break;
        const std::int64_t gain = coverage.gain(i);
        if (!single || gain > single->density.gain) single = Choice{i, {gain, lengths[i]}};
    }
    result.checked += open.size();

    while (clock.reason() == StopReason::none) {
        // What no longer fits never fits again, and what gains nothing never gains again: both leave for good.
        std::optional<Choice> best;
        std::size_t kept = 0;
        for (const std::uint32_t i : open) {
            if (clock.expired()) break;
            if (!coverage.fits(i)) continue;
            const Choice choice{i, {coverage.gain(i), lengths[i]}};
            ++result.checked;
            if (choice.density.gain == 0) continue;
            open[kept++] = i;
            if (!best || denser(choice.density, best->density)) best = choice;
        }
        open.resize(kept);
        if (!best || clock.reason() != StopReason::none) break;  // the densest of some need not be that of all
        coverage.add(best->sentence);
        result.set.push_back(best->sentence);
        std::erase(open, best->sentence);
    }
    result.hits = coverage.hits();

    if (single && single->density.gain > result.hits) {
        result.set = {single->sentence};
        result.hits = single->density.gain;
    }
    std::ranges::sort(result.set);
    result.reason = clock.reason();
    return result;
}

}  // namespace oraclesum::search
