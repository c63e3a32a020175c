// An objective as one linear problem: weights on hits, costs on sizes, sets of equal sentences told once for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/search/objective.hpp"
#include "oraclesum/search/problem.hpp"

namespace oraclesum::search {

// Sentences that count the same in every set: equal rows, sizes, lengths and roles.
struct Kinds {
    std::vector<std::uint32_t> of;  // per sentence
    Rows<std::uint32_t> members;    // per kind, ascending; only sentences that a set may contain
};
[[nodiscard]] Kinds group_equal(const Objective& objective);

// gain(S) = sum over layers of weight * hits - sum over sizes of cost * n-grams, as an instance.
// Exact for exact objectives; otherwise never below it, up to the sizes' offsets, which the caller adds. Sentences of which no
// set can gain as much as a target above 0 leave.
enum class Wanted : std::uint8_t {
    all,   // every set keeps its place
    best,  // only sets of the largest gain, which is not negative: a sentence that costs more than it gains alone leaves
};
[[nodiscard]] Instance weigh(const Objective& objective, const Kinds& kinds, std::span<const std::int64_t> weights,
                             std::span<const std::int64_t> costs, Wanted wanted, std::int64_t target);

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
