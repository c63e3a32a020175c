// A search that has to stop says so: the set it hands back is real, and no feasible set beats its bound.
#include <thread>

#include "brute_force.hpp"
#include "check.hpp"
#include "oraclesum/search/search.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::document;
using oraclesum::testing::Draw;
using oraclesum::testing::try_every_subset;
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
    if (found.stopped != StopReason::none || found.out_of_memory) CHECK(!found.collected || !found.out_of_memory);
}

}  // namespace

TEST(no_time_at_all_still_gives_a_set_and_a_bound_that_holds) {
    Draw draw(7);
    for (int round = 0; round < 400; ++round) {
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

TEST(memory_that_is_too_small_is_a_limit_and_not_a_proof) {
    Draw draw(9);
    for (int round = 0; round < 60; ++round) {
        const Instance instance = document(draw, 40, 60, 90);
        const Problem problem = presolve(instance);
        Clock endless;
        const SearchResult whole = run_search(problem, {.collect = false}, endless);
        for (const unsigned threads : {1U, 2U}) {
            Clock clock;
            const SearchResult found = run_search(problem, {.threads = threads, .most_bytes = 1}, clock);
            check_honest(instance, found);
            CHECK(found.collected != found.out_of_memory);
            CHECK(found.stopped == StopReason::none);
            CHECK(found.hits <= whole.hits && whole.hits <= found.upper_bound);
        }
    }
}

TEST(memory_that_runs_out_on_the_way_is_a_limit) {
    const Problem problem = presolve(hard_document());
    Clock clock(60.0);
    const SearchResult found = run_search(problem, {.within = 3, .most_bytes = std::size_t{1} << 18}, clock);
    check_honest(hard_document(), found);
    CHECK(found.out_of_memory);
    CHECK(!found.collected);
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

TEST_MAIN
