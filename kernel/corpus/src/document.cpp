// Analysis, folding, presolve, search, counting and listing of one document, in this order.
#include "oraclesum/corpus/document.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "oraclesum/search/bounds.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/family.hpp"
#include "oraclesum/search/lister.hpp"
#include "oraclesum/search/listing.hpp"
#include "oraclesum/search/maximise.hpp"
#include "oraclesum/search/problem.hpp"
#include "oraclesum/search/search.hpp"
#include "oraclesum/text/fold.hpp"

namespace oraclesum::corpus {

namespace {

constexpr std::uint64_t largest_exact_double = std::uint64_t{1} << 53;

// Without branches, so that many bytes are looked at in one step.
constexpr bool is_space(char byte) { return (byte == ' ') | (static_cast<unsigned char>(byte - '\t') <= '\r' - '\t'); }

// A budget beyond the whole text says no more than the whole text does.
search::Limit make_limit(std::int64_t budget, std::vector<std::int64_t> lengths) {
    const std::int64_t all = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    return {std::min(budget, all), std::move(lengths)};
}

std::vector<search::Limit> measure(const Texts& sentences, const Settings& settings) {
    std::vector<search::Limit> limits;
    std::vector<std::int64_t> lengths(sentences.size());
    if (settings.max_words) {
        std::transform(sentences.begin(), sentences.end(), lengths.begin(), count_words);
        limits.push_back(make_limit(*settings.max_words, lengths));
    }
    if (settings.max_sentences) {
        std::fill(lengths.begin(), lengths.end(), 1);
        limits.push_back(make_limit(*settings.max_sentences, lengths));
    }
    if (settings.max_bytes) {
        std::transform(sentences.begin(), sentences.end(), lengths.begin(),
                       [](std::string_view text) { return static_cast<std::int64_t>(text.size()); });
        limits.push_back(make_limit(*settings.max_bytes, lengths));
    }
    return limits;
}

// The references' runs, or nothing if one of them has no word.
std::optional<std::vector<text::Runs>> analyse_references(const std::vector<Texts>& references,
                                                          text::Vocabulary& vocabulary) {
    std::vector<text::Runs> all;
    all.reserve(references.size());
    for (const Texts& reference : references) {
        text::Words& run = all.emplace_back(1).front();
        for (const std::string_view sentence : reference) vocabulary.analyse(sentence, run);
        if (run.empty()) return std::nullopt;
    }
    return all;
}

// The sets that leave are scored once more from scratch: all of them, or a spread of 1000 to 2000.
void verify(const search::Instance& instance, const Answer& answer, std::int64_t within_hits) {
    ORACLESUM_REQUIRE(answer.upper_bound >= answer.hits, "a bound is below the hits it bounds");
    constexpr std::size_t most = 1000;
    const std::size_t step = std::max<std::size_t>(1, answer.sets.size() / most);
    for (std::size_t at = 0; at < answer.sets.size(); at += step) {
        const std::int64_t hits = instance.hits(answer.sets[at]);
        ORACLESUM_REQUIRE(instance.feasible(answer.sets[at]), "a set breaks a limit");
        ORACLESUM_REQUIRE(hits <= answer.hits && hits >= answer.hits - within_hits,
                          "a set does not score again what the search says");
    }
}

// From how many sets hold a sentence of each class: the shares, as doubles if that is exact. Otherwise the numbers stay
// with their classes, as each may be as long as the document.
void share_by_class(std::vector<search::Natural> by_class, const search::Rows<std::uint32_t>& members,
                    std::size_t sentences, Answer& answer) {
    if (answer.count > search::Natural(largest_exact_double)) {
        answer.classes.assign(sentences, search::DiagramFamily::no_class);
        for (std::uint32_t c = 0; c < members.size(); ++c)
            for (const std::uint32_t i : members[c]) answer.classes[i] = c;
        answer.containing = std::move(by_class);
        return;
    }
    ORACLESUM_REQUIRE(!answer.count.is_zero(), "a family has no set");
    const auto count = static_cast<double>(answer.count.limbs()[0]);
    answer.inclusion.assign(sentences, 0.0);
    for (std::size_t c = 0; c < members.size(); ++c) {
        if (by_class[c].is_zero()) continue;
        const double share = static_cast<double>(by_class[c].limbs()[0]) / count;
        for (const std::uint32_t i : members[c]) answer.inclusion[i] = share;
    }
}

// A family that was too large to be stored: its sums are there, and some of its sets.
void take_streamed(const search::Streamed& streamed, std::size_t sentences, Answer& answer) {
    answer.streamed = true;
    answer.count = streamed.count;
    share_by_class(streamed.inclusion, streamed.members, sentences, answer);
    std::vector<std::vector<std::uint32_t>> sets;
    for (std::size_t at = 0; at < streamed.listed.size(); ++at)
        sets.emplace_back(streamed.listed[at].begin(), streamed.listed[at].end());
    std::sort(sets.begin(), sets.end());
    for (const auto& set : sets) answer.sets.add_row(set);
}

void list_sets(const search::DiagramFamily& family, std::uint64_t most, const search::Bounds& bounds, Answer& answer) {
    if (most == 0) return;
    search::Lister lister(family, {});
    while (true) {
        const auto& part = lister.next_part(bounds);
        if (part.size() == 0) return;
        for (std::size_t at = 0; at < part.size(); ++at) {
            answer.sets.add_row(part[at]);
            if (answer.sets.size() == most || search::listed_bytes(answer.sets) > search::MAX_LISTED_BYTES) return;
        }
    }
}

// Whatever time and memory leave: first the count, then the inclusion, then the list. False if not even the count.
bool ask_family(search::Diagram diagram, const search::Rows<std::uint32_t>& members, std::size_t sentences,
                const Settings& settings, search::Clock& clock, Answer& answer) {
    std::shared_ptr<search::DiagramFamily> kept;
    try {
        const search::Bounds bounds(clock, settings.max_memory);
        kept = std::make_shared<search::DiagramFamily>(std::move(diagram), members, sentences, bounds);
        answer.count = kept->count();
        answer.inclusion_known = false;
        share_by_class(kept->inclusion(bounds), members, sentences, answer);
        answer.inclusion_known = true;
        list_sets(*kept, settings.max_list, bounds, answer);
    } catch (const search::Stopped&) {
    } catch (const search::TooLarge&) {
    }
    if (!kept) return false;
    if (settings.keep_family) answer.family = kept;
    if (answer.sets.size() > 0 || settings.max_list == 0) return true;
    search::Clock unhurried = clock.with_at_least(1.0);  // a set that is known to be best is not lost for want of time
    try {
        list_sets(*kept, 1, search::Bounds(unhurried, settings.max_memory), answer);
    } catch (const search::Stopped&) {
    } catch (const search::TooLarge&) {
    }
    return true;
}

// What a search leaves: the whole family, or the best set that was met.
template <class Found>
void take_family(Found& found, const search::Rows<std::uint32_t>& members, std::size_t sentences,
                 const Settings& settings, search::Clock& clock, Answer& answer) {
    answer.nodes = found.nodes;
    answer.collected = found.collected;
    if (found.streamed)
        take_streamed(*found.streamed, sentences, answer);
    else if (found.collected)
        answer.collected = ask_family(std::move(found.diagram), members, sentences, settings, clock, answer);
    answer.stopped = clock.reason();
    if (!answer.collected) {
        answer.inclusion.assign(sentences, 0.0);
        if (found.best.empty()) return;  // stopped before it had found a set
        answer.count = 1;
        for (const std::uint32_t i : found.best) answer.inclusion[i] = 1.0;
        answer.sets.add_row(found.best);
    }
}

void search_instance(const search::Instance& instance, const Settings& settings, search::Clock& clock, Answer& answer) {
    const search::Problem problem = search::presolve(instance, &clock);
    search::SearchResult found = search::run_search(problem,
                                                    {.within = settings.within_hits,
                                                     .minimal = settings.minimal,
                                                     .collect = true,
                                                     .threads = settings.threads,
                                                     .max_memory = settings.max_memory,
                                                     .max_list = settings.max_list},
                                                    clock);
    answer.searched = true;
    answer.hits = found.hits;
    answer.upper_bound = found.upper_bound;
    take_family(found, problem.members, problem.sentences, settings, clock, answer);
}

std::int64_t sum_of(const std::vector<std::int64_t>& lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
}

// A floor beyond the whole text can be reached by nobody, and one more says the same.
std::vector<search::Limit> measure_with_floors(const Texts& sentences, const Settings& settings) {
    const Objective& objective = *settings.objective;
    Settings all = settings;  // a row for every unit that has a limit at either end
    constexpr auto no_limit = std::numeric_limits<std::int64_t>::max();
    if (objective.min_words && !all.max_words) all.max_words = no_limit;
    if (objective.min_sentences && !all.max_sentences) all.max_sentences = no_limit;
    std::vector<search::Limit> limits = measure(sentences, all);
    std::size_t row = 0;
    if (all.max_words) {
        if (objective.min_words) limits[row].floor = std::min(*objective.min_words, sum_of(limits[row].lengths) + 1);
        ++row;
    }
    if (all.max_sentences && objective.min_sentences)
        limits[row].floor = std::min(*objective.min_sentences, sum_of(limits[row].lengths) + 1);
    return limits;
}

bool keeps_limits(std::span<const search::Limit> limits, std::span<const std::uint32_t> set) {
    return std::ranges::all_of(limits, [&](const search::Limit& limit) {
        std::int64_t length = 0;
        for (const std::uint32_t i : set) length += limit.lengths[i];
        return limit.floor <= length && length <= limit.budget;
    });
}

// As `verify`, with the counts of the texts themselves.
void verify_objective(const search::Objective& objective, search::Scorer& scorer, const search::FractionSum& best,
                      const Settings& settings, const Answer& answer) {
    constexpr std::size_t most = 200;
    const std::size_t step = std::max<std::size_t>(1, answer.sets.size() / most);
    std::vector<search::Tally> tallies(objective.terms.size());
    for (std::size_t at = 0; at < answer.sets.size(); at += step) {
        ORACLESUM_REQUIRE(keeps_limits(objective.limits, answer.sets[at]), "a set breaks a limit");
        scorer.count(answer.sets[at], tallies);
        const search::FractionSum value = search::value_of(objective, tallies);
        ORACLESUM_REQUIRE(value <= best, "a set has more than the best value");
        if (settings.objective->top > 0) continue;
        std::vector<search::Fraction> parts(value.parts().begin(), value.parts().end());
        parts.push_back(settings.objective->within);
        ORACLESUM_REQUIRE(search::FractionSum(std::move(parts)) >= best, "a set does not score again what it should");
    }
}

void take_maximised(search::Maximised& found, std::vector<std::int64_t> totals, std::size_t sentences,
                    const Settings& settings, search::Clock& clock, Answer& answer) {
    answer.searched = true;
    answer.tallies = found.tallies;
    answer.totals = std::move(totals);
    answer.out_of_memory = found.out_of_memory;
    answer.uppers.assign(found.upper.parts().begin(), found.upper.parts().end());
    take_family(found, found.members, sentences, settings, clock, answer);
}

void maximise_document(const Document& document, const Settings& settings, text::Vocabulary& vocabulary,
                       search::Clock& clock, Answer& answer) {
    measure::Texts texts;
    texts.sentences.resize(document.sentences.size());
    for (std::size_t i = 0; i < texts.sentences.size(); ++i)
        vocabulary.analyse(document.sentences[i], texts.sentences[i]);
    for (const Texts& reference : document.references) {
        auto& parts = texts.references.emplace_back(reference.size());
        for (std::size_t i = 0; i < parts.size(); ++i) vocabulary.analyse(reference[i], parts[i]);
        if (std::ranges::all_of(parts, [](const text::Words& words) { return words.empty(); })) return;
    }
    measure::Measured measured;
    try {
        measured = measure::measure(texts, settings.objective->measure, clock);
    } catch (const search::InputError&) {  // a term has no n-gram: the caller says so better
        return;
    } catch (const search::Stopped& stopped) {
        std::vector<std::int64_t> totals = measure::count_totals(texts, settings.objective->measure);
        if (std::ranges::find(totals, 0) != totals.end()) return;
        search::Maximised nothing = measure::know_nothing(settings.objective->measure, stopped.reason);
        take_maximised(nothing, std::move(totals), texts.sentences.size(), settings, clock, answer);
        return;
    }
    search::Objective& objective = measured.objective;
    if (std::ranges::find(objective.roles, search::Role::candidate) == objective.roles.end()) return;
    objective.limits = measure_with_floors(document.sentences, settings);
    const search::Bounds bounds(clock);
    std::unique_ptr<search::Scorer> scorer =
        measure::make_scorer(texts, settings.objective->measure, &bounds, measure::short_count);
    search::MaximiseSettings wanted;
    wanted.within = settings.objective->within;
    wanted.top = settings.objective->top;
    wanted.search.minimal = settings.minimal;
    wanted.search.collect = true;
    wanted.search.threads = settings.threads;
    wanted.search.max_memory = settings.max_memory;
    wanted.search.max_list = settings.max_list;
    search::Maximised found = search::maximise(objective, scorer.get(), wanted, clock);
    if (found.best.empty() && found.proven) return;  // nothing fits: the caller says so better
    take_maximised(found, std::move(measured.totals), objective.sentences(), settings, clock, answer);
    if (found.best.empty()) return;
    if (!objective.exact) scorer = measure::make_scorer(texts, settings.objective->measure);  // time may be up
    verify_objective(objective, *scorer, found.value, settings, answer);
}

// One for each choice of settings: a run that takes turns between two would remember nothing.
RememberedWords::Shelf& shelf_of(text::Settings settings) {
    constinit static std::array<RememberedWords::Shelf, 12> shelves{};
    return shelves[(settings.stem ? 1U : 0U) + (settings.remove_stop_words ? 2U : 0U) +
                   4U * static_cast<unsigned>(settings.rules)];
}

}  // namespace

std::int64_t count_words(std::string_view text) {
    if (text.empty()) return 0;
    // A word begins where its byte is no space and the one before is: no step waits for the one before it.
    std::uint32_t words = !is_space(text[0]);
    for (std::size_t i = 1; i < text.size(); ++i)
        words += std::uint32_t{is_space(text[i - 1])} & std::uint32_t{!is_space(text[i])};
    // Perl's split, which ROUGE-1.5.5 counts by, finds an empty word before white space at the beginning.
    return words + static_cast<std::uint32_t>(words > 0 && is_space(text[0]));
}

RememberedWords::RememberedWords(text::Settings settings) : shelf_(shelf_of(settings)) {
    constexpr std::size_t most = 200'000;
    for (auto& place : shelf_) {
        words_.reset(place.exchange(nullptr));
        if (words_ && words_->size() <= most) return;
        if (words_) break;
    }
    words_ = std::make_unique<text::Vocabulary>(settings);
}

RememberedWords::~RememberedWords() {
    for (auto& place : shelf_) {
        text::Vocabulary* nothing = nullptr;
        if (place.compare_exchange_strong(nothing, words_.get())) {
            (void)words_.release();  // kept there until somebody takes it
            return;
        }
    }
}

Answer enumerate_document(const Document& document, const Settings& settings, text::Vocabulary& vocabulary,
                          const search::Clock::Stop& stop) {
    const auto started = std::chrono::steady_clock::now();
    search::Clock clock(settings.time_limit, stop);  // analysis and folding are inside of it
    Answer answer;
    if (settings.objective) {
        maximise_document(document, settings, vocabulary, clock, answer);
    } else if (const auto references = analyse_references(document.references, vocabulary)) {
        std::vector<text::Words> rows(document.sentences.size());
        for (std::size_t i = 0; i < rows.size(); ++i) vocabulary.analyse(document.sentences[i], rows[i]);
        const text::Folded folded = text::fold(*references, rows, settings.n);
        if (folded.total > 0) {
            const search::Instance instance(folded.gains, folded.counts, measure(document.sentences, settings), {});
            if (!instance.candidates().empty()) {
                answer.total = folded.total;
                search_instance(instance, settings, clock, answer);
                verify(instance, answer, settings.within_hits);
            }
        }
    }
    answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return answer;
}

}  // namespace oraclesum::corpus
