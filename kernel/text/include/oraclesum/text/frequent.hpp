// Sentences with frequent words, after SumBasic (Nenkova and Vanderwende 2005): a system that sees no references.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/text/ngrams.hpp"

namespace oraclesum::text {

struct Budget {
    std::int64_t left;
    std::vector<std::int64_t> lengths;  // per sentence
};

// Sentences in the order in which they are chosen: by the mean probability of their words, those of chosen sentences
// then squared. In each step the sentences with the most probable word compete; of equals the first is taken.
std::vector<std::uint32_t> select_frequent(std::span<const Words> sentences, std::vector<Budget> budgets);

}  // namespace oraclesum::text
