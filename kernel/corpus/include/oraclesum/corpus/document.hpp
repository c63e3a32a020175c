// One document from its bytes to its family of oracles, with nothing in between that a caller would have to store.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "oraclesum/measure/measure.hpp"
#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/family.hpp"
#include "oraclesum/search/fraction.hpp"
#include "oraclesum/search/instance.hpp"
#include "oraclesum/search/natural.hpp"
#include "oraclesum/text/vocabulary.hpp"

namespace oraclesum::corpus {

using Texts = std::vector<std::string_view>;  // UTF-8

struct Document {
    Texts sentences;
    std::vector<Texts> references;  // each as its sentences; n-grams run across them
};

// What is maximised instead of recall of n-grams within sentences.
struct Objective {
    measure::Settings measure;
    std::optional<std::int64_t> min_words;
    std::optional<std::int64_t> min_sentences;
    search::Fraction within;  // of the sum over all terms
    std::uint64_t top;
};

struct Settings {
    std::size_t n;
    text::Settings words;
    std::optional<std::int64_t> max_words;
    std::optional<std::int64_t> max_sentences;
    std::optional<std::int64_t> max_bytes;
    std::int64_t within_hits;
    bool minimal;
    std::uint64_t max_list;  // sets to write out; all are counted
    unsigned threads;
    std::optional<double> time_limit;                   // seconds for one document
    std::size_t max_memory;                             // for remembered sub-problems and the diagram
    std::optional<Objective> objective = std::nullopt;  // `n` and `within_hits` are not looked at then
    bool keep_family = false;                           // for further questions
};

struct Answer {
    // False if there is nothing to search (a reference without a word, no n-gram, no candidate): the caller has
    // better words for what is wrong than the kernel. Nothing but `seconds` is set then.
    bool searched = false;
    std::int64_t hits = 0;
    std::int64_t upper_bound = 0;
    std::int64_t total = 0;
    std::uint64_t nodes = 0;
    bool collected = false;       // the whole family was found; else `sets` has the best set that was met
    bool out_of_memory = false;   // why it was not, if time is not the reason
    bool streamed = false;        // too large to be stored whole: `sets` are some of the family, not its first ones
    bool inclusion_known = true;  // false: the count was all that time or memory sufficed for
    search::StopReason stopped = search::StopReason::none;
    search::Natural count;
    search::Rows<std::uint32_t> sets;  // in lexicographic order, at most max_list, and as many as time sufficed for
    std::vector<double> inclusion;     // per sentence; empty if `containing` is needed to be exact
    std::vector<search::Natural> containing;  // per class: sets that contain a sentence of it; empty if not needed
    std::vector<std::uint32_t> classes;       // per sentence, of `containing`, or DiagramFamily::no_class
    std::shared_ptr<search::DiagramFamily> family;  // if it is to be kept, was collected and is not streamed
    double seconds = 0;
    // Of an objective, one per term; `hits`, `upper_bound` and `total` are not set then.
    std::vector<search::Tally> tallies;    // of every best set
    std::vector<std::int64_t> totals;      // n-grams of all references
    std::vector<search::Fraction> uppers;  // their sum bounds the value
};

// Words as ROUGE-1.5.5's -l counts them, by Perl's split at ASCII white space.
[[nodiscard]] std::int64_t count_words(std::string_view text);

// The words that were met before under these settings, for one thread at a time: most words of a document were in an
// earlier one. Begun anew when they are very many. They are kept in a few places, and not by thread: what is local to
// threads the system allocates when it is first touched, and without memory it then ends the process.
class RememberedWords {
public:
    using Shelf = std::array<std::atomic<text::Vocabulary*>, 8>;  // what is here is in nobody's hands

    explicit RememberedWords(text::Settings settings);
    ~RememberedWords();
    RememberedWords(const RememberedWords&) = delete;
    RememberedWords& operator=(const RememberedWords&) = delete;

    [[nodiscard]] text::Vocabulary& operator*() const { return *words_; }

private:
    Shelf& shelf_;
    std::unique_ptr<text::Vocabulary> words_;
};

// Throws search::InternalError if a set that was found does not score again what it should.
[[nodiscard]] Answer enumerate_document(const Document& document, const Settings& settings,
                                        text::Vocabulary& vocabulary, const search::Clock::Stop& stop);

}  // namespace oraclesum::corpus
