// Questions to a family for Python.
#include "family.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "lock.hpp"
#include "numbers.hpp"
#include "oraclesum/search/agreement.hpp"
#include "oraclesum/search/choice.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/lister.hpp"
#include "oraclesum/search/pairs.hpp"
#include "oraclesum/search/stored.hpp"
#include "registrars.hpp"
#include "signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace oraclesum::bindings {

namespace {

using search::Bounds;
using search::DiagramFamily;

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
    nb::class_<Limits>(module, "QuestionLimits")
        .def(nb::new_([](std::optional<double> seconds, nb::object stop, std::size_t max_memory) {
                 return Limits{seconds, std::move(stop), max_memory};
             }),
             "seconds"_a.none(), "stop"_a.none(), "max_memory"_a);
    nb::class_<Family>(module, "Family")
        .def_prop_ro("count", [](const Family& self) { return to_int(self.diagram.count()); })
        .def_prop_ro("sentences", [](const Family& self) { return self.diagram.sentences(); })
        .def_prop_ro("nodes", [](const Family& self) { return self.diagram.diagram().size(); })
        .def_prop_ro("classes",  // per sentence; None: in no class
                     [](const Family& self) {
                         std::vector<std::optional<std::uint32_t>> classes(self.diagram.sentences());
                         for (std::uint32_t i = 0; i < classes.size(); ++i)
                             if (self.diagram.class_of(i) != DiagramFamily::no_class)
                                 classes[i] = self.diagram.class_of(i);
                         return classes;
                     })
        .def(
            "inclusion",
            [](const Family& self, const Limits& limits) {
                return by_sentence(self.diagram.classes(),
                                   ask(limits, [&](const Bounds& bounds) { return self.diagram.inclusion(bounds); }));
            },
            "limits"_a)
        .def(
            "sizes",
            [](const Family& self, const Limits& limits) {
                return to_table(ask(limits, [&](const Bounds& bounds) { return self.diagram.sizes(bounds); }));
            },
            "limits"_a)
        .def(
            "inclusion_by_size",  // a number per class
            [](const Family& self, const Limits& limits) {
                return to_tables(
                    ask(limits, [&](const Bounds& bounds) { return self.diagram.inclusion_by_size(bounds); }));
            },
            "limits"_a)
        .def(
            "contains",
            [](const Family& self, const std::vector<std::uint32_t>& set) { return self.diagram.contains(set); },
            "set"_a)
        .def(
            "at",
            [](const Family& self, const nb::int_& place, const Limits& limits) {
                search::Natural number = to_natural(place);
                if (number >= self.diagram.count()) throw nb::index_error("place out of range");
                return to_tuple(
                    ask(limits, [&](const Bounds& bounds) { return self.diagram.at(std::move(number), bounds); }));
            },
            "place"_a, "limits"_a)
        .def(
            "wander",
            [](const Family& self, std::uint64_t number) {
                if (self.diagram.count().is_zero()) throw nb::index_error("the family is empty");
                return to_tuple(self.diagram.wander(number));
            },
            "number"_a)
        .def(
            "heaviest",
            [](const Family& self, const WeightList& weights, const Limits& limits) -> std::optional<SetTuple> {
                if (weights.size() != self.diagram.sentences())
                    throw search::InputError("heaviest needs one weight per sentence");
                const auto set = ask(limits, [&](const Bounds& bounds) {
                    return search::find_heaviest(self.diagram, to_weights(weights), bounds);
                });
                if (!set) return std::nullopt;
                return to_tuple(*set);
            },
            "weights"_a, "limits"_a)
        .def(
            "inclusion_with",
            [](const Family& self, std::uint32_t sentence, const Limits& limits) {
                if (sentence >= self.diagram.sentences()) throw nb::index_error("sentence out of range");
                return by_sentence(self.diagram.classes(), ask(limits, [&](const Bounds& bounds) {
                                       return self.diagram.inclusion_with(sentence, bounds);
                                   }));
            },
            "sentence"_a, "limits"_a)
        .def(
            "pairs",
            [](const Family& self, const Limits& limits) {
                search::Pairs pairs =
                    ask(limits, [&](const Bounds& bounds) { return search::find_pairs(self.diagram, bounds); });
                return std::pair(std::move(pairs.together), std::move(pairs.apart));
            },
            "limits"_a)
        .def("pack",
             [](const Family& self) {
                 const auto bytes = [&] {
                     const Unlocked unlocked;
                     return search::pack_family(self.diagram);
                 }();
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def_static(
            "unpack",
            [](const nb::bytes& bytes, std::size_t sentences, const Limits& limits) {
                const std::span view(static_cast<const std::uint8_t*>(bytes.data()), bytes.size());
                return ask(limits, [&](const Bounds& bounds) {
                    return std::make_shared<Family>(search::unpack_family(view, sentences, bounds));
                });
            },
            "data"_a, "sentences"_a, "limits"_a)
        .def(
            "list_from",
            [](const Family& self, const std::vector<std::uint32_t>& start) {
                return std::make_unique<search::Lister>(self.diagram, start);
            },
            "start"_a, nb::keep_alive<0, 1>())
        .def(
            "list_at",
            [](const Family& self, const nb::int_& place) {
                auto lister = std::make_unique<search::Lister>(self.diagram, std::span<const std::uint32_t>());
                lister->skip(to_natural(place));
                return lister;
            },
            "place"_a, nb::keep_alive<0, 1>());
    nb::class_<search::Lister> lister(module, "Lister");
    lister.def(
        "skip_part",
        [](search::Lister& self, const Limits& limits) {
            return ask(limits, [&](const Bounds& bounds) { return self.next_part(bounds).size(); });
        },
        "limits"_a);
    lister.def(
        "next_part",
        [](search::Lister& self, const Limits& limits) {
            return to_tuples(*ask(limits, [&](const Bounds& bounds) { return &self.next_part(bounds); }));
        },
        "limits"_a);
    module.def(
        "tally_overlaps",
        [](const std::vector<search::Set>& sets, const Limits& limits) {
            return ask(limits, [&](const Bounds& bounds) { return search::tally_overlaps(sets, bounds); });
        },
        "sets"_a, "limits"_a);
}

}  // namespace oraclesum::bindings
