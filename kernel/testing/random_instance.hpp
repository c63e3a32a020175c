// Small random instances for the kernel's tests: ties, twins, repeated n-grams, sentences of no length, two limits.
#pragma once

#include <random>
#include <vector>

#include "oraclesum/search/instance.hpp"

namespace oraclesum::testing {

search::Instance random_instance(std::mt19937_64& engine, std::uint32_t max_sentences);

// The members of a subset of the sentences that is given as a bit mask, for tests that try all subsets.
std::vector<std::uint32_t> members(std::uint32_t mask);

}  // namespace oraclesum::testing
