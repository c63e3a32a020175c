// Instances to and from Python: plain lists of integers both ways.
#include "oraclesum/search/instance.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <map>
#include <string>

#include "oraclesum/search/ranges.hpp"
#include "registrars.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace oraclesum::bindings {

namespace {

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

search::Instance* make_instance(const std::vector<std::vector<std::int64_t>>& gains, const std::vector<Pairs>& counts,
                                const std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>>& limits) {
    std::vector<std::vector<search::Entry>> rows(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
        rows[i].reserve(counts[i].size());
        for (const auto& [ngram, count] : counts[i]) rows[i].push_back(search::Instance::make_entry(i, ngram, count));
    }
    std::vector<search::Limit> all;
    all.reserve(limits.size());
    for (const auto& [budget, lengths] : limits) all.push_back({budget, lengths});
    return new search::Instance(gains, rows, std::move(all));
}

}  // namespace

void register_instance(nb::module_& module) {
    using search::Instance;
    module.def("ranges", [] {
        namespace ranges = search::ranges;
        return std::map<std::string, std::int64_t>{{"total", ranges::largest_total},
                                                   {"count", ranges::largest_count},
                                                   {"length", ranges::largest_length},
                                                   {"weight", ranges::largest_weight},
                                                   {"budget", std::numeric_limits<std::int64_t>::max()}};
    });
    nb::class_<Instance>(module, "Instance")
        .def(nb::new_(&make_instance), "gains"_a, "counts"_a, "limits"_a)
        .def_prop_ro("sentences", &Instance::sentences)
        .def_prop_ro("ngrams", &Instance::ngrams)
        .def_prop_ro("gains",
                     [](const Instance& self) {
                         std::vector<std::vector<std::int64_t>> all(self.ngrams());
                         for (std::size_t g = 0; g < all.size(); ++g)
                             all[g].assign(self.gains(g).begin(), self.gains(g).end());
                         return all;
                     })
        .def_prop_ro("counts",
                     [](const Instance& self) {
                         std::vector<Pairs> all(self.sentences());
                         for (std::size_t i = 0; i < all.size(); ++i)
                             for (const search::Entry& entry : self.counts(i))
                                 all[i].emplace_back(entry.ngram, entry.count);
                         return all;
                     })
        .def_prop_ro("limits",
                     [](const Instance& self) {
                         std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>> all;
                         for (const search::Limit& limit : self.limits()) all.emplace_back(limit.budget, limit.lengths);
                         return all;
                     })
        .def_prop_ro("candidates", &Instance::candidates)
        .def(
            "hits",
            [](const Instance& self, const std::vector<std::uint32_t>& set) {
                for (const std::uint32_t i : set)
                    if (i >= self.sentences()) throw nb::index_error("sentence index out of range");
                return self.hits(set);
            },
            "set"_a)
        .def(
            "feasible",
            [](const Instance& self, const std::vector<std::uint32_t>& set) {
                for (const std::uint32_t i : set)
                    if (i >= self.sentences()) throw nb::index_error("sentence index out of range");
                return self.feasible(set);
            },
            "set"_a);
}

}  // namespace oraclesum::bindings
