// The first good set: filling, dives and exchanges agree with plain versions that look at everything again in each step.
#include "incumbent.hpp"

#include <algorithm>

#include "check.hpp"
#include "completions.hpp"

using namespace oraclesum::search;
using namespace oraclesum::testing;

namespace {

// Takes the densest free class that fits and adds hits, the first of equals, until there is none.
void fill_plainly(State& state) {
    const Problem& problem = state.problem();
    while (true) {
        const Copies taken = count_taken(state);
        std::uint32_t best = 0;
        double largest = 0;
        for (std::uint32_t cls = 0; cls < problem.classes(); ++cls) {
            if (std::ranges::find(state.free(), cls) == state.free().end()) continue;
            if (taken[cls] >= problem.copies(cls) || !state.fits(cls)) continue;
            const auto length = static_cast<double>(problem.uppers == 0 ? 1 : problem.lengths[cls][0]);
            const double density = static_cast<double>(state.gain(cls)) / std::max(length, 0.5);
            if (density <= largest) continue;
            best = cls;
            largest = density;
        }
        if (largest <= 0) return;
        state.take(best);
    }
}

Copies count_copies(const Incumbent& incumbent, const Problem& problem) {
    Copies copies(problem.classes(), 0);
    for (const Taken& taken : incumbent.taken()) copies[taken.cls] += taken.copies;
    return copies;
}

// Whether a set of copies keeps all limits and floors.
bool is_feasible(const Problem& problem, const Copies& copies) {
    State state(problem);
    for (std::uint32_t cls = 0; cls < copies.size(); ++cls) {
        if (copies[cls] > problem.copies(cls) || !state.fits(cls, copies[cls])) return false;
        if (copies[cls] > 0) state.take(cls, copies[cls]);
    }
    return state.complete();
}

bool same(const State& a, const State& b) {
    return a.hits() == b.hits() && std::ranges::equal(a.taken(), b.taken()) && std::ranges::equal(a.left(), b.left()) &&
           std::ranges::equal(a.free(), b.free());
}

}  // namespace

TEST(filling_takes_what_the_plain_greedy_takes) {
    Draw draw(1);
    int kept = 0;
    for (int round = 0; round < rounds(3000); ++round) {
        const Problem problem = presolve(varied_instance(draw, 12));
        if (problem.classes() == 0) continue;
        State state = draw_state(draw, problem);
        State plain = state;
        fill_plainly(plain);
        const State before = state;
        Incumbent incumbent;
        Clock clock;
        incumbent.fill(state, clock);
        CHECK(same(state, before));
        CHECK(incumbent.hits() == plain.hits());
        CHECK(plain.hits() == 0 || count_copies(incumbent, problem) == count_taken(plain));
        kept += incumbent.hits() > before.hits() ? 1 : 0;
    }
    CHECK(kept > rounds(1000));
}

TEST(a_dive_takes_what_is_worth_most_and_fills_up) {
    Draw draw(2);
    for (int round = 0; round < rounds(3000); ++round) {
        const Problem problem = presolve(varied_instance(draw, 12));
        if (problem.classes() == 0) continue;
        State state = draw_state(draw, problem);
        std::vector<std::int64_t> worth(problem.classes());
        for (std::int64_t& each : worth) each = draw.between(-3, 3);
        State plain = state;
        for (std::int64_t level = 3; level > 0; --level)
            for (std::uint32_t cls = 0; cls < problem.classes(); ++cls)
                if (worth[cls] == level && std::ranges::find(state.free(), cls) != state.free().end() &&
                    plain.fits(cls) && plain.gain(cls) > 0)
                    plain.take(cls);
        fill_plainly(plain);
        const State before = state;
        Incumbent incumbent;
        Clock clock;
        incumbent.dive(state, worth, clock);
        CHECK(same(state, before));
        CHECK(incumbent.hits() == plain.hits());
        CHECK(plain.hits() == 0 || count_copies(incumbent, problem) == count_taken(plain));
    }
}

TEST(after_exchanges_no_single_one_helps) {
    Draw draw(3);
    int better = 0;
    for (int round = 0; round < rounds(1500); ++round) {
        const Problem problem = presolve(round % 2 == 0 ? varied_instance(draw, 12) : document(draw, 15, 30, 60));
        if (problem.classes() == 0) continue;
        State state(problem);
        Incumbent incumbent;
        Clock clock;
        incumbent.fill(state, clock);
        const std::int64_t filled = incumbent.hits();
        incumbent.exchange(state, clock);
        CHECK(same(state, State(problem)));
        CHECK(incumbent.hits() >= filled);
        better += incumbent.hits() > filled ? 1 : 0;
        for (std::size_t out = 0; out < incumbent.taken().size(); ++out) {
            State plain(problem);
            for (std::size_t k = 0; k < incumbent.taken().size(); ++k)
                if (k != out) plain.take(incumbent.taken()[k].cls, incumbent.taken()[k].copies);
            fill_plainly(plain);
            CHECK(plain.hits() <= incumbent.hits());
        }
    }
    CHECK(better > 10);
}

// With costs, fees and floors too.
TEST(what_is_kept_is_feasible_and_has_the_hits_it_is_said_to_have) {
    Draw draw(4);
    int kept = 0;
    for (int round = 0; round < rounds(3000); ++round) {
        const Problem problem = presolve(round % 2 == 0 ? varied_instance(draw, 9) : costly_instance(draw, 9));
        if (problem.classes() == 0) continue;
        State state(problem);
        std::int64_t best = 0;  // of all sets
        for (const Completion& each : list_completions(state))
            if (each.complete) best = std::max(best, each.added);
        Incumbent incumbent;
        Clock clock;
        std::vector<std::int64_t> worth(problem.classes(), 1);
        incumbent.fill(state, clock);
        incumbent.dive(state, worth, clock);
        incumbent.exchange(state, clock);
        CHECK(incumbent.hits() <= best);
        if (incumbent.hits() == 0) continue;
        ++kept;
        const Copies copies = count_copies(incumbent, problem);
        CHECK(is_feasible(problem, copies));
        State again(problem);
        for (const Taken& taken : incumbent.taken()) again.take(taken.cls, taken.copies);
        CHECK(again.hits() == incumbent.hits());
        if (problem.fees.empty()) CHECK(value_of(problem, copies) == incumbent.hits());
    }
    CHECK(kept > rounds(1000));
}

TEST(only_what_is_better_than_what_is_known_is_kept) {
    const Problem problem = presolve(Instance({{1}, {1}}, {{{0, 1}}, {{1, 1}}}, {{1, {1, 1}}}));
    State state(problem);
    Incumbent incumbent;
    CHECK(!incumbent.offer(state));  // the empty set
    state.take(0);
    CHECK(incumbent.offer(state));
    CHECK(!incumbent.offer(state));  // no better than itself
    Incumbent knowing;
    knowing.know(1);
    CHECK(!knowing.offer(state));
    CHECK(knowing.taken().empty());
}
