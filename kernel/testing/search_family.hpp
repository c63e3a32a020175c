// The family of an instance as the search finds it.
#pragma once

#include <cstdint>

#include "oraclesum/search/family.hpp"
#include "oraclesum/search/instance.hpp"

namespace oraclesum::testing {

search::DiagramFamily search_family(const search::Instance& instance, std::int64_t within);

}  // namespace oraclesum::testing
