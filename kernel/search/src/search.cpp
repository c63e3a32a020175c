// The phases of a search: incumbent and multipliers at the root, proof of the optimum, diagram of the family.
#include "oraclesum/search/search.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <system_error>
#include <thread>
#include <tuple>

#include "oraclesum/search/error.hpp"
#include "oraclesum/search/family.hpp"
#include "oraclesum/search/lister.hpp"
#include "oraclesum/search/listing.hpp"
#include "walker.hpp"

namespace oraclesum::search {

namespace {

constexpr int steps_at_root = 30;
constexpr int rounds_at_root = 8;
// A walk that is not done after so many nodes starts over in the other order; what it has solved stays solved. The
// fixed order gets the larger allowance: most families that take long are large, and there it merges far more.
constexpr std::uint64_t first_allowance = 2000;
constexpr std::uint64_t allowance_growth = 8;

class Search {
public:
    Search(const Problem& problem, const SearchSettings& settings, Clock& clock)
        : problem_(problem),
          settings_(settings),
          clock_(clock),
          threads_(std::clamp(settings.threads, 1U, Diagram::max_parts - 1)),
          common_(threads_ > 1, settings.max_memory, settings.techniques),
          walker_(problem, common_, settings.minimal) {
        walker_.relaxation.may_fix(settings.techniques.fix);
        common_.incumbent.know(settings.known.value_or(0));
        common_.judge = settings.judge;
    }

    SearchResult run();

private:
    // The value that the sets of the family reach, by what is known so far.
    [[nodiscard]] std::int64_t target() const {
        if (settings_.target) return *settings_.target;
        return std::max(settings_.least, common_.incumbent.hits() - settings_.within);
    }
    void give_up() { impossible_ = true; }
    void prepare_root();
    void optimise();
    // Replaces the best set by one that does not depend on which thread was first.
    void settle();
    void collect(SearchResult& result);
    // The diagram of the sets below where `start` stands.
    Ending collect_below(const Walker& start, Diagram& diagram);
    // The family part by part, each small enough for its own diagram; true when done.
    bool stream(Streamed& streamed);
    bool add_part(Streamed& streamed, Diagram diagram) const;  // false: the clock stopped it
    void list_part(Streamed& streamed, const DiagramFamily& part, const Bounds& bounds) const;
    static void add_part_by_size(Streamed& streamed, const DiagramFamily& part, const Bounds& bounds);
    // Walks until done, changing over between the two orders.
    template <class Walk>
    Ending walk_in_turn(Walker& walker, bool backwards, Clock& clock, Walk walk) const;
    // Walks on all threads at once; the first to finish ends the others. Returns who finished, or null. What a thread
    // throws ends the others too, and then reaches the caller. Walkers for whom the system has no thread are let go.
    template <class Walk>
    Walker* race(std::vector<std::unique_ptr<Walker>>& walkers, Walk walk);
    std::vector<std::unique_ptr<Walker>> copies_of(const Walker& start) const;
    [[nodiscard]] std::vector<std::uint32_t> best_sentences() const;
    // Takes out copies that can be dropped without loss of hits, of the last classes first.
    void drop_idle(std::vector<std::uint32_t>& copies) const;

    const Problem& problem_;
    const SearchSettings& settings_;
    Clock& clock_;
    unsigned threads_;
    Common common_;
    Walker walker_;  // stands at the root
    std::int64_t upper_bound_ = std::numeric_limits<std::int64_t>::max();
    std::uint64_t nodes_ = 0;
    bool out_of_memory_ = false;
    bool stopped_ = false;
    bool impossible_ = false;  // no set keeps the limits
};

// Multipliers, dives and exchanges in turn; what can be fixed for every set of the family is fixed for good.
void Search::prepare_root() {
    State& state = walker_.state;
    Incumbent& incumbent = common_.incumbent;
    for (const std::uint32_t cls : problem_.required) {
        if (!state.fits(cls)) return give_up();
        walker_.decide({cls, 1});
    }
    if (!settings_.target) incumbent.fill(state, clock_);
    Relaxation::Root root{clock_, std::vector<std::int64_t>(problem_.classes(), 0)};
    for (int round = 0; round < rounds_at_root; ++round) {
        const std::int64_t need = target() - state.hits();
        if (need <= 0 && problem_.monotone) break;
        const auto outcome = walker_.relaxation.tighten(state, need, steps_at_root, &root);
        const auto bound = Relaxation::bound_of(outcome);
        if (!bound && settings_.target) return give_up();
        upper_bound_ = std::min(upper_bound_, bound ? state.hits() + *bound : target() - 1);
        if (!bound) break;
        const auto* forced = std::get_if<Relaxation::Forced>(&outcome);
        if (settings_.target) {
            if (forced == nullptr) break;
            if (!walker_.take_all(forced->classes)) return give_up();
            continue;
        }
        if (settings_.techniques.dive) {
            incumbent.dive(state, root.worth, clock_);
            if (round % 2 == 0) incumbent.exchange(state, clock_);
        }
        // Classes of every set that do not fit together: there is no set.
        if (forced != nullptr && !walker_.take_all(forced->classes)) return give_up();
        if (upper_bound_ <= incumbent.hits()) break;
        stopped_ = clock_.look();
        if (stopped_) return;
    }
}

std::vector<std::unique_ptr<Walker>> Search::copies_of(const Walker& start) const {
    std::vector<std::unique_ptr<Walker>> walkers;
    for (std::uint32_t part = 0; part < threads_; ++part) walkers.push_back(std::make_unique<Walker>(start, part));
    return walkers;
}

template <class Walk>
Ending Search::walk_in_turn(Walker& walker, bool backwards, Clock& clock, Walk walk) const {
    const Techniques& techniques = settings_.techniques;
    if (settings_.judge != nullptr)
        return walk(walker, {.max_nodes = settings_.max_nodes}, clock);  // sees each set once
    const bool in_turn = techniques.relaxed_order && techniques.ranked_order;
    std::uint64_t allowance = first_allowance;
    for (Route route{.by_rank = !techniques.relaxed_order, .backwards = backwards};; route.by_rank = !route.by_rank) {
        if (route.by_rank) allowance *= allowance_growth;
        if (in_turn) route.max_nodes = allowance;
        const Ending ending = walk(walker, route, clock);
        if (ending != Ending::out_of_nodes) return ending;
    }
}

template <class Walk>
Walker* Search::race(std::vector<std::unique_ptr<Walker>>& walkers, Walk walk) {
    common_.done = false;
    out_of_memory_ = false;
    std::vector<Ending> endings(walkers.size(), Ending::stopped);
    std::vector<std::exception_ptr> thrown(walkers.size());
    const auto run = [&](std::size_t t, Clock& clock) {
        make_ready_to_throw();
        try {
            endings[t] = walk_in_turn(*walkers[t], t % 2 == 1, clock, walk);
        } catch (...) {
            thrown[t] = std::current_exception();
        }
        common_.done = true;
    };
    std::size_t started = 1;
    {
        std::vector<std::jthread> others;  // joins at the end of its scope
        try {
            for (; started < walkers.size(); ++started)
                others.emplace_back([&, t = started, clock = Clock(clock_)]() mutable { run(t, clock); });
        } catch (const std::system_error&) {  // the system has no more threads: those that it had are enough
        } catch (...) {
            common_.done = true;  // what ends this one must not leave the others at work
            throw;
        }
        run(0, clock_);
    }
    walkers.resize(started);
    for (const std::exception_ptr& exception : thrown)
        if (exception) std::rethrow_exception(exception);
    Walker* finished = nullptr;
    for (std::size_t t = 0; t < walkers.size(); ++t) {
        nodes_ += walkers[t]->nodes();
        out_of_memory_ = out_of_memory_ || endings[t] == Ending::out_of_memory;
        if (endings[t] == Ending::finished && finished == nullptr) finished = walkers[t].get();
    }
    if (finished == nullptr) {
        stopped_ = true;
        std::ignore = clock_.look();  // takes over the reason if another thread saw it first
    } else {
        out_of_memory_ = false;
    }
    return finished;
}

void Search::optimise() {
    common_.target = common_.incumbent.hits() + 1;
    auto walkers = copies_of(walker_);
    if (race(walkers, [](Walker& walker, const Route& route, Clock& clock) { return walker.improve(route, clock); })) {
        upper_bound_ = common_.incumbent.hits();
        return;
    }
    for (const auto& walker : walkers) upper_bound_ = std::min(upper_bound_, walker->open_bound());
}

// Of sets with equal hits, the walk of several threads keeps the one found first, which is chance. One thread looks for
// it again, from the root and with nothing remembered but the hits, and stops at the first set that has them.
void Search::settle() {
    Common common(false, settings_.max_memory, settings_.techniques);
    common.target = common_.incumbent.hits();
    common.enough = common_.incumbent.hits();
    Walker walker(problem_, common, settings_.minimal);
    walker.state = walker_.state;
    walker.relaxation = walker_.relaxation;
    walker.rank = walker_.rank;
    std::ignore = walk_in_turn(walker, false, clock_, [](Walker& each, const Route& route, Clock& clock) {
        return each.improve(route, clock);
    });
    nodes_ += walker.nodes();
    if (common.incumbent.hits() == common_.incumbent.hits()) common_.incumbent = std::move(common.incumbent);
}

Ending Search::collect_below(const Walker& start, Diagram& diagram) {
    common_.solutions.clear();
    common_.diagram_bytes = 0;
    auto walkers = copies_of(start);
    Walker* finished =
        race(walkers, [](Walker& walker, const Route& route, Clock& clock) { return walker.collect(route, clock); });
    common_.solutions.clear();  // room for the joined diagram
    if (finished == nullptr) return out_of_memory_ ? Ending::out_of_memory : Ending::stopped;
    Diagram::Id root = finished->root();
    const auto taken = start.state.taken();
    for (std::size_t k = taken.size(); k > 0; --k)
        root = finished->diagram.add(taken[k - 1].cls, taken[k - 1].copies, Diagram::bottom, root);
    std::vector<const Diagram*> parts;
    for (const auto& walker : walkers) parts.push_back(&walker->diagram);
    diagram = Diagram::join(parts, root);
    return Ending::finished;
}

void Search::collect(SearchResult& result) {
    common_.target = target();
    common_.failures.clear();
    switch (collect_below(walker_, result.diagram)) {
        case Ending::finished: result.collected = true; break;
        case Ending::out_of_memory:
            result.streamed.emplace();
            result.collected = stream(*result.streamed);
            if (!result.collected) result.streamed.reset();
            break;
        case Ending::out_of_nodes:
        case Ending::stopped: break;
    }
}

bool Search::stream(Streamed& streamed) {
    // Sub-problems as lists of decisions; the first one is known to be too large.
    std::vector<std::vector<Taken>> open{{}};
    bool too_large = true;
    while (!open.empty()) {
        const std::vector<Taken> decisions = std::move(open.back());
        open.pop_back();
        Walker start(walker_, 0);
        for (const Taken& decision : decisions) start.decide(decision);
        Diagram diagram;
        const Ending ending = too_large ? Ending::out_of_memory : collect_below(start, diagram);
        too_large = false;
        if (ending == Ending::finished) {
            if (!add_part(streamed, std::move(diagram))) return false;
        } else if (ending == Ending::out_of_memory && start.state.free_count > 0) {
            const std::uint32_t cls = start.first_in_rank();
            for (std::uint32_t copies = 0; copies <= start.max_copies(cls); ++copies) {
                open.push_back(decisions);
                open.back().push_back({cls, copies});
            }
        } else {
            return false;
        }
    }
    stopped_ = false;
    streamed.members = problem_.members;
    return true;
}

bool Search::add_part(Streamed& streamed, Diagram diagram) const {
    const Bounds bounds(clock_, settings_.max_memory);
    try {
        const DiagramFamily part(std::move(diagram), problem_.members, problem_.sentences, bounds);
        streamed.count += part.count();
        streamed.inclusion.resize(problem_.classes());
        const std::vector<Natural> inclusion = part.inclusion(bounds);
        for (std::size_t c = 0; c < inclusion.size(); ++c) streamed.inclusion[c] += inclusion[c];
        if (streamed.by_size) add_part_by_size(streamed, part, bounds);
        list_part(streamed, part, bounds);
        return true;
    } catch (const Stopped&) {
        return false;
    }
}

void Search::list_part(Streamed& streamed, const DiagramFamily& part, const Bounds& bounds) const {
    if (settings_.max_list == 0) return;
    try {
        Lister lister(part, {});
        while (true) {
            const Rows<std::uint32_t>& sets = lister.next_part(bounds);
            if (sets.size() == 0) break;
            for (std::size_t at = 0; at < sets.size(); ++at) {
                if (streamed.listed.size() == settings_.max_list || listed_bytes(streamed.listed) > MAX_LISTED_BYTES)
                    return;
                streamed.listed.add_row(sets[at]);
            }
        }
    } catch (const TooLarge&) {  // some sets are stored, not all in any case
    }
}

void Search::add_part_by_size(Streamed& streamed, const DiagramFamily& part, const Bounds& bounds) {
    try {
        const std::vector<Natural> sizes = part.sizes(bounds);
        const std::vector<std::vector<Natural>> inclusion = part.inclusion_by_size(bounds);
        streamed.sizes.resize(std::max(streamed.sizes.size(), sizes.size()));
        streamed.inclusion_by_size.resize(streamed.sizes.size());
        for (std::size_t s = 0; s < sizes.size(); ++s) {
            streamed.sizes[s] += sizes[s];
            if (inclusion[s].empty()) continue;
            auto& row = streamed.inclusion_by_size[s];
            row.resize(inclusion[s].size());
            for (std::size_t c = 0; c < row.size(); ++c) row[c] += inclusion[s][c];
        }
    } catch (const TooLarge&) {
        streamed.by_size = false;
        streamed.sizes.clear();
        streamed.inclusion_by_size.clear();
    }
}

// What is dropped only makes the rest more needed, so one look at each class is enough.
void Search::drop_idle(std::vector<std::uint32_t>& copies) const {
    std::vector<std::uint64_t> covered(problem_.columns(), 0);
    for (std::size_t c = 0; c < copies.size(); ++c)
        for (const Cell& cell : problem_.rows[c]) covered[cell.column] += std::uint64_t{cell.count} * copies[c];
    if (problem_.budgets.size() > problem_.uppers) return;  // a floor may need what adds nothing
    for (std::size_t c = copies.size(); c-- > 0;) {
        if (std::ranges::find(problem_.required, c) != problem_.required.end()) continue;
        const auto idle = [&] {
            std::int64_t lost = problem_.base[c];
            for (const Cell& cell : problem_.rows[c]) {
                const auto gains = problem_.gains[cell.column];
                for (std::uint64_t k = covered[cell.column] - cell.count; k < covered[cell.column] && k < gains.size();
                     ++k)
                    lost += gains[k];
            }
            return lost <= 0;
        };
        for (; copies[c] > 0 && idle(); --copies[c])
            for (const Cell& cell : problem_.rows[c]) covered[cell.column] -= cell.count;
    }
}

std::vector<std::uint32_t> Search::best_sentences() const {
    std::vector<std::uint32_t> copies(problem_.classes(), 0);
    for (const Taken& taken : common_.incumbent.taken()) copies[taken.cls] += taken.copies;
    if (settings_.minimal) drop_idle(copies);
    std::vector<std::uint32_t> all;
    for (std::size_t c = 0; c < copies.size(); ++c)
        all.insert(all.end(), problem_.members[c].begin(), problem_.members[c].begin() + copies[c]);
    std::ranges::sort(all);
    return all;
}

SearchResult Search::run() {
    SearchResult result;
    result.hits = result.upper_bound = common_.incumbent.hits();
    if (problem_.stopped) {  // by the clock, in presolve
        result.upper_bound = std::max(result.hits, problem_.upper_bound);
        result.stopped = clock_.reason();
        return result;
    }
    if (problem_.classes() != 0 && problem_.feasible)
        prepare_root();
    else
        give_up();
    if (impossible_) {
        result.collected = true;
        return result;
    }
    walker_.rank = rank_classes(walker_.state);
    const std::int64_t hits_at_root = common_.incumbent.hits();
    if (!stopped_ && settings_.walk && !settings_.target && upper_bound_ > hits_at_root) optimise();
    const bool superseded = settings_.known && common_.incumbent.hits() > *settings_.known;
    if (!stopped_ && settings_.collect && !superseded) collect(result);
    if (!stopped_ && !settings_.collect && common_.incumbent.hits() > hits_at_root) settle();
    result.hits = common_.incumbent.hits();
    // Multipliers that nobody had time to improve may promise more than there is.
    result.upper_bound = std::max(std::min(upper_bound_, problem_.upper_bound), result.hits);
    result.best = best_sentences();
    result.nodes = nodes_;
    result.stopped = clock_.reason();
    return result;
}

}  // namespace

SearchResult run_search(const Problem& problem, const SearchSettings& settings, Clock& clock) {
    return Search(problem, settings, clock).run();
}

}  // namespace oraclesum::search
