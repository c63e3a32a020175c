// Pairs of sets as pairs of bit rows over the sentences that occur.
#include "oraclesum/search/agreement.hpp"

#include <algorithm>
#include <bit>

namespace oraclesum::search {

std::vector<std::uint64_t> tally_overlaps(std::span<const Set> sets, const Bounds& bounds) {
    Set support;
    std::size_t most = 0;
    for (const Set& set : sets) {
        support.insert(support.end(), set.begin(), set.end());
        most = std::max(most, set.size());
    }
    std::ranges::sort(support);
    support.erase(std::unique(support.begin(), support.end()), support.end());
    const std::size_t words = (support.size() + 63) / 64;
    bounds.need(8.0 * static_cast<double>(sets.size()) * static_cast<double>(words) + 16.0 * static_cast<double>(most),
                "comparing all pairs of oracles");
    std::vector<std::uint64_t> bits(sets.size() * words, 0);
    for (std::size_t s = 0; s < sets.size(); ++s) {
        for (const std::uint32_t sentence : sets[s]) {
            const auto at = static_cast<std::size_t>(std::ranges::lower_bound(support, sentence) - support.begin());
            bits[s * words + at / 64] |= std::uint64_t{1} << (at % 64);
        }
    }
    std::vector<std::uint64_t> table(2 * most + 1, 0);
    for (std::size_t a = 0; a < sets.size(); ++a) {
        const std::uint64_t* left = &bits[a * words];
        for (std::size_t b = a + 1; b < sets.size(); ++b) {
            bounds.step();
            const std::uint64_t* right = &bits[b * words];
            std::size_t shared = 0;
            for (std::size_t w = 0; w < words; ++w)
                shared += static_cast<std::size_t>(std::popcount(left[w] & right[w]));
            table[sets[a].size() + sets[b].size() - shared] += shared;
        }
    }
    return table;
}

}  // namespace oraclesum::search
