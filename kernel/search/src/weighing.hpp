// An objective as one linear problem: weights on hits, costs on sizes, sets of equal sentences told once for all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "oraclesum/search/objective.hpp"
#include "oraclesum/search/problem.hpp"
#include "state.hpp"

namespace oraclesum::search {

inline constexpr const char* too_many_digits =
    "the numbers of this objective are too large to be added up exactly: use fewer terms, or weights, a beta and "
    "`within` with fewer "
    "digits";

// Sentences that count the same in every set: equal rows, sizes, lengths and roles.
struct Kinds {
    std::vector<std::uint32_t> of;  // per sentence
    Rows<std::uint32_t> members;    // per kind, ascending; only sentences that a set may contain
};
[[nodiscard]] Kinds group_equal(const Objective& objective);

// gain(S) = sum over layers of weight * hits - sum over sizes of cost * n-grams: an objective as a linear problem. Exact for
// exact objectives; otherwise never below it, up to the sizes' offsets, which the caller adds.
class Weighing {
public:
    // Without joints: what they could add to the hits is left out, and the gain may be below the objective.
    Weighing(const Objective& objective, const Kinds& kinds, std::span<const std::int64_t> weights,
             std::span<const std::int64_t> costs, bool joints = true);

    // For whoever wants only sets of the largest gain, which is not negative: a sentence that costs more than it gains alone
    // leaves.
    void drop_losers();
    // Sentences that are in no set of this gain leave.
    void drop_hopeless(std::int64_t target);

    // Shows every set of at least this gain that keeps the limits, once, as kinds and copies in no order. True if all were
    // shown; false if it took more than so many steps, or if the linear problem has fees: that is work for a search.
    using Visit = std::function<void(std::span<const Taken>)>;
    [[nodiscard]] bool scan(std::int64_t target, std::size_t most_steps, const Visit& visit) const;

    // The problem for a search.
    [[nodiscard]] Instance build() const;

private:
    [[nodiscard]] bool in_play(std::size_t i) const;
    [[nodiscard]] std::int64_t weigh(std::size_t layer, std::int64_t gain) const;
    [[nodiscard]] std::size_t max_sentences() const;
    void weigh_alone();
    void charge_fees(std::size_t layer, Extras& extras) const;

    const Objective& objective_;
    const Kinds& kinds_;
    std::span<const std::int64_t> weights_;
    std::size_t n_;
    std::vector<Role> roles_;
    std::vector<std::int64_t> own_costs_;  // at most largest_total, and not below its opposite
    std::vector<std::int64_t> alone_;      // per sentence: what it gains by itself, less its costs but not its fees
    std::vector<std::int64_t> cost_of_layer_;
    std::vector<const Size*> size_of_layer_;  // of layers of distinct n-grams
};

// Counts by layers and sizes: exact for exact objectives.
class LayerScorer : public Scorer {
public:
    explicit LayerScorer(const Objective& objective);

    void count(std::span<const std::uint32_t> set, std::span<Tally> tallies) override;

    // The same step by step: what a set and one sentence more have.
    void clear();
    void add(std::uint32_t sentence);
    void probe(std::uint32_t sentence, std::span<Tally> tallies) const;
    void read(std::span<Tally> tallies) const;

private:
    void tally(std::span<Tally> tallies, std::span<const std::int64_t> hits, std::span<const std::int64_t> sizes) const;

    const Objective& objective_;
    std::vector<std::vector<std::uint32_t>> covered_;  // per layer and n-gram
    std::vector<std::vector<std::uint8_t>> present_;   // per size and distinct n-gram
    std::vector<std::int64_t> hits_;                   // per layer
    std::vector<std::int64_t> sizes_;                  // per size
    mutable std::vector<std::int64_t> more_hits_, more_sizes_;
    std::vector<std::uint32_t> taken_;
};

}  // namespace oraclesum::search
