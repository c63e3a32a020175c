// The fixed branching order: classes n-gram by n-gram, so that few n-grams are half covered at any time.
#include <limits>

#include "oraclesum/search/walker.hpp"

namespace oraclesum::search {

std::vector<std::uint32_t> rank_classes(const State& state) {
    constexpr auto unranked = std::numeric_limits<std::uint32_t>::max();
    const Problem& problem = state.problem();
    std::vector<std::uint32_t> rank(problem.classes(), unranked);
    std::vector<std::vector<std::uint32_t>> suppliers(problem.columns());
    for (const std::uint32_t cls : state.free())
        for (const Cell& cell : problem.rows[cls])
            if (!state.residual(cell.column).empty()) suppliers[cell.column].push_back(cls);
    std::vector<std::size_t> open(problem.columns());  // unranked classes that supply the column
    for (std::size_t g = 0; g < open.size(); ++g) open[g] = suppliers[g].size();
    std::uint32_t next = 0;
    while (true) {
        std::size_t fewest = open.size();
        for (std::size_t g = 0; g < open.size(); ++g)
            if (open[g] > 0 && (fewest == open.size() || open[g] < open[fewest])) fewest = g;
        if (fewest == open.size()) break;
        for (const std::uint32_t cls : suppliers[fewest]) {
            if (rank[cls] != unranked) continue;
            rank[cls] = next++;
            for (const Cell& cell : problem.rows[cls])
                if (open[cell.column] > 0) --open[cell.column];
        }
        open[fewest] = 0;
    }
    for (const std::uint32_t cls : state.free())
        if (rank[cls] == unranked) rank[cls] = next++;
    return rank;
}

}  // namespace oraclesum::search
