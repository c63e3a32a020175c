// What all parts of the kernel share: how often a sentence has an n-gram, and rows of different lengths in one piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oraclesum {

struct Count {
    std::uint32_t ngram;
    std::uint32_t count;

    friend bool operator==(const Count&, const Count&) = default;
    friend auto operator<=>(const Count&, const Count&) = default;
};

// A sparse matrix by rows: row i is values[starts[i] .. starts[i + 1]).
template <class T>
class Rows {
public:
    void reserve(std::size_t rows, std::size_t values) {
        starts_.reserve(rows + 1);
        values_.reserve(values);
    }
    void add_row(std::span<const T> row) {
        values_.insert(values_.end(), row.begin(), row.end());
        starts_.push_back(values_.size());
    }
    void add_row(std::size_t size, const T& value) {
        values_.resize(values_.size() + size, value);
        starts_.push_back(values_.size());
    }
    [[nodiscard]] std::size_t size() const { return starts_.size() - 1; }
    [[nodiscard]] std::span<const T> operator[](std::size_t i) const {
        return {values_.data() + starts_[i], starts_[i + 1] - starts_[i]};
    }
    [[nodiscard]] std::span<T> operator[](std::size_t i) {
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

}  // namespace oraclesum
