// The fixed branching order: classes n-gram by n-gram, so that few n-grams are half covered at any time.
#include <limits>
#include <set>

#include "walker.hpp"

namespace oraclesum::search {

std::vector<std::uint32_t> rank_classes(const State& state) {
    constexpr auto unranked = std::numeric_limits<std::uint32_t>::max();
    const Problem& problem = state.problem();
    std::vector<std::uint32_t> rank(problem.classes(), unranked);
    std::vector<std::vector<std::uint32_t>> suppliers(problem.columns());
    for (const std::uint32_t cls : state.free())
        for (const Cell& cell : problem.rows[cls])
            if (!state.residual(cell.column).empty()) suppliers[cell.column].push_back(cls);
    // Columns by the number of unranked classes that supply them.
    std::vector<std::size_t> open(problem.columns());
    std::set<std::pair<std::size_t, std::uint32_t>> waiting;
    for (std::uint32_t g = 0; g < open.size(); ++g) {
        open[g] = suppliers[g].size();
        if (open[g] > 0) waiting.emplace(open[g], g);
    }
    std::uint32_t next = 0;
    while (!waiting.empty()) {
        const std::uint32_t fewest = waiting.begin()->second;
        for (const std::uint32_t cls : suppliers[fewest]) {
            if (rank[cls] != unranked) continue;
            rank[cls] = next++;
            for (const Cell& cell : problem.rows[cls]) {
                if (waiting.erase({open[cell.column], cell.column}) == 0) continue;
                if (--open[cell.column] > 0) waiting.emplace(open[cell.column], cell.column);
            }
        }
    }
    for (const std::uint32_t cls : state.free())
        if (rank[cls] == unranked) rank[cls] = next++;
    return rank;
}

}  // namespace oraclesum::search
