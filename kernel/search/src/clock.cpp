// Reads the steady clock and asks the interrupt callback now and then.
#include "oraclesum/search/clock.hpp"

#include <algorithm>
#include <utility>

namespace oraclesum::search {

namespace {

using namespace std::chrono_literals;

constexpr double longest_wait = 1e9;  // thirty years: beyond it a duration would overflow, and nobody waits
constexpr auto ask_every = 10ms;

}  // namespace

Clock::Clock(std::optional<double> seconds, Stop stop)
    : stop_(std::move(stop)), ask_again_(std::chrono::steady_clock::now() + ask_every) {
    if (seconds && *seconds < longest_wait) {
        const std::chrono::duration<double> wait(std::max(*seconds, 0.0));
        deadline_ =
            std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(wait);
    }
}

bool Clock::look() {
    if (reason_ != StopReason::none) return true;
    const Time now = std::chrono::steady_clock::now();
    if (stop_ && now >= ask_again_) {
        ask_again_ = now + ask_every;
        if (stop_()) {
            reason_ = StopReason::interrupt;
            return true;
        }
    }
    if (deadline_ && now >= *deadline_) {
        reason_ = StopReason::time;
        return true;
    }
    return false;
}

}  // namespace oraclesum::search
