// Greedy filling, dives and exchanges over the free classes of a state.
#include "incumbent.hpp"

#include <algorithm>

namespace oraclesum::search {

bool Incumbent::offer(const State& state) {
    if (state.hits() <= hits_ || state.taken().empty() || !state.complete()) return false;
    hits_ = state.hits();
    taken_.assign(state.taken().begin(), state.taken().end());
    return true;
}

// Takes the free class with the most hits per length (under the first limit) until none adds any. Gains only fall as
// classes are taken, so an old density is an upper bound: only what leads the heap is looked at again.
void Incumbent::complete(State& state, Clock& clock) {
    const Problem& problem = state.problem();
    const auto density = [&](std::uint32_t cls) {
        const auto length = static_cast<double>(problem.uppers == 0 ? 1 : problem.lengths[cls][0]);
        return static_cast<double>(state.gain(cls)) / std::max(length, 0.5);
    };
    const auto behind = [](const Candidate& a, const Candidate& b) {
        return a.density != b.density ? a.density < b.density : a.cls > b.cls;
    };
    used_.assign(problem.classes(), 0);
    for (const Taken& taken : state.taken()) used_[taken.cls] += taken.copies;
    heap_.clear();
    for (const std::uint32_t cls : state.free())
        if (used_[cls] < problem.copies(cls) && state.fits(cls)) heap_.push_back({density(cls), cls});
    std::ranges::make_heap(heap_, behind);
    while (!heap_.empty() && !clock.expired()) {
        std::ranges::pop_heap(heap_, behind);
        Candidate& last = heap_.back();
        if (!state.fits(last.cls)) {  // nor will it later
            heap_.pop_back();
            continue;
        }
        const double now = density(last.cls);
        if (now <= 0) {
            heap_.pop_back();
            continue;
        }
        const bool leads = now == last.density;
        last.density = now;
        if (leads) {
            const std::uint32_t cls = last.cls;
            state.take(cls);
            if (++used_[cls] >= problem.copies(cls)) {
                heap_.pop_back();
                continue;
            }
        }
        std::ranges::push_heap(heap_, behind);
    }
    if (!state.complete()) reach_floors(state);
}

// Takes what loses least until every floor is reached.
void Incumbent::reach_floors(State& state) {
    const Problem& problem = state.problem();
    while (!state.complete()) {
        const std::uint32_t none = static_cast<std::uint32_t>(problem.classes());
        std::uint32_t best = none;
        std::int64_t most = 0;
        for (const std::uint32_t cls : state.free()) {
            if (used_[cls] >= problem.copies(cls) || !state.fits(cls)) continue;
            const auto lengths = problem.lengths[cls];
            bool helps = false;
            for (std::size_t r = problem.uppers; r < problem.budgets.size(); ++r)
                helps = helps || (state.left(r) < 0 && lengths[r] < 0);
            const std::int64_t gain = state.gain(cls);
            if (!helps || (best != none && gain <= most)) continue;
            best = cls;
            most = gain;
        }
        if (best == none) return;
        state.take(best);
        ++used_[best];
    }
}

void Incumbent::fill(State& state, Clock& clock) {
    const std::size_t mark = state.taken().size();
    complete(state, clock);
    offer(state);
    state.untake_to(mark);
}

void Incumbent::dive(State& state, std::span<const std::int64_t> worth, Clock& clock) {
    const std::size_t mark = state.taken().size();
    std::vector<std::uint32_t> order(state.free().begin(), state.free().end());
    std::ranges::sort(
        order, [&](std::uint32_t a, std::uint32_t b) { return worth[a] != worth[b] ? worth[a] > worth[b] : a < b; });
    for (const std::uint32_t cls : order) {
        if (worth[cls] <= 0) break;
        if (state.fits(cls) && state.gain(cls) > 0) state.take(cls);
    }
    complete(state, clock);
    offer(state);
    state.untake_to(mark);
}

void Incumbent::exchange(State& state, Clock& clock) {
    constexpr std::size_t max_work = 1'000'000;  // classes to look at in one round
    if (taken_.size() * state.free_count > max_work) return;
    const std::size_t mark = state.taken().size();
    bool better = true;
    while (better) {
        better = false;
        std::vector<Taken> current;  // what the best set holds beyond the state
        for (const Taken& taken : taken_)
            if (std::ranges::none_of(state.taken(), [&](const Taken& fixed) { return fixed.cls == taken.cls; }))
                current.push_back(taken);
        for (std::size_t out = 0; out < current.size() && !better && !clock.look(); ++out) {
            for (std::size_t k = 0; k < current.size(); ++k)
                if (k != out) state.take(current[k].cls, current[k].copies);
            complete(state, clock);
            better = offer(state);
            state.untake_to(mark);
        }
    }
}

}  // namespace oraclesum::search
