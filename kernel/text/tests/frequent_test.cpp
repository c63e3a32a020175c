// Sentences with probable words are chosen first, and words that were chosen count for less.
#include "oraclesum/text/frequent.hpp"

#include "check.hpp"

using oraclesum::text::Budget;
using oraclesum::text::select_frequent;
using oraclesum::text::Words;

TEST(words_of_a_chosen_sentence_count_for_less) {
    // Word 7 has probability 3/7; once it is squared, word 9 with 2/7 is the most probable one.
    const std::vector<Words> sentences{{7, 1}, {7, 7}, {9, 9}, {3}, {}};
    CHECK((select_frequent(sentences, {{3, {1, 1, 1, 1, 1}}}) == std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(what_keeps_a_limit_is_chosen_until_nothing_does) {
    const std::vector<Words> sentences{{7, 7}, {7, 1}, {2}};
    const std::vector<Budget> budgets{{4, {5, 2, 2}}, {2, {1, 1, 1}}};
    CHECK((select_frequent(sentences, budgets) == std::vector<std::uint32_t>{1, 2}));
    CHECK(select_frequent({}, {}).empty());
}
