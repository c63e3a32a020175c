// A family of sets as Python holds it.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lock.hpp"
#include "numbers.hpp"
#include "oraclesum/search/family.hpp"
#include "signals.hpp"

namespace oraclesum::bindings {

using IntList = nanobind::typed<nanobind::list, int>;
using SetTuple = nanobind::typed<nanobind::tuple, int, nanobind::ellipsis>;

// A number per sentence from those of the classes; a Python int per class, which its sentences share.
inline IntList by_sentence(std::span<const std::uint32_t> classes, const std::vector<search::Natural>& by_class) {
    nanobind::list row;
    const nanobind::int_ zero(0);
    std::vector<nanobind::int_> numbers;
    for (const search::Natural& number : by_class) numbers.push_back(to_int(number));
    for (const std::uint32_t cls : classes) row.append(cls == search::DiagramFamily::no_class ? zero : numbers[cls]);
    return nanobind::borrow<IntList>(row);
}

inline SetTuple to_tuple(std::span<const std::uint32_t> set) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(set.size()));
    if (tuple == nullptr) throw nanobind::python_error();
    for (std::size_t k = 0; k < set.size(); ++k)
        NB_TUPLE_SET_ITEM(tuple, static_cast<Py_ssize_t>(k), PyLong_FromUnsignedLong(set[k]));
    return nanobind::steal<SetTuple>(tuple);
}

// Tuples that share one Python int per sentence: a long list costs its tuples only.
template <class Rows>
nanobind::typed<nanobind::list, SetTuple> to_tuples(const Rows& sets) {
    // In many sets the same sentences occur again and again: their numbers are made once. In a few they are not.
    std::vector<nanobind::object> numbers;
    const bool many = sets.size() > 1000;
    const auto number = [&](std::uint32_t sentence) {
        if (!many) return nanobind::int_(sentence).release().ptr();
        if (numbers.size() <= sentence) numbers.resize(std::size_t{sentence} + 1);
        if (!numbers[sentence].is_valid()) numbers[sentence] = nanobind::int_(sentence);
        return numbers[sentence].inc_ref().ptr();
    };
    PyObject* list = PyList_New(static_cast<Py_ssize_t>(sets.size()));
    if (list == nullptr) throw nanobind::python_error();
    auto tuples = nanobind::steal<nanobind::typed<nanobind::list, SetTuple>>(list);
    for (std::size_t at = 0; at < sets.size(); ++at) {
        const auto set = sets[at];
        PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(set.size()));
        if (tuple == nullptr) throw nanobind::python_error();
        for (std::size_t k = 0; k < set.size(); ++k)
            NB_TUPLE_SET_ITEM(tuple, static_cast<Py_ssize_t>(k), number(set[k]));
        NB_LIST_SET_ITEM(list, static_cast<Py_ssize_t>(at), tuple);
    }
    return tuples;
}

// Sets by size, and for each size a row of numbers; sizes that no set has are left out.
inline nanobind::typed<nanobind::dict, int, int> to_table(const std::vector<search::Natural>& sizes) {
    nanobind::typed<nanobind::dict, int, int> table;
    for (std::size_t s = 0; s < sizes.size(); ++s)
        if (!sizes[s].is_zero()) table[nanobind::int_(s)] = to_int(sizes[s]);
    return table;
}

inline IntList to_list(const std::vector<search::Natural>& numbers) {
    IntList row;
    for (const search::Natural& number : numbers) row.append(to_int(number));
    return row;
}

inline nanobind::typed<nanobind::dict, int, IntList> to_tables(const std::vector<std::vector<search::Natural>>& rows) {
    nanobind::typed<nanobind::dict, int, IntList> table;
    for (std::size_t s = 0; s < rows.size(); ++s)
        if (!rows[s].empty()) table[nanobind::int_(s)] = to_list(rows[s]);
    return table;
}

struct Family {
    explicit Family(search::DiagramFamily made) : diagram(std::move(made)) {}

    search::DiagramFamily diagram;
};

// What a search hands to Python: its result, and the family that it collected.
template <class Result>
struct Ended {
    Result result;
    std::shared_ptr<Family> family = nullptr;  // null if it was not collected, or is streamed
    bool interrupted = false;                  // by the caller's `stop`
};

// Runs a search with the GIL released. `run(clock)` returns its result, the sentences of each class, and their number.
template <class Run>
auto run_to_its_end(Run run, bool collect, std::optional<double> time_limit, std::size_t max_memory,
                    nanobind::object stop) {
    const Interrupt interrupt(std::move(stop));
    search::Clock clock(time_limit, interrupt.ask());
    auto ended = [&] {
        const Unlocked unlocked;
        auto [result, members, sentences] = run(clock);
        Ended<decltype(result)> made{.result = std::move(result)};
        if (made.result.collected && collect && !made.result.streamed) {
            try {
                made.family = std::make_shared<Family>(search::DiagramFamily(
                    std::move(made.result.diagram), std::move(members), sentences, search::Bounds(clock, max_memory)));
            } catch (const search::Stopped&) {  // not even the count is known: as if the search had been stopped
                made.result.collected = false;
            }
            made.result.stopped = clock.reason();
        }
        return made;
    }();
    interrupt.raise();
    // It may have been asked once more after the run had all it needed.
    ended.interrupted = interrupt.stopped() && !ended.result.collected;
    return ended;
}

}  // namespace oraclesum::bindings
