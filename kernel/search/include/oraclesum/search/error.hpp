// Errors of the kernel: bad input is the caller's to mend, an internal error carries file and line.
#pragma once

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

}  // namespace oraclesum::search

#define ORACLESUM_REQUIRE(condition, what)                                                  \
    do {                                                                                    \
        if (!(condition)) throw oraclesum::search::InternalError(__FILE__, __LINE__, what); \
    } while (false)
