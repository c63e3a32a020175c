// Bounds for questions that are to be answered whatever they cost.
#pragma once

#include "oraclesum/search/bounds.hpp"

namespace oraclesum::testing {

inline search::Bounds unbounded() {
    static search::Clock clock;
    return search::Bounds(clock);
}

}  // namespace oraclesum::testing
