// When a long run has to stop: a deadline on the steady clock and a callback that reports an interrupt.
//
// A stopped run is not an error: it hands back what it has, with bounds that still hold. One Clock belongs to one
// thread; a copy shares the deadline and the callback.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace oraclesum::search {

enum class StopReason { none, time, interrupt, memory };

class Clock {
public:
    using Stop = std::function<bool()>;  // true: stop at once

    // `seconds` from now; none: never. `stop` is asked about every 10 ms; empty: nobody to ask.
    explicit Clock(std::optional<double> seconds = std::nullopt, Stop stop = {});

    // Cheap enough for every node: looks at the time on the first call and then on every 256th.
    [[nodiscard]] bool expired() {
        if (reason_ != StopReason::none) return true;
        if (--calls_to_look_ != 0) return false;
        calls_to_look_ = calls_per_look;
        return look();
    }

    // Looks at the time on every call; for work whose single steps take long.
    [[nodiscard]] bool look();

    // The same, but a deadline that comes sooner is put off until so many seconds from now.
    [[nodiscard]] Clock with_at_least(double seconds) const {
        Clock other(seconds, stop_);
        if (!deadline_ || deadline_ > other.deadline_) other.deadline_ = deadline_;
        return other;
    }

    // For a run that has no memory to go on: what looks at the clock ends.
    void run_out_of_memory() {
        if (reason_ == StopReason::none) reason_ = StopReason::memory;
    }

    [[nodiscard]] StopReason reason() const { return reason_; }

private:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr std::uint32_t calls_per_look = 256;

    std::optional<Time> deadline_;
    Stop stop_;
    Time ask_again_;
    std::uint32_t calls_to_look_ = 1;
    StopReason reason_ = StopReason::none;
};

}  // namespace oraclesum::search
