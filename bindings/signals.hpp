// What a long kernel call asks now and then: whether Ctrl-C was pressed, and the caller's own `stop`.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "lock.hpp"
#include "oraclesum/search/bounds.hpp"
#include "oraclesum/search/error.hpp"

namespace oraclesum::bindings {

// What a question to a family, or to a measure, may cost.
struct Limits {
    std::optional<double> seconds;
    nanobind::object stop;  // a callable without arguments, or None
    std::size_t max_memory;
};

// Made and destroyed with the GIL held, around a run that releases it. All threads of the run share the answer, so
// that one who saw it stops them all, and what Python raised on any of them is raised where the call was made.
class Interrupt {
public:
    // `stop` is a callable without arguments, or None.
    explicit Interrupt(nanobind::object stop) : state_(std::make_shared<State>()) {
        search::make_ready_to_throw();
        state_->stop = std::move(stop);
    }

    // For a Clock. Python handles signals on its main thread only: elsewhere Ctrl-C never stops.
    [[nodiscard]] search::Clock::Stop ask() const {
        return [state = state_] {
            if (state->stopped) return true;
            const Locked lock;
            try {
                if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
                if (!state->stop.is_none()) {
                    const auto answer =
                        nanobind::steal(outlive_interpreter([&] { return PyObject_CallNoArgs(state->stop.ptr()); }));
                    const int truth = answer ? outlive_interpreter([&] { return PyObject_IsTrue(answer.ptr()); }) : -1;
                    if (truth < 0) throw nanobind::python_error();
                    if (truth > 0) state->stopped = true;
                }
            } catch (...) {
                // Another thread may have been first while this one waited for the GIL.
                if (!state->raised) state->raised = std::current_exception();
                state->stopped = true;
            }
            return state->stopped.load();
        };
    }

    // Once the run has returned: KeyboardInterrupt, or what a signal handler or `stop` raised.
    void raise() const {
        if (state_->raised) std::rethrow_exception(state_->raised);
    }

    [[nodiscard]] bool stopped() const { return state_->stopped; }

private:
    struct State {
        nanobind::object stop;
        std::atomic<bool> stopped{false};
        std::exception_ptr raised;  // written and read with the GIL held
    };
    std::shared_ptr<State> state_;
};

// A question, with the GIL released and within bounds. Raises what Python raised meanwhile: KeyboardInterrupt,
// or an exception of `stop`.
template <class Question>
auto ask(const Limits& limits, Question question) {
    const Interrupt interrupt(limits.stop);
    search::Clock clock(limits.seconds, interrupt.ask());
    try {
        const Unlocked unlocked;
        return question(search::Bounds(clock, limits.max_memory));
    } catch (const search::Stopped&) {
        interrupt.raise();
        throw;
    }
}

}  // namespace oraclesum::bindings
