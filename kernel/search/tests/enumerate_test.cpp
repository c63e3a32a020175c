// The paper's method and the exhaustive search agree with trying every subset; the genetic algorithm stays feasible.
#include <algorithm>
#include <random>

#include "check.hpp"
#include "oraclesum/search/exhaustive.hpp"
#include "oraclesum/search/genetic.hpp"
#include "oraclesum/search/paper.hpp"
#include "random_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::members;
using oraclesum::testing::random_instance;
using oraclesum::testing::rounds;

namespace {

using Sets = std::vector<std::vector<std::uint32_t>>;

Sets listed(const Listing& listing) {
    Sets all;
    for (std::size_t place = 0; place < listing.listed(); ++place)
        all.emplace_back(listing[place].begin(), listing[place].end());
    return all;
}

bool minimal(const Instance& instance, const std::vector<std::uint32_t>& set) {
    return std::ranges::all_of(set, [&](std::uint32_t dropped) {
        auto rest = set;
        std::erase(rest, dropped);
        return instance.hits(rest) < instance.hits(set);
    });
}

std::int64_t try_all(const Instance& instance, const Request& request, Sets& sets) {
    std::int64_t best = 0;
    Sets feasible;
    for (std::uint32_t mask = 1; mask < 1U << instance.sentences(); ++mask) {
        auto set = members(mask);
        if (!instance.feasible(set) ||
            !std::ranges::all_of(set, [&](std::uint32_t i) { return instance.candidate(i); }))
            continue;
        best = std::max(best, instance.hits(set));
        feasible.push_back(std::move(set));
    }
    for (auto& set : feasible)
        if (instance.hits(set) >= best - request.within_hits &&
            (request.family == Family::all || minimal(instance, set)))
            sets.push_back(std::move(set));
    std::ranges::sort(sets);
    return best;
}

}  // namespace

TEST(both_enumerators_find_the_very_sets) {
    std::mt19937_64 engine(4);
    for (int round = 0; round < rounds(600); ++round) {
        const Instance instance = random_instance(engine, 9);
        const Request request{
            .family = round % 2 == 0 ? Family::all : Family::minimal, .within_hits = round % 3, .max_list = 1000};
        Sets sets;
        const std::int64_t best = try_all(instance, request, sets);
        for (const auto method : {enumerate_paper, enumerate_exhaustively}) {
            Clock clock;
            const Enumeration found = method(instance, request, clock);
            CHECK(found.hits == best);
            CHECK(found.upper_bound == best);
            CHECK(found.listing.count() == sets.size());
            CHECK(listed(found.listing) == sets);
        }
    }
}

TEST(one_set_is_a_best_and_minimal_one) {
    std::mt19937_64 engine(5);
    for (int round = 0; round < rounds(300); ++round) {
        const Instance instance = random_instance(engine, 9);
        const Request request{.family = Family::one, .within_hits = 0, .max_list = 1};
        Sets sets;
        const std::int64_t best = try_all(instance, {.family = Family::minimal}, sets);
        for (const auto method : {enumerate_paper, enumerate_exhaustively}) {
            Clock clock;
            const Enumeration found = method(instance, request, clock);
            CHECK(found.hits == best);
            CHECK(found.listing.listed() == (sets.empty() ? 0 : 1));
            for (const auto& set : listed(found.listing)) CHECK(std::ranges::binary_search(sets, set));
        }
    }
}

TEST(a_stopped_run_has_a_bound_that_holds) {
    std::mt19937_64 engine(6);
    for (int round = 0; round < rounds(200); ++round) {
        const Instance instance = random_instance(engine, 9);
        const Request request{.family = round % 2 == 0 ? Family::all : Family::minimal, .max_list = 1000};
        Sets sets;
        const std::int64_t best = try_all(instance, request, sets);
        for (const auto method : {enumerate_paper, enumerate_exhaustively}) {
            Clock clock(0.0);
            const Enumeration found = method(instance, request, clock);
            CHECK(found.reason == StopReason::time);
            CHECK(found.hits <= best);
            CHECK(found.upper_bound >= best);
            for (const auto& set : listed(found.listing)) CHECK(instance.hits(set) == found.hits);
        }
    }
}

TEST(evolved_sets_are_feasible_and_equal_for_equal_seeds) {
    std::mt19937_64 engine(7);
    for (int round = 0; round < 50; ++round) {
        const Instance instance = random_instance(engine, 12);
        const Breeding settings{.seed = 3, .population = 20, .generations = 20, .patience = 5};
        Clock clock, again;
        const Evolution found = evolve(instance, settings, clock);
        CHECK(instance.feasible(found.best.set));
        CHECK(instance.hits(found.best.set) == found.best.hits);
        CHECK(std::ranges::adjacent_find(found.best.set) == found.best.set.end());
        CHECK(evolve(instance, settings, again).best.set == found.best.set);
    }
}
