// ROUGE as an objective of the search: terms over word ids, their coverage, and exact counts of any set of sentences.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "oraclesum/search/bounds.hpp"
#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/maximise.hpp"
#include "oraclesum/search/objective.hpp"
#include "oraclesum/text/ngrams.hpp"

namespace oraclesum::measure {

enum class Kind : std::uint8_t {
    ngrams,
    lcs,      // longest common subsequence of the joined summary with the joined reference
    lcs_sum,  // union of the subsequences of all sentences with each reference sentence, clipped by the words' counts
};

// weight * (s + r) * hits / (r * T + s * K * N) for F-beta with beta^2 = r / s; recall is r = 1, s = 0, precision r = 0, s = 1.
struct Term {
    Kind kind;
    std::uint32_t n;  // of Kind::ngrams
    std::int64_t weight;
    std::int64_t r, s;
};

struct Settings {
    std::vector<Term> terms;
    bool across = false;             // n-grams of the summary run across its sentences, in document order
    bool distinct = false;           // n-grams count once each ("sets")
    bool references_within = false;  // n-grams of a reference stay inside its sentences
};

struct Texts {
    std::vector<text::Words> sentences;
    std::vector<std::vector<text::Words>> references;  // each as its sentences
};

struct Measured {
    search::Objective objective;       // without limits; roles by what can add a hit
    std::vector<std::int64_t> totals;  // per term: n-grams of all references
};

// Per term: n-grams of all references; 0 if there are none.
[[nodiscard]] std::vector<std::int64_t> count_totals(const Texts& texts, const Settings& settings);

// Sentences that can add a hit: they share an n-gram of a term with a reference or, if n-grams run across sentences, a word.
[[nodiscard]] std::vector<std::uint32_t> find_candidates(const Texts& texts, const Settings& settings);

// Throws search::InputError if a term's n-grams are in no reference, and search::Stopped once the clock has expired. Small texts
// are measured whatever the clock says.
[[nodiscard]] Measured measure(const Texts& texts, const Settings& settings, search::Clock& clock);

// What is known of the best sets if the texts could not be measured in time: none was met, and no term is above 1.
[[nodiscard]] search::Maximised know_nothing(const Settings& settings, search::StopReason stopped);

// Steps of a count that a search makes whatever the clock says, some ten milliseconds: a set that it has met is worth that.
inline constexpr std::size_t short_count = std::size_t{1} << 24;

// Counts from the texts, with nothing taken from the objective; `texts` must outlive it, and `bounds`, which end a count by
// search::Stopped once it has made its free steps. Without them, every count comes to its end.
[[nodiscard]] std::unique_ptr<search::Scorer> make_scorer(const Texts& texts, const Settings& settings,
                                                          const search::Bounds* bounds = nullptr,
                                                          std::size_t free_steps = 0);

}  // namespace oraclesum::measure
