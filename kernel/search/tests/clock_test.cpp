// A clock stops for the deadline or for the callback, says which, and stays stopped.
#include "oraclesum/search/clock.hpp"

#include <limits>

#include "check.hpp"

using oraclesum::search::Clock;
using oraclesum::search::StopReason;

TEST(a_clock_without_deadline_never_expires) {
    Clock clock;
    for (int i = 0; i < 10'000; ++i) CHECK(!clock.expired());
    CHECK(clock.reason() == StopReason::none);
}

TEST(a_deadline_of_zero_expires_on_the_first_call) {
    Clock clock(0.0);
    CHECK(clock.expired());
    CHECK(clock.reason() == StopReason::time);
    CHECK(clock.look());
}

TEST(an_endless_deadline_does_not_overflow) {
    Clock clock(std::numeric_limits<double>::infinity());
    CHECK(!clock.look());
}

TEST(a_deadline_is_put_off_but_never_moved_forward) {
    CHECK(!Clock(0.0).with_at_least(1e6).look());
    CHECK(Clock(1e6).with_at_least(0.0).look() == false);
    CHECK(!Clock().with_at_least(0.0).look());
    CHECK(Clock(0.0).with_at_least(0.0).look());
    Clock asked = Clock(0.0, [] { return true; }).with_at_least(1e6);
    while (!asked.expired()) {
    }
    CHECK(asked.reason() == StopReason::interrupt);
}

TEST(the_callback_interrupts_and_is_not_asked_again) {
    int asked = 0;
    Clock clock(std::nullopt, [&] { return ++asked == 2; });
    while (!clock.expired()) {
    }
    CHECK(clock.reason() == StopReason::interrupt);
    CHECK(clock.expired());
    CHECK(asked == 2);
}
