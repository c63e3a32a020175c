// A search that has to stop says so: the set it hands back is real, and no feasible set beats its bound.
#include <numeric>
#include <thread>

#include "brute_force.hpp"
#include "check.hpp"
#include "oraclesum/search/search.hpp"
#include "unbounded.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::document;
using oraclesum::testing::Draw;
using oraclesum::testing::rounds;
using oraclesum::testing::try_every_subset;
using oraclesum::testing::unbounded;
using oraclesum::testing::varied_instance;

namespace {

// A document that takes many seconds, and its best hits as far as known.
const Instance& hard_document() {
    static const Instance instance = [] {
        Draw draw(11);
        return document(draw, 300, 400, 250);
    }();
    return instance;
}

void check_honest(const Instance& instance, const SearchResult& found) {
    CHECK(instance.feasible(found.best));
    CHECK(instance.hits(found.best) == found.hits);
    CHECK(found.upper_bound >= found.hits);
    CHECK(found.collected || !found.streamed);
}

}  // namespace

TEST(no_time_at_all_still_gives_a_set_and_a_bound_that_holds) {
    Draw draw(7);
    for (int round = 0; round < rounds(400); ++round) {
        const Instance instance = varied_instance(draw, 9);
        const Problem problem = presolve(instance);
        Clock clock(0.0);
        const SearchResult found = run_search(problem, {.threads = round % 4 == 0 ? 2U : 1U}, clock);
        check_honest(instance, found);
        const auto truth = try_every_subset(instance, 0, false);
        CHECK(found.hits <= truth.best && truth.best <= found.upper_bound);
        CHECK(found.collected || found.stopped == StopReason::time);
    }
}

TEST(no_bound_is_above_all_hits_there_are_however_little_time_the_root_had) {
    Draw draw(14);
    int stopped = 0;
    for (int round = 0; round < rounds(2000); ++round) {
        const Instance instance = varied_instance(draw, 9);
        std::int64_t all = 0;
        for (std::size_t g = 0; g < instance.ngrams(); ++g)
            all = std::accumulate(instance.gains(g).begin(), instance.gains(g).end(), all);
        const Problem problem = presolve(instance);
        for (const bool collect : {true, false}) {
            Clock clock(0.0);
            const SearchResult found = run_search(problem, {.collect = collect}, clock);
            CHECK(found.hits <= found.upper_bound && found.upper_bound <= all);
            stopped += found.upper_bound > found.hits ? 1 : 0;
        }
    }
    CHECK(stopped > 0);
}

TEST(a_short_time_gives_bounds_that_enclose_the_best) {
    Draw draw(8);
    for (int round = 0; round < 40; ++round) {
        const Instance instance = document(draw, 40, 60, 90);
        const Problem problem = presolve(instance);
        Clock endless;
        const SearchResult whole = run_search(problem, {.collect = false}, endless);
        CHECK(whole.upper_bound == whole.hits);
        for (const double seconds : {1e-6, 1e-5, 1e-4, 3e-4}) {
            Clock clock(seconds);
            const SearchResult found = run_search(problem, {.threads = round % 4 == 0 ? 2U : 1U}, clock);
            check_honest(instance, found);
            CHECK(found.hits <= whole.hits && whole.hits <= found.upper_bound);
        }
    }
}

TEST(a_family_too_large_for_its_memory_is_streamed_with_exact_aggregates) {
    Draw draw(9);
    int streamed = 0;
    for (int round = 0; round < 3; ++round) {
        const Instance instance = document(draw, 50, 80, 100);
        const Problem problem = presolve(instance);
        const std::int64_t within = 4;
        Clock endless;
        const SearchResult whole = run_search(problem, {.within = within}, endless);
        CHECK(whole.collected && !whole.streamed);
        const DiagramFamily family(whole.diagram, problem.members, problem.sentences, unbounded());
        for (const unsigned threads : {1U, 2U}) {
            Clock clock;
            const SearchResult found =
                run_search(problem, {.within = within, .threads = threads, .max_memory = 1, .max_list = 10}, clock);
            check_honest(instance, found);
            CHECK(found.collected && found.stopped == StopReason::none);
            CHECK(found.hits == whole.hits && found.upper_bound == whole.upper_bound);
            if (!found.streamed) continue;  // small enough after all: memory is looked at now and then
            ++streamed;
            CHECK(found.streamed->sizes == family.sizes(unbounded()));
            const auto inclusion = family.inclusion_by_size(unbounded());
            CHECK(found.streamed->inclusion_by_size == inclusion);
            CHECK(found.streamed->inclusion == family.inclusion(unbounded()));
            CHECK(found.streamed->count == family.count());
            CHECK(found.streamed->listed.size() == 10);
            for (std::size_t k = 0; k < 10; ++k) CHECK(family.contains(found.streamed->listed[k]));
        }
    }
    CHECK(streamed >= 1);
}

TEST(the_deadline_stops_every_thread) {
    const Problem problem = presolve(hard_document());
    for (const unsigned threads : {1U, 2U, 4U}) {
        Clock clock(0.1);
        const SearchResult found = run_search(problem, {.within = 3, .threads = threads}, clock);
        check_honest(hard_document(), found);
        CHECK(!found.collected);
        CHECK(found.stopped == StopReason::time);
    }
}

TEST(the_callback_stops_every_thread) {
    const Problem problem = presolve(hard_document());
    const auto caller = std::this_thread::get_id();
    for (const unsigned threads : {1U, 2U, 4U}) {
        int asked = 0;
        // As in Python, only the thread that called may act on an interrupt.
        Clock clock(std::nullopt, [&] { return std::this_thread::get_id() == caller && ++asked == 4; });
        const SearchResult found = run_search(problem, {.within = 3, .threads = threads}, clock);
        check_honest(hard_document(), found);
        CHECK(!found.collected);
        CHECK(found.stopped == StopReason::interrupt);
    }
}

TEST(presolve_stops_with_the_clock_and_its_bound_holds) {
    Draw draw(12);
    const Instance instance = document(draw, 6000, 400, 50);
    Problem whole = presolve(instance);
    Clock over(0.0);
    const Problem problem = presolve(instance, &over);
    CHECK(problem.stopped && !whole.stopped);
    const SearchResult found = run_search(problem, {.threads = 2}, over);
    CHECK(found.stopped == StopReason::time);
    CHECK(found.best.empty() && found.hits == 0 && !found.collected);
    Clock endless;
    CHECK(found.upper_bound >= run_search(whole, {.collect = false}, endless).hits);

    Clock interrupted(std::nullopt, [] { return true; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so long nobody is asked
    CHECK(presolve(instance, &interrupted).stopped);
    CHECK(interrupted.reason() == StopReason::interrupt);
}

TEST(a_small_instance_is_presolved_even_if_no_time_is_left) {
    Draw draw(13);
    Clock over(0.0);
    CHECK(!presolve(varied_instance(draw, 9), &over).stopped);
}
