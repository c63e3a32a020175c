// The engine for Python: a search, and the family it found as a diagram to ask.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "numbers.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/lister.hpp"
#include "oraclesum/search/search.hpp"
#include "registrars.hpp"
#include "signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace oraclesum::bindings {

namespace {

using search::DiagramFamily;
using IntList = nb::typed<nb::list, int>;
using SetTuple = nb::typed<nb::tuple, int, nb::ellipsis>;

SetTuple to_tuple(std::span<const std::uint32_t> set) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(set.size()));
    if (tuple == nullptr) throw nb::python_error();
    for (std::size_t k = 0; k < set.size(); ++k)
        PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(k), PyLong_FromUnsignedLong(set[k]));
    return nb::steal<SetTuple>(tuple);
}

struct Family {
    explicit Family(DiagramFamily made) : diagram(std::move(made)) {}

    DiagramFamily diagram;
};

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
                DiagramFamily(std::move(made.result.diagram), problem.members, problem.sentences));
        return made;
    }();
    raise_if_interrupted(found.result.stopped);
    return found;
}

IntList by_sentence(const DiagramFamily& family, const std::vector<search::Natural>& by_class) {
    nb::list row;
    const nb::int_ zero(0);
    std::vector<nb::int_> numbers;
    for (const search::Natural& number : by_class) numbers.push_back(to_int(number));
    for (std::uint32_t i = 0; i < family.sentences(); ++i)
        row.append(family.class_of(i) == DiagramFamily::no_class ? zero : numbers[family.class_of(i)]);
    return nb::borrow<IntList>(row);
}

void register_family(nb::module_& module) {
    nb::class_<Family>(module, "Family")
        .def_prop_ro("count", [](const Family& self) { return to_int(self.diagram.count()); })
        .def_prop_ro("nodes", [](const Family& self) { return self.diagram.diagram().size(); })
        .def("sizes",
             [](const Family& self) {
                 nb::typed<nb::dict, int, int> table;
                 const auto sizes = self.diagram.sizes();
                 for (std::size_t s = 0; s < sizes.size(); ++s)
                     if (!sizes[s].is_zero()) table[nb::int_(s)] = to_int(sizes[s]);
                 return table;
             })
        .def("inclusion_by_size",
             [](const Family& self) {
                 nb::typed<nb::dict, int, IntList> table;
                 const auto inclusion = [&] {
                     const nb::gil_scoped_release unlocked;
                     return self.diagram.inclusion();
                 }();
                 for (std::size_t s = 0; s < inclusion.size(); ++s)
                     if (!inclusion[s].empty()) table[nb::int_(s)] = by_sentence(self.diagram, inclusion[s]);
                 return table;
             })
        .def("contains", [](const Family& self, const std::vector<std::uint32_t>& set) {
            return self.diagram.contains(set);
        }, "set"_a)
        .def("at",
             [](const Family& self, const nb::int_& place) {
                 search::Natural number = to_natural(place);
                 if (number >= self.diagram.count()) throw nb::index_error("place out of range");
                 return to_tuple(self.diagram.at(std::move(number)));
             },
             "place"_a)
        .def("heaviest",
             [](const Family& self, const std::vector<double>& weights) -> std::optional<SetTuple> {
                 if (weights.size() != self.diagram.sentences())
                     throw search::InputError("heaviest needs one weight per sentence");
                 const auto set = self.diagram.heaviest(weights);
                 if (!set) return std::nullopt;
                 return to_tuple(*set);
             },
             "weights"_a)
        .def("list_from",
             [](const Family& self, const std::vector<std::uint32_t>& start) {
                 return std::make_unique<search::Lister>(self.diagram, start);
             },
             "start"_a, nb::keep_alive<0, 1>());
    nb::class_<search::Lister>(module, "Lister").def("next_part", [](search::Lister& self) {
        const auto& part = [&]() -> const search::Rows<std::uint32_t>& {
            const nb::gil_scoped_release unlocked;
            return self.next_part();
        }();
        nb::typed<nb::list, SetTuple> sets;
        for (std::size_t at = 0; at < part.size(); ++at) sets.append(to_tuple(part[at]));
        return sets;
    });
}

}  // namespace

void register_search(nb::module_& module) {
    register_family(module);
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
