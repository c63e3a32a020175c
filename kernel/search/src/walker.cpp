// The walk itself: an explicit stack of nodes, each bounded, fixed, looked up, and only then branched on.
#include "walker.hpp"

#include <algorithm>

namespace oraclesum::search {

namespace {

// Evaluations of the relaxation at a node; a handful of classes is split faster than it is priced.
constexpr int steps_at_node = 8;
constexpr int steps_at_small_node = 3;
constexpr std::uint32_t small_node = 6;
constexpr std::uint64_t nodes_per_look = 4096;  // at the memory in use

}  // namespace

std::uint32_t Walker::most_copies(std::uint32_t cls) const {
    std::uint32_t copies = problem_.copies(cls);
    while (copies > 0 && !state.fits(cls, copies)) --copies;
    return copies;
}

std::uint32_t Walker::first_in_rank() const {
    return *std::ranges::min_element(state.free(), {}, [&](std::uint32_t cls) { return rank[cls]; });
}

bool Walker::take_forced() {
    for (const std::uint32_t cls : relaxation.forced()) {
        if (!state.fits(cls)) return false;
        state.take(cls);
    }
    for (const std::uint32_t cls : relaxation.forced()) marked_[cls] = 1;
    std::uint32_t kept = 0;
    for (std::uint32_t at = 0; at < state.free_count; ++at)
        if (!marked_[state.order[at]]) std::swap(state.order[kept++], state.order[at]);
    state.free_count = kept;
    for (const std::uint32_t cls : relaxation.forced()) marked_[cls] = 0;
    return true;
}

void Walker::decide(const Taken& decision) {
    state.remove_at(static_cast<std::uint32_t>(std::ranges::find(state.free(), decision.cls) - state.free().begin()));
    if (decision.copies > 0) state.take(decision.cls, decision.copies);
}

// Whether a copy of some taken class could be dropped without loss; then no set from here on is minimal, as what
// is added only covers more. (A fee breaks that: others may come to share it. Minimal sets with fees are told apart one by one.)
bool Walker::has_idle_class() const {
    return std::ranges::any_of(state.taken(), [&](const Taken& taken) {
        if (std::ranges::find(problem_.required, taken.cls) != problem_.required.end()) return false;
        std::int64_t lost = problem_.base[taken.cls];
        for (const Cell& cell : problem_.rows[taken.cls]) lost += state.loss(cell);
        return lost <= 0;
    });
}

Diagram::Id Walker::add_taken(std::size_t from, Diagram::Id sets) {
    const auto taken = state.taken();
    for (std::size_t k = taken.size(); k > from && sets != Diagram::bottom; --k)
        sets = diagram.add(taken[k - 1].cls, taken[k - 1].copies, Diagram::bottom, sets);
    return sets;
}

bool Walker::out_of_memory() {
    const std::size_t bytes = diagram.bytes();
    common_.diagram_bytes += bytes - counted_bytes_;
    counted_bytes_ = bytes;
    return diagram.size() + nodes_per_look * problem_.classes() > Diagram::most_nodes ||
           common_.diagram_bytes + common_.solutions.bytes() + common_.failures.bytes() > common_.most_bytes;
}

// The target is met: every set of free classes that fits is a completion (of a minimal set: that also adds hits).
Walker::Arrival Walker::arrive_at_target(Frame& frame, Diagram::Id& sets) {
    for (std::uint32_t at = 0; at < state.free_count;) {
        const std::uint32_t cls = state.order[at];
        if (!state.fits(cls) || (minimal_ && state.gain(cls) == 0))
            state.remove_at(at);
        else
            ++at;
    }
    if (state.free_count == 0) {
        sets = Diagram::top;
        return Arrival::known;
    }
    frame.cls = first_in_rank();
    frame.bound = 0;
    frame.key = minimal_ ? namer_.name(state, 0) : namer_.name_free(state);
    return look_up<true>(frame, sets);
}

// A sub-problem that was solved before; otherwise the frame is made ready to branch.
template <bool collecting>
Walker::Arrival Walker::look_up(Frame& frame, Diagram::Id& sets) {
    if (collecting && minimal_) namer_.add_taken(frame.key, state);
    Memory& memory = collecting ? common_.solutions : common_.failures;
    const bool remember = common_.parts.remember && common_.judge == nullptr;
    if (const auto known = remember ? memory.find(frame.key) : std::nullopt) {
        if (collecting || static_cast<std::int64_t>(*known) <= frame.need) {
            sets = collecting ? static_cast<Diagram::Id>(*known) : Diagram::bottom;
            return Arrival::known;
        }
    }
    frame.children = most_copies(frame.cls) + 1;
    frame.child = 0;
    frame.sets = Diagram::bottom;
    frame.prices = prices_.size();
    if (frame.need > 0 || !problem_.monotone) relaxation.save(prices_);
    decide({frame.cls, 0});
    frame.free = state.free_count;
    return Arrival::branch;
}

// Enters the node that the state describes: its completions are known, or the frame says how to branch.
template <bool collecting>
Walker::Arrival Walker::arrive(Frame& frame, const Route& route, Diagram::Id& sets) {
    ++nodes_;
    frame.taken = static_cast<std::uint32_t>(state.taken().size());
    sets = Diagram::bottom;
    while (true) {
        frame.branch_taken = static_cast<std::uint32_t>(state.taken().size());
        if (collecting && minimal_ && has_idle_class()) return Arrival::known;
        frame.need = common_.target.load(std::memory_order_relaxed) - state.hits();
        if (frame.need <= 0) {
            if constexpr (collecting) {
                if (problem_.monotone && common_.judge == nullptr) return arrive_at_target(frame, sets);
            } else {
                const std::scoped_lock lock(common_.incumbent_mutex);
                if (common_.incumbent.offer(state)) common_.target = common_.incumbent.hits() + 1;
                if (common_.incumbent.hits() >= common_.enough) common_.done = true;
                frame.need = common_.target - state.hits();
            }
        }
        const int steps = !common_.parts.reoptimise       ? 1
                          : state.free_count > small_node ? steps_at_node
                                                          : steps_at_small_node;
        switch (relaxation.tighten(state, frame.need, steps)) {
            case Relaxation::Verdict::pruned: return Arrival::known;
            case Relaxation::Verdict::forced:
                if (!take_forced()) return Arrival::known;
                continue;
            case Relaxation::Verdict::alone:
                if (common_.judge == nullptr)
                    sets = Diagram::top;
                else if (!common_.judge->visit(state))
                    common_.done = true;
                return Arrival::known;
            case Relaxation::Verdict::open: break;
        }
        frame.cls = route.by_rank ? first_in_rank() : relaxation.branch_class();
        frame.bound = state.hits() + relaxation.bound();
        if (common_.judge == nullptr) frame.key = namer_.name(state, collecting ? frame.need : 0);
        return look_up<collecting>(frame, sets);
    }
}

template <bool collecting>
Ending Walker::walk(const Route& route, Clock& clock) {
    stack_.clear();
    prices_.clear();
    const std::uint64_t first_node = nodes_;
    const std::uint64_t last_node = route.most_nodes > std::numeric_limits<std::uint64_t>::max() - nodes_
                                        ? std::numeric_limits<std::uint64_t>::max()
                                        : nodes_ + route.most_nodes;
    const std::size_t taken_at_start = state.taken().size();
    const std::uint32_t free_at_start = state.free_count;
    const auto leave = [&](Ending ending) {
        state.untake_to(taken_at_start);
        state.free_count = free_at_start;
        return ending;
    };
    Diagram::Id sets = Diagram::bottom;
    while (true) {
        // A node with many free classes takes longer than a look at the clock.
        const bool out_of_time = state.free_count > small_node ? clock.look() : clock.expired();
        if (out_of_time || common_.done.load(std::memory_order_relaxed)) return leave(Ending::stopped);
        if (nodes_ >= last_node) return leave(Ending::out_of_nodes);
        if (nodes_ > first_node && nodes_ % nodes_per_look == 0 && out_of_memory()) {
            if constexpr (collecting) return leave(Ending::out_of_memory);
            common_.failures.clear();  // only a help: the walk goes on without
        }
        Frame entered{};
        bool returning = true;
        if (arrive<collecting>(entered, route, sets) == Arrival::branch) {
            stack_.push_back(entered);
            returning = false;
        } else {
            if constexpr (collecting) sets = add_taken(entered.taken, sets);
            state.untake_to(entered.taken);
        }
        // Up through every node whose children are done, then down into the next child.
        while (!stack_.empty()) {
            Frame& top = stack_.back();
            const bool two_ways = top.children == 2;
            if (collecting && returning) {
                const std::uint32_t copies = two_ways && route.backwards ? 2 - top.child : top.child - 1;
                if (two_ways && route.backwards)
                    top.sets = copies == 1 ? sets : diagram.add(top.cls, 1, sets, top.sets);
                else
                    top.sets = copies == 0 ? sets : diagram.add(top.cls, copies, top.sets, sets);
            }
            state.untake_to(top.branch_taken);
            state.free_count = top.free;
            const bool hopeless = !collecting && top.bound < common_.target.load(std::memory_order_relaxed);
            if (top.child < top.children && !hopeless) {
                const bool most_first = collecting ? two_ways && route.backwards : !route.backwards;
                const std::uint32_t copies = most_first ? top.children - 1 - top.child : top.child;
                if (top.child > 0 && prices_.size() > top.prices) relaxation.restore(prices_, top.prices);
                ++top.child;
                if (copies > 0) state.take(top.cls, copies);
                break;
            }
            sets = top.sets;
            if constexpr (collecting) {
                if (common_.judge == nullptr) common_.solutions.insert(top.key, sets);
                sets = add_taken(top.taken, sets);
            } else {
                // Nothing below reaches the present target: fewer hits than this were to be added.
                const std::int64_t need = common_.target.load(std::memory_order_relaxed) - state.hits();
                common_.failures.insert(top.key, static_cast<std::uint64_t>(std::max<std::int64_t>(need, 0)));
            }
            state.untake_to(top.taken);
            prices_.resize(top.prices);
            stack_.pop_back();
            returning = true;
        }
        if (stack_.empty()) break;
    }
    root_ = sets;
    return leave(Ending::finished);
}

Ending Walker::improve(const Route& route, Clock& clock) { return walk<false>(route, clock); }

Ending Walker::collect(const Route& route, Clock& clock) { return walk<true>(route, clock); }

std::int64_t Walker::open_bound() const {
    if (stack_.empty()) return std::numeric_limits<std::int64_t>::max();  // stopped before its first node
    std::int64_t open = common_.target.load() - 1;
    for (const Frame& frame : stack_) open = std::max(open, frame.bound);
    return open;
}

}  // namespace oraclesum::search
