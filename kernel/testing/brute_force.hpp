// Families by trying every subset of the sentences: slow, and obviously right.
#pragma once

#include <cstdint>
#include <vector>

#include "oraclesum/search/family.hpp"
#include "oraclesum/search/instance.hpp"
#include "oraclesum/search/lister.hpp"

namespace oraclesum::testing {

using Sets = std::vector<search::Set>;

struct Truth {
    std::int64_t best = 0;
    Sets sets;  // in lexicographic order
};

// Dropping any one sentence loses hits.
bool is_minimal(const search::Instance& instance, const search::Set& set);

Truth try_every_subset(const search::Instance& instance, std::int64_t within, bool minimal);

// All sets of a family in order, from the first one not before `from`.
Sets list_sets(const search::DiagramFamily& family, const search::Set& from = {},
               std::uint64_t max_per_part = search::Lister::usual_part);

}  // namespace oraclesum::testing
