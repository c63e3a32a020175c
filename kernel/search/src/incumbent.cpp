// Greedy filling, dives and exchanges over the free classes of a state.
#include "oraclesum/search/incumbent.hpp"

#include <algorithm>

namespace oraclesum::search {

bool Incumbent::offer(const State& state) {
    if (state.hits() <= hits_) return false;
    hits_ = state.hits();
    taken_.assign(state.taken().begin(), state.taken().end());
    return true;
}

// Takes the free class with the most hits per length (lengths under the first limit) until none adds any.
void Incumbent::complete(State& state) {
    const Problem& problem = state.problem();
    std::vector<std::uint32_t> used(problem.classes(), 0);
    for (const Taken& taken : state.taken()) used[taken.cls] += taken.copies;
    std::vector<std::uint32_t> open(state.free().begin(), state.free().end());
    while (true) {
        std::uint32_t best = 0;
        double best_density = 0;
        std::size_t kept = 0;
        for (const std::uint32_t cls : open) {
            if (used[cls] >= problem.copies(cls) || !state.fits(cls)) continue;
            const std::int64_t gain = state.gain(cls);
            if (gain <= 0) continue;  // gains only fall
            open[kept++] = cls;
            const auto length = static_cast<double>(problem.budgets.empty() ? 1 : problem.lengths[cls][0]);
            const double density = static_cast<double>(gain) / std::max(length, 0.5);
            if (density > best_density) {
                best_density = density;
                best = cls;
            }
        }
        open.resize(kept);
        if (open.empty()) return;
        state.take(best);
        ++used[best];
    }
}

void Incumbent::fill(State& state) {
    const std::size_t mark = state.taken().size();
    complete(state);
    offer(state);
    state.untake_to(mark);
}

void Incumbent::dive(State& state, const std::function<std::int64_t(std::uint32_t)>& rank) {
    const std::size_t mark = state.taken().size();
    std::vector<std::uint32_t> order(state.free().begin(), state.free().end());
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return rank(a) != rank(b) ? rank(a) > rank(b) : a < b;
    });
    for (const std::uint32_t cls : order) {
        if (rank(cls) <= 0) break;
        if (state.fits(cls) && state.gain(cls) > 0) state.take(cls);
    }
    complete(state);
    offer(state);
    state.untake_to(mark);
}

void Incumbent::exchange(State& state) {
    const std::size_t mark = state.taken().size();
    bool better = true;
    while (better) {
        better = false;
        std::vector<Taken> current;  // what the best set holds beyond the state
        for (const Taken& taken : taken_)
            if (std::ranges::none_of(state.taken(), [&](const Taken& fixed) { return fixed.cls == taken.cls; }))
                current.push_back(taken);
        for (std::size_t out = 0; out < current.size() && !better; ++out) {
            for (std::size_t k = 0; k < current.size(); ++k)
                if (k != out) state.take(current[k].cls, current[k].copies);
            complete(state);
            better = offer(state);
            state.untake_to(mark);
        }
    }
}

}  // namespace oraclesum::search
