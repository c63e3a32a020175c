// Depth-first search over classes with an explicit stack: bounds and fixings from the relaxation at every node.
#include "oraclesum/search/search.hpp"

#include <algorithm>
#include <limits>

#include "oraclesum/search/incumbent.hpp"
#include "oraclesum/search/memory.hpp"
#include "oraclesum/search/relaxation.hpp"
#include "oraclesum/search/state.hpp"
#include "oraclesum/search/subproblem.hpp"

namespace oraclesum::search {

namespace {

constexpr int steps_at_root = 30;
constexpr int rounds_at_root = 8;

class Search {
public:
    Search(const Problem& problem, const SearchSettings& settings, Clock& clock)
        : problem_(problem), settings_(settings), clock_(clock), state_(problem), relaxation_(problem), namer_(problem) {}

    SearchResult run();

private:
    struct Frame {
        std::uint32_t taken;    // of the state when the node was entered
        std::uint32_t branch_taken;  // after its forced classes
        std::uint32_t free;     // its own free prefix, the branching class last
        std::uint32_t cls;
        std::uint32_t child;    // number of children visited
        std::uint32_t children;
        std::size_t prices;     // mark in the stack of multipliers
        std::int64_t bound;     // hits of any set below this node
        Key key;
        Diagram::Id sets;       // of the children so far
    };
    enum class Arrival { known, branch };

    void prepare_root();
    void optimise();
    void collect();
    template <bool collecting>
    void walk();
    template <bool collecting>
    Arrival arrive(Frame& frame, Diagram::Id& sets);
    bool take_forced();
    std::uint32_t most_copies(std::uint32_t cls) const;
    std::vector<std::uint32_t> best_sentences() const;

    const Problem& problem_;
    const SearchSettings& settings_;
    Clock& clock_;
    State state_;
    Relaxation relaxation_;
    Incumbent incumbent_;
    Namer namer_;
    Memory memory_;
    Diagram diagram_;
    std::vector<Frame> stack_;
    std::vector<std::int64_t> prices_;
    std::vector<std::uint8_t> marked_;
    std::int64_t target_ = 1;
    std::int64_t upper_bound_ = 0;
    std::uint64_t nodes_ = 0;
    bool stopped_ = false;
};

std::uint32_t Search::most_copies(std::uint32_t cls) const {
    std::uint32_t copies = problem_.copies(cls);
    while (copies > 0 && !state_.fits(cls, copies)) --copies;
    return copies;
}

// Takes what the relaxation forced; false where it does not fit together.
bool Search::take_forced() {
    for (const std::uint32_t cls : relaxation_.forced()) {
        if (!state_.fits(cls)) return false;
        state_.take(cls);
    }
    for (const std::uint32_t cls : relaxation_.forced()) marked_[cls] = 1;
    std::uint32_t kept = 0;
    for (std::uint32_t at = 0; at < state_.free_count; ++at)
        if (!marked_[state_.order[at]]) std::swap(state_.order[kept++], state_.order[at]);
    state_.free_count = kept;
    for (const std::uint32_t cls : relaxation_.forced()) marked_[cls] = 0;
    return true;
}

// Enters the node that the state describes: either its completions are known, or `frame` says how to branch.
template <bool collecting>
Search::Arrival Search::arrive(Frame& frame, Diagram::Id& sets) {
    ++nodes_;
    frame.taken = static_cast<std::uint32_t>(state_.taken().size());
    while (true) {
        std::int64_t need = target_ - state_.hits();
        if (need <= 0) {
            if constexpr (collecting) {
                // The target is met: every set of free classes that fits is a completion.
                std::uint32_t at = 0;
                std::uint32_t pick = 0;
                while (at < state_.free_count) {
                    const std::uint32_t cls = state_.order[at];
                    if (!state_.fits(cls)) {
                        state_.remove_at(at);
                        continue;
                    }
                    if (cls >= pick) pick = cls;
                    ++at;
                }
                frame.branch_taken = static_cast<std::uint32_t>(state_.taken().size());
                if (state_.free_count == 0) {
                    sets = Diagram::top;
                    return Arrival::known;
                }
                frame.key = namer_.name_free(state_);
                frame.cls = pick;
                frame.bound = target_;
                break;
            } else {
                incumbent_.offer(state_);
                target_ = incumbent_.hits() + 1;
                need = target_ - state_.hits();
            }
        }
        frame.branch_taken = static_cast<std::uint32_t>(state_.taken().size());
        const int steps = state_.free_count > 6 ? 8 : 3;
        const auto verdict = relaxation_.tighten(state_, need, steps);
        if (verdict == Relaxation::Verdict::pruned) {
            sets = Diagram::bottom;
            return Arrival::known;
        }
        if (verdict == Relaxation::Verdict::forced) {
            if (!take_forced()) {
                sets = Diagram::bottom;
                return Arrival::known;
            }
            continue;
        }
        frame.branch_taken = static_cast<std::uint32_t>(state_.taken().size());
        frame.cls = relaxation_.branch_class();
        frame.bound = state_.hits() + relaxation_.bound() / one_hit;
        if constexpr (collecting) frame.key = namer_.name(state_, need);
        break;
    }
    if constexpr (collecting) {
        if (const Diagram::Id* known = memory_.find(frame.key)) {
            sets = *known;
            return Arrival::known;
        }
    }
    frame.children = most_copies(frame.cls) + 1;
    frame.child = 0;
    frame.sets = Diagram::bottom;
    frame.prices = prices_.size();
    if (target_ > state_.hits()) relaxation_.save(prices_);
    std::uint32_t at = 0;
    while (state_.order[at] != frame.cls) ++at;
    state_.remove_at(at);
    frame.free = state_.free_count;
    return Arrival::branch;
}

template <bool collecting>
void Search::walk() {
    stack_.clear();
    prices_.clear();
    Diagram::Id sets = Diagram::bottom;
    bool returning = false;
    Frame frame{};
    while (true) {
        if (!returning) {
            if (clock_.expired()) {
                stopped_ = true;
                return;
            }
            if (arrive<collecting>(frame, sets) == Arrival::branch) {
                stack_.push_back(frame);
            } else {
                if constexpr (collecting)
                    for (std::size_t k = state_.taken().size(); k > frame.taken && sets != Diagram::bottom; --k)
                        sets = diagram_.add(state_.taken()[k - 1].cls, state_.taken()[k - 1].copies, Diagram::bottom, sets);
                state_.untake_to(frame.taken);
                if (stack_.empty()) break;
                returning = true;
                continue;
            }
        } else {
            Frame& top = stack_.back();
            if constexpr (collecting) {
                const std::uint32_t copies = top.child - 1;
                top.sets = copies == 0 ? sets : diagram_.add(top.cls, copies, top.sets, sets);
            }
            returning = false;
        }
        Frame& top = stack_.back();
        state_.untake_to(top.branch_taken);
        state_.free_count = top.free;
        const bool worthless = !collecting && top.bound < target_;
        if (top.child < top.children && !worthless) {
            const std::uint32_t copies = collecting ? top.child : top.children - 1 - top.child;
            if (top.child > 0 && prices_.size() > top.prices) relaxation_.restore(prices_, top.prices);
            ++top.child;
            if (copies > 0) state_.take(top.cls, copies);
            continue;
        }
        sets = top.sets;
        if constexpr (collecting) {
            memory_.insert(top.key, sets);
            for (std::size_t k = state_.taken().size(); k > top.taken && sets != Diagram::bottom; --k)
                sets = diagram_.add(state_.taken()[k - 1].cls, state_.taken()[k - 1].copies, Diagram::bottom, sets);
        }
        state_.untake_to(top.taken);
        prices_.resize(top.prices);
        stack_.pop_back();
        if (stack_.empty()) break;
        returning = true;
    }
    if constexpr (collecting) diagram_.root = sets;
}

void Search::prepare_root() {
    incumbent_.fill(state_);
    upper_bound_ = std::numeric_limits<std::int64_t>::max();
    for (int round = 0; round < rounds_at_root; ++round) {
        const std::int64_t need = std::max<std::int64_t>(1, incumbent_.hits() - settings_.within) - state_.hits();
        if (need <= 0) {
            break;
        }
        const auto verdict = relaxation_.tighten(state_, need, steps_at_root, true);
        if (verdict == Relaxation::Verdict::pruned) break;
        upper_bound_ = std::min(upper_bound_, state_.hits() + relaxation_.bound() / one_hit);
        incumbent_.dive(state_, [&](std::uint32_t cls) { return relaxation_.worth(cls); });
        if (round % 2 == 0) incumbent_.exchange(state_);
        if (verdict == Relaxation::Verdict::forced && !take_forced()) break;
        if (upper_bound_ <= incumbent_.hits()) break;
        if (clock_.look()) {
            stopped_ = true;
            return;
        }
    }
}

void Search::optimise() {
    target_ = incumbent_.hits() + 1;
    const std::uint32_t free = state_.free_count;
    const std::size_t taken = state_.taken().size();
    walk<false>();
    if (!stopped_) {
        upper_bound_ = incumbent_.hits();
        state_.untake_to(taken);
        state_.free_count = free;
    } else {
        std::int64_t open = stack_.empty() ? upper_bound_ : incumbent_.hits();
        for (const Frame& frame : stack_) open = std::max(open, frame.bound);
        upper_bound_ = std::min(upper_bound_, open);
    }
}

void Search::collect() {
    target_ = std::max<std::int64_t>(1, incumbent_.hits() - settings_.within);
    walk<true>();
}

std::vector<std::uint32_t> Search::best_sentences() const {
    std::vector<std::uint32_t> all;
    std::vector<std::uint32_t> used(problem_.classes(), 0);
    for (const Taken& taken : incumbent_.taken())
        for (std::uint32_t k = 0; k < taken.copies; ++k) all.push_back(problem_.members[taken.cls][used[taken.cls]++]);
    std::ranges::sort(all);
    return all;
}

SearchResult Search::run() {
    marked_.assign(problem_.classes(), 0);
    SearchResult result;
    if (problem_.classes() > 0) {
        prepare_root();
        const std::vector<Taken> root(state_.taken().begin(), state_.taken().end());
        if (!stopped_ && upper_bound_ > incumbent_.hits()) optimise();
        if (!stopped_ && settings_.list) {
            collect();
            if (!stopped_)
                for (std::size_t k = root.size(); k > 0 && diagram_.root != Diagram::bottom; --k)
                    diagram_.root = diagram_.add(root[k - 1].cls, root[k - 1].copies, Diagram::bottom, diagram_.root);
        }
        result.hits = incumbent_.hits();
        result.upper_bound = upper_bound_;
        result.best = best_sentences();
    }
    result.nodes = nodes_;
    result.diagram = std::move(diagram_);
    result.stopped = clock_.reason();
    return result;
}

}  // namespace

SearchResult run_search(const Problem& problem, const SearchSettings& settings, Clock& clock) {
    return Search(problem, settings, clock).run();
}

}  // namespace oraclesum::search
