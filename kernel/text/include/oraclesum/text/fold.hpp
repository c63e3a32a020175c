// References folded into concave gains, sentences into sparse rows, and a summary matched against references.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/rows.hpp"
#include "oraclesum/text/ngrams.hpp"

namespace oraclesum::text {

using oraclesum::Count;

struct Folded {
    Rows<std::int64_t> gains;  // gain k of g: references that contain g at least k times
    Rows<Count> counts;        // a row per sentence, ascending n-grams, none outside the references
    std::int64_t total = 0;    // n-grams of all references: ROUGE's denominator (Eq. 1)
};

Folded fold(std::span<const Runs> references, std::span<const Words> sentences, std::size_t n);

struct Match {
    std::int64_t hits;   // clipped per reference
    std::int64_t total;  // n-grams of the reference
};

// One match a reference, in their order.
std::vector<Match> match(const Runs& summary, std::span<const Runs> references, std::size_t n);

}  // namespace oraclesum::text
