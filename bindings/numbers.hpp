// Natural numbers of any size to and from Python ints.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "oraclesum/search/natural.hpp"

namespace oraclesum::bindings {

inline nanobind::int_ to_int(const search::Natural& number) {
    const auto limbs = number.limbs();
    if (limbs.size() <= 1) return nanobind::int_(limbs.empty() ? std::uint64_t{0} : limbs[0]);
    constexpr const char* digits = "0123456789abcdef";
    std::string hex;
    for (std::size_t k = limbs.size(); k-- > 0;)
        for (int shift = 60; shift >= 0; shift -= 4) hex.push_back(digits[limbs[k] >> shift & 15]);
    PyObject* value = PyLong_FromString(hex.c_str(), nullptr, 16);
    if (value == nullptr) throw nanobind::python_error();
    return nanobind::steal<nanobind::int_>(value);
}

inline search::Natural to_natural(const nanobind::int_& value) {
    const unsigned long long small = PyLong_AsUnsignedLongLong(value.ptr());
    if (PyErr_Occurred() == nullptr) return search::Natural(small);
    PyErr_Clear();  // negative, or beyond 64 bits
    const nanobind::object written = nanobind::module_::import_("builtins").attr("format")(value, "x");
    const std::string hex = nanobind::cast<std::string>(written);
    if (hex.front() == '-') throw nanobind::index_error("a place must not be negative");
    std::vector<std::uint64_t> limbs;
    for (std::size_t end = hex.size(); end > 0;) {
        const std::size_t begin = end > 16 ? end - 16 : 0;
        limbs.push_back(std::stoull(hex.substr(begin, end - begin), nullptr, 16));
        end = begin;
    }
    return search::Natural::from_limbs(std::move(limbs));
}

}  // namespace oraclesum::bindings
