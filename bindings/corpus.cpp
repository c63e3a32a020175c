// Whole documents for Python: a batch of texts in, their families out, the GIL free in between.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "bytes.hpp"
#include "family.hpp"
#include "lock.hpp"
#include "numbers.hpp"
#include "oraclesum/corpus/document.hpp"
#include "registrars.hpp"
#include "signals.hpp"
#include "terms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace oraclesum::bindings {

namespace {

using Batch = std::vector<std::pair<nb::list, std::vector<nb::list>>>;

struct Outcome {
    corpus::Answer answer;
    std::shared_ptr<Family> family;    // null unless the settings keep it
    std::optional<std::string> error;  // what the kernel says of this one document; the others are answered
};

// The settings of one document, whose clock is at `spent` seconds already.
corpus::Settings take_off(const corpus::Settings& settings, double spent) {
    corpus::Settings own = settings;
    if (own.time_limit) own.time_limit = std::max(0.0, *own.time_limit - spent);
    return own;
}

// `spent` are the seconds of each document's time limit that are gone; empty: none are. A document that takes more than
// `give_up_after` seconds ends the batch, and only those before it are answered; the first `exempt` ones may take as long as
// the settings say. Once `stop`, a callable or None, returns true, the documents that are left have an error.
std::vector<Outcome> enumerate_batch(const Batch& batch, const corpus::Settings& settings,
                                     const std::vector<double>& spent, std::optional<double> give_up_after,
                                     std::size_t exempt, nb::object stop) {
    if (!spent.empty() && spent.size() != batch.size())
        throw nb::value_error("spent must have a number for each document, or none");
    std::vector<Bytes> owners;
    std::vector<corpus::Document> documents(batch.size());
    for (std::size_t d = 0; d < batch.size(); ++d) {
        documents[d].sentences = owners.emplace_back(batch[d].first).views();
        for (const nb::list& reference : batch[d].second)
            documents[d].references.push_back(owners.emplace_back(reference).views());
    }
    std::vector<Outcome> outcomes(batch.size());
    const Interrupt interrupt(std::move(stop));
    {
        const Unlocked unlocked;
        const corpus::RememberedWords remembered(settings.words);
        text::Vocabulary& vocabulary = *remembered;
        for (std::size_t d = 0; d < outcomes.size(); ++d) {
            if (interrupt.stopped()) {
                outcomes[d].error = "interrupted";
                continue;
            }
            corpus::Settings own = take_off(settings, spent.empty() ? 0.0 : spent[d]);
            const bool limited = give_up_after && d >= exempt && (!own.time_limit || *own.time_limit > *give_up_after);
            if (limited) own.time_limit = give_up_after;
            try {
                outcomes[d].answer = corpus::enumerate_document(documents[d], own, vocabulary, interrupt.ask());
                if (const auto kept = std::move(outcomes[d].answer.family))
                    outcomes[d].family = std::make_shared<Family>(std::move(*kept));
                if (interrupt.stopped()) outcomes[d].error = "interrupted";
                if (limited && outcomes[d].answer.stopped == search::StopReason::time) outcomes.resize(d);
            } catch (const std::bad_alloc&) {
                outcomes[d].error = "out of memory";
            } catch (const std::exception& error) {
                outcomes[d].error = error.what();
            }
        }
    }
    interrupt.raise();
    return outcomes;
}

nb::typed<nb::list, IntList> list_of_sets(const Outcome& self) {
    nb::list sets;
    for (std::size_t at = 0; at < self.answer.sets.size(); ++at) {
        nb::list members;
        for (const std::uint32_t i : self.answer.sets[at]) members.append(i);
        sets.append(std::move(members));
    }
    return nb::borrow<nb::typed<nb::list, IntList>>(sets);
}

}  // namespace

void register_corpus(nb::module_& module) {
    using corpus::Settings;
    nb::class_<Settings>(module, "DocumentSettings")
        .def(nb::new_([](std::size_t n, text::Rules rules, bool stem, bool remove_stop_words,
                         std::optional<std::int64_t> max_words, std::optional<std::int64_t> max_sentences,
                         std::optional<std::int64_t> max_bytes, std::int64_t within_hits, bool minimal,
                         std::uint64_t max_list, unsigned threads, std::optional<double> time_limit,
                         std::size_t max_memory) {
                 return Settings{n,         {stem, remove_stop_words, rules},
                                 max_words, max_sentences,
                                 max_bytes, within_hits,
                                 minimal,   max_list,
                                 threads,   time_limit,
                                 max_memory};
             }),
             "n"_a, "rules"_a, "stem"_a, "remove_stop_words"_a, "max_words"_a.none(), "max_sentences"_a.none(),
             "max_bytes"_a.none(), "within_hits"_a, "minimal"_a, "max_list"_a, "threads"_a, "time_limit"_a.none(),
             "max_memory"_a)
        .def(
            "with_objective",
            [](const Settings& self, const std::vector<TermTuple>& terms, bool across, bool distinct,
               bool references_within, std::optional<std::int64_t> min_words, std::optional<std::int64_t> min_sentences,
               std::pair<std::int64_t, std::int64_t> within, std::uint64_t top) {
                Settings changed = self;
                changed.objective = corpus::Objective{make_settings(terms, across, distinct, references_within),
                                                      min_words,
                                                      min_sentences,
                                                      {within.first, within.second},
                                                      top};
                return changed;
            },
            "terms"_a, "across"_a, "distinct"_a, "references_within"_a, "min_words"_a.none(), "min_sentences"_a.none(),
            "within"_a, "top"_a)
        .def("keeping_family", [](const Settings& self) {
            Settings changed = self;
            changed.keep_family = true;
            return changed;
        });
    nb::class_<Outcome>(module, "DocumentOutcome")
        .def_ro("error", &Outcome::error)
        .def_prop_ro("searched", [](const Outcome& self) { return self.answer.searched; })
        .def_prop_ro("hits", [](const Outcome& self) { return self.answer.hits; })
        .def_prop_ro("upper_bound", [](const Outcome& self) { return self.answer.upper_bound; })
        .def_prop_ro("total", [](const Outcome& self) { return self.answer.total; })
        .def_prop_ro("nodes", [](const Outcome& self) { return self.answer.nodes; })
        .def_prop_ro("collected", [](const Outcome& self) { return self.answer.collected; })
        .def_prop_ro("out_of_memory", [](const Outcome& self) { return self.answer.out_of_memory; })
        .def_prop_ro("inclusion_known", [](const Outcome& self) { return self.answer.inclusion_known; })
        .def_prop_ro("streamed", [](const Outcome& self) { return self.answer.streamed; })
        .def_prop_ro("count", [](const Outcome& self) { return to_int(self.answer.count); })
        .def_prop_ro("sets", &list_of_sets)
        .def_ro("family", &Outcome::family)
        .def_prop_ro("inclusion", [](const Outcome& self) { return self.answer.inclusion; })
        .def_prop_ro("containing",
                     [](const Outcome& self) { return by_sentence(self.answer.classes, self.answer.containing); })
        .def_prop_ro("seconds", [](const Outcome& self) { return self.answer.seconds; })
        .def_prop_ro("totals", [](const Outcome& self) { return self.answer.totals; })
        .def_prop_ro("tallies",
                     [](const Outcome& self) {
                         std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
                         for (const search::Tally& tally : self.answer.tallies)
                             pairs.emplace_back(tally.hits, tally.size);
                         return pairs;
                     })
        .def_prop_ro("uppers", [](const Outcome& self) {
            std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
            for (const search::Fraction& part : self.answer.uppers) pairs.emplace_back(part.above, part.below);
            return pairs;
        });
    module.def("enumerate_batch", &enumerate_batch, "batch"_a, "settings"_a, "spent"_a, "give_up_after"_a.none(),
               "exempt"_a, "stop"_a.none(),
               nb::sig("def enumerate_batch(batch: list[tuple[list[str], list[list[str]]]], "
                       "settings: DocumentSettings, spent: list[float], give_up_after: float | None, exempt: int, "
                       "stop: object | None) -> list[DocumentOutcome]"));
}

}  // namespace oraclesum::bindings
