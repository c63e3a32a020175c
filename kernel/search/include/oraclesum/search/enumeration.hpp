// What an enumerator is asked, and what it hands back.
//
// A summary holds at least one sentence: the empty set is never counted, whatever its hits.
#pragma once

#include <cstdint>

#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/listing.hpp"

namespace oraclesum::search {

enum class Family {
    all,      // every set, padded ones too (the paper's)
    minimal,  // sets from which no sentence can be dropped without loss of hits
    one       // a single best set, cut down to a minimal one, is enough
};

struct Request {
    Family family = Family::all;
    std::int64_t within_hits = 0;  // keep sets of at least (best - within_hits) hits
    std::uint64_t max_list = 0;    // sets to hold; all are counted
};

struct Enumeration {
    std::int64_t hits = 0;         // best found
    std::int64_t upper_bound = 0;  // no feasible set has more; equals hits when proven
    std::uint64_t checked = 0;     // summaries looked at
    StopReason reason = StopReason::none;
    Listing listing;
};

}  // namespace oraclesum::search
