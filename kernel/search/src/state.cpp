// Taking and giving back classes, with coverage, lengths and hits kept in step.
#include "state.hpp"

#include <algorithm>
#include <numeric>

namespace oraclesum::search {

State::State(const Problem& problem)
    : order(problem.classes()),
      free_count(static_cast<std::uint32_t>(problem.classes())),
      problem_(&problem),
      covered_(problem.columns(), 0),
      left_(problem.budgets),
      payers_(problem.fees.size(), 0) {
    std::iota(order.begin(), order.end(), 0U);
    taken_.reserve(problem.classes());
    gained_.reserve(problem.classes());
}

bool State::complete() const {
    for (std::size_t r = problem_->uppers; r < left_.size(); ++r)
        if (left_[r] < 0) return false;
    return true;
}

bool State::fits(std::uint32_t cls, std::uint32_t copies) const {
    const auto lengths = problem_->lengths[cls];
    for (std::size_t r = 0; r < problem_->uppers; ++r)
        if (lengths[r] * copies > left_[r]) return false;
    return true;
}

std::int64_t State::gain(std::uint32_t cls, std::uint32_t copies) const {
    std::int64_t sum = problem_->base[cls] * copies;
    for (const Cell& cell : problem_->rows[cls]) {
        const auto rest = residual(cell.column);
        const std::size_t reach = std::min<std::size_t>(std::size_t{cell.count} * copies, rest.size());
        for (std::size_t k = 0; k < reach; ++k) sum += rest[k];
    }
    if (!payers_.empty())
        for (const std::uint32_t fee : problem_->fee_rows[cls])
            if (payers_[fee] == 0) sum -= problem_->fees[fee];
    return sum;
}

std::int64_t State::loss(const Cell& cell) const {
    const auto gains = problem_->gains[cell.column];
    std::int64_t sum = 0;
    for (std::uint64_t k = covered_[cell.column] - cell.count; k < covered_[cell.column] && k < gains.size(); ++k)
        sum += gains[k];
    return sum;
}

void State::take(std::uint32_t cls, std::uint32_t copies) {
    const std::int64_t sum = gain(cls, copies);
    for (const Cell& cell : problem_->rows[cls]) covered_[cell.column] += std::uint64_t{cell.count} * copies;
    const auto lengths = problem_->lengths[cls];
    for (std::size_t r = 0; r < left_.size(); ++r) left_[r] -= lengths[r] * copies;
    if (!payers_.empty())
        for (const std::uint32_t fee : problem_->fee_rows[cls]) ++payers_[fee];
    taken_.push_back({cls, copies});
    gained_.push_back(sum);
    hits_ += sum;
}

void State::untake() {
    const auto [cls, copies] = taken_.back();
    for (const Cell& cell : problem_->rows[cls]) covered_[cell.column] -= std::uint64_t{cell.count} * copies;
    const auto lengths = problem_->lengths[cls];
    for (std::size_t r = 0; r < left_.size(); ++r) left_[r] += lengths[r] * copies;
    if (!payers_.empty())
        for (const std::uint32_t fee : problem_->fee_rows[cls]) --payers_[fee];
    hits_ -= gained_.back();
    taken_.pop_back();
    gained_.pop_back();
}

}  // namespace oraclesum::search
