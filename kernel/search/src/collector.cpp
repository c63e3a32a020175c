// When a better score comes, the sets that fell behind it are dropped.
#include "collector.hpp"

#include <algorithm>

#include "oraclesum/search/error.hpp"

namespace oraclesum::search {

namespace {

constexpr std::size_t MAX_CELLS = std::size_t{1} << 24;  // of all tables of inclusion
constexpr std::size_t MAX_STOPPED = 1'000'000;           // sets that a walk lists which was stopped
constexpr std::size_t MAX_STOPPED_BYTES = MAX_LISTED_BYTES / 8;

}  // namespace

Collector::Collector(const Instance& instance, const Request& request) : instance_(&instance), request_(request) {
    if (request_.within_hits < 0) throw InputError("within_hits must not be negative");
    raise(0);
}

void Collector::raise(std::int64_t hits) {
    hits_ = hits;
    if (request_.family == Family::one) {
        threshold_ = hits_ + 1;  // one set of this score is enough
    } else {
        threshold_ = std::max<std::int64_t>(hits_ - request_.within_hits, 0);
    }
    const auto kept = levels_.lower_bound(threshold_);
    for (auto level = levels_.begin(); level != kept; ++level) {
        bytes_ -= level->second.bytes();
        cells_ -= level->second.cells();
    }
    levels_.erase(levels_.begin(), kept);
}

void Collector::start(const Selection& known) {
    if (known.set.empty()) return;
    known_ = known.set;
    raise(known.hits);
}

void Collector::offer(std::span<const std::uint32_t> set, const Coverage& covered, Clock& clock) {
    const std::int64_t hits = covered.hits();
    if (hits > hits_) {
        raise(hits);
        known_.assign(set.begin(), set.end());
    }
    if (request_.family == Family::one) return;
    if (request_.family == Family::minimal &&
        std::ranges::any_of(set, [&](std::uint32_t i) { return covered.loss(i) == 0; }))
        return;
    const auto [level, fresh] = levels_.try_emplace(hits, instance_->sentences(), request_.max_list);
    Listing& listing = level->second;
    const std::size_t bytes = listing.bytes(), cells = listing.cells();
    listing.add(set, bytes_ + listed_bytes(set.size()) <= MAX_LISTED_BYTES);
    bytes_ += listing.bytes() - bytes;
    cells_ += listing.cells() - cells;
    if (cells_ > MAX_CELLS) clock.run_out_of_memory();
}

// Stopped early, or asked for one set only: the best set known may not be among those kept. Any set can be cut down to a
// minimal one of the same hits.
void Collector::keep_known() {
    const auto best = levels_.find(hits_);
    if (known_.empty() || best != levels_.end()) return;
    Coverage covered(*instance_);
    for (const std::uint32_t i : known_) covered.add(i);
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t i : known_) {
        if (request_.family != Family::all && covered.loss(i) == 0) {
            covered.remove(i);
        } else {
            kept.push_back(i);
        }
    }
    levels_.try_emplace(hits_, instance_->sentences(), request_.max_list).first->second.add(kept);
}

Listing Collector::take(bool stopped) {
    keep_known();
    if (stopped)
        for (auto& [hits, level] : levels_) level.cut(MAX_STOPPED, MAX_STOPPED_BYTES);
    Listing all(instance_->sentences(), request_.max_list);
    if (levels_.size() == 1) {
        all = std::move(levels_.begin()->second);
    } else {
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) all.absorb(level->second);
    }
    levels_.clear();
    if (stopped) all.cut(MAX_STOPPED, MAX_STOPPED_BYTES);
    all.sort();
    return all;
}

}  // namespace oraclesum::search
