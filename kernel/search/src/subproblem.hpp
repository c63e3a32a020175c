// Names sub-problems: two states with the same key have the same completions.
#pragma once

#include <cstdint>
#include <vector>

#include "memory.hpp"
#include "state.hpp"

namespace oraclesum::search {

class Namer {
public:
    explicit Namer(const Problem& problem);

    // Completions by free classes that add at least `need` hits (0: whatever they add).
    [[nodiscard]] Key name(const State& state, std::int64_t need);
    // Completions by any free classes that fit.
    [[nodiscard]] Key name_free(const State& state);
    // What decides whether the taken classes stay indispensable, for families of minimal sets.
    void add_taken(Key& key, const State& state);

private:
    void add_lengths(Key& key, const State& state);

    const Problem* problem_;
    std::vector<std::uint32_t> suppliers_;  // per column: copies of free classes that have it
    std::vector<std::uint64_t> supply_;     // and how often they have it, all together
    std::vector<std::uint32_t> touched_;
    std::vector<std::uint8_t> reachable_;  // per column: a free class has it
    std::vector<std::uint8_t> named_;      // per column: its coverage is in the key
    std::vector<std::uint64_t> sums_;      // bit j: some set of free classes has length j
};

}  // namespace oraclesum::search
