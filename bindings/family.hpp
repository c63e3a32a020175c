// A family of sets as Python holds it.
#pragma once

#include <nanobind/nanobind.h>

#include <span>

#include "oraclesum/search/family.hpp"

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

struct Family {
    explicit Family(search::DiagramFamily made) : diagram(std::move(made)) {}

    search::DiagramFamily diagram;
};

}  // namespace oraclesum::bindings
