// Where the search stands: what is taken, what it covers, what is left, and which classes are still free.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/search/problem.hpp"

namespace oraclesum::search {

struct Taken {
    std::uint32_t cls;
    std::uint32_t copies;

    friend bool operator==(const Taken&, const Taken&) = default;
    friend auto operator<=>(const Taken&, const Taken&) = default;
};

class State {
public:
    explicit State(const Problem& problem);

    [[nodiscard]] const Problem& problem() const { return *problem_; }
    [[nodiscard]] std::int64_t hits() const { return hits_; }
    [[nodiscard]] std::uint64_t covered(std::uint32_t column) const { return covered_[column]; }
    [[nodiscard]] std::int64_t left(std::size_t limit) const { return left_[limit]; }
    [[nodiscard]] std::span<const std::int64_t> left() const { return left_; }
    [[nodiscard]] std::span<const Taken> taken() const { return taken_; }

    // Gains of a column that are still to be had.
    [[nodiscard]] std::span<const std::int64_t> residual(std::uint32_t column) const {
        const auto gains = problem_->gains[column];
        const std::size_t reached = covered_[column];
        return reached < gains.size() ? gains.subspan(reached) : std::span<const std::int64_t>{};
    }

    [[nodiscard]] bool paid(std::uint32_t fee) const { return payers_[fee] > 0; }
    // Every floor is reached.
    [[nodiscard]] bool complete() const;

    [[nodiscard]] bool fits(std::uint32_t cls, std::uint32_t copies = 1) const;
    [[nodiscard]] std::int64_t gain(std::uint32_t cls, std::uint32_t copies = 1) const;
    // What the set would lose of a column's gains without one copy of a taken class that has it `count` times.
    [[nodiscard]] std::int64_t loss(const Cell& cell) const;
    void take(std::uint32_t cls, std::uint32_t copies = 1);
    void untake();  // the last one taken
    void untake_to(std::size_t size) {
        while (taken_.size() > size) untake();
    }

    // The free classes are the first `free_count` of `order`; a child only permutes within its own prefix, so
    // that its parent finds its own set again by restoring the count.
    std::vector<std::uint32_t> order;
    std::uint32_t free_count = 0;

    [[nodiscard]] std::span<const std::uint32_t> free() const { return {order.data(), free_count}; }
    void remove_at(std::uint32_t place) { std::swap(order[place], order[--free_count]); }

private:
    const Problem* problem_;
    std::vector<std::uint64_t> covered_;  // per column, not capped
    std::vector<std::int64_t> left_;      // per limit and floor; below 0 while a floor is not reached
    std::vector<std::uint32_t> payers_;   // per fee: taken entries that have it
    std::vector<Taken> taken_;
    std::vector<std::int64_t> gained_;  // hits of each taken entry
    std::int64_t hits_ = 0;
};

}  // namespace oraclesum::search
