// The search: finds the best hits, proves them, and builds the diagram of all sets that reach them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/diagram.hpp"
#include "oraclesum/search/natural.hpp"
#include "oraclesum/search/problem.hpp"
#include "oraclesum/search/techniques.hpp"

namespace oraclesum::search {

class Judge;  // a private matter of the kernel

struct SearchSettings {
    std::int64_t within = 0;                  // sets down to this many hits below the best belong to the family
    std::int64_t least = 1;                   // no set of a smaller value belongs to the family
    std::optional<std::int64_t> known = {};   // the value of a known set: nothing is collected if there is a better one
    std::optional<std::int64_t> target = {};  // collect sets of this value and more; nothing is optimised
    Judge* judge = nullptr;                   // with a target: sees these sets, and no diagram is made
    std::uint64_t max_nodes = std::numeric_limits<std::uint64_t>::max();  // with a judge
    bool minimal = false;  // only sets from which no sentence can be dropped without loss
    bool collect = true;   // false: only find and prove the optimum
    bool walk = true;      // false, without `collect`: only what the root shows, a set and a bound
    unsigned threads = 1;
    std::size_t max_memory = std::size_t{1} << 30;  // for remembered sub-problems and the diagram
    std::size_t max_list = 0;                       // sets to list if the family is streamed
    Techniques techniques = {};
};

// A family that was too large for one diagram: taken apart, each part counted and let go.
struct Streamed {
    Natural count;
    std::vector<Natural> inclusion;  // per class, as DiagramFamily::inclusion()
    // As the questions of DiagramFamily; both empty if that would have taken more memory than there may be.
    std::vector<Natural> sizes;
    std::vector<std::vector<Natural>> inclusion_by_size;
    bool by_size = true;
    Rows<std::uint32_t> listed;   // some of the sets, in no order
    Rows<std::uint32_t> members;  // per class: its sentences
};

struct SearchResult {
    std::int64_t hits = 0;         // the value of `best`, or what was known
    std::int64_t upper_bound = 0;  // no feasible set has more
    // Sentences of one best set, ascending; a minimal one if minimal sets are asked for. Without `collect` it does not
    // depend on the number of threads, unless the clock ran out.
    std::vector<std::uint32_t> best;
    bool collected = false;  // whether `diagram` or `streamed` stands for the whole family
    Diagram diagram;
    std::optional<Streamed> streamed;
    std::uint64_t nodes = 0;
    StopReason stopped = StopReason::none;
};

[[nodiscard]] SearchResult run_search(const Problem& problem, const SearchSettings& settings, Clock& clock);

}  // namespace oraclesum::search
