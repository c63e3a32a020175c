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

// Ends long counts with the clock. A step looks at 64 places; the first steps of a count are made whatever the clock says.
class Meter {
public:
    explicit Meter(const search::Bounds* bounds = nullptr, std::size_t free_steps = 0)
        : bounds_(bounds), free_steps_(free_steps) {}

    void begin() { spent_ = 0; }
    // Throws search::Stopped.
    void spend(std::size_t steps) {
        if (bounds_ == nullptr) return;
        spent_ += steps;
        if (spent_ > free_steps_) bounds_->step();
    }

private:
    const search::Bounds* bounds_;
    std::size_t free_steps_;
    std::size_t spent_ = 0;
};

// Lengths of longest common subsequences with one fixed text, 64 of its places at a time.
class Subsequence {
public:
    using Bits = std::vector<std::uint64_t>;  // per place of the fixed text; bit j is 0 if the subsequence grows there

    // `meter`, if there is one, pays for every word that is appended.
    explicit Subsequence(Run fixed, Meter* meter = nullptr);

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
    Meter* meter_;
    std::unordered_map<std::uint32_t, std::size_t> row_;  // word -> its row of masks
    std::vector<std::vector<Mask>> masks_;                // only blocks that have the word, ascending
    Bits free_;
};

// Tables that are kept between calls.
class Marker {
public:
    // `meter`, if there is one, pays for every sentence, and for every word of a long one.
    explicit Marker(Meter* meter = nullptr) : meter_(meter) {}

    // The places of `reference` on one longest common subsequence with `sentence`, ascending. Of several it is the one that
    // ROUGE-1.5.5 and rouge_score take: at a tie they step back in the reference.
    void mark(Run reference, Run sentence, std::vector<std::uint32_t>& places);

private:
    void mark_by_table(Run reference, Run sentence, std::vector<std::uint32_t>& places);
    void mark_by_bits(Run reference, Run sentence, std::vector<std::uint32_t>& places) const;

    Meter* meter_;
    std::vector<std::uint32_t> table_;
};

}  // namespace oraclesum::measure
