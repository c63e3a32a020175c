// Objectives for Python: words, terms and limits in; the best value, what is proven of it, and the family out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>

#include "family.hpp"
#include "oraclesum/measure/measure.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/maximise.hpp"
#include "registrars.hpp"
#include "techniques.hpp"
#include "terms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace oraclesum::bindings {

namespace {

using LimitTuple = std::tuple<std::int64_t, std::int64_t, std::vector<std::int64_t>>;  // floor, budget, lengths
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

// Texts as word ids, with the terms to score them by.
class Measure {
public:
    Measure(std::vector<text::Words> sentences, std::vector<std::vector<text::Words>> references,
            const std::vector<TermTuple>& terms, bool across, bool distinct, bool references_within)
        : texts_{std::move(sentences), std::move(references)},
          settings_(make_settings(terms, across, distinct, references_within)),
          totals_(measure::count_totals(texts_, settings_)) {}

    [[nodiscard]] const measure::Texts& texts() const { return texts_; }
    [[nodiscard]] const measure::Settings& settings() const { return settings_; }
    [[nodiscard]] const std::vector<std::int64_t>& totals() const { return totals_; }

private:
    measure::Texts texts_;
    measure::Settings settings_;
    std::vector<std::int64_t> totals_;
};

// The tallies of each set in turn; what the sets have in common is prepared once.
std::vector<Pairs> count(const Measure& self, const std::vector<std::vector<std::uint32_t>>& sets,
                         const Limits& limits) {
    for (const std::vector<std::uint32_t>& set : sets)
        for (const std::uint32_t i : set)
            if (i >= self.texts().sentences.size()) throw nb::index_error("no such sentence");
    return ask(limits, [&](const search::Bounds& bounds) {
        const std::unique_ptr<search::Scorer> scorer = measure::make_scorer(self.texts(), self.settings(), &bounds);
        std::vector<search::Tally> tallies(self.settings().terms.size());
        std::vector<Pairs> all;
        all.reserve(sets.size());
        for (const std::vector<std::uint32_t>& set : sets) {
            scorer->count(set, tallies);
            Pairs& pairs = all.emplace_back();
            for (const search::Tally& tally : tallies) pairs.emplace_back(tally.hits, tally.size);
        }
        return all;
    });
}

using Best = Ended<search::Maximised>;

Best maximise(const Measure& self, const std::vector<LimitTuple>& limits, const std::vector<std::uint32_t>& candidates,
              const std::vector<std::uint32_t>& required, const std::vector<std::uint32_t>& forbidden,
              std::pair<std::int64_t, std::int64_t> within, std::uint64_t top, bool minimal, bool collect,
              unsigned threads, std::optional<double> time_limit, std::size_t max_memory, std::size_t max_list,
              const std::vector<std::string>& without, nb::object stop) {
    const auto search = [&](search::Clock& clock) {
        search::Objective objective;
        try {
            objective = measure::measure(self.texts(), self.settings(), clock).objective;
        } catch (const search::Stopped& stopped) {
            return std::tuple(measure::know_nothing(self.settings(), stopped.reason), oraclesum::Rows<std::uint32_t>(),
                              self.texts().sentences.size());
        }
        for (const auto& [floor, budget, lengths] : limits) objective.limits.push_back({budget, lengths, floor});
        for (const std::uint32_t i : candidates) objective.roles.at(i) = search::Role::candidate;
        for (const std::uint32_t i : required) objective.roles.at(i) = search::Role::required;
        for (const std::uint32_t i : forbidden) objective.roles.at(i) = search::Role::forbidden;
        search::MaximiseSettings settings;
        settings.within = {within.first, within.second};
        settings.top = top;
        settings.search.minimal = minimal;
        settings.search.collect = collect;
        settings.search.threads = threads;
        settings.search.max_memory = max_memory;
        settings.search.max_list = max_list;
        settings.search.techniques = techniques_without(without);
        std::unique_ptr<search::Scorer> scorer;
        const search::Bounds bounds(clock);
        if (!objective.exact)
            scorer = measure::make_scorer(self.texts(), self.settings(), &bounds, measure::short_count);
        search::Maximised result = search::maximise(objective, scorer.get(), settings, clock);
        auto members = result.members;
        return std::tuple(std::move(result), std::move(members), objective.sentences());
    };
    return run_to_its_end(search, collect, time_limit, max_memory, std::move(stop));
}

}  // namespace

void register_objective(nb::module_& module) {
    nb::class_<Measure>(module, "Measure")
        .def(nb::init<std::vector<text::Words>, std::vector<std::vector<text::Words>>, const std::vector<TermTuple>&,
                      bool, bool, bool>(),
             "sentences"_a, "references"_a, "terms"_a, "across"_a, "distinct"_a, "references_within"_a)
        .def_prop_ro("totals", &Measure::totals)
        .def_prop_ro("candidates",
                     [](const Measure& self) { return measure::find_candidates(self.texts(), self.settings()); })
        .def("count", &count, "sets"_a, "limits"_a)
        .def("maximise", &maximise, "limits"_a, "candidates"_a, "required"_a, "forbidden"_a, "within"_a, "top"_a,
             "minimal"_a, "collect"_a, "threads"_a, "time_limit"_a.none(), "max_memory"_a, "max_list"_a, "without"_a,
             "stop"_a.none());
    nb::class_<Best>(module, "Best")
        .def_prop_ro("best", [](const Best& self) { return to_tuple(self.result.best); })
        .def_prop_ro("tallies",
                     [](const Best& self) {
                         Pairs pairs;
                         for (const search::Tally& tally : self.result.tallies)
                             pairs.emplace_back(tally.hits, tally.size);
                         return pairs;
                     })
        .def_prop_ro("upper",
                     [](const Best& self) {
                         Pairs pairs;
                         for (const search::Fraction& part : self.result.upper.parts())
                             pairs.emplace_back(part.above, part.below);
                         return pairs;
                     })
        .def_prop_ro("proven", [](const Best& self) { return self.result.proven; })
        .def_prop_ro("collected", [](const Best& self) { return self.result.collected; })
        .def_prop_ro("stopped", [](const Best& self) { return self.result.stopped != search::StopReason::none; })
        .def_prop_ro("out_of_memory", [](const Best& self) { return self.result.out_of_memory; })
        .def_prop_ro("nodes", [](const Best& self) { return self.result.nodes; })
        .def_prop_ro("streamed", [](const Best& self) { return self.result.streamed; })
        .def_ro("interrupted", &Best::interrupted)
        .def_ro("family", &Best::family);
}

}  // namespace oraclesum::bindings
