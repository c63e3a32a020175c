// The family of an instance as the search finds it.
#include "search_family.hpp"

#include <utility>

#include "oraclesum/search/search.hpp"
#include "unbounded.hpp"

namespace oraclesum::testing {

search::DiagramFamily search_family(const search::Instance& instance, std::int64_t within) {
    const search::Problem problem = search::presolve(instance);
    search::Clock clock;
    search::SearchResult found = search::run_search(problem, {.within = within}, clock);
    return {std::move(found.diagram), problem.members, problem.sentences, unbounded()};
}

}  // namespace oraclesum::testing
