// Numbers at the edges of their ranges: the search agrees with brute force, and what is out of range is refused by name.
#include "oraclesum/search/ranges.hpp"

#include <functional>
#include <limits>
#include <string>

#include "brute_force.hpp"
#include "check.hpp"
#include "density.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/natural.hpp"
#include "oraclesum/search/paper.hpp"
#include "oraclesum/search/search.hpp"
#include "unbounded.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::Draw;
using oraclesum::testing::list_sets;
using oraclesum::testing::rounds;
using oraclesum::testing::Truth;
using oraclesum::testing::try_every_subset;
using oraclesum::testing::unbounded;

namespace {

using Gains = std::vector<std::vector<std::int64_t>>;
using Counts = std::vector<std::vector<Entry>>;

// A number with few or many bits: the edges of a range are as likely as its middle.
std::int64_t draw_number(Draw& draw, std::int64_t most) {
    if (draw.one_in(6)) return most;
    std::int64_t number = draw.between(0, most);
    for (std::int64_t halvings = draw.between(0, 62); halvings > 0 && draw.one_in(2); --halvings) number /= 2;
    return draw.one_in(6) ? number / 1'000'000 : number;
}

// The gains of all n-grams together add up to at most largest_total, often to exactly that.
Gains draw_gains(Draw& draw, std::size_t ngrams) {
    Gains gains(ngrams);
    std::int64_t room = draw.one_in(3) ? draw_number(draw, ranges::largest_total) : ranges::largest_total;
    for (std::size_t g = 0; g < ngrams && room > 0; ++g) {
        std::int64_t gain = g + 1 == ngrams && draw.one_in(2) ? room : draw_number(draw, room);
        for (std::int64_t k = draw.one_of({1, 1, 2, 5, 300}); k > 0 && gain > 0 && gain <= room; --k) {
            gains[g].push_back(gain);
            room -= gain;
            if (draw.one_in(2)) gain = std::min(gain, draw_number(draw, gain));
        }
    }
    return gains;
}

Limit draw_limit(Draw& draw, std::size_t sentences) {
    Limit limit{0, std::vector<std::int64_t>(sentences)};
    const std::int64_t longest = draw.one_of({1, 30, 1 << 20, ranges::largest_length});
    std::int64_t sum = 0;
    for (std::int64_t& length : limit.lengths) sum += length = draw_number(draw, longest);
    limit.budget = draw.one_in(8) ? std::numeric_limits<std::int64_t>::max() : sum * draw.between(0, 10) / 10;
    return limit;
}

Instance draw_instance(Draw& draw, std::size_t max_sentences) {
    const std::size_t ngrams = 1 + draw.below(7), sentences = 1 + draw.below(max_sentences);
    Counts counts(sentences);
    for (std::size_t i = 0; i < sentences; ++i) {
        if (i > 0 && draw.one_in(4)) {
            counts[i] = counts[draw.below(i)];
            continue;
        }
        for (std::uint32_t g = 0; g < ngrams; ++g)
            if (draw.one_in(2))
                counts[i].push_back({g, static_cast<std::uint32_t>(
                                            draw_number(draw, draw.one_of({1, 3, 300, ranges::largest_count})))});
    }
    std::vector<Limit> limits;
    for (std::int64_t k = draw.one_of({1, 1, 2, 3}); k > 0; --k) limits.push_back(draw_limit(draw, sentences));
    return {draw_gains(draw, ngrams), counts, std::move(limits)};
}

std::string refusal(const std::function<void()>& make) {
    try {
        make();
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST(searches_at_the_edges_agree_with_brute_force) {
    Draw draw(1);
    for (int round = 0; round < rounds(4000); ++round) {
        const Instance instance = draw_instance(draw, 8);
        const std::int64_t within = round % 4 == 0 ? draw_number(draw, std::numeric_limits<std::int64_t>::max()) : 0;
        const Truth truth = try_every_subset(instance, within, round % 5 == 0);
        const Problem problem = presolve(instance);
        Clock clock;
        const SearchResult found = run_search(
            problem, {.within = within, .minimal = round % 5 == 0, .threads = round % 16 == 0 ? 2U : 1U}, clock);
        CHECK(found.hits == truth.best);
        CHECK(found.upper_bound == truth.best);
        CHECK(found.collected);
        CHECK(instance.feasible(found.best) && instance.hits(found.best) == truth.best);
        CHECK(list_sets(DiagramFamily(found.diagram, problem.members, problem.sentences, unbounded())) == truth.sets);
        Clock unlimited;
        const Enumeration listed = enumerate_paper(instance, {}, unlimited);
        CHECK(listed.hits == truth.best && listed.upper_bound == truth.best);
    }
}

// A need beyond 32 bits was cut to its low half in the memory of failures.
TEST(needs_beyond_32_bits_are_remembered_whole) {
    const std::vector<std::int64_t> hits{1560799634, 3435973824, 3937053340, 4047598317, 3221225460, 4223384492};
    Gains gains;
    Counts counts;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        counts.emplace_back();
        for (std::int64_t rest = hits[i]; rest > 0; rest -= gains.back()[0]) {
            counts[i].push_back({static_cast<std::uint32_t>(gains.size()), 1});
            gains.push_back({std::min<std::int64_t>(rest, 1 << 24)});
        }
    }
    const Problem problem = presolve(Instance(gains, counts, {{141, {21, 48, 55, 55, 45, 59}}}));
    Clock clock;
    CHECK(run_search(problem, {}, clock).hits == 9831782443);
}

TEST(a_large_gain_times_a_large_count_stays_in_range) {
    Gains gains(1, std::vector<std::int64_t>(1 + (1 << 21), 1));
    gains[0][0] = 1 << 23;
    const Problem problem = presolve(Instance(gains, {{{0, 1}}, {{0, 1 << 21}}}, {{2, {1, 2}}}));
    Clock clock;
    const SearchResult found = run_search(problem, {}, clock);
    CHECK(found.hits == 10485759 && found.upper_bound == 10485759);
}

TEST(common_sizes_keep_the_finest_unit) {
    Draw draw(2);
    for (int round = 0; round < rounds(200); ++round)
        CHECK(presolve(oraclesum::testing::varied_instance(draw, 9)).fraction_bits == ranges::max_fraction_bits);
}

TEST(what_is_out_of_range_is_named) {
    const std::int64_t total = ranges::largest_total;
    const auto make = [](const Gains& gains, const Counts& counts, std::vector<Limit> limits) {
        return refusal([&] { std::ignore = Instance(gains, counts, std::move(limits)); });
    };
    CHECK(make({{total}}, {{}}, {{0, {ranges::largest_length}}}) == "accepted");
    CHECK(make({{total}, {1}}, {{}}, {{0, {0}}}).starts_with("gains of n-gram 1 are too large"));
    CHECK(make({{1}, {total, 1}}, {{}}, {{0, {0}}}).starts_with("gains of n-gram 1 are too large"));
    CHECK(make({{std::numeric_limits<std::int64_t>::max()}}, {{}}, {{0, {0}}}).starts_with("gains of n-gram 0"));
    CHECK(make({{1}}, {{}, {}}, {{0, {0, ranges::largest_length + 1}}})
              .starts_with("length of sentence 1 under limit 0"));
    CHECK(make({{1}}, {{}}, {{5, {1}}, {-1, {1}}}).starts_with("budget of limit 1"));
    // Each count fits, their sum does not.
    CHECK(make({{1}}, {{}, {{0, 4294967295U}, {0, 1}}}, {{5, {1, 1}}}).starts_with("count of n-gram 0 in sentence 1"));
    CHECK(refusal([] { std::ignore = Instance::make_entry(2, 0, -1); }).starts_with("count of n-gram 0 in sentence 2"));
    CHECK(refusal([] { std::ignore = Instance::make_entry(2, -1, 1); }).starts_with("sentence 2 names n-gram -1"));
}
