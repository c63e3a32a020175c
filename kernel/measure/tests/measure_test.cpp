// Objectives of small random documents against every subset of their sentences: values, families, exact coverage.
#include "oraclesum/measure/measure.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <tuple>

#include "brute_force.hpp"
#include "check.hpp"
#include "lcs.hpp"
#include "oraclesum/search/bounds.hpp"
#include "oraclesum/search/maximise.hpp"
#include "random_instance.hpp"
#include "unbounded.hpp"
#include "varied_instance.hpp"
#include "weighing.hpp"

namespace oraclesum::testing {

namespace {

measure::Texts draw_texts(Draw& draw, std::size_t max_sentences) {
    const auto words = draw.one_of({2, 3, 6});
    const auto sentence = [&] {
        text::Words made;
        for (auto k = draw.one_of({0, 1, 2, 3, 5}); k > 0; --k)
            made.push_back(static_cast<std::uint32_t>(draw.between(0, words - 1)));
        return made;
    };
    measure::Texts texts;
    const std::size_t sentences = 1 + draw.below(max_sentences);
    for (std::size_t i = 0; i < sentences; ++i) {
        text::Words made = sentence();
        if (i > 0 && draw.one_in(4)) made = texts.sentences[draw.below(i)];
        texts.sentences.push_back(std::move(made));
    }
    for (auto k = draw.between(1, 3); k > 0; --k) {
        auto& reference = texts.references.emplace_back();
        for (auto s = draw.between(1, 3); s > 0; --s) {
            reference.push_back(sentence());
            reference.back().push_back(static_cast<std::uint32_t>(draw.between(0, words - 1)));
        }
    }
    return texts;
}

measure::Settings draw_settings(Draw& draw) {
    measure::Settings settings;
    settings.across = draw.one_in(3);
    settings.distinct = draw.one_in(4);
    for (auto t = draw.one_of({1, 1, 2, 3}); t > 0; --t) {
        const auto kind = static_cast<measure::Kind>(draw.one_of({0, 0, 0, 1, 2}));
        settings.terms.push_back({kind, static_cast<std::uint32_t>(draw.between(1, 2)), draw.between(1, 3),
                                  draw.one_of({1, 1, 4}), draw.one_of({0, 1, 1, 1})});
    }
    return settings;
}

search::FractionSum add_terms(const search::Objective& objective, const std::vector<search::Tally>& tallies) {
    std::vector<search::Fraction> parts;
    for (std::size_t t = 0; t < tallies.size(); ++t) {
        const search::Term& term = objective.terms[t];
        const std::int64_t below = term.constant + term.per_ngram * tallies[t].size;
        if (below > 0) parts.push_back({term.weight * term.times * tallies[t].hits, below});
    }
    return search::FractionSum(parts);
}

bool allows(const search::Objective& objective, std::uint32_t mask) {
    std::int64_t size = 0;
    for (std::uint32_t i = 0; i < objective.sentences(); ++i) {
        const bool inside = (mask >> i & 1U) != 0;
        size += inside ? 1 : 0;
        if (inside && objective.roles[i] == search::Role::idle) return false;
        if (!inside && objective.roles[i] == search::Role::required) return false;
    }
    return objective.limits.front().floor <= size && size <= objective.limits.front().budget;
}

}  // namespace

TEST(lengths_by_bits_are_those_of_the_table) {
    std::mt19937_64 engine(3);
    measure::Marker marker;
    for (int round = 0; round < rounds(300); ++round) {
        text::Words a(engine() % 150), b(engine() % 90);
        for (auto* words : {&a, &b})
            for (auto& word : *words) word = static_cast<std::uint32_t>(engine() % (1 + engine() % 12));
        std::vector<std::uint32_t> places;
        marker.mark(a, b, places);
        measure::Subsequence fixed(a);
        fixed.append(std::span(b).first(b.size() / 2));
        fixed.append(std::span(b).subspan(b.size() / 2));
        CHECK(fixed.length() == static_cast<std::int64_t>(places.size()));
    }
}

// The way back through the whole table, as rouge_score writes it.
std::vector<std::uint32_t> mark_plainly(const text::Words& reference, const text::Words& sentence) {
    std::vector<std::vector<int>> table(reference.size() + 1, std::vector<int>(sentence.size() + 1, 0));
    for (std::size_t i = 1; i <= reference.size(); ++i)
        for (std::size_t j = 1; j <= sentence.size(); ++j)
            table[i][j] = reference[i - 1] == sentence[j - 1] ? table[i - 1][j - 1] + 1
                                                              : std::max(table[i - 1][j], table[i][j - 1]);
    std::vector<std::uint32_t> places;
    std::size_t i = reference.size(), j = sentence.size();
    while (i > 0 && j > 0) {
        if (reference[i - 1] == sentence[j - 1]) {
            --i, --j;
            places.insert(places.begin(), static_cast<std::uint32_t>(i));
        } else if (table[i][j - 1] > table[i - 1][j]) {
            --j;
        } else {
            --i;
        }
    }
    return places;
}

TEST(marks_of_long_texts_are_those_of_the_table) {
    std::mt19937_64 engine(4);
    measure::Marker marker;
    for (int round = 0; round < rounds(200); ++round) {
        const std::size_t longest = round % 2 == 0 ? 40 : 700;  // both sides of what a table is made for
        text::Words a(engine() % longest), b(engine() % longest);
        const std::uint64_t vocabulary = 1 + engine() % (round % 3 == 0 ? 400 : 12);
        for (auto* words : {&a, &b})
            for (auto& word : *words) word = static_cast<std::uint32_t>(engine() % vocabulary);
        std::vector<std::uint32_t> places;
        marker.mark(a, b, places);
        CHECK(places == mark_plainly(a, b));
    }
}

TEST(best_sets_of_every_objective_are_those_of_all_subsets) {
    Draw draw(11);
    int solved = 0;
    for (int round = 0; round < rounds(1500); ++round) {
        const measure::Texts texts = draw_texts(draw, 7);
        const measure::Settings settings = draw_settings(draw);
        measure::Measured measured;
        search::Clock untimed;
        try {
            measured = measure::measure(texts, settings, untimed);
        } catch (const std::invalid_argument&) {
            const auto totals = measure::count_totals(texts, settings);
            CHECK(std::ranges::find(totals, 0) != totals.end());
            continue;  // a reference without an n-gram
        }
        CHECK(measure::count_totals(texts, settings) == measured.totals);
        std::vector<std::uint32_t> candidates;
        for (std::uint32_t i = 0; i < texts.sentences.size(); ++i)
            if (measured.objective.roles[i] == search::Role::candidate) candidates.push_back(i);
        CHECK(measure::find_candidates(texts, settings) == candidates);
        search::Objective& objective = measured.objective;
        const std::size_t n = texts.sentences.size();
        objective.limits.push_back({draw.between(1, static_cast<std::int64_t>(n)), std::vector<std::int64_t>(n, 1)});
        if (draw.one_in(3)) objective.limits.front().floor = draw.between(0, objective.limits.front().budget);
        if (draw.one_in(6)) objective.roles[draw.below(n)] = search::Role::required;
        const auto scorer = measure::make_scorer(texts, settings);
        search::LayerScorer layers(objective);
        std::vector<search::Tally> tallies(objective.terms.size()), covered(objective.terms.size());
        search::FractionSum best;
        Sets sets;
        for (std::uint32_t mask = 1; mask < std::uint32_t{1} << n; ++mask) {
            if (!allows(objective, mask)) continue;
            const search::Set set = members(mask);
            scorer->count(set, tallies);
            layers.count(set, covered);
            for (std::size_t t = 0; t < tallies.size(); ++t)
                CHECK(objective.exact ? covered[t] == tallies[t] : covered[t].size <= tallies[t].size);
            search::FractionSum own = add_terms(objective, tallies);
            if (own.parts().empty() || own < best) continue;
            if (own > best) sets.clear();
            best = std::move(own);
            sets.push_back(set);
        }
        std::ranges::sort(sets);
        for (const bool scan : {true, false}) {  // documents as small as these hardly need the search
            search::MaximiseSettings chosen;
            chosen.search.techniques.scan = scan;
            search::Clock clock;
            search::Maximised found = search::maximise(objective, scorer.get(), chosen, clock);
            CHECK(found.proven && found.collected);
            CHECK(found.value == best);
            CHECK(found.upper == best);
            const search::DiagramFamily family(std::move(found.diagram), found.members, n, unbounded());
            CHECK(list_sets(family) == sets);
        }
        ++solved;
    }
    CHECK(solved > rounds(500));
}

TEST(sums_of_fractions_are_compared_without_rounding) {
    using search::FractionSum;
    CHECK(FractionSum({{1, 3}, {1, 6}}) == FractionSum({{1, 2}}));
    const std::int64_t large = std::int64_t{1} << 40;
    CHECK(FractionSum({{large, 3 * large}}) == FractionSum({{1, 3}}));
    CHECK(FractionSum({{large + 1, 3 * large}}) > FractionSum({{1, 3}}));
    CHECK(FractionSum({{large, large + 1}, {1, large + 1}}) == FractionSum({{1, 1}}));
    CHECK(FractionSum({{large, large + 1}}) < FractionSum({{large + 1, large + 2}}));
}

class CountingScorer : public search::Scorer {
public:
    explicit CountingScorer(search::Scorer& scorer) : scorer_(scorer) {}
    void count(std::span<const std::uint32_t> set, std::span<search::Tally> tallies) override {
        ++calls;
        scorer_.count(set, tallies);
    }

    std::uint64_t calls = 0;

private:
    search::Scorer& scorer_;
};

// The best of all ways to add one sentence, as long as that is better.
search::FractionSum fill_plainly(const search::Objective& objective, search::Scorer& scorer) {
    std::vector<search::Tally> tallies(objective.terms.size());
    search::FractionSum best;
    std::vector<std::uint32_t> set;
    for (bool better = true; better;) {
        better = false;
        std::vector<std::uint32_t> largest;
        for (std::uint32_t i = 0; i < objective.sentences(); ++i) {
            if (std::ranges::find(set, i) != set.end()) continue;
            std::vector<std::uint32_t> next = set;
            next.push_back(i);
            std::ranges::sort(next);
            scorer.count(next, tallies);
            if (search::FractionSum value = add_terms(objective, tallies); value > best) {
                best = std::move(value);
                largest = std::move(next);
                better = true;
            }
        }
        if (better) set = std::move(largest);
    }
    return best;
}

TEST(a_search_that_is_stopped_has_no_less_than_a_greedy) {
    std::mt19937_64 engine(5);
    const auto draw_words = [&](std::size_t count) {
        text::Words words(count);
        for (auto& word : words) word = static_cast<std::uint32_t>(engine() % 60);
        return words;
    };
    measure::Texts texts;
    for (int i = 0; i < 80; ++i) texts.sentences.push_back(draw_words(12));
    texts.references.push_back({draw_words(100)});
    measure::Settings settings;
    settings.terms.push_back({measure::Kind::lcs, 1, 1, 1, 1});
    search::Clock untimed;
    const measure::Measured measured = measure::measure(texts, settings, untimed);
    const auto scorer = measure::make_scorer(texts, settings);
    CountingScorer counting(*scorer);
    // Stopped after more counts than a greedy makes; to the end, it would take for ever.
    search::Clock clock(std::nullopt, [&] { return counting.calls > 3000; });
    const search::Maximised found = search::maximise(measured.objective, &counting, {}, clock);
    CHECK(!found.proven);
    CHECK(found.value >= fill_plainly(measured.objective, *scorer));
    CHECK(found.value <= found.upper);
}

// Says that it is time to stop when it has counted so often, and waits until the clock asks.
class StoppingScorer : public CountingScorer {
public:
    StoppingScorer(search::Scorer& scorer, std::uint64_t last) : CountingScorer(scorer), last_(last) {}
    void count(std::span<const std::uint32_t> set, std::span<search::Tally> tallies) override {
        CountingScorer::count(set, tallies);
        if (calls == last_) std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so long nobody is asked
    }
    [[nodiscard]] bool is_done() const { return calls >= last_; }

private:
    std::uint64_t last_;
};

// With hundreds of references one count from the words takes milliseconds: none may follow the one in which time ends.
TEST(a_search_that_is_told_to_stop_during_a_count_makes_no_other) {
    Draw draw(6);
    const auto draw_words = [&](std::size_t count) {
        text::Words words(count);
        for (auto& word : words) word = static_cast<std::uint32_t>(draw.between(0, 19));
        return words;
    };
    measure::Texts texts;
    for (int i = 0; i < 14; ++i) texts.sentences.push_back(draw_words(6));
    for (int i = 0; i < 5; ++i) texts.references.push_back({draw_words(30)});
    for (const auto kind : {measure::Kind::lcs, measure::Kind::lcs_sum}) {
        measure::Settings settings;
        settings.terms.push_back({kind, 1, 1, 1, 1});
        search::Clock untimed;
        const measure::Measured measured = measure::measure(texts, settings, untimed);
        const auto scorer = measure::make_scorer(texts, settings);
        for (const std::uint64_t last : {1, 2, 30, 80}) {
            StoppingScorer stopping(*scorer, last);
            search::Clock clock(std::nullopt, [&] { return stopping.is_done(); });
            const search::Maximised found = search::maximise(measured.objective, &stopping, {}, clock);
            CHECK(stopping.calls == last);
            CHECK(found.stopped == search::StopReason::interrupt && !found.proven);
        }
    }
}

// To tell whether a set is minimal, it is counted once without each of its sentences.
TEST(minimal_sets_near_the_best_are_told_apart_no_longer_than_there_is_time) {
    Draw draw(7);
    const auto draw_words = [&](std::size_t count) {
        text::Words words(count);
        for (auto& word : words) word = static_cast<std::uint32_t>(draw.between(0, 9));
        return words;
    };
    measure::Texts texts;
    for (int i = 0; i < 10; ++i) texts.sentences.push_back(draw_words(4));
    texts.references.push_back({texts.sentences.front()});  // so the best set cannot be cut down at the end
    measure::Settings settings;
    settings.terms.push_back({measure::Kind::lcs, 1, 1, 1, 1});
    search::Clock untimed;
    const measure::Measured measured = measure::measure(texts, settings, untimed);
    const auto scorer = measure::make_scorer(texts, settings);
    search::MaximiseSettings near;
    near.within = {1, 1};
    near.search.minimal = true;
    CountingScorer counting(*scorer);
    CHECK(search::maximise(measured.objective, &counting, near, untimed).collected);
    CHECK(counting.calls > 1000);
    for (std::uint64_t last = 200; last < counting.calls; last += counting.calls / 16) {
        StoppingScorer stopping(*scorer, last);
        search::Clock clock(std::nullopt, [&] { return stopping.is_done(); });
        const search::Maximised found = search::maximise(measured.objective, &stopping, near, clock);
        CHECK(stopping.calls == last);
        CHECK(found.stopped == search::StopReason::interrupt && !found.collected);
    }
}

// The neighbours of a long best set are scored one by one.
TEST(the_best_sets_are_looked_for_no_longer_than_there_is_time) {
    measure::Texts texts;
    for (std::uint32_t i = 0; i < 40; ++i) texts.sentences.push_back({i});
    texts.references.push_back(texts.sentences);
    measure::Settings settings;
    settings.terms.push_back({measure::Kind::lcs, 1, 1, 1, 1});
    search::Clock untimed;
    const measure::Measured measured = measure::measure(texts, settings, untimed);
    const auto scorer = measure::make_scorer(texts, settings);
    search::MaximiseSettings best;
    CountingScorer one(*scorer), ten(*scorer);
    CHECK(search::maximise(measured.objective, &one, best, untimed).collected);
    best.top = 10;
    CHECK(search::maximise(measured.objective, &ten, best, untimed).collected);
    for (std::uint64_t last = one.calls + 2; last < ten.calls; last += 9) {
        StoppingScorer stopping(*scorer, last);
        search::Clock clock(std::nullopt, [&] { return stopping.is_done(); });
        const search::Maximised found = search::maximise(measured.objective, &stopping, best, clock);
        CHECK(stopping.calls == last);
        CHECK(found.stopped == search::StopReason::interrupt && !found.collected);
    }
}

TEST(measuring_long_texts_ends_with_the_clock_and_that_of_short_ones_does_not) {
    measure::Settings settings;
    settings.terms.push_back({measure::Kind::lcs_sum, 1, 2, 1, 1});
    measure::Texts texts{{text::Words(2000, 7)}, {{text::Words(2000, 7)}}};
    search::Clock late(0.0);
    bool stopped = false;
    try {
        std::ignore = measure::measure(texts, settings, late);
    } catch (const search::Stopped& error) {
        stopped = error.reason == search::StopReason::time;
    }
    CHECK(stopped);
    const search::Maximised nothing = measure::know_nothing(settings, late.reason());
    CHECK(nothing.best.empty() && !nothing.proven && !nothing.collected);
    CHECK(nothing.upper == search::FractionSum({{2, 1}}));
    texts.sentences.front().resize(20);
    search::Clock again(0.0);
    CHECK(measure::measure(texts, settings, again).totals == std::vector<std::int64_t>{2000});
}

template <class Work>
bool is_stopped(Work work) {
    try {
        work();
    } catch (const search::Stopped&) {
        return true;
    }
    return false;
}

TEST(time_that_is_over_ends_every_count_of_subsequences) {
    const text::Words words(1000, 7);  // a table of them would be too large: marked by bits
    const measure::Texts texts{{words}, {{words}}};
    search::Clock clock(0.0);
    const search::Bounds bounds(clock);
    measure::Meter meter(&bounds);
    measure::Subsequence fixed(words, &meter);
    CHECK(is_stopped([&] { fixed.append(words); }));
    std::vector<std::uint32_t> places;
    CHECK(is_stopped([&] { measure::Marker(&meter).mark(words, words, places); }));
    measure::Settings settings;
    settings.terms.push_back({measure::Kind::lcs_sum, 1, 1, 1, 1});
    const auto scorer = measure::make_scorer(texts, settings, &bounds);
    const std::vector<std::uint32_t> set = {0};
    std::vector<search::Tally> tallies(1);
    CHECK(is_stopped([&] { scorer->count(set, tallies); }));
}

TEST(the_places_of_one_long_pair_are_marked_no_longer_than_there_is_time) {
    measure::Settings settings;
    settings.terms.push_back({measure::Kind::lcs_sum, 1, 1, 1, 1});
    text::Words words;
    for (std::uint32_t i = 0; i < 60'000; ++i) words.push_back(i % 3);
    const measure::Texts texts{{words}, {{words}}};
    int asked = 0;
    search::Clock clock(std::nullopt, [&] { return ++asked == 2; });
    CHECK(is_stopped([&] { std::ignore = measure::measure(texts, settings, clock); }));
    CHECK(asked == 2);
}

TEST(a_search_ends_within_a_long_count_and_makes_short_ones_whatever_the_clock_says) {
    for (const measure::Kind kind : {measure::Kind::lcs, measure::Kind::lcs_sum}) {
        measure::Settings settings;
        settings.terms.push_back({kind, 1, 1, 1, 1});
        const text::Words part = {1, 2, 3};
        const measure::Texts texts{{text::Words(1000, 7), part, {2, 3}}, {{part, text::Words(1000, 7)}}};
        search::Clock untimed;
        measure::Measured measured = measure::measure(texts, settings, untimed);
        search::Clock late(0.0);
        const search::Bounds bounds(late);
        const auto scorer = measure::make_scorer(texts, settings, &bounds, 1000);
        const auto whole = measure::make_scorer(texts, settings);
        std::vector<search::Tally> tallies(1), wanted(1);
        for (int again = 0; again < 2; ++again) {  // what was stopped leaves nothing behind
            CHECK(is_stopped([&] { scorer->count(std::vector<std::uint32_t>{0, 1}, tallies); }));
            for (const std::vector<std::uint32_t>& set : {std::vector<std::uint32_t>{1}, {2}, {1, 2}}) {
                scorer->count(set, tallies);
                whole->count(set, wanted);
                CHECK(tallies == wanted);
            }
        }
        for (const bool minimal : {false, true}) {
            search::MaximiseSettings asked;
            asked.search.minimal = minimal;
            const search::Maximised found = search::maximise(measured.objective, scorer.get(), asked, late);
            CHECK(found.stopped == search::StopReason::time && !found.collected && !found.proven);
            CHECK(found.upper == search::FractionSum({{1, 1}}));
        }
    }
}

}  // namespace oraclesum::testing
