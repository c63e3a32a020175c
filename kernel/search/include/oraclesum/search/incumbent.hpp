// A good first set: greedy by density, and dives along the multipliers, each mended by exchanging sentences.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "oraclesum/search/state.hpp"

namespace oraclesum::search {

class Incumbent {
public:
    [[nodiscard]] std::int64_t hits() const { return hits_; }
    [[nodiscard]] const std::vector<Taken>& taken() const { return taken_; }

    // Keeps what `state` has taken where it is better than what is known.
    bool offer(const State& state);

    // Fills `state` with free classes, densest gain first, and offers it; leaves it as it was.
    void fill(State& state);
    // The same after taking free classes in falling `rank` while they fit and add hits.
    void dive(State& state, const std::function<std::int64_t(std::uint32_t)>& rank);
    // Drops each class of the best set in turn and fills up again, while that helps.
    void exchange(State& state);

private:
    static void complete(State& state);

    std::int64_t hits_ = 0;
    std::vector<Taken> taken_;
};

}  // namespace oraclesum::search
