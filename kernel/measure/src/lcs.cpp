// Longest common subsequences: a table to read the places from, bit vectors if only the length counts.
#include "lcs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace oraclesum::measure {

namespace {

constexpr std::size_t largest_table = std::size_t{1} << 16;  // numbers; of usual sentences far fewer

}  // namespace

void Marker::mark(Run reference, Run sentence, std::vector<std::uint32_t>& places) {
    places.clear();
    if (reference.empty() || sentence.empty()) return;
    if (meter_ != nullptr) meter_->spend(1);
    if ((sentence.size() + 1) <= largest_table / (reference.size() + 1))
        mark_by_table(reference, sentence, places);
    else
        mark_by_bits(reference, sentence, places);
    std::ranges::reverse(places);
}

void Marker::mark_by_table(Run reference, Run sentence, std::vector<std::uint32_t>& places) {
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
}

// The same way back for texts whose table would fill the memory. If the last words differ, t[i][j] is the larger of t[i-1][j] and
// t[i][j-1], and no more than 1 above either: so t[i][j-1] > t[i-1][j] says just that column j grows at place i, a bit.
// Of n columns only every sqrt(n)-th is kept; those between are computed once more on the way back.
void Marker::mark_by_bits(Run reference, Run sentence, std::vector<std::uint32_t>& places) const {
    Subsequence column(reference, meter_);
    const auto copy = [&] {
        if (meter_ != nullptr) meter_->spend(1 + column.bits().size() / 4);
        return column.bits();
    };
    const auto step = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(sentence.size()))));
    std::vector<Subsequence::Bits> kept, between;
    for (std::size_t first = 0; first < sentence.size(); first += step) {
        kept.push_back(copy());
        column.append(sentence.subspan(first, std::min(step, sentence.size() - first)));
    }
    std::size_t i = reference.size(), j = sentence.size();
    while (i > 0 && j > 0) {
        const std::size_t first = (j - 1) / step * step;
        if (kept.size() > first / step) {  // the first look at these columns
            column.restart(kept.back());
            kept.pop_back();
            between.clear();
            for (std::size_t at = first; at < j; ++at) {
                column.append(sentence.subspan(at, 1));
                between.push_back(copy());
            }
        }
        if (reference[i - 1] == sentence[j - 1]) {
            --i, --j;
            places.push_back(static_cast<std::uint32_t>(i));
        } else if ((between[j - 1 - first][(i - 1) / 64] >> ((i - 1) % 64) & 1) == 0) {
            --j;
        } else {
            --i;
        }
    }
}

Subsequence::Subsequence(Run fixed, Meter* meter)
    : blocks_((fixed.size() + 63) / 64), places_(fixed.size()), meter_(meter) {
    for (std::size_t place = 0; place < fixed.size(); ++place) {
        const auto [at, fresh] = row_.try_emplace(fixed[place], row_.size());
        if (fresh) masks_.emplace_back();
        std::vector<Mask>& row = masks_[at->second];
        if (row.empty() || row.back().block != place / 64) row.push_back({place / 64, 0});
        row.back().places |= std::uint64_t{1} << (place % 64);
    }
    restart();
}

void Subsequence::restart() { free_.assign(blocks_, ~std::uint64_t{0}); }

// One step per word (Crochemore et al. 2001): free + (free & mask), with the carry from block to block, or free & ~mask. Blocks
// without the word change only as far as the carry goes.
void Subsequence::append(Run words) {
    for (const std::uint32_t word : words) {
        const auto found = row_.find(word);
        if (found == row_.end()) continue;
        if (meter_ != nullptr) meter_->spend(masks_[found->second].size());
        std::uint64_t carry = 0;
        std::size_t next = 0;
        const auto carry_on = [&](std::size_t end) {
            for (; carry != 0 && next < end; ++next) {
                const std::uint64_t sum = free_[next] + 1;
                carry = static_cast<std::uint64_t>(sum == 0);
                free_[next] |= sum;
            }
        };
        for (const auto [block, mask] : masks_[found->second]) {
            carry_on(block);
            std::uint64_t& bits = free_[block];
            const std::uint64_t hit = bits & mask;
            const std::uint64_t half = bits + hit;
            const std::uint64_t sum = half + carry;
            carry = static_cast<std::uint64_t>((half < hit) | (sum < half));
            bits = sum | (bits & ~mask);
            next = block + 1;
        }
        carry_on(blocks_);
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
