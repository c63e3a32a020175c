// The UTF-8 bytes of Python strings, for kernel calls that let the GIL go.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>
#include <vector>

namespace oraclesum::bindings {

// The UTF-8 bytes of a list of str, without a copy; holds the strings, so that the GIL may be let go.
class Bytes {
public:
    explicit Bytes(const nanobind::list& texts) {
        views_.reserve(texts.size());
        for (const nanobind::handle text : texts) {
            if (!PyUnicode_Check(text.ptr())) throw nanobind::type_error("a text must be a str");
            Py_ssize_t size = 0;
            const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
            if (data != nullptr) {
                owners_.push_back(nanobind::borrow(text));
            } else {  // a lone surrogate has no UTF-8; like all that is not ASCII it separates words
                PyErr_Clear();
                owners_.push_back(nanobind::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass")));
                if (!owners_.back().is_valid()) throw nanobind::python_error();
                data = PyBytes_AsString(owners_.back().ptr());
                size = PyBytes_Size(owners_.back().ptr());
            }
            views_.emplace_back(data, static_cast<std::size_t>(size));
        }
    }
    [[nodiscard]] const std::vector<std::string_view>& views() const { return views_; }
    [[nodiscard]] auto begin() const { return views_.begin(); }
    [[nodiscard]] auto end() const { return views_.end(); }
    [[nodiscard]] std::size_t size() const { return views_.size(); }

private:
    std::vector<nanobind::object> owners_;
    std::vector<std::string_view> views_;
};

}  // namespace oraclesum::bindings
