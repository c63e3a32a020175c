// The engine for Python: a search, and the family it found as a diagram to ask.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "family.hpp"
#include "oraclesum/search/search.hpp"
#include "registrars.hpp"
#include "signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace oraclesum::bindings {

namespace {

struct Found {
    search::SearchResult result;
    std::shared_ptr<Family> family;  // null where it was not collected
};

Found run(const search::Instance& instance, std::int64_t within_hits, bool minimal, bool collect, unsigned threads,
          std::optional<double> time_limit, std::size_t most_bytes) {
    search::Clock clock(time_limit, stop_on_signal());
    Found found = [&] {
        const nb::gil_scoped_release unlocked;
        const search::Problem problem = search::presolve(instance);
        Found made{search::run_search(problem,
                                      {.within = within_hits,
                                       .minimal = minimal,
                                       .collect = collect,
                                       .threads = threads,
                                       .most_bytes = most_bytes},
                                      clock),
                   nullptr};
        if (made.result.collected && collect)
            made.family = std::make_shared<Family>(
                search::DiagramFamily(std::move(made.result.diagram), problem.members, problem.sentences));
        return made;
    }();
    raise_if_interrupted(found.result.stopped);
    return found;
}

}  // namespace

void register_search(nb::module_& module) {
    nb::class_<Found>(module, "Found")
        .def_prop_ro("hits", [](const Found& self) { return self.result.hits; })
        .def_prop_ro("upper_bound", [](const Found& self) { return self.result.upper_bound; })
        .def_prop_ro("nodes", [](const Found& self) { return self.result.nodes; })
        .def_prop_ro("best", [](const Found& self) { return to_tuple(self.result.best); })
        .def_prop_ro("stopped",
                     [](const Found& self) { return self.result.stopped != search::StopReason::none; })
        .def_prop_ro("out_of_memory", [](const Found& self) { return self.result.out_of_memory; })
        .def_ro("family", &Found::family);
    module.def("search", &run, "instance"_a, "within_hits"_a, "minimal"_a, "collect"_a, "threads"_a,
               "time_limit"_a.none(), "most_bytes"_a);
}

}  // namespace oraclesum::bindings
