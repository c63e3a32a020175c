// Longest common subsequences of word ids, with the very places that ROUGE marks.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "oraclesum/text/ngrams.hpp"

namespace oraclesum::measure {

using Run = std::span<const std::uint32_t>;

// Tables that are kept between calls.
class Marker {
public:
    // The places of `reference` on one longest common subsequence with `sentence`, ascending. Of several it is the one that
    // ROUGE-1.5.5 and rouge_score take: at a tie they step back in the reference.
    void mark(Run reference, Run sentence, std::vector<std::uint32_t>& places);

private:
    std::vector<std::uint32_t> table_;
};

// Lengths of longest common subsequences with one fixed text, 64 of its places at a time.
class Subsequence {
public:
    explicit Subsequence(Run fixed);

    // Starts with an empty text; append() adds words at its end.
    void restart();
    void append(Run words);
    [[nodiscard]] std::int64_t length() const;

private:
    std::size_t blocks_;
    std::size_t places_;
    std::unordered_map<std::uint32_t, std::size_t> row_;  // word -> its row of bit masks
    std::vector<std::uint64_t> masks_;
    std::vector<std::uint64_t> free_;  // bit j is 0 if the subsequence grows at place j
};

}  // namespace oraclesum::measure
