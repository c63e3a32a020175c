// Whoever wants to see every set that a search meets, to score it in a way that the search does not know.
#pragma once

#include "state.hpp"

namespace oraclesum::search {

class Judge {
public:
    virtual ~Judge() = default;
    // A set that reaches the target; false ends the search.
    virtual bool visit(const State& state) = 0;
};

}  // namespace oraclesum::search
