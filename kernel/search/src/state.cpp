// Taking and giving back classes, with coverage, lengths and hits kept in step.
#include "oraclesum/search/state.hpp"

#include <algorithm>
#include <numeric>

namespace oraclesum::search {

State::State(const Problem& problem)
    : order(problem.classes()),
      free_count(static_cast<std::uint32_t>(problem.classes())),
      problem_(&problem),
      covered_(problem.columns(), 0),
      left_(problem.budgets) {
    std::iota(order.begin(), order.end(), 0U);
    taken_.reserve(problem.classes());
    gained_.reserve(problem.classes());
}

bool State::fits(std::uint32_t cls, std::uint32_t copies) const {
    const auto lengths = problem_->lengths[cls];
    for (std::size_t r = 0; r < left_.size(); ++r)
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
    return sum;
}

void State::take(std::uint32_t cls, std::uint32_t copies) {
    const std::int64_t sum = gain(cls, copies);
    for (const Cell& cell : problem_->rows[cls]) covered_[cell.column] += std::uint64_t{cell.count} * copies;
    const auto lengths = problem_->lengths[cls];
    for (std::size_t r = 0; r < left_.size(); ++r) left_[r] -= lengths[r] * copies;
    taken_.push_back({cls, copies});
    gained_.push_back(sum);
    hits_ += sum;
}

void State::untake() {
    const auto [cls, copies] = taken_.back();
    for (const Cell& cell : problem_->rows[cls]) covered_[cell.column] -= std::uint64_t{cell.count} * copies;
    const auto lengths = problem_->lengths[cls];
    for (std::size_t r = 0; r < left_.size(); ++r) left_[r] += lengths[r] * copies;
    hits_ -= gained_.back();
    taken_.pop_back();
    gained_.pop_back();
}

}  // namespace oraclesum::search
