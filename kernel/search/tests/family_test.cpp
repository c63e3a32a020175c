// Questions to a family in a diagram agree with the plain list of its sets, small counts and huge ones alike.
#include "oraclesum/search/family.hpp"

#include <algorithm>
#include <map>

#include "brute_force.hpp"
#include "check.hpp"
#include "oraclesum/search/choice.hpp"
#include "oraclesum/search/search.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::Draw;
using oraclesum::testing::Sets;
using oraclesum::testing::Truth;
using oraclesum::testing::try_every_subset;
using oraclesum::testing::varied_instance;

namespace {

struct Sample {
    DiagramFamily family;
    Sets sets;
};

// Families of small instances, as the search builds them and as a list.
std::vector<Sample> draw_samples(std::uint64_t seed, int number) {
    Draw draw(seed);
    std::vector<Sample> samples;
    for (int round = 0; round < number; ++round) {
        const Instance instance = varied_instance(draw, 9);
        const std::int64_t within = round % 3;
        const Problem problem = presolve(instance);
        Clock clock;
        SearchResult found = run_search(problem, {.within = within, .minimal = round % 5 == 0}, clock);
        samples.push_back({DiagramFamily(std::move(found.diagram), problem.members, problem.sentences),
                           try_every_subset(instance, within, round % 5 == 0).sets});
    }
    return samples;
}

Natural number(std::size_t value) { return {static_cast<std::uint64_t>(value)}; }

// `classes` classes of `copies` sentences each; every choice of any copies of all of them.
DiagramFamily all_choices(std::uint32_t classes, std::uint32_t copies) {
    Diagram diagram;
    Diagram::Id root = Diagram::top;
    Rows<std::uint32_t> members;
    for (std::uint32_t c = 0; c < classes; ++c) {
        Diagram::Id sets = root;
        for (std::uint32_t k = 1; k <= copies; ++k) sets = diagram.add(c, k, sets, root);
        root = sets;
        Set row;
        for (std::uint32_t m = 0; m < copies; ++m) row.push_back(c + m * classes);
        members.add_row(row);
    }
    diagram.root = root;
    return {std::move(diagram), std::move(members), std::size_t{classes} * copies};
}

Natural power_of_two(std::uint32_t exponent) {
    std::vector<std::uint64_t> limbs(exponent / 64 + 1, 0);
    limbs.back() = std::uint64_t{1} << (exponent % 64);
    return Natural::from_limbs(std::move(limbs));
}

}  // namespace

TEST(counts_and_sizes_are_those_of_the_list) {
    for (const auto& [family, sets] : draw_samples(1, 800)) {
        CHECK(family.count() == number(sets.size()));
        std::map<std::size_t, std::size_t> by_size;
        for (const Set& set : sets) ++by_size[set.size()];
        const auto sizes = family.sizes();
        for (std::size_t s = 0; s < sizes.size(); ++s) CHECK(sizes[s] == number(by_size[s]));
        for (const auto& [size, sets_of_size] : by_size) CHECK(sets_of_size == 0 || size < sizes.size());
    }
}

TEST(inclusion_by_size_is_that_of_the_list) {
    for (const auto& [family, sets] : draw_samples(2, 500)) {
        const auto inclusion = family.inclusion();
        for (std::size_t s = 0; s < inclusion.size(); ++s) {
            const auto of_size = std::ranges::count(sets, s, &Set::size);
            CHECK(inclusion[s].empty() == (of_size == 0));
            if (inclusion[s].empty()) continue;
            for (std::uint32_t i = 0; i < family.sentences(); ++i) {
                const auto holding = static_cast<std::size_t>(std::ranges::count_if(sets, [&](const Set& set) {
                    return set.size() == s && std::ranges::binary_search(set, i);
                }));
                const std::uint32_t cls = family.class_of(i);
                CHECK(cls == DiagramFamily::no_class ? holding == 0 : inclusion[s][cls] == number(holding));
            }
        }
    }
}

TEST(membership_is_that_of_the_list) {
    Draw draw(3);
    for (const auto& [family, sets] : draw_samples(3, 300)) {
        for (const Set& set : sets) CHECK(family.contains(set));
        for (int round = 0; round < 50; ++round) {
            Set set;
            for (std::uint32_t i = 0; i < family.sentences() + 1; ++i)
                if (draw.one_in(3)) set.push_back(i);
            CHECK(family.contains(set) == std::ranges::binary_search(sets, set));
        }
    }
}

TEST(places_name_every_set_once) {
    for (const auto& [family, sets] : draw_samples(4, 500)) {
        Sets all;
        for (std::size_t place = 0; place < sets.size(); ++place) all.push_back(family.at(number(place)));
        std::ranges::sort(all);
        CHECK(all == sets);
    }
}

// Of several heaviest sets the one that holds the first sentence in which they differ.
TEST(the_heaviest_set_is_the_heaviest_of_the_list) {
    Draw draw(5);
    for (const auto& [family, sets] : draw_samples(5, 300)) {
        std::vector<Weight> weights(family.sentences());
        for (Weight& weight : weights) weight = draw.between(-3, 3);
        const auto weigh = [&](const Set& set) {
            Weight sum = 0;
            for (const std::uint32_t i : set) sum += weights[i];
            return sum;
        };
        const auto prefers = [&](const Set& a, const Set& b) {
            if (weigh(a) != weigh(b)) return weigh(a) > weigh(b);
            for (std::uint32_t i = 0; i < family.sentences(); ++i) {
                const bool in_a = std::ranges::binary_search(a, i), in_b = std::ranges::binary_search(b, i);
                if (in_a != in_b) return in_a;
            }
            return false;
        };
        const auto heaviest = find_heaviest(family, weights);
        CHECK(heaviest.has_value() == !sets.empty());
        if (heaviest) CHECK(*heaviest == *std::ranges::min_element(sets, prefers));
    }
}

TEST(huge_families_are_counted_exactly) {
    for (const std::uint32_t classes : {1U, 20U, 39U, 40U, 41U, 50U}) {  // 120 bits is where counting changes
        const DiagramFamily family = all_choices(classes, 3);
        CHECK(family.count() == power_of_two(3 * classes));
        const auto sizes = family.sizes();
        for (std::uint32_t s = 0; s <= 3 * classes; ++s) CHECK(sizes[s] == binomial(3 * classes, s));
        const auto inclusion = family.inclusion();
        for (std::uint32_t s = 1; s <= 3 * classes; ++s) {
            const Natural expected = binomial(3 * classes - 1, s - 1);
            for (const Natural& held : inclusion[s]) CHECK(held == expected);
        }
    }
}

TEST(places_of_a_huge_family_are_sets_of_it) {
    const DiagramFamily family = all_choices(60, 3);
    Draw draw(6);
    Sets seen;
    for (int round = 0; round < 200; ++round) {
        std::vector<std::uint64_t> limbs(2);
        for (auto& limb : limbs) limb = static_cast<std::uint64_t>(draw.between(0, std::numeric_limits<std::int64_t>::max() - 1));
        seen.push_back(family.at(Natural::from_limbs(std::move(limbs))));
        CHECK(std::ranges::is_sorted(seen.back()));
        CHECK(family.contains(seen.back()));
    }
    std::ranges::sort(seen);
    CHECK(std::ranges::adjacent_find(seen) == seen.end());
    Natural last = family.count();
    last -= Natural(1);
    CHECK(family.contains(family.at(last)));
}

TEST(a_family_of_nothing_is_empty) {
    const DiagramFamily family(Diagram{}, {}, 3);
    CHECK(family.count().is_zero());
    CHECK(!family.contains(Set{}));
    CHECK(!find_heaviest(family, std::vector<Weight>(3, 1)));
}
