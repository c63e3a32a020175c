// Families by trying every subset of the sentences: slow, and obviously right.
#include "brute_force.hpp"

#include <algorithm>
#include <utility>

#include "random_instance.hpp"
#include "unbounded.hpp"

namespace oraclesum::testing {

bool is_minimal(const search::Instance& instance, const search::Set& set) {
    const std::int64_t hits = instance.hits(set);
    return std::ranges::all_of(set, [&](std::uint32_t dropped) {
        search::Set rest = set;
        std::erase(rest, dropped);
        return instance.hits(rest) < hits;
    });
}

Truth try_every_subset(const search::Instance& instance, std::int64_t within, bool minimal) {
    const std::vector<std::uint32_t> candidates = instance.candidates();
    Truth truth;
    std::vector<std::pair<std::int64_t, search::Set>> feasible;
    for (std::uint32_t mask = 1; mask < std::uint32_t{1} << candidates.size(); ++mask) {
        search::Set set;
        for (const std::uint32_t place : members(mask)) set.push_back(candidates[place]);
        if (!instance.feasible(set)) continue;
        const std::int64_t hits = instance.hits(set);
        truth.best = std::max(truth.best, hits);
        feasible.emplace_back(hits, std::move(set));
    }
    // A set without a single hit is no summary that anybody wants, whatever `within` allows.
    const std::int64_t least = std::max<std::int64_t>(1, truth.best - within);
    for (auto& [hits, set] : feasible)
        if (hits >= least && (!minimal || is_minimal(instance, set))) truth.sets.push_back(std::move(set));
    std::ranges::sort(truth.sets);
    return truth;
}

Sets list_sets(const search::DiagramFamily& family, const search::Set& from, std::uint64_t max_per_part) {
    Sets sets;
    search::Lister lister(family, from, max_per_part);
    while (true) {
        const search::Rows<std::uint32_t>& part = lister.next_part(unbounded());
        if (part.size() == 0) return sets;
        for (std::size_t at = 0; at < part.size(); ++at) sets.emplace_back(part[at].begin(), part[at].end());
    }
}

}  // namespace oraclesum::testing
