// Text analysis to Python: strings or word ids in; tokens, matches and instances out.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string_view>
#include <unordered_map>

#include "bytes.hpp"
#include "lock.hpp"
#include "oraclesum/corpus/document.hpp"
#include "oraclesum/search/instance.hpp"
#include "oraclesum/text/fold.hpp"
#include "oraclesum/text/frequent.hpp"
#include "oraclesum/text/vocabulary.hpp"
#include "registrars.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace oraclesum::bindings {

namespace {

using Limits = std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>>;
using Matches = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::vector<Bytes> all_bytes(const std::vector<nb::list>& texts) { return {texts.begin(), texts.end()}; }

text::Runs analyse(const Bytes& sentences, bool across, text::Vocabulary& vocabulary) {
    text::Runs runs(across ? 1 : sentences.size());
    std::size_t i = 0;
    for (const std::string_view sentence : sentences) vocabulary.analyse(sentence, runs[across ? 0 : i++]);
    return runs;
}

text::Words join_runs(const text::Runs& runs) {
    text::Words joined;
    for (const text::Words& one : runs) joined.insert(joined.end(), one.begin(), one.end());
    return joined;
}

Matches pair_up(const std::vector<text::Match>& matches) {
    Matches pairs;
    pairs.reserve(matches.size());
    for (const text::Match& one : matches) pairs.emplace_back(one.hits, one.total);
    return pairs;
}

std::pair<std::unique_ptr<search::Instance>, std::int64_t> join(const text::Folded& folded, const Limits& limits) {
    std::vector<search::Limit> all;
    all.reserve(limits.size());
    for (const auto& [budget, lengths] : limits) all.push_back({budget, lengths});
    return {std::make_unique<search::Instance>(folded.gains, folded.counts, std::move(all), search::Extras{}),
            folded.total};
}

// Equal words of all texts are one Python object.
nb::list list_tokens(const nb::list& texts, text::Rules rules, bool stem, bool remove_stop_words) {
    const Bytes bytes(texts);
    const corpus::RememberedWords remembered({stem, remove_stop_words, rules});
    text::Vocabulary& vocabulary = *remembered;
    std::unordered_map<std::uint32_t, nb::str> made;
    nb::list all;
    text::Words words;
    for (const std::string_view one : bytes) {
        words.clear();
        vocabulary.analyse(one, words);
        auto tokens = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(words.size())));
        if (!tokens.is_valid()) nb::raise_python_error();
        for (std::size_t i = 0; i < words.size(); ++i) {
            auto place = made.find(words[i]);
            if (place == made.end()) {
                const std::string_view word = vocabulary.word(words[i]);
                place = made.emplace(words[i], nb::str(word.data(), word.size())).first;
            }
            NB_LIST_SET_ITEM(tokens.ptr(), static_cast<Py_ssize_t>(i), place->second.inc_ref().ptr());
        }
        all.append(std::move(tokens));
    }
    return all;
}

std::vector<std::size_t> count_tokens(const nb::list& texts, text::Rules rules, bool stem, bool remove_stop_words) {
    const Bytes bytes(texts);
    const Unlocked unlocked;
    const corpus::RememberedWords remembered({stem, remove_stop_words, rules});
    text::Vocabulary& vocabulary = *remembered;
    std::vector<std::size_t> counts;
    counts.reserve(bytes.size());
    text::Words words;
    for (const std::string_view one : bytes) {
        words.clear();
        vocabulary.analyse(one, words);
        counts.push_back(words.size());
    }
    return counts;
}

std::vector<std::int64_t> count_words(const nb::list& texts) {
    const Bytes bytes(texts);
    std::vector<std::int64_t> counts;
    counts.reserve(bytes.size());
    for (const std::string_view one : bytes) counts.push_back(corpus::count_words(one));
    return counts;
}

// For each summary and each choice of `summary_across`: its n-grams, and its matches with the references. All texts are
// analysed once.
std::vector<std::vector<std::pair<std::int64_t, Matches>>> match_texts(
    const std::vector<nb::list>& summaries, const std::vector<nb::list>& references, std::size_t n, text::Rules rules,
    bool stem, bool remove_stop_words, const std::vector<bool>& summary_across, bool references_across) {
    const std::vector<Bytes> summary_bytes = all_bytes(summaries);
    const std::vector<Bytes> reference_bytes = all_bytes(references);
    const Unlocked unlocked;
    const corpus::RememberedWords remembered({stem, remove_stop_words, rules});
    text::Vocabulary& vocabulary = *remembered;
    std::vector<text::Runs> all;
    all.reserve(reference_bytes.size());
    for (const Bytes& one : reference_bytes) all.push_back(analyse(one, references_across, vocabulary));
    std::vector<std::vector<std::pair<std::int64_t, Matches>>> found;
    found.reserve(summary_bytes.size());
    for (const Bytes& one : summary_bytes) {
        const text::Runs inside = analyse(one, false, vocabulary);
        auto& row = found.emplace_back();
        for (const bool across : summary_across) {
            const text::Runs& runs = across ? text::Runs{join_runs(inside)} : inside;
            row.emplace_back(text::count_ngrams(runs, n), pair_up(text::match(runs, all, n)));
        }
    }
    return found;
}

std::pair<std::int64_t, Matches> match_words(const text::Runs& summary, const std::vector<text::Runs>& references,
                                             std::size_t n) {
    return {text::count_ngrams(summary, n), pair_up(text::match(summary, references, n))};
}

auto build_from_texts(const nb::list& sentences, const std::vector<nb::list>& references, std::size_t n,
                      text::Rules rules, bool stem, bool remove_stop_words, const Limits& limits) {
    const Bytes sentence_bytes(sentences);
    const std::vector<Bytes> reference_bytes = all_bytes(references);
    const Unlocked unlocked;
    const corpus::RememberedWords remembered({stem, remove_stop_words, rules});
    text::Vocabulary& vocabulary = *remembered;
    std::vector<text::Runs> all;
    all.reserve(reference_bytes.size());
    for (const Bytes& one : reference_bytes) all.push_back(analyse(one, true, vocabulary));
    return join(text::fold(all, analyse(sentence_bytes, false, vocabulary), n), limits);
}

auto build_from_words(const std::vector<text::Words>& sentences, const std::vector<text::Words>& references,
                      std::size_t n, const Limits& limits) {
    std::vector<text::Runs> all;
    for (const text::Words& one : references) all.push_back({one});
    return join(text::fold(all, sentences, n), limits);
}

std::vector<text::Budget> take_budgets(const Limits& limits) {
    std::vector<text::Budget> budgets;
    budgets.reserve(limits.size());
    for (const auto& [budget, lengths] : limits) budgets.push_back({budget, lengths});
    return budgets;
}

auto select_frequent(const nb::list& sentences, text::Rules rules, bool stem, bool remove_stop_words,
                     const Limits& limits) {
    const Bytes bytes(sentences);
    const Unlocked unlocked;
    const corpus::RememberedWords remembered({stem, remove_stop_words, rules});
    text::Vocabulary& vocabulary = *remembered;
    return text::select_frequent(analyse(bytes, false, vocabulary), take_budgets(limits));
}

auto select_frequent_words(const std::vector<text::Words>& sentences, const Limits& limits) {
    return text::select_frequent(sentences, take_budgets(limits));
}

}  // namespace

void register_text(nb::module_& module) {
    nb::enum_<text::Rules>(module, "Rules")
        .value("ROUGE_155", text::Rules::rouge_155)
        .value("ROUGE_SCORE", text::Rules::rouge_score)
        .value("PRESUMM", text::Rules::presumm);
    module.def(
        "list_tokens", &list_tokens, "texts"_a, "rules"_a, "stem"_a, "remove_stop_words"_a,
        nb::sig(
            "def list_tokens(texts: list[str], rules: Rules, stem: bool, remove_stop_words: bool) -> list[list[str]]"));
    module.def("count_tokens", &count_tokens, "texts"_a, "rules"_a, "stem"_a, "remove_stop_words"_a);
    module.def("count_words", &count_words, "texts"_a, nb::sig("def count_words(texts: list[str]) -> list[int]"));
    module.def("match_texts", &match_texts, "summaries"_a, "references"_a, "n"_a, "rules"_a, "stem"_a,
               "remove_stop_words"_a, "summary_across"_a, "references_across"_a);
    module.def("match_words", &match_words, "summary"_a, "references"_a, "n"_a, nb::call_guard<Unlocked>());
    module.def("build_from_texts", &build_from_texts, "sentences"_a, "references"_a, "n"_a, "rules"_a, "stem"_a,
               "remove_stop_words"_a, "limits"_a);
    module.def("build_from_words", &build_from_words, "sentences"_a, "references"_a, "n"_a, "limits"_a,
               nb::call_guard<Unlocked>());
    module.def("select_frequent", &select_frequent, "sentences"_a, "rules"_a, "stem"_a, "remove_stop_words"_a,
               "limits"_a,
               nb::sig("def select_frequent(sentences: list[str], rules: Rules, stem: bool, remove_stop_words: bool, "
                       "limits: Sequence[tuple[int, Sequence[int]]]) -> list[int]"));
    module.def("select_frequent_words", &select_frequent_words, "sentences"_a, "limits"_a, nb::call_guard<Unlocked>());
}

}  // namespace oraclesum::bindings
