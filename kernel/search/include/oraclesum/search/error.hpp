// Errors of the kernel: bad input is the caller's to mend, an internal error carries file and line.
#pragma once

#include <cxxabi.h>

#include <stdexcept>
#include <string>

namespace oraclesum::search {

class InputError : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

class InternalError : public std::logic_error {
public:
    InternalError(const char* file, int line, const std::string& what)
        : std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + what) {}
};

// For the beginning of a thread: what it needs to throw is allocated when it is first touched, and if that fails the
// process ends. Later may be too late, as a thread throws when memory has run out.
inline void make_ready_to_throw() {
    // Volatile, as compilers leave out a call whose result nobody reads.
    [[maybe_unused]] const abi::__cxa_eh_globals* volatile touched = abi::__cxa_get_globals();
}

}  // namespace oraclesum::search

#define ORACLESUM_REQUIRE(condition, what)                                                  \
    do {                                                                                    \
        if (!(condition)) throw oraclesum::search::InternalError(__FILE__, __LINE__, what); \
    } while (false)
