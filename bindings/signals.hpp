// Ctrl-C during a long kernel call: the kernel's clock asks here, and the caller raises what Python has set.
#pragma once

#include <nanobind/nanobind.h>

#include "oraclesum/search/clock.hpp"

namespace oraclesum::bindings {

// For a Clock whose run has released the GIL. Python handles signals on its main thread only: elsewhere never stops.
inline search::Clock::Stop stop_on_signal() {
    return [] {
        const nanobind::gil_scoped_acquire lock;
        return PyErr_CheckSignals() != 0;
    };
}

// To be called with the GIL held, once the run has returned: KeyboardInterrupt, or what a signal handler raised.
inline void raise_if_interrupted(search::StopReason reason) {
    if (reason == search::StopReason::interrupt) throw nanobind::python_error();
}

}  // namespace oraclesum::bindings
