// The normal form of every problem here: concave integer gains per n-gram, sparse counts per sentence, limits.
//
// hits(S) = sum over n-grams g of the first c_g(S) gains of g, where c_g(S) is how often the sentences of S
// contain g. Several references fold into the gains: gain k of g is the number of references that contain g at
// least k times. A set is feasible when, for every limit, the lengths of its sentences add up to at most its budget.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oraclesum::search {

struct Entry {
    std::uint32_t ngram;
    std::uint32_t count;

    friend bool operator==(const Entry&, const Entry&) = default;
    friend auto operator<=>(const Entry&, const Entry&) = default;
};

struct Limit {
    std::int64_t budget;
    std::vector<std::int64_t> lengths;  // one per sentence
};

// A sparse matrix by rows: row i is values[starts[i] .. starts[i + 1]).
template <class T>
class Rows {
public:
    void add_row(std::span<const T> row) {
        values_.insert(values_.end(), row.begin(), row.end());
        starts_.push_back(values_.size());
    }
    [[nodiscard]] std::size_t size() const { return starts_.size() - 1; }
    [[nodiscard]] std::span<const T> operator[](std::size_t i) const {
        return {values_.data() + starts_[i], starts_[i + 1] - starts_[i]};
    }
    [[nodiscard]] std::size_t entries() const { return values_.size(); }
    void clear() {
        starts_.assign(1, 0);
        values_.clear();
    }

private:
    std::vector<std::size_t> starts_{0};
    std::vector<T> values_;
};

class Instance {
public:
    // Throws InputError if the parts do not fit together or a number is outside its range (ranges.hpp); rows may come
    // unsorted, equal n-grams are added up.
    Instance(const std::vector<std::vector<std::int64_t>>& gains, const std::vector<std::vector<Entry>>& counts,
             std::vector<Limit> limits);

    // One entry of a row, for callers whose numbers are wider than an Entry's; throws InputError if they do not fit.
    [[nodiscard]] static Entry make_entry(std::size_t sentence, std::int64_t ngram, std::int64_t count);

    [[nodiscard]] std::size_t sentences() const { return counts_.size(); }
    [[nodiscard]] std::size_t ngrams() const { return gains_.size(); }
    [[nodiscard]] std::span<const std::int64_t> gains(std::size_t ngram) const { return gains_[ngram]; }
    [[nodiscard]] std::span<const Entry> counts(std::size_t sentence) const { return counts_[sentence]; }
    [[nodiscard]] const std::vector<Limit>& limits() const { return limits_; }

    // Shares an n-gram with a reference and fits the limits alone: the only sentences an oracle may hold.
    [[nodiscard]] bool candidate(std::size_t sentence) const;
    [[nodiscard]] std::vector<std::uint32_t> candidates() const;

    // Eq. 1's numerator for a set, from scratch. The obviously right version that every answer is checked against.
    [[nodiscard]] std::int64_t hits(std::span<const std::uint32_t> set) const;
    [[nodiscard]] bool feasible(std::span<const std::uint32_t> set) const;

private:
    void store_gains(const std::vector<std::vector<std::int64_t>>& gains);
    void check_limits(std::size_t sentences) const;
    void store_counts(const std::vector<std::vector<Entry>>& counts);

    Rows<std::int64_t> gains_;
    Rows<Entry> counts_;
    std::vector<Limit> limits_;
};

}  // namespace oraclesum::search
