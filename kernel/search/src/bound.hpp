// Alg. 1: an upper bound on the hits of every feasible superset that adds only some remaining sentences.
//
// The residual gains of single sentences (Eq. 10) add up to at least the gain of the whole (submodularity), and the
// fractional knapsack over them is at least the best whole one. The budget at a node is L_max - l(V), not L_max as
// printed. Hits are integers, so the bound is rounded down; under several limits it is the smallest over the limits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coverage.hpp"
#include "density.hpp"

namespace oraclesum::search {

class Bound {
public:
    explicit Bound(const Instance& instance);  // the instance must outlive it

    // Bound for the covered set V together with any part of `remaining` (disjoint from V) that keeps the limits.
    [[nodiscard]] std::int64_t best(const Coverage& covered, std::span<const std::uint32_t> remaining);

    // Whether the bound reaches `hits`; may stop at the first limit that says no.
    [[nodiscard]] bool reaches(const Coverage& covered, std::span<const std::uint32_t> remaining, std::int64_t hits);

private:
    void price(const Coverage& covered, std::span<const std::uint32_t> remaining);
    [[nodiscard]] std::int64_t fill(std::size_t limit, std::int64_t room);

    const Instance* instance_;
    std::vector<std::uint32_t> gaining_;  // remaining sentences with a residual gain, and that gain
    std::vector<std::int64_t> gains_;
    std::vector<Density> items_;
};

}  // namespace oraclesum::search
