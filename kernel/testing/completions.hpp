// Random states of a search, and every way to complete one: slow, and obviously right.
#pragma once

#include <cstdint>
#include <vector>

#include "state.hpp"
#include "varied_instance.hpp"

namespace oraclesum::testing {

using Copies = std::vector<std::uint32_t>;  // per class

struct Completion {
    std::int64_t added;  // hits
    Copies copies;       // of free classes
    bool complete;       // every floor is reached
};

// A state in which some classes are taken and some are out.
search::State draw_state(Draw& draw, const search::Problem& problem);

// Every way to add copies of the free classes within the limits.
std::vector<Completion> list_completions(search::State state);

// What a state has taken.
Copies count_taken(const search::State& state);

// The value of a set of copies from scratch, without fees.
std::int64_t value_of(const search::Problem& problem, const Copies& copies);

// A varied instance with costs, fees, and perhaps a floor.
search::Instance costly_instance(Draw& draw, std::size_t max_sentences);

}  // namespace oraclesum::testing
