// The engine for Python: a search, and the family it found as a diagram to ask.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "family.hpp"
#include "numbers.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/search.hpp"
#include "parts.hpp"
#include "registrars.hpp"
#include "signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace oraclesum::bindings {

namespace {

struct Found {
    search::SearchResult result;
    std::shared_ptr<Family> family;  // null where it was not collected
    bool interrupted = false;        // by the caller's `stop`
};

Found run(const search::Instance& instance, std::int64_t within_hits, bool minimal, bool collect, unsigned threads,
          std::optional<double> time_limit, std::size_t most_bytes, std::size_t most_held,
          const std::vector<std::string>& without, nb::object stop) {
    const Interrupt interrupt(std::move(stop));
    search::Clock clock(time_limit, interrupt.ask());
    Found found = [&] {
        const nb::gil_scoped_release unlocked;
        const search::Problem problem = search::presolve(instance, &clock);
        Found made{search::run_search(problem,
                                      {.within = within_hits,
                                       .minimal = minimal,
                                       .collect = collect,
                                       .threads = threads,
                                       .most_bytes = most_bytes,
                                       .most_held = most_held,
                                       .parts = parts_without(without)},
                                      clock),
                   nullptr, false};
        if (made.result.collected && collect && !made.result.streamed) {
            try {
                made.family = std::make_shared<Family>(search::DiagramFamily(std::move(made.result.diagram),
                                                                             problem.members, problem.sentences,
                                                                             search::Bounds(clock, most_bytes)));
            } catch (const search::Stopped&) {  // not even the count is known: as if the search had been stopped
                made.result.collected = false;
            }
            made.result.stopped = clock.reason();
        }
        return made;
    }();
    interrupt.raise();
    // It may have been asked once more after the run had all it needed.
    found.interrupted = interrupt.stopped() && !found.result.collected;
    return found;
}

}  // namespace

void register_search(nb::module_& module) {
    nb::class_<search::Streamed>(module, "Streamed")
        .def_prop_ro("count", [](const search::Streamed& self) { return to_int(self.count); })
        .def_prop_ro("inclusion", [](const search::Streamed& self) { return to_list(self.inclusion); })
        .def_prop_ro("by_size", [](const search::Streamed& self) { return self.by_size; })
        .def_prop_ro("sizes", [](const search::Streamed& self) { return to_table(self.sizes); })
        .def_prop_ro("inclusion_by_size",
                     [](const search::Streamed& self) { return to_tables(self.inclusion_by_size); })
        .def_prop_ro("members", [](const search::Streamed& self) { return to_tuples(self.members); })
        .def_prop_ro("held", [](const search::Streamed& self) { return to_tuples(self.held); });
    nb::class_<Found>(module, "Found")
        .def_prop_ro("hits", [](const Found& self) { return self.result.hits; })
        .def_prop_ro("upper_bound", [](const Found& self) { return self.result.upper_bound; })
        .def_prop_ro("nodes", [](const Found& self) { return self.result.nodes; })
        .def_prop_ro("best", [](const Found& self) { return to_tuple(self.result.best); })
        .def_prop_ro("stopped", [](const Found& self) { return self.result.stopped != search::StopReason::none; })
        .def_ro("interrupted", &Found::interrupted)
        .def_prop_ro("streamed", [](const Found& self) { return self.result.streamed; })
        .def_ro("family", &Found::family);
    module.def("search", &run, "instance"_a, "within_hits"_a, "minimal"_a, "collect"_a, "threads"_a,
               "time_limit"_a.none(), "most_bytes"_a, "most_held"_a, "without"_a, "stop"_a.none());
}

}  // namespace oraclesum::bindings
