// Longest common subsequences: a table to read the places from, bit vectors if only the length counts.
#include "lcs.hpp"

#include <algorithm>
#include <bit>

namespace oraclesum::measure {

void Marker::mark(Run reference, Run sentence, std::vector<std::uint32_t>& places) {
    places.clear();
    const std::size_t width = sentence.size() + 1;
    table_.assign((reference.size() + 1) * width, 0);
    for (std::size_t i = 1; i <= reference.size(); ++i) {
        const std::uint32_t word = reference[i - 1];
        std::uint32_t* const row = table_.data() + i * width;
        const std::uint32_t* const above = row - width;
        for (std::size_t j = 1; j < width; ++j)
            row[j] = word == sentence[j - 1] ? above[j - 1] + 1 : std::max(above[j], row[j - 1]);
    }
    std::size_t i = reference.size(), j = sentence.size();
    while (i > 0 && j > 0) {
        if (reference[i - 1] == sentence[j - 1]) {
            --i, --j;
            places.push_back(static_cast<std::uint32_t>(i));
        } else if (table_[i * width + j - 1] > table_[(i - 1) * width + j]) {
            --j;
        } else {
            --i;
        }
    }
    std::ranges::reverse(places);
}

Subsequence::Subsequence(Run fixed) : blocks_((fixed.size() + 63) / 64), places_(fixed.size()) {
    for (std::size_t place = 0; place < fixed.size(); ++place) {
        const auto [at, fresh] = row_.try_emplace(fixed[place], row_.size());
        if (fresh) masks_.resize(masks_.size() + blocks_, 0);
        masks_[at->second * blocks_ + place / 64] |= std::uint64_t{1} << (place % 64);
    }
    restart();
}

void Subsequence::restart() { free_.assign(blocks_, ~std::uint64_t{0}); }

// One step per word (Crochemore et al. 2001): free + (free & mask), with the carry from block to block, or free & ~mask.
void Subsequence::append(Run words) {
    for (const std::uint32_t word : words) {
        const auto found = row_.find(word);
        if (found == row_.end()) continue;
        const std::uint64_t* const mask = masks_.data() + found->second * blocks_;
        std::uint64_t carry = 0;
        for (std::size_t b = 0; b < blocks_; ++b) {
            const std::uint64_t hit = free_[b] & mask[b];
            const std::uint64_t half = free_[b] + hit;
            const std::uint64_t sum = half + carry;
            carry = static_cast<std::uint64_t>((half < hit) | (sum < half));
            free_[b] = sum | (free_[b] & ~mask[b]);
        }
    }
}

std::int64_t Subsequence::length() const {
    std::int64_t grown = 0;
    for (std::size_t b = 0; b < blocks_; ++b) {
        const std::size_t rest = places_ - b * 64;
        const std::uint64_t used = rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
        grown += std::popcount(~free_[b] & used);
    }
    return grown;
}

}  // namespace oraclesum::measure
