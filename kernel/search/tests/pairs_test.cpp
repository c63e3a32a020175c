// Pairs, counts of pairs and tallies of overlaps agree with going through the sets one by one.
#include "oraclesum/search/pairs.hpp"

#include <algorithm>

#include "brute_force.hpp"
#include "check.hpp"
#include "oraclesum/search/agreement.hpp"
#include "search_family.hpp"
#include "unbounded.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::Draw;
using oraclesum::testing::list_sets;
using oraclesum::testing::rounds;
using oraclesum::testing::search_family;
using oraclesum::testing::Sets;
using oraclesum::testing::unbounded;
using oraclesum::testing::varied_instance;

namespace {

bool holds(const Set& set, std::uint32_t sentence) { return std::ranges::binary_search(set, sentence); }

std::uint64_t count_both(const Sets& sets, std::uint32_t i, std::uint32_t j) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(sets, [&](const Set& set) { return holds(set, i) && holds(set, j); }));
}

}  // namespace

TEST(pairs_are_those_of_the_listed_sets) {
    Draw draw(11);
    for (int round = 0; round < rounds(200); ++round) {
        const DiagramFamily family = search_family(varied_instance(draw, 9), round % 3);
        const Sets sets = list_sets(family);
        const Pairs pairs = find_pairs(family, unbounded());
        std::vector<Pair> together, apart;
        for (std::uint32_t i = 0; i < family.sentences(); ++i) {
            for (std::uint32_t j = i + 1; j < family.sentences(); ++j) {
                const auto both = count_both(sets, i, j), first = count_both(sets, i, i),
                           second = count_both(sets, j, j);
                if (first == 0 || second == 0) continue;
                if (both == first && both == second) together.emplace_back(i, j);
                if (both == 0) apart.emplace_back(i, j);
            }
        }
        CHECK(pairs.together == together);
        CHECK(pairs.apart == apart);
    }
}

TEST(counts_of_pairs_are_those_of_the_listed_sets) {
    Draw draw(12);
    for (int round = 0; round < rounds(100); ++round) {
        const DiagramFamily family = search_family(varied_instance(draw, 9), round % 3);
        const Sets sets = list_sets(family);
        for (std::uint32_t i = 0; i < family.sentences(); ++i) {
            const std::vector<Natural> with = family.inclusion_with(i, unbounded());
            for (std::uint32_t j = 0; j < family.sentences(); ++j) {
                if (i == j || family.class_of(j) == DiagramFamily::no_class) continue;
                CHECK(with[family.class_of(j)] == Natural(count_both(sets, i, j)));
            }
        }
    }
}

TEST(pairs_of_more_than_64_classes_are_found) {
    // One of a hundred sentences, and always the last two beside it.
    Diagram diagram;
    Rows<std::uint32_t> members;
    for (std::uint32_t c = 0; c < 102; ++c) members.add_row(std::vector<std::uint32_t>{c});
    const Diagram::Id last = diagram.add(100, 1, Diagram::bottom, diagram.add(101, 1, Diagram::bottom, Diagram::top));
    Diagram::Id root = Diagram::bottom;
    for (std::uint32_t c = 0; c < 100; ++c) root = diagram.add(c, 1, root, last);
    diagram.root = root;
    const DiagramFamily family(std::move(diagram), std::move(members), 102, unbounded());
    const Pairs pairs = find_pairs(family, unbounded());
    CHECK(pairs.together == std::vector<Pair>({{100, 101}}));
    CHECK(pairs.apart.size() == 100 * 99 / 2);
}

TEST(overlaps_are_tallied_by_the_sentences_of_a_pair) {
    const Sets sets{{0, 1, 70}, {0, 1}, {2, 70, 300}, {0, 1}};
    // Pairs: 3 together with 2 shared (twice), 5 with 1, 5 with 0 (twice), 2 with 2.
    CHECK(tally_overlaps(sets, unbounded()) == (std::vector<std::uint64_t>{0, 0, 2, 4, 0, 1, 0}));
    CHECK(tally_overlaps({}, unbounded()).size() == 1);
}
