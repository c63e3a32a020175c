// What the search works on: an instance after presolve, with equal sentences as classes and merged n-grams as columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/instance.hpp"

namespace oraclesum::search {

// One column of a class: a (merged) n-gram and how often one copy of the class contains it.
struct Cell {
    std::uint32_t column;
    std::uint32_t count;

    friend bool operator==(const Cell&, const Cell&) = default;
    friend auto operator<=>(const Cell&, const Cell&) = default;
};

struct Problem {
    Rows<std::int64_t> gains;        // per column, never increasing
    Rows<Cell> rows;                 // per class
    std::vector<std::int64_t> base;  // per class: hits of n-grams that no other sentence has, less its cost
    std::vector<std::int64_t> fees;  // paid once by a set that has one of the classes with it
    Rows<std::uint32_t> fee_rows;    // per class
    Rows<std::uint32_t> members;     // per class: its sentences, ascending
    // Rows of lengths with a budget each: first `uppers` limits, then floors, as rows of negative lengths under the floor's
    // negative. A set on its way may still be short of a floor, but never beyond a limit.
    Rows<std::int64_t> lengths;  // per class
    std::vector<std::int64_t> budgets;
    std::size_t uppers = 0;
    std::vector<std::uint32_t> required;  // classes of one copy that every set contains
    bool feasible = true;                 // false: no set keeps the limits
    bool stopped = false;          // by the clock: nothing else here but `sentences` and `upper_bound` means anything
    std::int64_t upper_bound = 0;  // all hits and rewards there are: no set has a larger value
    // Adding a class never lowers the value and never breaks a floor: what has the value and fits is in the family, and
    // so is every set beyond it that fits.
    bool monotone = true;
    std::size_t sentences = 0;                 // of the instance
    int fraction_bits = 0;                     // multipliers are integers in units of 2^-fraction_bits hits
    std::vector<std::int64_t> price_ceilings;  // per column, in these units: no price is higher

    [[nodiscard]] std::size_t classes() const { return rows.size(); }
    [[nodiscard]] std::size_t columns() const { return gains.size(); }
    [[nodiscard]] std::uint32_t copies(std::size_t c) const { return static_cast<std::uint32_t>(members[c].size()); }
};

// Rewrites an instance without losing a single feasible set that an oracle could be. Every rule keeps ALL optima:
//   - sentences that share no n-gram or do not fit alone are dropped: they are no candidates;
//   - a count beyond an n-gram's last gain is cut to it, gains beyond all supply are dropped: neither changes any hits;
//   - sentences equal in row and lengths become one class with copies: k of m copies stand for C(m, k) sets;
//   - an n-gram of a single one-copy class becomes part of that class's base hits;
//   - n-grams with the same counts in every class become one column with added gains;
//   - a common divisor of an n-gram's counts is divided out, its gains added up in blocks;
//   - limits that all candidates together keep are dropped, as are floors of 0;
//   - a cost is part of its class's base, as is a fee that only one sentence has; fees of the same classes become one.
// Sentences are equal only if their costs, fees, roles and kinds are.
// A clock that runs out stops it, but looks only after some work: a small instance is always presolved.
[[nodiscard]] Problem presolve(const Instance& instance, Clock* clock = nullptr);

}  // namespace oraclesum::search
