// Questions to a family for Python.
#include "family.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "numbers.hpp"
#include "oraclesum/search/agreement.hpp"
#include "oraclesum/search/choice.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/lister.hpp"
#include "oraclesum/search/pairs.hpp"
#include "oraclesum/search/stored.hpp"
#include "registrars.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace oraclesum::bindings {

namespace {

using search::DiagramFamily;

IntList by_sentence(const DiagramFamily& family, const std::vector<search::Natural>& by_class) {
    nb::list row;
    const nb::int_ zero(0);
    std::vector<nb::int_> numbers;
    for (const search::Natural& number : by_class) numbers.push_back(to_int(number));
    for (std::uint32_t i = 0; i < family.sentences(); ++i)
        row.append(family.class_of(i) == DiagramFamily::no_class ? zero : numbers[family.class_of(i)]);
    return nb::borrow<IntList>(row);
}

// Weights of 128 bits come as high and low halves.
using WeightList = std::vector<std::pair<std::int64_t, std::uint64_t>>;

std::vector<search::Weight> to_weights(const WeightList& halves) {
    std::vector<search::Weight> weights;
    weights.reserve(halves.size());
    for (const auto& [high, low] : halves)
        weights.push_back(static_cast<search::Weight>(high) * (static_cast<search::Weight>(1) << 64) + low);
    return weights;
}

}  // namespace

void register_family(nb::module_& module) {
    nb::class_<Family>(module, "Family")
        .def_prop_ro("count", [](const Family& self) { return to_int(self.diagram.count()); })
        .def_prop_ro("sentences", [](const Family& self) { return self.diagram.sentences(); })
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
             [](const Family& self, const WeightList& weights) -> std::optional<SetTuple> {
                 if (weights.size() != self.diagram.sentences())
                     throw search::InputError("heaviest needs one weight per sentence");
                 const auto set = [&] {
                     const nb::gil_scoped_release unlocked;
                     return search::find_heaviest(self.diagram, to_weights(weights));
                 }();
                 if (!set) return std::nullopt;
                 return to_tuple(*set);
             },
             "weights"_a)
        .def("inclusion_with",
             [](const Family& self, std::uint32_t sentence) {
                 if (sentence >= self.diagram.sentences()) throw nb::index_error("sentence out of range");
                 const auto held = [&] {
                     const nb::gil_scoped_release unlocked;
                     return self.diagram.inclusion_with(sentence);
                 }();
                 return by_sentence(self.diagram, held);
             },
             "sentence"_a)
        .def("pairs",
             [](const Family& self) {
                 search::Pairs pairs = search::find_pairs(self.diagram);
                 return std::pair(std::move(pairs.together), std::move(pairs.apart));
             },
             nb::call_guard<nb::gil_scoped_release>())
        .def("pack",
             [](const Family& self) {
                 const auto bytes = [&] {
                     const nb::gil_scoped_release unlocked;
                     return search::pack_family(self.diagram);
                 }();
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def_static("unpack",
                    [](const nb::bytes& bytes, std::size_t sentences) {
                        const std::span view(static_cast<const std::uint8_t*>(bytes.data()), bytes.size());
                        const nb::gil_scoped_release unlocked;
                        return std::make_shared<Family>(search::unpack_family(view, sentences));
                    },
                    "data"_a, "sentences"_a)
        .def("list_from",
             [](const Family& self, const std::vector<std::uint32_t>& start) {
                 return std::make_unique<search::Lister>(self.diagram, start);
             },
             "start"_a, nb::keep_alive<0, 1>())
        .def("list_at",
             [](const Family& self, const nb::int_& place) {
                 auto lister = std::make_unique<search::Lister>(self.diagram, std::span<const std::uint32_t>());
                 lister->skip(to_natural(place));
                 return lister;
             },
             "place"_a, nb::keep_alive<0, 1>());
    nb::class_<search::Lister> lister(module, "Lister");
    lister.def("skip_part", [](search::Lister& self) { return self.next_part().size(); },
               nb::call_guard<nb::gil_scoped_release>());
    lister.def("next_part", [](search::Lister& self) {
        const auto& part = [&]() -> const search::Rows<std::uint32_t>& {
            const nb::gil_scoped_release unlocked;
            return self.next_part();
        }();
        return to_tuples(part);
    });
    module.def("tally_overlaps",
               [](const std::vector<search::Set>& sets) { return search::tally_overlaps(sets); }, "sets"_a,
               nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace oraclesum::bindings
