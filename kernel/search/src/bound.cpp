// Alg. 1 in integers: residual gains, then the fractional knapsack of each limit, densest first off a heap.
#include "bound.hpp"

#include <algorithm>
#include <limits>

#include "oraclesum/search/ranges.hpp"

namespace oraclesum::search {

Bound::Bound(const Instance& instance) : instance_(&instance) {
    gaining_.reserve(instance.sentences());
    gains_.reserve(instance.sentences());
    items_.reserve(instance.sentences());
}

void Bound::price(const Coverage& covered, std::span<const std::uint32_t> remaining) {
    gaining_.clear();
    gains_.clear();
    for (const std::uint32_t i : remaining)
        if (const std::int64_t gain = covered.gain(i); gain > 0) {
            gaining_.push_back(i);
            gains_.push_back(gain);
        }
}

// No set has more hits than largest_total, so a sum is cut there and stays a bound.
std::int64_t Bound::fill(std::size_t limit, std::int64_t room) {
    const auto& lengths = instance_->limits()[limit].lengths;
    const auto add = [](std::int64_t a, std::int64_t b) { return std::min(a + b, ranges::largest_total); };
    items_.clear();
    std::int64_t gained = 0;
    std::int64_t whole_length = 0, whole_gain = 0;
    for (std::size_t at = 0; at < gaining_.size(); ++at) {
        const Density item{gains_[at], lengths[gaining_[at]]};
        if (item.length == 0) {
            gained = add(gained, item.gain);
        } else {
            items_.push_back(item);
            whole_length += item.length;
            whole_gain = add(whole_gain, item.gain);
        }
    }
    if (whole_length <= room) return add(gained, whole_gain);
    const auto later = [](const Density& a, const Density& b) { return denser(b, a); };
    std::ranges::make_heap(items_, later);
    while (!items_.empty()) {
        std::ranges::pop_heap(items_, later);
        const Density item = items_.back();
        items_.pop_back();
        if (item.length > room) return add(gained, share(item, room));
        gained = add(gained, item.gain);
        room -= item.length;
    }
    return gained;
}

std::int64_t Bound::best(const Coverage& covered, std::span<const std::uint32_t> remaining) {
    price(covered, remaining);
    std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
    for (std::size_t limit = 0; limit < instance_->limits().size(); ++limit)
        smallest = std::min(smallest, fill(limit, covered.left(limit)));
    return covered.hits() + smallest;
}

bool Bound::reaches(const Coverage& covered, std::span<const std::uint32_t> remaining, std::int64_t hits) {
    price(covered, remaining);
    for (std::size_t limit = 0; limit < instance_->limits().size(); ++limit)
        if (covered.hits() + fill(limit, covered.left(limit)) < hits) return false;
    return true;
}

}  // namespace oraclesum::search
