// What an enumerator is asked, what it hands back, and the collector that keeps only the best sets it meets.
//
// A summary holds at least one sentence: the empty set is never counted, whatever its hits.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/coverage.hpp"
#include "oraclesum/search/greedy.hpp"
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

class Collector {
public:
    Collector(const Instance& instance, const Request& request);

    // A set that is known beforehand: raises the threshold, and is handed back where nothing as good was met.
    void start(const Selection& known);

    // Sets with fewer hits are of no use any more.
    [[nodiscard]] std::int64_t threshold() const { return threshold_; }
    [[nodiscard]] std::int64_t hits() const { return hits_; }

    // A set with at least threshold() hits; `covered` is its coverage.
    void offer(std::span<const std::uint32_t> set, const Coverage& covered);

    // Everything kept, sorted; the collector is empty afterwards.
    [[nodiscard]] Listing take();

private:
    void raise(std::int64_t hits);
    void keep_known();

    const Instance* instance_;
    Request request_;
    std::int64_t hits_ = 0;
    std::int64_t threshold_ = 0;
    std::vector<std::uint32_t> known_;        // a set of hits_ hits
    std::map<std::int64_t, Listing> levels_;  // by hits: a rise of the best drops the lowest ones
};

}  // namespace oraclesum::search
