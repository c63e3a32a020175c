// Counts sets, tallies their members by size, and holds the first ones.
#include "oraclesum/search/listing.hpp"

#include <algorithm>
#include <numeric>

namespace oraclesum::search {

void Listing::reach(std::size_t size) {
    if (sizes_.size() <= size) {
        sizes_.resize(size + 1, 0);
        inclusion_.resize(size + 1);
    }
    if (!inclusion_[size].empty()) return;
    inclusion_[size].assign(sentences_, 0);
    cells_ += sentences_;
}

void Listing::store(std::span<const std::uint32_t> set) {
    if (listed() >= max_list_) return;
    const auto start = static_cast<std::ptrdiff_t>(members_.size());
    members_.insert(members_.end(), set.begin(), set.end());
    std::sort(members_.begin() + start, members_.end());
    starts_.push_back(members_.size());
    bytes_ += listed_bytes(set.size());
}

void Listing::add(std::span<const std::uint32_t> set, bool list) {
    reach(set.size());
    ++count_;
    ++sizes_[set.size()];
    auto& row = inclusion_[set.size()];
    for (const std::uint32_t i : set) ++row[i];
    if (list) store(set);
}

void Listing::absorb(const Listing& other) {
    count_ += other.count_;
    for (std::size_t size = 0; size < other.sizes_.size(); ++size) {
        if (other.sizes_[size] == 0) continue;
        reach(size);
        sizes_[size] += other.sizes_[size];
        for (std::size_t i = 0; i < sentences_; ++i) inclusion_[size][i] += other.inclusion_[size][i];
    }
    for (std::size_t place = 0; place < other.listed(); ++place) store(other[place]);
}

void Listing::clear() {
    count_ = 0;
    sizes_.clear();
    inclusion_.clear();
    cells_ = bytes_ = 0;
    members_.clear();
    starts_.assign(1, 0);
}

void Listing::cut(std::size_t most, std::size_t most_bytes) {
    while (listed() > most || bytes_ > most_bytes) {
        bytes_ -= listed_bytes((*this)[listed() - 1].size());
        starts_.pop_back();
    }
    members_.resize(starts_.back());
}

void Listing::sort() {
    std::vector<std::size_t> order(listed());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return std::ranges::lexicographical_compare((*this)[a], (*this)[b]);
    });
    std::vector<std::uint32_t> members;
    std::vector<std::size_t> starts{0};
    members.reserve(members_.size());
    starts.reserve(starts_.size());
    for (const std::size_t place : order) {
        const auto set = (*this)[place];
        members.insert(members.end(), set.begin(), set.end());
        starts.push_back(members.size());
    }
    members_ = std::move(members);
    starts_ = std::move(starts);
}

}  // namespace oraclesum::search
