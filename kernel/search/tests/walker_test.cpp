// Every route of a walk ends with the same family: both branching orders, both directions, restarts, shared memory.
#include "walker.hpp"

#include <array>

#include "brute_force.hpp"
#include "check.hpp"
#include "unbounded.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::document;
using oraclesum::testing::Draw;
using oraclesum::testing::list_sets;
using oraclesum::testing::rounds;
using oraclesum::testing::Sets;
using oraclesum::testing::Truth;
using oraclesum::testing::try_every_subset;
using oraclesum::testing::unbounded;
using oraclesum::testing::varied_instance;

namespace {

constexpr std::size_t plenty = std::size_t{1} << 30;

Walker make_walker(const Problem& problem, Common& common, bool minimal) {
    Walker walker(problem, common, minimal);
    walker.rank = rank_classes(walker.state);
    return walker;
}

Sets list_joined(const std::vector<const Diagram*>& parts, Diagram::Id root, const Problem& problem) {
    return list_sets(DiagramFamily(Diagram::join(parts, root), problem.members, problem.sentences, unbounded()));
}

}  // namespace

TEST(all_four_routes_collect_the_very_sets) {
    Draw draw(1);
    for (int round = 0; round < rounds(2000); ++round) {
        const Instance instance = varied_instance(draw, 9);
        const Problem problem = presolve(instance);
        if (problem.classes() == 0) continue;
        const bool minimal = round % 3 == 0;
        const std::int64_t within = round % 4;
        const Truth truth = try_every_subset(instance, within, minimal);
        for (const bool by_rank : {false, true})
            for (const bool backwards : {false, true}) {
                Common common(false, plenty, {});
                common.target = std::max<std::int64_t>(1, truth.best - within);
                Walker walker = make_walker(problem, common, minimal);
                Clock clock;
                CHECK(walker.collect({.by_rank = by_rank, .backwards = backwards}, clock) == Ending::finished);
                CHECK(list_joined({&walker.diagram}, walker.root(), problem) == truth.sets);
            }
    }
}

TEST(all_four_routes_climb_to_the_best_from_nothing) {
    Draw draw(2);
    for (int round = 0; round < rounds(2000); ++round) {
        const Instance instance = varied_instance(draw, 9);
        const Problem problem = presolve(instance);
        if (problem.classes() == 0) continue;
        const Truth truth = try_every_subset(instance, 0, false);
        for (const bool by_rank : {false, true})
            for (const bool backwards : {false, true}) {
                Common common(false, plenty, {});
                Walker walker = make_walker(problem, common, false);
                Clock clock;
                CHECK(walker.improve({.by_rank = by_rank, .backwards = backwards}, clock) == Ending::finished);
                CHECK(common.incumbent.hits() == truth.best);
            }
    }
}

TEST(walks_cut_short_and_taken_up_in_turns_share_what_they_solved) {
    Draw draw(3);
    for (int round = 0; round < rounds(400); ++round) {
        const Instance instance = varied_instance(draw, 11);
        const Problem problem = presolve(instance);
        if (problem.classes() == 0) continue;
        const bool minimal = round % 3 == 0;
        const std::int64_t within = round % 3;
        const Truth truth = try_every_subset(instance, within, minimal);
        Common common(round % 2 == 0, plenty, {});
        common.target = std::max<std::int64_t>(1, truth.best - within);
        const Walker root = make_walker(problem, common, minimal);
        std::array<Walker, 3> walkers{Walker(root, 0), Walker(root, 1), Walker(root, 2)};
        Walker* finished = nullptr;
        for (std::uint64_t turn = 0; finished == nullptr; ++turn) {
            Walker& walker = walkers[turn % walkers.size()];
            Clock clock;
            const Route route{.by_rank = turn % 2 == 0, .backwards = turn % 3 == 1, .max_nodes = 2 + turn / 3};
            const Ending ending = walker.collect(route, clock);
            CHECK(ending == Ending::finished || ending == Ending::out_of_nodes);
            if (ending == Ending::finished) finished = &walker;
        }
        CHECK(list_joined({&walkers[0].diagram, &walkers[1].diagram, &walkers[2].diagram}, finished->root(), problem) ==
              truth.sets);
    }
}

TEST(a_walk_cut_short_anywhere_has_a_bound_that_holds) {
    Draw draw(4);
    for (int round = 0; round < rounds(100); ++round) {
        const Instance instance = varied_instance(draw, 11);
        const Problem problem = presolve(instance);
        if (problem.classes() == 0) continue;
        const Truth truth = try_every_subset(instance, 0, false);
        for (const std::uint64_t nodes : {0U, 1U, 2U, 3U, 5U, 9U}) {
            Common common(false, plenty, {});
            Walker walker = make_walker(problem, common, false);
            Clock clock;
            const Ending ending = walker.improve({.by_rank = nodes % 2 == 0, .max_nodes = nodes}, clock);
            CHECK(common.incumbent.hits() <= truth.best);
            if (ending == Ending::finished)
                CHECK(common.incumbent.hits() == truth.best);
            else
                CHECK(walker.open_bound() >= truth.best);
        }
    }
}

TEST(a_walk_leaves_the_state_as_it_found_it) {
    Draw draw(5);
    const Instance instance = document(draw, 40, 50, 80);
    const Problem problem = presolve(instance);
    Common common(false, plenty, {});
    Walker walker = make_walker(problem, common, false);
    for (const std::uint64_t nodes : {1U, 10U, 100U}) {
        Clock clock;
        std::ignore = walker.improve({.max_nodes = nodes}, clock);
        CHECK(walker.state.taken().empty());
        CHECK(walker.state.hits() == 0);
        CHECK(walker.state.free_count == problem.classes());
        CHECK(std::ranges::equal(walker.state.left(), problem.budgets));
        for (std::uint32_t g = 0; g < problem.columns(); ++g) CHECK(walker.state.covered(g) == 0);
    }
}

TEST(the_rank_is_a_permutation) {
    Draw draw(6);
    for (int round = 0; round < rounds(100); ++round) {
        const Problem problem = presolve(varied_instance(draw, 20));
        std::vector<std::uint32_t> rank = rank_classes(State(problem));
        std::ranges::sort(rank);
        for (std::uint32_t k = 0; k < rank.size(); ++k) CHECK(rank[k] == k);
    }
}
