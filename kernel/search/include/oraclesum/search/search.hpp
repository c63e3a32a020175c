// The search: finds the best hits, proves them, and builds the diagram of all sets that reach them.
#pragma once

#include <cstdint>
#include <vector>

#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/diagram.hpp"
#include "oraclesum/search/problem.hpp"

namespace oraclesum::search {

struct SearchSettings {
    std::int64_t within = 0;  // sets down to this many hits below the best belong to the family
    bool list = true;         // false: only find and prove the optimum
};

struct SearchResult {
    std::int64_t hits = 0;          // of `best`
    std::int64_t upper_bound = 0;   // no feasible set has more
    std::vector<std::uint32_t> best;  // sentences of one best set, ascending
    Diagram diagram;                // of the family; only whole if stopped == none
    std::uint64_t nodes = 0;
    StopReason stopped = StopReason::none;
};

[[nodiscard]] SearchResult run_search(const Problem& problem, const SearchSettings& settings, Clock& clock);

}  // namespace oraclesum::search
