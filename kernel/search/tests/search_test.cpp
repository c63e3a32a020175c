// The search finds the very sets of brute force: any limits, any nearness, minimal or all, any number of threads.
#include "oraclesum/search/search.hpp"

#include "brute_force.hpp"
#include "check.hpp"
#include "unbounded.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::document;
using oraclesum::testing::Draw;
using oraclesum::testing::is_minimal;
using oraclesum::testing::list_sets;
using oraclesum::testing::rounds;
using oraclesum::testing::Sets;
using oraclesum::testing::Truth;
using oraclesum::testing::try_every_subset;
using oraclesum::testing::unbounded;
using oraclesum::testing::varied_instance;

namespace {

void compare_with_brute_force(const Instance& instance, const SearchSettings& settings) {
    const Truth truth = try_every_subset(instance, settings.within, settings.minimal);
    const Problem problem = presolve(instance);
    Clock clock;
    const SearchResult found = run_search(problem, settings, clock);
    CHECK(found.hits == truth.best);
    CHECK(found.upper_bound == truth.best);
    CHECK(found.stopped == StopReason::none);
    CHECK(!found.streamed);
    CHECK(instance.feasible(found.best));
    CHECK(instance.hits(found.best) == truth.best);
    if (settings.minimal) CHECK(is_minimal(instance, found.best));
    if (!settings.collect) return;
    CHECK(found.collected);
    const DiagramFamily family(found.diagram, problem.members, problem.sentences, unbounded());
    CHECK(family.count() == Natural(truth.sets.size()));
    CHECK(list_sets(family) == truth.sets);
}

}  // namespace

TEST(all_sets_are_found_on_thousands_of_instances) {
    Draw draw(1);
    for (int round = 0; round < rounds(6000); ++round)
        compare_with_brute_force(varied_instance(draw, 9), {.within = 0, .minimal = false});
}

TEST(near_optimal_and_minimal_families_are_found) {
    Draw draw(2);
    for (int round = 0; round < rounds(2000); ++round)
        compare_with_brute_force(varied_instance(draw, 9), {.within = round % 4, .minimal = round % 8 >= 4});
}

TEST(larger_instances_agree_too) {
    Draw draw(3);
    for (int round = 0; round < 60; ++round)
        compare_with_brute_force(varied_instance(draw, 13), {.within = round % 3, .minimal = round % 5 == 0});
}

TEST(threads_find_the_same_sets) {
    Draw draw(4);
    for (int round = 0; round < rounds(500); ++round)
        compare_with_brute_force(varied_instance(draw, 9),
                                 {.within = round % 4, .minimal = round % 8 >= 4, .threads = round % 2 == 0 ? 2U : 4U});
}

TEST(without_collecting_one_best_set_is_proven) {
    Draw draw(5);
    for (int round = 0; round < rounds(500); ++round)
        compare_with_brute_force(varied_instance(draw, 9),
                                 {.minimal = round % 2 == 0, .collect = false, .threads = round % 5 == 0 ? 2U : 1U});
}

TEST(the_best_set_does_not_depend_on_the_number_of_threads) {
    Draw draw(8);
    for (int round = 0; round < rounds(150); ++round) {
        const Instance instance = document(draw, 40, 60, 80);
        const Problem problem = presolve(instance);
        std::vector<std::uint32_t> first;
        for (const unsigned threads : {1U, 2U, 3U}) {
            Clock clock;
            // Without dives the root seldom has a best set, so that the walks have to find one.
            const SearchResult found =
                run_search(problem, {.collect = false, .threads = threads, .techniques = {.dive = false}}, clock);
            CHECK(instance.feasible(found.best) && instance.hits(found.best) == found.hits);
            if (threads == 1) first = found.best;
            CHECK(found.best == first);
        }
    }
}

TEST(the_best_set_of_a_stopped_search_is_minimal_if_minimal_sets_are_asked_for) {
    Draw draw(9);
    for (int round = 0; round < rounds(300); ++round) {
        const Instance instance = varied_instance(draw, 12);
        const Problem problem = presolve(instance);
        int asked = 0;
        Clock clock(std::nullopt, [&] { return ++asked > 1; });
        const SearchResult found = run_search(problem, {.minimal = true}, clock);
        CHECK(instance.hits(found.best) == found.hits);
        CHECK(is_minimal(instance, found.best));
    }
}

TEST(techniques_switched_off_change_no_answer) {
    Draw draw(7);
    for (int round = 0; round < rounds(1200); ++round) {
        Techniques techniques;
        bool* const switches[] = {&techniques.reoptimise, &techniques.fix,           &techniques.remember,
                                  &techniques.dive,       &techniques.relaxed_order, &techniques.ranked_order};
        *switches[round % 6] = false;
        if (round % 12 >= 6) *switches[(round / 12) % 4] = false;
        compare_with_brute_force(varied_instance(draw, 9), {.within = round % 3, .techniques = techniques});
    }
}

TEST(documents_beyond_brute_force_give_one_family_whatever_the_threads) {
    Draw draw(6);
    for (int round = 0; round < 6; ++round) {
        const Instance instance = document(draw, 60, 80, 90);
        const Problem problem = presolve(instance);
        std::int64_t hits = 0;
        Natural count;
        Sets sets;
        for (const unsigned threads : {1U, 2U, 4U}) {
            Clock clock;
            const SearchResult found = run_search(problem, {.within = round % 2, .threads = threads}, clock);
            const DiagramFamily family(found.diagram, problem.members, problem.sentences, unbounded());
            CHECK(found.collected);
            CHECK(found.upper_bound == found.hits);
            if (threads == 1) {
                hits = found.hits;
                count = family.count();
                sets = list_sets(family);
                for (const Set& set : sets) CHECK(instance.feasible(set) && instance.hits(set) >= hits - round % 2);
            }
            CHECK(found.hits == hits);
            CHECK(family.count() == count);
            CHECK(list_sets(family) == sets);
        }
    }
}
