// What a question to a family may cost: a clock that can stop it, and a number of bytes.
//
// A question has no partial answer, so a bound that is hit ends it by an exception. Whoever asks on behalf of a run
// with a time limit turns it into a status.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "oraclesum/search/clock.hpp"

namespace oraclesum::search {

class Stopped : public std::runtime_error {
public:
    explicit Stopped(StopReason why)
        : std::runtime_error(why == StopReason::time ? "the time limit ended it" : "it was interrupted"), reason(why) {}

    StopReason reason;
};

class TooLarge : public std::runtime_error {
public:
    TooLarge(const char* what, double bytes, std::size_t max_memory)
        : std::runtime_error(std::string(what) + " would take about " + in_mib(bytes) +
                             " MiB of memory, more than the limit of " + in_mib(static_cast<double>(max_memory)) +
                             " MiB") {}

private:
    static std::string in_mib(double bytes) { return std::to_string(static_cast<long long>(bytes / (1 << 20)) + 1); }
};

class Bounds {
public:
    static constexpr std::size_t usual_bytes = std::size_t{1} << 30;

    // Less than a mebibyte is not worth refusing an answer for.
    explicit Bounds(Clock& clock, std::size_t max_memory = usual_bytes)
        : clock_(clock), max_memory_(std::max(max_memory, std::size_t{1} << 20)) {}

    // To be called for every node, or wherever a few microseconds of work are done.
    void step() const {
        if (clock_.expired()) throw Stopped(clock_.reason());
    }
    // To be called before memory of that size is taken. Products are doubles: they cannot overflow.
    void need(double bytes, const char* what) const {
        if (!fits(bytes)) throw TooLarge(what, bytes, max_memory_);
    }
    [[nodiscard]] bool fits(double bytes) const { return bytes <= static_cast<double>(max_memory_); }

private:
    Clock& clock_;
    std::size_t max_memory_;
};

}  // namespace oraclesum::search
