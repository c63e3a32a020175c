// The engine for Python: a search, and the family it found as a diagram to ask.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "family.hpp"
#include "numbers.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/search.hpp"
#include "registrars.hpp"
#include "techniques.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace oraclesum::bindings {

namespace {

using Found = Ended<search::SearchResult>;

Found run(const search::Instance& instance, std::int64_t within_hits, bool minimal, bool collect, unsigned threads,
          std::optional<double> time_limit, std::size_t max_memory, std::size_t max_list,
          const std::vector<std::string>& without, nb::object stop) {
    const search::SearchSettings settings{.within = within_hits,
                                          .minimal = minimal,
                                          .collect = collect,
                                          .threads = threads,
                                          .max_memory = max_memory,
                                          .max_list = max_list,
                                          .techniques = techniques_without(without)};
    const auto search = [&](search::Clock& clock) {
        const search::Problem problem = search::presolve(instance, &clock);
        return std::tuple(search::run_search(problem, settings, clock), problem.members, problem.sentences);
    };
    return run_to_its_end(search, collect, time_limit, max_memory, std::move(stop));
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
        .def_prop_ro("listed", [](const search::Streamed& self) { return to_tuples(self.listed); });
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
               "time_limit"_a.none(), "max_memory"_a, "max_list"_a, "without"_a, "stop"_a.none());
}

}  // namespace oraclesum::bindings
