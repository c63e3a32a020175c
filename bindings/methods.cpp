// The paper's methods for Python: greedy, bound, branch and bound, exhaustive search, genetic algorithm.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "lock.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/exhaustive.hpp"
#include "oraclesum/search/genetic.hpp"
#include "oraclesum/search/greedy.hpp"
#include "oraclesum/search/paper.hpp"
#include "registrars.hpp"
#include "signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace oraclesum::bindings {

namespace {

using search::Enumeration;
using search::Instance;
using search::Listing;

void require_indices(const Instance& instance, const std::vector<std::uint32_t>& set) {
    for (const std::uint32_t i : set)
        if (i >= instance.sentences()) throw nb::index_error("sentence index out of range");
}

// Tuples share one Python int per sentence: a long list costs its tuples only.
nb::list list_sets(const Listing& listing) {
    std::vector<nb::object> numbers;
    numbers.reserve(listing.sentences());
    for (std::size_t i = 0; i < listing.sentences(); ++i) numbers.push_back(nb::int_(i));
    nb::list all = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(listing.listed())));
    if (!all.is_valid()) throw nb::python_error();
    for (std::size_t place = 0; place < listing.listed(); ++place) {
        const auto set = listing[place];
        PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(set.size()));
        if (tuple == nullptr) throw nb::python_error();
        for (std::size_t k = 0; k < set.size(); ++k)
            NB_TUPLE_SET_ITEM(tuple, static_cast<Py_ssize_t>(k), numbers[set[k]].inc_ref().ptr());
        NB_LIST_SET_ITEM(all.ptr(), static_cast<Py_ssize_t>(place), tuple);
    }
    return all;
}

nb::typed<nb::dict, int, int> sizes(const Listing& listing) {
    nb::dict table;
    for (std::size_t size = 0; size < listing.sizes().size(); ++size)
        if (listing.sizes()[size] != 0) table[nb::int_(size)] = nb::int_(listing.sizes()[size]);
    return nb::borrow<nb::typed<nb::dict, int, int>>(table);
}

nb::typed<nb::dict, int, nb::typed<nb::list, int>> inclusion(const Listing& listing) {
    nb::dict table;
    for (std::size_t size = 0; size < listing.inclusion().size(); ++size)
        if (!listing.inclusion()[size].empty()) table[nb::int_(size)] = nb::cast(listing.inclusion()[size]);
    return nb::borrow<nb::typed<nb::dict, int, nb::typed<nb::list, int>>>(table);
}

search::Family family(const std::string& name) {
    if (name == "all") return search::Family::all;
    if (name == "minimal") return search::Family::minimal;
    if (name == "one") return search::Family::one;
    throw search::InputError("unknown family: " + name);
}

template <class Method>
Enumeration enumerate(Method method, const Instance& instance, const std::string& which, std::int64_t within_hits,
                      std::uint64_t max_list, std::optional<double> time_limit, nb::object stop) {
    const search::Request request{.family = family(which), .within_hits = within_hits, .max_list = max_list};
    const Interrupt interrupt(std::move(stop));
    search::Clock clock(time_limit, interrupt.ask());
    auto result = [&] {
        const Unlocked unlocked;
        return method(instance, request, clock);
    }();
    interrupt.raise();
    return result;
}

}  // namespace

void register_methods(nb::module_& module) {
    nb::class_<Enumeration>(module, "Enumeration")
        .def_ro("hits", &Enumeration::hits)
        .def_ro("upper_bound", &Enumeration::upper_bound)
        .def_ro("checked", &Enumeration::checked)
        .def_prop_ro("stopped", [](const Enumeration& self) { return self.reason != search::StopReason::none; })
        .def_prop_ro("interrupted",
                     [](const Enumeration& self) { return self.reason == search::StopReason::interrupt; })
        .def_prop_ro("out_of_memory", [](const Enumeration& self) { return self.reason == search::StopReason::memory; })
        .def_prop_ro("count", [](const Enumeration& self) { return self.listing.count(); })
        .def_prop_ro("sets",
                     [](const Enumeration& self) {
                         return nb::borrow<nb::typed<nb::list, nb::typed<nb::tuple, int, nb::ellipsis>>>(
                             list_sets(self.listing));
                     })
        .def_prop_ro("sizes", [](const Enumeration& self) { return sizes(self.listing); })
        .def_prop_ro("inclusion_by_size", [](const Enumeration& self) { return inclusion(self.listing); });

    nb::class_<search::Selection>(module, "Selection")
        .def_ro("set", &search::Selection::set)
        .def_ro("hits", &search::Selection::hits)
        .def_ro("checked", &search::Selection::checked)
        .def_prop_ro("stopped", [](const search::Selection& self) { return self.reason != search::StopReason::none; })
        .def_prop_ro("interrupted",
                     [](const search::Selection& self) { return self.reason == search::StopReason::interrupt; });

    module.def(
        "select_greedily",
        [](const Instance& instance, std::optional<double> time_limit, nb::object stop) {
            const Interrupt interrupt(std::move(stop));
            search::Clock clock(time_limit, interrupt.ask());
            auto result = [&] {
                const Unlocked unlocked;
                return search::select_greedily(instance, clock);
            }();
            interrupt.raise();
            return result;
        },
        "instance"_a, "time_limit"_a.none(), "stop"_a.none());

    module.def(
        "upper_bound",
        [](const Instance& instance, const std::vector<std::uint32_t>& selected,
           const std::vector<std::uint32_t>& remaining) {
            require_indices(instance, selected);
            require_indices(instance, remaining);
            return search::bound_hits(instance, selected, remaining);
        },
        "instance"_a, "selected"_a, "remaining"_a);

    module.def(
        "enumerate_paper",
        [](const Instance& instance, const std::string& which, std::int64_t within_hits, std::uint64_t max_list,
           std::optional<double> time_limit, nb::object stop) {
            return enumerate(&search::enumerate_paper, instance, which, within_hits, max_list, time_limit,
                             std::move(stop));
        },
        "instance"_a, "family"_a, "within_hits"_a, "max_list"_a, "time_limit"_a.none(), "stop"_a.none());

    module.def(
        "enumerate_exhaustively",
        [](const Instance& instance, const std::string& which, std::int64_t within_hits, std::uint64_t max_list,
           std::optional<double> time_limit, nb::object stop) {
            return enumerate(&search::enumerate_exhaustively, instance, which, within_hits, max_list, time_limit,
                             std::move(stop));
        },
        "instance"_a, "family"_a, "within_hits"_a, "max_list"_a, "time_limit"_a.none(), "stop"_a.none());

    nb::class_<search::Evolution>(module, "Evolution")
        .def_ro("best", &search::Evolution::best)
        .def_prop_ro("stopped", [](const search::Evolution& self) { return self.reason != search::StopReason::none; })
        .def_prop_ro("interrupted",
                     [](const search::Evolution& self) { return self.reason == search::StopReason::interrupt; });

    module.def(
        "evolve",
        [](const Instance& instance, std::uint64_t seed, std::uint32_t population, std::uint32_t generations,
           std::uint32_t patience, std::optional<double> time_limit, nb::object stop) {
            const search::Breeding settings{
                .seed = seed, .population = population, .generations = generations, .patience = patience};
            const Interrupt interrupt(std::move(stop));
            search::Clock clock(time_limit, interrupt.ask());
            auto result = [&] {
                const Unlocked unlocked;
                return search::evolve(instance, settings, clock);
            }();
            interrupt.raise();
            return result;
        },
        "instance"_a, "seed"_a, "population"_a, "generations"_a, "patience"_a, "time_limit"_a.none(), "stop"_a.none());
}

}  // namespace oraclesum::bindings
