// Longest common subsequences of word ids, with the very places that ROUGE marks.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "oraclesum/search/bounds.hpp"
#include "oraclesum/text/ngrams.hpp"

namespace oraclesum::measure {

using Run = std::span<const std::uint32_t>;

// Lengths of longest common subsequences with one fixed text, 64 of its places at a time.
class Subsequence {
public:
    using Bits = std::vector<std::uint64_t>;  // per place of the fixed text; bit j is 0 if the subsequence grows there

    // `bounds`, if there are any, are asked at every word that is appended.
    explicit Subsequence(Run fixed, const search::Bounds* bounds = nullptr);

    // Starts with an empty text, or where `bits` had been read; append() adds words at its end.
    void restart();
    void restart(const Bits& bits) { free_ = bits; }
    void append(Run words);
    [[nodiscard]] std::int64_t length() const;
    [[nodiscard]] const Bits& bits() const { return free_; }

private:
    struct Mask {
        std::size_t block;
        std::uint64_t places;
    };
    std::size_t blocks_;
    std::size_t places_;
    const search::Bounds* bounds_;
    std::unordered_map<std::uint32_t, std::size_t> row_;  // word -> its row of masks
    std::vector<std::vector<Mask>> masks_;                // only blocks that have the word, ascending
    Bits free_;
};

// Tables that are kept between calls.
class Marker {
public:
    // `bounds`, if there are any, are asked for every sentence, and at every word of a long one.
    explicit Marker(const search::Bounds* bounds = nullptr) : bounds_(bounds) {}

    // The places of `reference` on one longest common subsequence with `sentence`, ascending. Of several it is the one that
    // ROUGE-1.5.5 and rouge_score take: at a tie they step back in the reference.
    void mark(Run reference, Run sentence, std::vector<std::uint32_t>& places);

private:
    void mark_by_table(Run reference, Run sentence, std::vector<std::uint32_t>& places);
    void mark_by_bits(Run reference, Run sentence, std::vector<std::uint32_t>& places) const;

    const search::Bounds* bounds_;
    std::vector<std::uint32_t> table_;
};

}  // namespace oraclesum::measure
