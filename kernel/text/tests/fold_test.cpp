// n-grams get the same id wherever they stand; references fold into gains; matches are clipped per reference.
#include "oraclesum/text/fold.hpp"

#include <random>
#include <stdexcept>

#include "check.hpp"

using oraclesum::text::Count;
using oraclesum::text::count_ngrams;
using oraclesum::text::fold;
using oraclesum::text::Folded;
using oraclesum::text::match;
using oraclesum::text::NgramTable;
using oraclesum::text::Runs;
using oraclesum::text::Words;

namespace {

template <class T>
std::vector<std::vector<T>> list(const oraclesum::Rows<T>& rows) {
    std::vector<std::vector<T>> lists;
    for (std::size_t i = 0; i < rows.size(); ++i) lists.emplace_back(rows[i].begin(), rows[i].end());
    return lists;
}

}  // namespace

TEST(gains_count_the_references_that_contain_an_ngram_often_enough) {
    const std::vector<Runs> references{{{1, 1, 2}}, {{1, 3, 1, 1}}};
    const std::vector<Words> sentences{{1, 9, 1}, {4}, {}, {2, 3, 2}};
    const Folded folded = fold(references, sentences, 1);
    CHECK((list(folded.gains) == std::vector<std::vector<std::int64_t>>{{2, 2, 1}, {1}, {1}}));
    CHECK((list(folded.counts) == std::vector<std::vector<Count>>{{{0, 2}}, {}, {}, {{1, 2}, {2, 1}}}));
    CHECK(folded.total == 7);
}

TEST(ngrams_stay_inside_a_run) {
    const std::vector<Runs> across{{{1, 2, 3, 4}}}, within{{{1, 2}, {3, 4}}};
    const std::vector<Words> sentence{{2, 3, 4}};
    CHECK(fold(across, sentence, 2).total == 3);
    CHECK(fold(within, sentence, 2).total == 2);
    CHECK(fold(across, sentence, 2).counts[0].size() == 2);
    CHECK(fold(within, sentence, 2).counts[0].size() == 1);
    CHECK(count_ngrams({{1, 2}, {}, {3}}, 2) == 1);
}

TEST(matches_are_clipped_per_reference) {
    const std::vector<Runs> references{{{1, 1, 2}}, {{1, 3}}, {}};
    const auto matches = match({{1, 1, 1, 3}}, references, 1);
    CHECK(matches.size() == 3);
    CHECK(matches[0].hits == 2 && matches[0].total == 3);
    CHECK(matches[1].hits == 2 && matches[1].total == 2);
    CHECK(matches[2].hits == 0 && matches[2].total == 0);
}

TEST(folded_hits_of_one_sentence_equal_its_matches) {
    std::mt19937 random(7);
    for (int round = 0; round < oraclesum::testing::rounds(300); ++round) {
        const auto draw = [&](std::size_t runs) {
            Runs text(runs);
            for (auto& run : text)
                for (std::size_t i = random() % 12; i > 0; --i) run.push_back(static_cast<std::uint32_t>(random() % 3));
            return text;
        };
        const std::size_t n = 1 + random() % 9;
        const std::vector<Runs> references{draw(1 + random() % 2), draw(1 + random() % 2), draw(1 + random() % 2)};
        const Runs sentence = draw(1);
        const Folded folded = fold(references, sentence, n);
        std::int64_t hits = 0, matched = 0, total = 0;
        for (const auto& [ngram, count] : folded.counts[0])
            for (std::size_t k = 0; k < count && k < folded.gains[ngram].size(); ++k) hits += folded.gains[ngram][k];
        for (const auto& one : match(sentence, references, n)) {
            matched += one.hits;
            total += one.total;
        }
        CHECK(hits == matched);
        CHECK(folded.total == total);
    }
}

TEST(numbering_survives_growth) {
    NgramTable table(3);
    Runs text(1);
    for (std::uint32_t i = 0; i < 4000; ++i) text[0].push_back(i * 2654435761U);
    std::vector<std::uint32_t> first, again, found;
    table.intern(text, first);
    table.intern(text, again);
    table.find(text, found);
    CHECK(first.size() == 3998 && first == again && first == found);
    CHECK(table.size() == 3998);
}

TEST(n_of_0_is_refused) {
    bool refused = false;
    try {
        NgramTable table(0);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}
