// Questions to a family in a diagram agree with the plain list of its sets, small counts and huge ones alike.
#include "oraclesum/search/family.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <thread>

#include "brute_force.hpp"
#include "check.hpp"
#include "oraclesum/search/choice.hpp"
#include "oraclesum/search/lister.hpp"
#include "oraclesum/search/pairs.hpp"
#include "oraclesum/search/search.hpp"
#include "unbounded.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::Draw;
using oraclesum::testing::rounds;
using oraclesum::testing::Sets;
using oraclesum::testing::Truth;
using oraclesum::testing::try_every_subset;
using oraclesum::testing::unbounded;
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
        samples.push_back({DiagramFamily(std::move(found.diagram), problem.members, problem.sentences, unbounded()),
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
    return {std::move(diagram), std::move(members), std::size_t{classes} * copies, unbounded()};
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
        const auto sizes = family.sizes(unbounded());
        for (std::size_t s = 0; s < sizes.size(); ++s) CHECK(sizes[s] == number(by_size[s]));
        for (const auto& [size, sets_of_size] : by_size) CHECK(sets_of_size == 0 || size < sizes.size());
    }
}

TEST(inclusion_by_size_is_that_of_the_list) {
    for (const auto& [family, sets] : draw_samples(2, 500)) {
        const auto inclusion = family.inclusion_by_size(unbounded());
        for (std::size_t s = 0; s < inclusion.size(); ++s) {
            const auto of_size = std::ranges::count(sets, s, &Set::size);
            CHECK(inclusion[s].empty() == (of_size == 0));
            if (inclusion[s].empty()) continue;
            for (std::uint32_t i = 0; i < family.sentences(); ++i) {
                const auto holding = static_cast<std::size_t>(std::ranges::count_if(
                    sets, [&](const Set& set) { return set.size() == s && std::ranges::binary_search(set, i); }));
                const std::uint32_t cls = family.class_of(i);
                CHECK(cls == DiagramFamily::no_class ? holding == 0 : inclusion[s][cls] == number(holding));
            }
        }
    }
}

TEST(inclusion_is_the_sum_over_the_sizes) {
    for (const auto& [family, sets] : draw_samples(7, 300)) {
        const auto inclusion = family.inclusion(unbounded());
        for (std::uint32_t i = 0; i < family.sentences(); ++i) {
            const auto holding = static_cast<std::size_t>(
                std::ranges::count_if(sets, [&](const Set& set) { return std::ranges::binary_search(set, i); }));
            const std::uint32_t cls = family.class_of(i);
            CHECK(cls == DiagramFamily::no_class ? holding == 0 : inclusion[cls] == number(holding));
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
        for (std::size_t place = 0; place < sets.size(); ++place) all.push_back(family.at(number(place), unbounded()));
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
        const auto prefers = [&, sentences = family.sentences()](const Set& a, const Set& b) {
            if (weigh(a) != weigh(b)) return weigh(a) > weigh(b);
            for (std::uint32_t i = 0; i < sentences; ++i) {
                const bool in_a = std::ranges::binary_search(a, i), in_b = std::ranges::binary_search(b, i);
                if (in_a != in_b) return in_a;
            }
            return false;
        };
        const auto heaviest = find_heaviest(family, weights, unbounded());
        CHECK(heaviest.has_value() == !sets.empty());
        if (heaviest) CHECK(*heaviest == *std::ranges::min_element(sets, prefers));
    }
}

TEST(huge_families_are_counted_exactly) {
    for (const std::uint32_t classes : {1U, 20U, 39U, 40U, 41U, 50U}) {  // 120 bits is where counting changes
        const DiagramFamily family = all_choices(classes, 3);
        CHECK(family.count() == power_of_two(3 * classes));
        const auto sizes = family.sizes(unbounded());
        for (std::uint32_t s = 0; s <= 3 * classes; ++s) CHECK(sizes[s] == binomial(3 * classes, s));
        const auto inclusion = family.inclusion_by_size(unbounded());
        for (std::uint32_t s = 1; s <= 3 * classes; ++s) {
            const Natural expected = binomial(3 * classes - 1, s - 1);
            for (const Natural& sets : inclusion[s]) CHECK(sets == expected);
        }
    }
}

// Lengths 1, 2, 3, ... for `classes` classes of `copies` sentences: all sets that fit into `budget`, as the search would
// find them, and by a table over lengths and sizes.
struct Knapsack {
    DiagramFamily family;
    std::vector<std::vector<Natural>> by_size;  // [class][size]: sets that hold a given member, first classes
    std::vector<Natural> sizes;
};

Knapsack fill_knapsack(std::uint32_t classes, std::uint32_t copies, std::uint32_t budget) {
    Diagram diagram;
    std::vector<Diagram::Id> fill(budget + 1, Diagram::top);  // per length left
    Rows<std::uint32_t> members;
    for (std::uint32_t c = 0; c < classes; ++c) {
        const std::vector<Diagram::Id> further = fill;
        for (std::uint32_t left = 0; left <= budget; ++left)
            for (std::uint32_t k = 1; k <= copies && k * (c + 1) <= left; ++k)
                fill[left] = diagram.add(c, k, fill[left], further[left - k * (c + 1)]);
        Set row;
        for (std::uint32_t m = 0; m < copies; ++m) row.push_back(c * copies + m);
        members.add_row(row);
    }
    diagram.root = fill[budget];
    diagram = Diagram::join({&diagram}, diagram.root);
    // table[size][length]: sets of all sentences but one of class `without`
    const auto count = [&](std::uint32_t without) {
        std::vector<std::vector<Natural>> table(classes * copies + 2, std::vector<Natural>(budget + 1));
        table[0][0] = Natural(1);
        for (std::uint32_t c = 0; c < classes; ++c)
            for (std::uint32_t m = 0; m < copies - (c == without ? 1 : 0); ++m)
                for (std::size_t s = table.size() - 1; s > 0; --s)
                    for (std::uint32_t length = budget; length > c; --length)
                        table[s][length] += table[s - 1][length - c - 1];
        return table;
    };
    Knapsack sack{DiagramFamily(std::move(diagram), std::move(members), classes * copies, unbounded()), {}, {}};
    for (const auto& row : count(classes)) {
        sack.sizes.emplace_back();
        for (const Natural& sets : row) sack.sizes.back() += sets;
    }
    for (std::uint32_t c = 0; c < std::min(classes, 3U); ++c) {  // the table is slow
        auto& by_size = sack.by_size.emplace_back(1);
        const auto table = count(c);
        for (std::size_t s = 0; s + 1 < table.size(); ++s) {
            by_size.emplace_back();
            for (std::uint32_t length = 0; length + c + 1 <= budget; ++length) by_size.back() += table[s][length];
        }
    }
    return sack;
}

TEST(knapsacks_are_counted_as_by_a_table_over_lengths) {
    struct Shape {
        std::uint32_t classes, copies, budget;
    };
    for (const auto& [classes, copies, budget] :
         {Shape{3, 2, 7}, Shape{8, 1, 20}, Shape{5, 9, 60}, Shape{6, 24, 300}, Shape{1, 300, 200}}) {
        const Knapsack sack = fill_knapsack(classes, copies, budget);
        Natural all;
        for (const Natural& sets : sack.sizes) all += sets;
        CHECK(sack.family.count() == all);
        const auto sizes = sack.family.sizes(unbounded());
        for (std::size_t s = 0; s < sack.sizes.size(); ++s)
            CHECK(s < sizes.size() ? sizes[s] == sack.sizes[s] : sack.sizes[s].is_zero());
        const auto inclusion = sack.family.inclusion(unbounded());
        const auto by_size = sack.family.inclusion_by_size(unbounded());
        CHECK(by_size.size() == sizes.size());
        for (std::uint32_t c = 0; c < sack.by_size.size(); ++c) {
            Natural held;
            for (const Natural& sets : sack.by_size[c]) held += sets;
            CHECK(inclusion[c] == held);
            for (std::size_t s = 0; s < by_size.size(); ++s) CHECK(by_size[s][c] == sack.by_size[c][s]);
        }
        const auto with = sack.family.inclusion_with(0, unbounded());
        Natural pairs, singles;  // every set with sentence 0 holds its size less one others
        for (std::uint32_t c = 0; c < classes; ++c)
            for (std::uint32_t m = c == 0 ? 1 : 0; m < copies; ++m) pairs += with[c];
        for (std::size_t s = 1; s < sack.by_size[0].size(); ++s)
            singles += sack.by_size[0][s] * Natural(static_cast<std::uint64_t>(s - 1));
        CHECK(pairs == singles);
        for (std::uint64_t k = 0; k < 50; ++k) CHECK(sack.family.contains(sack.family.wander(k)));
    }
}

TEST(a_class_of_thousands_is_counted_in_closed_form) {
    const DiagramFamily family = all_choices(1, 3000);
    CHECK(family.count() == power_of_two(3000));
    CHECK(family.inclusion(unbounded())[0] == power_of_two(2999));
    Clock clock;
    const auto by_size = family.inclusion_by_size(Bounds(clock, std::size_t{64} << 20));
    for (const std::uint32_t s : {1U, 2U, 1500U, 2999U, 3000U}) CHECK(by_size[s][0] == binomial(2999, s - 1));
}

TEST(questions_stop_when_the_clock_says_so) {
    const DiagramFamily family = all_choices(100, 20);
    const auto stops = [&](auto question) {
        Clock clock(std::nullopt, [] { return true; });
        std::this_thread::sleep_for(std::chrono::milliseconds(15));  // the clock asks every 10
        try {
            question(Bounds(clock));
        } catch (const Stopped& stopped) {
            return stopped.reason == StopReason::interrupt;
        }
        return false;
    };
    CHECK(stops([&](const Bounds& bounds) { (void)family.inclusion(bounds); }));
    CHECK(stops([&](const Bounds& bounds) { (void)family.inclusion_with(3, bounds); }));
    CHECK(stops([&](const Bounds& bounds) { (void)family.sizes(bounds); }));
    CHECK(stops([&](const Bounds& bounds) { (void)family.inclusion_by_size(bounds); }));
    CHECK(stops([&](const Bounds& bounds) { (void)family.at(Natural(5), bounds); }));
    CHECK(stops([&](const Bounds& bounds) { (void)find_pairs(family, bounds); }));
    CHECK(stops([&](const Bounds& bounds) { (void)find_heaviest(family, std::vector<Weight>(2000, 1), bounds); }));
    CHECK(stops([&](const Bounds& bounds) { (void)Lister(family, {}).next_part(bounds); }));
    CHECK(stops([&](const Bounds& bounds) {
        (void)DiagramFamily(family.diagram(), family.members(), family.sentences(), bounds);
    }));
    CHECK(family.contains(family.at(Natural(5), unbounded())));  // as if nothing had happened
}

TEST(a_question_that_needs_more_memory_than_there_may_be_names_the_bound) {
    const DiagramFamily family = all_choices(300, 20);
    Clock clock;
    try {
        (void)family.inclusion_by_size(Bounds(clock, std::size_t{2} << 20));
        CHECK(false);
    } catch (const TooLarge& error) {
        CHECK(std::string(error.what()).find("the limit of 3 MiB") != std::string::npos);
    }
}

TEST(places_of_a_huge_family_are_sets_of_it) {
    const DiagramFamily family = all_choices(60, 3);
    Draw draw(6);
    Sets seen;
    for (int round = 0; round < rounds(200); ++round) {
        std::vector<std::uint64_t> limbs(2);
        for (auto& limb : limbs)
            limb = static_cast<std::uint64_t>(draw.between(0, std::numeric_limits<std::int64_t>::max() - 1));
        seen.push_back(family.at(Natural::from_limbs(std::move(limbs)), unbounded()));
        CHECK(std::ranges::is_sorted(seen.back()));
        CHECK(family.contains(seen.back()));
    }
    std::ranges::sort(seen);
    CHECK(std::ranges::adjacent_find(seen) == seen.end());
    Natural last = family.count();
    last -= Natural(1);
    CHECK(family.contains(family.at(last, unbounded())));
}

TEST(a_family_of_nothing_is_empty) {
    const DiagramFamily family(Diagram{}, {}, 3, unbounded());
    CHECK(family.count().is_zero());
    CHECK(!family.contains(Set{}));
    CHECK(!find_heaviest(family, std::vector<Weight>(3, 1), unbounded()));
}
