// The bound of Alg. 1 is never below the best completion, and the greedy set of Alg. 2 is feasible and scored right.
#include "bound.hpp"

#include <cmath>
#include <random>
#include <set>

#include "check.hpp"
#include "oraclesum/search/greedy.hpp"
#include "random_instance.hpp"
#include "walk.hpp"

using namespace oraclesum::search;
using oraclesum::testing::members;
using oraclesum::testing::random_instance;
using oraclesum::testing::rounds;

TEST(the_bound_is_never_below_the_best_completion) {
    std::mt19937_64 engine(2);
    for (int round = 0; round < rounds(500); ++round) {
        const Instance instance = random_instance(engine, 7);
        const std::uint32_t every = (1U << instance.sentences()) - 1;
        const auto chosen = static_cast<std::uint32_t>(engine()) & static_cast<std::uint32_t>(engine()) & every;
        const std::uint32_t open = static_cast<std::uint32_t>(engine()) & every & ~chosen;
        const auto set = members(chosen), remaining = members(open);
        if (!instance.feasible(set)) continue;
        Coverage covered(instance);
        for (const std::uint32_t i : set) covered.add(i);
        Bound bound(instance);
        const std::int64_t reached = bound.best(covered, remaining);
        for (std::uint32_t part = open;; part = (part - 1) & open) {
            const auto whole = members(chosen | part);
            if (instance.feasible(whole)) CHECK(instance.hits(whole) <= reached);
            if (part == 0) break;
        }
        CHECK(bound.reaches(covered, remaining, reached));
        CHECK(!bound.reaches(covered, remaining, reached + 1));
    }
}

TEST(what_a_stopped_walk_left_open_is_bounded_also_with_little_work) {
    std::mt19937_64 engine(12);
    for (int round = 0; round < rounds(300); ++round) {
        const Instance instance = random_instance(engine, 7);
        for (const std::size_t work : {std::size_t{1}, std::size_t{60}, Walk::MOST_WORK}) {
            Walk walk(instance, instance.candidates());
            Clock clock;
            std::set<std::vector<std::uint32_t>> visited;
            std::size_t left = 1 + engine() % 30;
            walk.run(clock, [&](auto set, const Coverage&, auto) {
                visited.emplace(set.begin(), set.end());
                if (--left == 0) clock.run_out_of_memory();
                return true;
            });
            if (clock.reason() == StopReason::none) continue;
            const std::int64_t bound = walk.bound_open(work);
            for (std::uint32_t mask = 1; mask < 1U << instance.sentences(); ++mask) {
                const auto set = members(mask);
                if (visited.contains(set) || !instance.feasible(set)) continue;
                if (std::ranges::all_of(set, [&](std::uint32_t i) { return instance.candidate(i); }))
                    CHECK(instance.hits(set) <= bound);
            }
        }
    }
}

TEST(the_bound_uses_the_budget_that_is_left) {
    const Instance instance({{4}, {4}}, {{{0, 1}}, {{1, 1}}}, {{6, {4, 4}}});
    Coverage covered(instance);
    Bound bound(instance);
    const std::uint32_t both[] = {0, 1}, second[] = {1};
    CHECK(bound.best(covered, both) == 6);
    covered.add(0);
    CHECK(bound.best(covered, second) == 6);  // 4 hits and half of the other sentence
}

TEST(greedy_is_feasible_and_keeps_its_guarantee) {
    std::mt19937_64 engine(3);
    for (int round = 0; round < rounds(500); ++round) {
        const Instance instance = random_instance(engine, 8);
        Clock clock;
        const Selection found = select_greedily(instance, clock);
        CHECK(found.reason == StopReason::none);
        CHECK(instance.feasible(found.set));
        CHECK(instance.hits(found.set) == found.hits);
        if (instance.limits().size() > 1) continue;
        std::int64_t best = 0;
        for (std::uint32_t mask = 0; mask < 1U << instance.sentences(); ++mask)
            if (const auto set = members(mask); instance.feasible(set)) best = std::max(best, instance.hits(set));
        CHECK(static_cast<double>(found.hits) >= 0.5 * (1 - std::exp(-1.0)) * static_cast<double>(best));
    }
}

TEST(greedy_ends_with_its_clock_and_what_it_has) {
    std::mt19937_64 engine(4);
    for (int round = 0; round < rounds(100); ++round) {
        const Instance instance = random_instance(engine, 8);
        if (instance.candidates().empty()) continue;
        Clock over(0.0);
        const Selection found = select_greedily(instance, over);
        CHECK(found.reason == StopReason::time);
        CHECK(found.set.empty());
        CHECK(found.hits == 0);
    }
}
