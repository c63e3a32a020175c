// n-grams of word ids as dense ids: an n-gram is its first n-1 words' id joined with its last word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oraclesum::text {

using Words = std::vector<std::uint32_t>;

// A text as runs of words; n-grams stay inside a run. One run for a whole text, or one a sentence.
using Runs = std::vector<Words>;

// Number of n-grams of a text, equal ones counted each time.
std::int64_t count_ngrams(const Runs& text, std::size_t n);

// (prefix, word) to dense id, by open addressing.
class PairTable {
public:
    PairTable();
    std::uint32_t intern(std::uint32_t prefix, std::uint32_t word);
    [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t prefix, std::uint32_t word) const;
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t next;  // id + 1; 0 is a free slot
    };
    [[nodiscard]] std::size_t locate(std::uint64_t key) const;
    void grow();

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

class NgramTable {
public:
    // Throws std::invalid_argument unless n >= 1.
    explicit NgramTable(std::size_t n);

    // Appends the ids of all n-grams of the text, in order, new ones numbered as they come.
    void intern(std::span<const Words> text, std::vector<std::uint32_t>& ids);

    // Appends the ids of those n-grams of the text that were interned before.
    void find(std::span<const Words> text, std::vector<std::uint32_t>& ids) const;

    [[nodiscard]] std::size_t n() const { return levels_.size(); }
    [[nodiscard]] std::size_t size() const { return levels_.back().size(); }

private:
    // Words that were interned, by the last bits of their ids: what is not here need not be looked up.
    class Filter {
    public:
        void add(std::uint32_t word) { bits_[word >> 6U & 63U] |= std::uint64_t{1} << (word & 63U); }
        [[nodiscard]] bool may_have(std::uint32_t word) const { return bits_[word >> 6U & 63U] >> (word & 63U) & 1U; }

    private:
        std::array<std::uint64_t, 64> bits_{};
    };

    std::vector<PairTable> levels_;  // level k numbers the (k+1)-grams
    Filter words_;
};

}  // namespace oraclesum::text
