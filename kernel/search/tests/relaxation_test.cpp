// The relaxation at a node: its bound holds for every completion, and what it fixes is so in all that count.
#include "relaxation.hpp"

#include <algorithm>
#include <set>

#include "check.hpp"
#include "completions.hpp"
#include "oraclesum/search/problem.hpp"

using namespace oraclesum::search;
using namespace oraclesum::testing;

TEST(bounds_and_fixing_hold_for_every_completion) {
    Draw draw(1);
    int pruned = 0, forced = 0, removed = 0;
    Clock clock;
    for (int round = 0; round < rounds(4000); ++round) {
        const Problem problem = presolve(varied_instance(draw, 8));
        if (problem.classes() == 0) continue;
        State state = draw_state(draw, problem);
        const std::vector<std::uint32_t> free(state.free().begin(), state.free().end());
        std::vector<Completion> all = list_completions(state);
        const std::int64_t best = std::ranges::max_element(all, {}, &Completion::added)->added;
        // Above, at and below what can be reached.
        const std::int64_t need = std::max<std::int64_t>(1, best + draw.between(-3, 2));
        Relaxation relaxation(problem);
        const int steps = static_cast<int>(draw.one_of({1, 3, 8, 30}));
        Relaxation::Root root{clock, std::vector<std::int64_t>(problem.classes(), 0)};
        const auto outcome = relaxation.tighten(state, need, steps, draw.one_in(2) ? &root : nullptr);
        std::erase_if(all, [&](const Completion& each) { return each.added < need; });
        const auto bound = Relaxation::bound_of(outcome);
        if (!bound) {
            CHECK(all.empty());
            ++pruned;
            continue;
        }
        const auto* forced_here = std::get_if<Relaxation::Forced>(&outcome);
        const std::set<std::uint32_t> still(state.free().begin(), state.free().end());
        for (const Completion& each : all) {
            CHECK(*bound >= each.added);
            for (const std::uint32_t cls : free) CHECK(each.copies[cls] == 0 || still.contains(cls));
            if (forced_here != nullptr)
                for (const std::uint32_t cls : forced_here->classes) CHECK(each.copies[cls] == 1);
        }
        if (forced_here != nullptr) {
            CHECK(!forced_here->classes.empty());
            ++forced;
        } else {
            CHECK(still.contains(std::get<Relaxation::Open>(outcome).branch));
        }
        removed += still.size() < free.size() ? 1 : 0;
        // Nothing is lost from the order: a parent finds its own classes again by restoring the count.
        std::vector<std::uint32_t> order(state.order.begin(),
                                         state.order.begin() + static_cast<std::ptrdiff_t>(free.size()));
        CHECK(std::ranges::is_permutation(order, free));
    }
    CHECK(pruned > rounds(100));
    CHECK(forced > rounds(100));
    CHECK(removed > rounds(40));
}

TEST(multipliers_saved_are_multipliers_restored) {
    Draw draw(2);
    for (int round = 0; round < rounds(300); ++round) {
        const Problem problem = presolve(varied_instance(draw, 12));
        if (problem.classes() == 0) continue;
        State state(problem);
        Relaxation relaxation(problem);
        const auto outcome = relaxation.tighten(state, 1, 8);
        const auto* open = std::get_if<Relaxation::Open>(&outcome);
        if (open == nullptr) continue;
        std::vector<std::int64_t> stack(3, 7);  // what other nodes have saved
        const std::size_t mark = stack.size();
        open->save(stack);
        const State before = state;
        const auto first = relaxation.tighten(state, 2, 8);
        relaxation.restore(stack, mark);
        state = before;
        const auto second = relaxation.tighten(state, 2, 8);
        CHECK(second.index() == first.index());
        CHECK(Relaxation::bound_of(second) == Relaxation::bound_of(first));
    }
}

// Lengths under a further limit that are large beside the first one's must not carry the multipliers off.
TEST(long_lengths_under_several_limits_keep_the_bound) {
    Draw draw(3);
    for (int round = 0; round < rounds(2000); ++round) {
        const std::size_t sentences = 2 + draw.below(6);
        std::vector<std::vector<std::int64_t>> gains(4, {draw.between(1, 1 << 20)});
        std::vector<std::vector<Entry>> rows(sentences);
        std::vector<std::int64_t> words(sentences), bytes(sentences);
        for (std::size_t i = 0; i < sentences; ++i) {
            for (std::uint32_t g = 0; g < 4; ++g)
                if (draw.one_in(2)) rows[i].push_back({g, 1});
            words[i] = draw.between(0, 3);
            bytes[i] = draw.between(1, draw.one_of({1, 100, 1'000'000'000}));
        }
        const Problem problem = presolve(Instance(
            gains, rows, {{draw.between(1, 4), words}, {draw.one_of({1, 50, 100'000, 1'000'000'000}), bytes}}));
        if (problem.classes() == 0) continue;
        State state(problem);
        const std::vector<Completion> all = list_completions(state);
        const std::int64_t best = std::ranges::max_element(all, {}, &Completion::added)->added;
        Relaxation relaxation(problem);
        Clock clock;
        for (const int steps : {1, 8, 30, 60}) {
            State fresh(problem);
            Relaxation::Root root{clock, std::vector<std::int64_t>(problem.classes(), 0)};
            CHECK(Relaxation::bound_of(relaxation.tighten(fresh, best, steps, &root)).has_value());
        }
    }
}
