// A family is listed each set once, in lexicographic order, from anywhere, however small its parts are cut.
#include "oraclesum/search/lister.hpp"

#include <algorithm>

#include "brute_force.hpp"
#include "check.hpp"
#include "unbounded.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::Draw;
using oraclesum::testing::list_sets;
using oraclesum::testing::rounds;
using oraclesum::testing::Sets;
using oraclesum::testing::unbounded;

namespace {

// A random family over classes of up to three sentences, in any order of the classes, as diagram and as list.
struct Sample {
    DiagramFamily family;
    Sets sets;
};

void choose(std::span<const std::uint32_t> members, std::uint32_t copies, const Set& with, Sets& all) {
    if (copies == 0) {
        all.push_back(with);
        return;
    }
    for (std::size_t m = 0; m + copies <= members.size(); ++m) {
        Set more = with;
        more.push_back(members[m]);
        choose(members.subspan(m + 1), copies - 1, more, all);
    }
}

Sample draw_sample(Draw& draw) {
    const std::size_t classes = 1 + draw.below(6);
    std::vector<Set> rows(classes);
    const auto sentences = static_cast<std::uint32_t>(classes + draw.below(5));
    for (std::uint32_t i = 0; i < sentences; ++i) {
        Set& row = rows[i < classes ? i : draw.below(classes)];
        if (row.size() < 3) row.push_back(i);
    }
    Rows<std::uint32_t> members;
    for (const Set& row : rows) members.add_row(row);
    // Layers from the bottom up; a node's children lie in any lower layer, so paths skip classes.
    std::vector<std::uint32_t> order(classes);
    for (std::uint32_t c = 0; c < classes; ++c) order[c] = c;
    for (std::size_t k = classes; k > 1; --k) std::swap(order[k - 1], order[draw.below(k)]);
    Diagram diagram;
    std::vector<Diagram::Id> ids{Diagram::bottom, Diagram::top};
    std::vector<Sets> lists{{}, {{}}};
    for (const std::uint32_t c : order) {
        const std::size_t lower = ids.size();
        for (std::int64_t k = draw.between(1, 3); k > 0; --k) {
            const std::size_t lo = draw.below(lower), hi = 1 + draw.below(lower - 1);
            const auto copies = static_cast<std::uint32_t>(draw.between(1, static_cast<std::int64_t>(rows[c].size())));
            Sets list = lists[lo];
            for (const Set& set : lists[hi]) choose(rows[c], copies, set, list);
            ids.push_back(diagram.add(c, copies, ids[lo], ids[hi]));
            lists.push_back(std::move(list));
        }
    }
    diagram.root = ids.back();
    Sets sets = lists.back();
    for (Set& set : sets) std::ranges::sort(set);
    std::ranges::sort(sets);
    return {DiagramFamily(std::move(diagram), std::move(members), sentences, unbounded()), std::move(sets)};
}

}  // namespace

TEST(sets_come_in_lexicographic_order_each_once) {
    Draw draw(1);
    for (int round = 0; round < rounds(3000); ++round) {
        const auto [family, sets] = draw_sample(draw);
        CHECK(std::ranges::adjacent_find(sets) == sets.end());
        CHECK(family.count() == Natural(sets.size()));
        for (const unsigned most : {1U, 3U, 1000U}) CHECK(list_sets(family, {}, most) == sets);
    }
}

TEST(listing_starts_anywhere) {
    Draw draw(2);
    for (int round = 0; round < rounds(600); ++round) {
        const auto [family, sets] = draw_sample(draw);
        Sets starts = sets;  // every set, and tuples between and beyond them
        for (int k = 0; k < 30; ++k) {
            Set start;
            for (std::uint32_t i = 0; i < family.sentences() + 2; ++i)
                if (draw.one_in(3)) start.push_back(i);
            starts.push_back(std::move(start));
        }
        for (const Set& start : starts) {
            const Sets rest(std::ranges::lower_bound(sets, start), sets.end());
            for (const unsigned most : {1U, 2U, 1000U}) CHECK(list_sets(family, start, most) == rest);
        }
    }
}

TEST(several_sets_of_a_part_have_few_sentences_together) {
    Draw draw(4);
    for (int round = 0; round < rounds(600); ++round) {
        const auto [family, sets] = draw_sample(draw);
        for (const unsigned most : {1U, 5U, 20U}) {
            for (const std::size_t skipped : {std::size_t{0}, sets.size() / 2}) {
                Lister lister(family, {}, 1000, most);
                lister.skip(Natural(skipped));
                Sets listed;
                while (true) {
                    const auto& part = lister.next_part(unbounded());
                    if (part.size() == 0) break;
                    std::size_t sentences = 0;
                    for (std::size_t at = 0; at < part.size(); ++at) {
                        sentences += part[at].size();
                        listed.emplace_back(part[at].begin(), part[at].end());
                    }
                    CHECK(part.size() == 1 || sentences <= most);
                }
                CHECK(listed == Sets(sets.begin() + static_cast<std::ptrdiff_t>(skipped), sets.end()));
            }
        }
    }
}

TEST(any_number_of_sets_can_be_skipped) {
    Draw draw(3);
    for (int round = 0; round < rounds(600); ++round) {
        const auto [family, sets] = draw_sample(draw);
        for (std::size_t skipped = 0; skipped <= sets.size() + 1; ++skipped) {
            const Sets rest(sets.begin() + static_cast<std::ptrdiff_t>(std::min(skipped, sets.size())), sets.end());
            for (const unsigned most : {1U, 2U, 1000U}) {
                Lister lister(family, {}, most);
                lister.skip(Natural(skipped));
                Sets listed;
                while (true) {
                    const auto& part = lister.next_part(unbounded());
                    if (part.size() == 0) break;
                    for (std::size_t at = 0; at < part.size(); ++at)
                        listed.emplace_back(part[at].begin(), part[at].end());
                }
                CHECK(listed == rest);
            }
        }
    }
}

// All sets of 70 of 140 sentences, a number of 136 bits: the last one and the one in the middle.
TEST(skipping_is_exact_beyond_128_bits) {
    Diagram diagram;
    Rows<std::uint32_t> members;
    for (std::uint32_t c = 0; c < 140; ++c) members.add_row(Set{c});
    std::vector<Diagram::Id> chosen(71, Diagram::bottom);
    chosen[0] = Diagram::top;
    for (std::uint32_t c = 0; c < 140; ++c)
        for (std::size_t k = 70; k > 0; --k) chosen[k] = diagram.add(c, 1, chosen[k], chosen[k - 1]);
    diagram.root = chosen[70];
    const DiagramFamily family(std::move(diagram), std::move(members), 140, unbounded());
    Natural places = family.count();
    CHECK(places == binomial(140, 70));
    places -= Natural(1);
    Lister last(family, {});
    last.skip(places);
    Set expected;
    for (std::uint32_t i = 70; i < 140; ++i) expected.push_back(i);
    const auto& part = last.next_part(unbounded());
    CHECK(part.size() == 1);
    CHECK(std::ranges::equal(part[0], expected));
    // As many sets begin with sentence 0 as do not: 139 choose 69 = 139 choose 70.
    Lister middle(family, {});
    middle.skip(binomial(139, 69));
    for (std::uint32_t i = 0; i < 70; ++i) expected[i] = i + 1;
    CHECK(std::ranges::equal(middle.next_part(unbounded())[0], expected));
}

// Large enough to be split: all sets of 3 of 30 sentences, and of 2 of 14 further equal ones.
TEST(a_family_of_many_parts_comes_in_order) {
    Diagram diagram;
    Rows<std::uint32_t> members;
    for (std::uint32_t c = 0; c < 30; ++c) members.add_row(Set{c < 14 ? 2 * c : c + 14});  // between the equal ones
    Set equal;
    for (std::uint32_t m = 0; m < 14; ++m) equal.push_back(2 * m + 1);
    members.add_row(equal);
    // chosen[k]: sets of k of the classes looked at so far.
    std::vector<Diagram::Id> chosen{Diagram::top, Diagram::bottom, Diagram::bottom, Diagram::bottom};
    for (std::uint32_t c = 0; c < 30; ++c)
        for (std::size_t k = 3; k > 0; --k) chosen[k] = diagram.add(c, 1, chosen[k], chosen[k - 1]);
    diagram.root = diagram.add(30, 2, Diagram::bottom, chosen[3]);
    const DiagramFamily family(std::move(diagram), std::move(members), 44, unbounded());
    const Sets sets = list_sets(family);
    CHECK(sets.size() == 4060 * 91);
    CHECK(family.count() == Natural(sets.size()));
    CHECK(std::ranges::adjacent_find(sets, std::ranges::greater_equal{}) == sets.end());
    for (std::size_t k = 0; k < sets.size(); k += 9973) {
        CHECK(family.contains(sets[k]));
        Lister lister(family, sets[k]);
        CHECK(std::ranges::equal(lister.next_part(unbounded())[0], sets[k]));
    }
}

TEST(a_family_of_nothing_lists_nothing) {
    const DiagramFamily family(Diagram{}, {}, 3, unbounded());
    CHECK(list_sets(family).empty());
}
