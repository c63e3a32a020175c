// A good first set: greedy by density, and dives along the multipliers, each mended by exchanging sentences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/search/clock.hpp"
#include "state.hpp"

namespace oraclesum::search {

class Incumbent {
public:
    [[nodiscard]] std::int64_t hits() const { return hits_; }
    [[nodiscard]] const std::vector<Taken>& taken() const { return taken_; }
    // A set of so many hits is known elsewhere: only better ones are kept.
    void know(std::int64_t hits) { hits_ = hits; }

    // Keeps what `state` has taken if it is better than what is known.
    bool offer(const State& state);

    // Each of these ends early, with what it has, if the clock says so.

    // Fills `state` with free classes, densest gain first, and offers it; leaves it as it was.
    void fill(State& state, Clock& clock);
    // The same after taking free classes that are worth something, in falling order of that, if they fit and add hits.
    void dive(State& state, std::span<const std::int64_t> worth, Clock& clock);
    // Drops each class of the best set in turn and fills up again, while that helps; not if sets are so large that
    // it would take long.
    void exchange(State& state, Clock& clock);

private:
    void complete(State& state, Clock& clock);
    void reach_floors(State& state);

    struct Candidate {
        double density;  // when last looked at; it only falls
        std::uint32_t cls;
    };
    std::vector<Candidate> heap_;
    std::vector<std::uint32_t> used_;  // copies taken, per class

    std::int64_t hits_ = 0;
    std::vector<Taken> taken_;
};

}  // namespace oraclesum::search
