// Presolve rule by rule, and what all rules promise: not one feasible set of candidates is lost or changed.
#include <algorithm>

#include "brute_force.hpp"
#include "check.hpp"
#include "oraclesum/search/problem.hpp"
#include "random_instance.hpp"
#include "state.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::Draw;
using oraclesum::testing::members;
using oraclesum::testing::rounds;
using oraclesum::testing::varied_instance;

namespace {

using Counts = std::vector<std::vector<Entry>>;

std::vector<std::int64_t> as_vector(std::span<const std::int64_t> row) { return {row.begin(), row.end()}; }
std::vector<Cell> as_vector(std::span<const Cell> row) { return {row.begin(), row.end()}; }
Set as_vector(std::span<const std::uint32_t> row) { return {row.begin(), row.end()}; }

Limit each_weighs_one(std::size_t sentences, std::int64_t budget) {
    return {budget, std::vector<std::int64_t>(sentences, 1)};
}

// Hits and feasibility of a set of candidates by the presolved problem.
struct Judged {
    std::int64_t hits;
    bool feasible;
};

Judged judge(const Problem& problem, const Set& set) {
    State state(problem);
    bool feasible = true;
    for (std::uint32_t c = 0; c < problem.classes(); ++c) {
        std::uint32_t copies = 0;
        for (const std::uint32_t sentence : problem.members[c]) copies += std::ranges::count(set, sentence) > 0 ? 1 : 0;
        if (copies == 0) continue;
        feasible = feasible && state.fits(c, copies);
        state.take(c, copies);
    }
    return {state.hits(), feasible};
}

// Every set of candidates keeps its hits and stays feasible or infeasible: so every rule keeps ALL optima.
void check_nothing_is_lost(const Instance& instance) {
    const Problem problem = presolve(instance);
    Set kept;
    for (std::uint32_t c = 0; c < problem.classes(); ++c)
        kept.insert(kept.end(), problem.members[c].begin(), problem.members[c].end());
    std::ranges::sort(kept);
    CHECK(kept == instance.candidates());
    for (std::uint32_t mask = 0; mask < std::uint32_t{1} << kept.size(); ++mask) {
        Set set;
        for (const std::uint32_t place : members(mask)) set.push_back(kept[place]);
        const Judged judged = judge(problem, set);
        CHECK(judged.feasible == instance.feasible(set));
        if (judged.feasible) CHECK(judged.hits == instance.hits(set));
    }
    CHECK(problem.sentences == instance.sentences());
    for (std::size_t g = 0; g < problem.columns(); ++g) {
        CHECK(!problem.gains[g].empty() && problem.gains[g].back() > 0);
        CHECK(std::ranges::is_sorted(problem.gains[g], std::greater{}));
    }
}

}  // namespace

TEST(every_set_of_candidates_keeps_its_hits_and_its_feasibility) {
    Draw draw(1);
    for (int round = 0; round < rounds(3000); ++round) check_nothing_is_lost(varied_instance(draw, 9));
}

TEST(sentences_that_are_no_candidates_are_dropped) {
    // Sentence 1 shares nothing, 2 only an n-gram without gain, 3 does not fit alone.
    const Instance instance({{1}, {0}}, {{{0, 1}}, {}, {{1, 1}}, {{0, 1}}}, {{5, {3, 1, 1, 6}}});
    const Problem problem = presolve(instance);
    CHECK(problem.classes() == 1);
    CHECK(as_vector(problem.members[0]) == Set{0});
    check_nothing_is_lost(instance);
}

TEST(a_count_beyond_the_last_gain_is_cut_to_it) {
    // With its count cut, sentence 0 equals sentence 1.
    const Instance instance({{2, 1}}, {{{0, 7}}, {{0, 2}}, {{0, 1}}}, {each_weighs_one(3, 2)});
    const Problem problem = presolve(instance);
    CHECK(problem.classes() == 2);
    CHECK((as_vector(problem.rows[0]) == std::vector<Cell>{{0, 2}}));
    check_nothing_is_lost(instance);
}

TEST(gains_beyond_all_supply_are_dropped) {
    const Instance instance({{3, 3, 2, 1, 1}}, {{{0, 1}}, {{0, 2}}}, {{3, {2, 2}}});
    const Problem problem = presolve(instance);
    CHECK((as_vector(problem.gains[0]) == std::vector<std::int64_t>{3, 3, 2}));
    check_nothing_is_lost(instance);
}

TEST(sentences_equal_in_row_and_lengths_are_one_class) {
    const Counts rows{{{0, 1}}, {{0, 1}}, {{0, 1}}, {{0, 1}}};
    const Instance instance({{2, 1}}, rows, {{6, {3, 3, 4, 3}}});
    const Problem problem = presolve(instance);
    CHECK(problem.classes() == 2);
    CHECK(as_vector(problem.members[0]) == (Set{0, 1, 3}));
    CHECK(as_vector(problem.members[1]) == Set{2});
    check_nothing_is_lost(instance);
}

TEST(equal_sentences_of_unequal_length_under_any_limit_stay_apart) {
    const Counts rows{{{0, 1}}, {{0, 1}}};
    const Instance instance({{2, 1}}, rows, {{5, {3, 3}}, {10, {7, 8}}});
    CHECK(presolve(instance).classes() == 2);
    check_nothing_is_lost(instance);
}

TEST(an_n_gram_of_one_single_sentence_becomes_base_hits) {
    const Instance instance({{4, 2}, {1}}, {{{0, 2}, {1, 1}}, {{1, 1}}}, {each_weighs_one(2, 1)});
    const Problem problem = presolve(instance);
    CHECK(problem.base == (std::vector<std::int64_t>{6, 0}));
    CHECK(problem.columns() == 1);
    check_nothing_is_lost(instance);
}

TEST(an_n_gram_of_one_class_with_copies_is_not_private) {
    const Instance instance({{4, 2}}, {{{0, 1}}, {{0, 1}}}, {each_weighs_one(2, 1)});
    const Problem problem = presolve(instance);
    CHECK(problem.base == std::vector<std::int64_t>{0});
    CHECK(problem.columns() == 1);
    check_nothing_is_lost(instance);
}

TEST(n_grams_with_equal_counts_everywhere_are_one_column) {
    const Instance instance({{3, 1}, {2}, {5}}, {{{0, 1}, {1, 1}}, {{0, 1}, {1, 1}, {2, 1}}, {{2, 1}}},
                            {each_weighs_one(3, 2)});
    const Problem problem = presolve(instance);
    CHECK(problem.columns() == 2);
    CHECK(as_vector(problem.gains[0]) == (std::vector<std::int64_t>{5, 1}));
    check_nothing_is_lost(instance);
}

TEST(a_common_divisor_is_divided_out) {
    const Instance instance({{5, 4, 3, 2, 1}}, {{{0, 2}}, {{0, 4}}}, {{3, {2, 3}}});
    const Problem problem = presolve(instance);
    CHECK(as_vector(problem.gains[0]) == (std::vector<std::int64_t>{9, 5, 1}));
    CHECK((as_vector(problem.rows[0]) == std::vector<Cell>{{0, 1}}));
    CHECK((as_vector(problem.rows[1]) == std::vector<Cell>{{0, 2}}));
    check_nothing_is_lost(instance);
}

TEST(limits_that_all_candidates_keep_together_are_dropped) {
    const Counts rows{{{0, 1}}, {{1, 1}}, {}};
    // The third sentence would break the first limit, but it is no candidate.
    const Instance instance({{1}, {1}}, rows, {{7, {3, 4, 9}}, {5, {3, 3, 1}}});
    const Problem problem = presolve(instance);
    CHECK(problem.budgets == std::vector<std::int64_t>{5});
    CHECK(as_vector(problem.lengths[0]) == std::vector<std::int64_t>{3});
    check_nothing_is_lost(instance);
}

TEST(lengths_under_a_dropped_limit_do_not_keep_twins_apart) {
    const Instance instance({{2, 1}}, {{{0, 1}}, {{0, 1}}}, {{100, {3, 4}}, each_weighs_one(2, 1)});
    CHECK(presolve(instance).classes() == 1);
    check_nothing_is_lost(instance);
}

TEST(nothing_to_solve_is_an_empty_problem) {
    const Instance instance({{1}}, {{{0, 1}}, {}}, {{2, {3, 1}}});
    const Problem problem = presolve(instance);
    CHECK(problem.classes() == 0);
    CHECK(problem.columns() == 0);
}
