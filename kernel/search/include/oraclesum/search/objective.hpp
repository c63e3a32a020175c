// What is maximised, in integers: a weighted sum of ratios of hits to sizes.
//
//   value(S) = sum over terms of  weight * times * H(S) / (constant + per_ngram * N(S))
//
// H are the hits of a set and N the n-grams of the summary. Recall has per_ngram = 0, precision constant = 0, F-beta both.
// A search needs bounds that add up over sentences: a Layer is coverage that is never below the hits of a set, a Size never
// above its n-grams. Where a set's exact counts differ from that, a Scorer tells them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/search/instance.hpp"

namespace oraclesum::search {

// Hits as coverage of n-grams (or of places of the reference), in the form of an Instance.
struct Layer {
    std::vector<std::vector<std::int64_t>> gains;
    std::vector<std::vector<Entry>> counts;  // per sentence
    std::vector<std::int64_t> bonus;         // per sentence: hits that its joints could add; empty: none
};

// N-grams of a summary: added up over its sentences, or each distinct one once.
struct Size {
    std::vector<std::int64_t> lengths;                 // per sentence
    std::int64_t offset = 0;                           // added once; not positive
    std::vector<std::vector<std::uint32_t>> distinct;  // per sentence: its distinct n-grams; if not empty, `lengths` is
};

struct Term {
    std::int64_t weight;     // > 0
    std::int64_t times;      // > 0
    std::int64_t constant;   // >= 0
    std::int64_t per_ngram;  // >= 0; not both 0
    std::uint32_t layer;
    std::uint32_t size;
};

struct Objective {
    std::vector<Layer> layers;
    std::vector<Size> sizes;
    std::vector<Term> terms;
    std::vector<Limit> limits;
    std::vector<Role> roles;  // per sentence
    bool exact = true;        // layers and sizes are the exact counts of every set
    bool ordered = false;     // the counts depend on more than the sentences' rows: equal sentences are not the same

    [[nodiscard]] std::size_t sentences() const { return roles.size(); }
};

struct Tally {
    std::int64_t hits = 0;
    std::int64_t size = 0;

    friend bool operator==(const Tally&, const Tally&) = default;
};

// The exact counts of a set, one tally per term.
class Scorer {
public:
    virtual ~Scorer() = default;
    virtual void count(std::span<const std::uint32_t> set, std::span<Tally> tallies) = 0;
};

}  // namespace oraclesum::search
