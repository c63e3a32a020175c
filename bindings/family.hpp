// A family of sets as Python holds it: the diagram, and its ordered form once it was listed.
#pragma once

#include <nanobind/nanobind.h>

#include <mutex>
#include <optional>
#include <span>

#include "oraclesum/search/family.hpp"
#include "oraclesum/search/zdd.hpp"

namespace oraclesum::bindings {

using IntList = nanobind::typed<nanobind::list, int>;
using SetTuple = nanobind::typed<nanobind::tuple, int, nanobind::ellipsis>;

inline SetTuple to_tuple(std::span<const std::uint32_t> set) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(set.size()));
    if (tuple == nullptr) throw nanobind::python_error();
    for (std::size_t k = 0; k < set.size(); ++k)
        PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(k), PyLong_FromUnsignedLong(set[k]));
    return nanobind::steal<SetTuple>(tuple);
}

// A family with its ordered form, made when first listed.
struct Family {
    explicit Family(search::DiagramFamily made) : diagram(std::move(made)) {}

    // False where the ordered form would take more than so many nodes.
    bool order(std::size_t most_nodes) {
        const std::scoped_lock lock(mutex);
        if (!zdd && most_nodes > tried) {
            tried = most_nodes;
            zdd = search::Zdd::build(diagram, most_nodes);
        }
        return zdd.has_value();
    }

    search::DiagramFamily diagram;
    std::optional<search::Zdd> zdd;
    std::size_t tried = 0;  // nodes that were allowed without success
    std::mutex mutex;
};

}  // namespace oraclesum::bindings
