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
    bool minimal = false;     // only sets from which no sentence can be dropped without loss
    bool collect = true;      // false: only find and prove the optimum
    unsigned threads = 1;
    std::size_t most_bytes = std::size_t{1} << 30;  // for remembered sub-problems and the diagram
};

struct SearchResult {
    std::int64_t hits = 0;            // of `best`
    std::int64_t upper_bound = 0;     // no feasible set has more
    std::vector<std::uint32_t> best;  // sentences of one best set, ascending
    bool collected = false;           // whether the diagram holds the whole family
    bool out_of_memory = false;
    Diagram diagram;
    std::uint64_t nodes = 0;
    StopReason stopped = StopReason::none;
};

[[nodiscard]] SearchResult run_search(const Problem& problem, const SearchSettings& settings, Clock& clock);

}  // namespace oraclesum::search
