// Keeps the sets near the best score that an enumerator has met so far.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "coverage.hpp"
#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/enumeration.hpp"
#include "oraclesum/search/greedy.hpp"

namespace oraclesum::search {

class Collector {
public:
    Collector(const Instance& instance, const Request& request);

    // A set that is known beforehand: raises the threshold, and is handed back if nothing as good was met.
    void start(const Selection& known);

    // Sets with fewer hits are of no use any more.
    [[nodiscard]] std::int64_t threshold() const { return threshold_; }
    [[nodiscard]] std::int64_t hits() const { return hits_; }

    // A set with at least threshold() hits; `covered` is its coverage. The clock ends if memory does: sets of hundreds
    // of sizes over thousands of sentences.
    void offer(std::span<const std::uint32_t> set, const Coverage& covered, Clock& clock);

    // Everything kept, sorted; the collector is empty afterwards. Of a walk that was stopped, which has no time left to
    // sort and hand on any number of sets, some are listed.
    [[nodiscard]] Listing take(bool stopped);

private:
    void raise(std::int64_t hits);
    void keep_known();

    const Instance* instance_;
    Request request_;
    std::int64_t hits_ = 0;
    std::int64_t threshold_ = 0;
    std::vector<std::uint32_t> known_;        // a set of hits_ hits
    std::map<std::int64_t, Listing> levels_;  // by hits: a rise of the best drops the lowest ones
    std::size_t bytes_ = 0;                   // of what the levels list
    std::size_t cells_ = 0;                   // of their tables of inclusion
};

}  // namespace oraclesum::search
