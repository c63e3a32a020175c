// The lock of the interpreter, given back and taken again. As the classes of nanobind of these purposes, but when the
// interpreter ends while a thread is in the kernel: until Python 3.13 it unwinds a thread that asks for the lock then,
// and would end the process at the first frame that must not throw. Such a thread waits here for the end instead.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace oraclesum::bindings {

// Calls what may ask for the lock, and nothing else that has something to take back.
template <class Call>
auto outlive_interpreter(Call call) noexcept {
    try {
        return call();
    } catch (...) {  // nothing of Python's throws but what unwinds the thread, and must not be caught for good
        while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    }
}

// For a block without the lock.
class Unlocked {
public:
    Unlocked() noexcept : state_(PyEval_SaveThread()) {}
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;
    ~Unlocked() {
        outlive_interpreter([this] { PyEval_RestoreThread(state_); });
    }

private:
    PyThreadState* state_;
};

// For a block with the lock, inside of one without, on any thread.
class Locked {
public:
    Locked() noexcept : state_(outlive_interpreter([] { return PyGILState_Ensure(); })) {}
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    ~Locked() { PyGILState_Release(state_); }

private:
    decltype(PyGILState_Ensure()) state_;
};

}  // namespace oraclesum::bindings
