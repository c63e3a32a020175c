// The walk itself: an explicit stack of nodes, each bounded, fixed, looked up, and only then branched on.
#include "walker.hpp"

#include <algorithm>
#include <type_traits>

namespace oraclesum::search {

namespace {

// Evaluations of the relaxation at a node; a handful of classes is split faster than it is priced.
constexpr int steps_at_node = 8;
constexpr int steps_at_small_node = 3;
constexpr std::uint32_t small_node = 6;
constexpr std::uint64_t nodes_per_look = 4096;  // at the memory in use

}  // namespace

std::uint32_t Walker::max_copies(std::uint32_t cls) const {
    std::uint32_t copies = problem_.copies(cls);
    while (copies > 0 && !state.fits(cls, copies)) --copies;
    return copies;
}

std::uint32_t Walker::first_in_rank() const {
    return *std::ranges::min_element(state.free(), {}, [&](std::uint32_t cls) { return rank[cls]; });
}

bool Walker::take_all(std::span<const std::uint32_t> classes) {
    for (const std::uint32_t cls : classes) {
        if (!state.fits(cls)) return false;
        state.take(cls);
    }
    for (const std::uint32_t cls : classes) marked_[cls] = 1;
    std::uint32_t kept = 0;
    for (std::uint32_t at = 0; at < state.free_count; ++at)
        if (!marked_[state.order[at]]) std::swap(state.order[kept++], state.order[at]);
    state.free_count = kept;
    for (const std::uint32_t cls : classes) marked_[cls] = 0;
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
    return diagram.size() + nodes_per_look * problem_.classes() > Diagram::max_nodes ||
           common_.diagram_bytes + common_.solutions.bytes() + common_.failures.bytes() > common_.max_memory;
}

int Walker::steps_here() const {
    if (!common_.techniques.reoptimise) return 1;
    return state.free_count > small_node ? steps_at_node : steps_at_small_node;
}

// Looks for better sets: every one found raises the target. No node has an answer; what it leaves behind is how many hits
// nothing below it adds.
class Walker::Improving {
public:
    explicit Improving(Walker& walker) : walker_(walker), common_(walker.common_), state_(walker.state) {}

    static constexpr bool rules_out() { return false; }
    static Diagram::Id answer_alone() { return Diagram::bottom; }

    void meet_target(Frame& frame) {
        const std::scoped_lock lock(common_.incumbent_mutex);
        if (common_.incumbent.offer(state_)) common_.target = common_.incumbent.hits() + 1;
        if (common_.incumbent.hits() >= common_.enough) common_.done = true;
        frame.need = common_.target - state_.hits();
    }
    // The target rises on the way: the key is without the need, which is remembered beside it.
    void name(Frame& frame) { frame.key = walker_.namer_.name(state_, 0); }
    [[nodiscard]] Answer recall(const Frame& frame) {
        if (!common_.techniques.remember) return std::nullopt;
        const auto failed = common_.failures.find(frame.key);
        if (!failed || static_cast<std::int64_t>(*failed) > frame.need) return std::nullopt;
        return Diagram::bottom;
    }

    [[nodiscard]] bool is_done(const Frame& frame) const {
        return frame.child == frame.children || frame.bound < common_.target.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint32_t next_copies(const Frame& frame, bool backwards) const {
        return backwards ? frame.child : frame.children - 1 - frame.child;
    }
    void add_child(Frame&, Diagram::Id, bool) {}
    // Nothing below reaches the present target: fewer hits than this were to be added.
    [[nodiscard]] Diagram::Id finish(const Frame& frame) {
        const std::int64_t need = common_.target.load(std::memory_order_relaxed) - state_.hits();
        common_.failures.insert(frame.key, static_cast<std::uint64_t>(std::max<std::int64_t>(need, 0)));
        return Diagram::bottom;
    }
    [[nodiscard]] Diagram::Id with_taken(std::size_t, Diagram::Id sets) { return sets; }

    // What failed is only a help: the walk continues without.
    [[nodiscard]] bool ends_if_memory_is_full() {
        common_.failures.clear();
        return false;
    }

private:
    Walker& walker_;
    Common& common_;
    State& state_;
};

// Builds the diagram of all sets that reach the target, from the bottom up: the answer of a node is the part below it.
class Walker::Collecting {
public:
    explicit Collecting(Walker& walker) : walker_(walker), common_(walker.common_), state_(walker.state) {}

    [[nodiscard]] bool takes_every_completion() const { return walker_.problem_.monotone; }
    [[nodiscard]] bool rules_out() const { return walker_.minimal_ && walker_.has_idle_class(); }
    static Diagram::Id answer_alone() { return Diagram::top; }

    void meet_target(Frame&) {}
    void name(Frame& frame) { name(frame, frame.need); }
    // Of a node at which the target is met.
    void name_completions(Frame& frame) {
        if (walker_.minimal_)
            name(frame, 0);
        else
            frame.key = walker_.namer_.name_free(state_);
    }
    [[nodiscard]] Answer recall(const Frame& frame) {
        if (!common_.techniques.remember) return std::nullopt;
        const auto known = common_.solutions.find(frame.key);
        return known ? Answer(static_cast<Diagram::Id>(*known)) : std::nullopt;
    }

    [[nodiscard]] bool is_done(const Frame& frame) const { return frame.child == frame.children; }
    // Only a class of one copy can be gone through backwards: the diagram wants copies in rising order.
    [[nodiscard]] std::uint32_t next_copies(const Frame& frame, bool backwards) const {
        return backwards && frame.children == 2 ? 1 - frame.child : frame.child;
    }
    void add_child(Frame& frame, Diagram::Id sets, bool backwards) {
        const bool first = frame.child == 1;
        if (first)
            frame.sets = sets;
        else if (backwards && frame.children == 2)
            frame.sets = walker_.diagram.add(frame.cls, 1, sets, frame.sets);
        else
            frame.sets = walker_.diagram.add(frame.cls, frame.child - 1, frame.sets, sets);
    }
    [[nodiscard]] Diagram::Id finish(const Frame& frame) {
        common_.solutions.insert(frame.key, frame.sets);
        return with_taken(frame.taken, frame.sets);
    }
    // The sets with what was taken since the node was entered.
    [[nodiscard]] Diagram::Id with_taken(std::size_t from, Diagram::Id sets) { return walker_.add_taken(from, sets); }

    static constexpr bool ends_if_memory_is_full() { return true; }

private:
    void name(Frame& frame, std::int64_t need) {
        frame.key = walker_.namer_.name(state_, need);
        if (walker_.minimal_) walker_.namer_.add_taken(frame.key, state_);
    }

    Walker& walker_;
    Common& common_;
    State& state_;
};

// Shows every set that reaches the target to a judge, one by one: nothing is remembered, and no diagram is made.
class Walker::Judging {
public:
    explicit Judging(Walker& walker) : walker_(walker) {}

    [[nodiscard]] bool rules_out() const { return walker_.minimal_ && walker_.has_idle_class(); }
    Diagram::Id answer_alone() {
        if (!walker_.common_.judge->visit(walker_.state)) walker_.common_.done = true;
        return Diagram::bottom;
    }

    void meet_target(Frame&) {}
    void name(Frame&) {}
    [[nodiscard]] Answer recall(const Frame&) { return std::nullopt; }

    [[nodiscard]] bool is_done(const Frame& frame) const { return frame.child == frame.children; }
    [[nodiscard]] std::uint32_t next_copies(const Frame& frame, bool) const { return frame.child; }
    void add_child(Frame&, Diagram::Id, bool) {}
    [[nodiscard]] Diagram::Id finish(const Frame&) { return Diagram::bottom; }
    [[nodiscard]] Diagram::Id with_taken(std::size_t, Diagram::Id sets) { return sets; }

    static constexpr bool ends_if_memory_is_full() { return true; }

private:
    Walker& walker_;
};

// Makes the frame ready for its first child.
void Walker::branch(Frame& frame) {
    frame.children = max_copies(frame.cls) + 1;
    frame.child = 0;
    frame.sets = Diagram::bottom;
    frame.prices = prices_.size();
    decide({frame.cls, 0});
    frame.free = state.free_count;
}

Walker::Answer Walker::enter_at_target(Collecting& aim, Frame& frame) {
    for (std::uint32_t at = 0; at < state.free_count;) {
        const std::uint32_t cls = state.order[at];
        if (!state.fits(cls) || (minimal_ && state.gain(cls) == 0))  // a minimal set has only what adds hits
            state.remove_at(at);
        else
            ++at;
    }
    if (state.free_count == 0) return Diagram::top;
    frame.cls = first_in_rank();
    frame.bound = 0;
    aim.name_completions(frame);
    const Answer known = aim.recall(frame);
    if (!known) branch(frame);
    return known;
}

// Enters the node that the state describes: its answer, or none and a frame that says how to branch.
template <class Aim>
Walker::Answer Walker::enter(Aim& aim, Frame& frame, bool by_rank) {
    ++nodes_;
    frame.taken = static_cast<std::uint32_t>(state.taken().size());
    while (true) {
        frame.branch_taken = static_cast<std::uint32_t>(state.taken().size());
        if (aim.rules_out()) return Diagram::bottom;
        frame.need = common_.target.load(std::memory_order_relaxed) - state.hits();
        if (frame.need <= 0) {
            if constexpr (std::is_same_v<Aim, Collecting>)
                if (aim.takes_every_completion()) return enter_at_target(aim, frame);
            aim.meet_target(frame);
        }
        const Relaxation::Outcome outcome = relaxation.tighten(state, frame.need, steps_here());
        if (std::holds_alternative<Relaxation::Pruned>(outcome)) return Diagram::bottom;
        if (std::holds_alternative<Relaxation::Alone>(outcome)) return aim.answer_alone();
        if (const auto* forced = std::get_if<Relaxation::Forced>(&outcome)) {
            if (!take_all(forced->classes)) return Diagram::bottom;
            continue;
        }
        const auto& open = std::get<Relaxation::Open>(outcome);
        frame.cls = by_rank ? first_in_rank() : open.branch;
        frame.bound = state.hits() + open.bound;
        aim.name(frame);
        const Answer known = aim.recall(frame);
        if (known) return known;
        branch(frame);
        if (frame.need > 0 || !problem_.monotone) open.save(prices_);
        return std::nullopt;
    }
}

void Walker::go_to_child(Frame& frame, std::uint32_t copies) {
    if (frame.child > 0 && prices_.size() > frame.prices) relaxation.restore(prices_, frame.prices);
    ++frame.child;
    if (copies > 0) state.take(frame.cls, copies);
}

// Why the walk has to end here, if it has to.
template <class Aim>
std::optional<Ending> Walker::look_around(Aim& aim, Clock& clock, std::uint64_t first_node, std::uint64_t last_node) {
    // A node with many free classes takes longer than a look at the clock.
    const bool out_of_time = state.free_count > small_node ? clock.look() : clock.expired();
    if (out_of_time || common_.done.load(std::memory_order_relaxed)) return Ending::stopped;
    if (nodes_ >= last_node) return Ending::out_of_nodes;
    if (nodes_ > first_node && nodes_ % nodes_per_look == 0 && out_of_memory() && aim.ends_if_memory_is_full())
        return Ending::out_of_memory;
    return std::nullopt;
}

template <class Aim>
Ending Walker::walk(Aim aim, const Route& route, Clock& clock) {
    stack_.clear();
    prices_.clear();
    const std::uint64_t first_node = nodes_;
    const std::uint64_t last_node =
        nodes_ + std::min(route.max_nodes, std::numeric_limits<std::uint64_t>::max() - nodes_);
    const std::size_t taken_at_start = state.taken().size();
    const std::uint32_t free_at_start = state.free_count;
    const auto leave = [&](Ending ending) {
        state.untake_to(taken_at_start);
        state.free_count = free_at_start;
        return ending;
    };
    Answer answer;
    do {
        if (const auto ending = look_around(aim, clock, first_node, last_node)) return leave(*ending);
        Frame entered{};
        answer = enter(aim, entered, route.by_rank);
        if (answer) {
            answer = aim.with_taken(entered.taken, *answer);
            state.untake_to(entered.taken);
        } else {
            stack_.push_back(entered);
        }
        // Up through every node whose children are done, then down into the next child.
        while (!stack_.empty()) {
            Frame& top = stack_.back();
            if (answer) aim.add_child(top, *answer, route.backwards);
            state.untake_to(top.branch_taken);
            state.free_count = top.free;
            if (!aim.is_done(top)) {
                go_to_child(top, aim.next_copies(top, route.backwards));
                break;
            }
            answer = aim.finish(top);
            state.untake_to(top.taken);
            prices_.resize(top.prices);
            stack_.pop_back();
        }
    } while (!stack_.empty());
    root_ = *answer;
    return leave(Ending::finished);
}

Ending Walker::improve(const Route& route, Clock& clock) { return walk(Improving(*this), route, clock); }

Ending Walker::collect(const Route& route, Clock& clock) {
    if (common_.judge != nullptr) return walk(Judging(*this), route, clock);
    return walk(Collecting(*this), route, clock);
}

std::int64_t Walker::open_bound() const {
    if (stack_.empty()) return std::numeric_limits<std::int64_t>::max();  // stopped before its first node
    std::int64_t open = common_.target.load() - 1;
    for (const Frame& frame : stack_) open = std::max(open, frame.bound);
    return open;
}

}  // namespace oraclesum::search
