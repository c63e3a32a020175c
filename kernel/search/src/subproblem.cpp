// Keys of sub-problems: the free classes, what each can still gain, the length that can still be used, the need.
#include "subproblem.hpp"

#include <algorithm>

namespace oraclesum::search {

namespace {

constexpr std::int64_t longest_table = 2048;  // lengths up to this are rounded down to one that a set can have

}  // namespace

Namer::Namer(const Problem& problem)
    : problem_(&problem),
      suppliers_(problem.columns(), 0),
      supply_(problem.columns(), 0),
      reachable_(problem.columns(), 0),
      named_(problem.columns(), 0) {
    touched_.reserve(problem.columns());
    sums_.reserve(longest_table / 64 + 1);
}

// A length left that no set of free classes can use says no more than the longest that one can.
void Namer::add_lengths(Key& key, const State& state) {
    for (std::size_t r = problem_->uppers; r < problem_->budgets.size(); ++r)  // what a floor still asks for
        key.add(Part(3, static_cast<std::uint32_t>(r))
                    .append(static_cast<std::uint64_t>(std::min<std::int64_t>(0, state.left(r)))));
    for (std::size_t r = 0; r < problem_->uppers; ++r) {
        std::int64_t all = 0;
        for (const std::uint32_t cls : state.free()) all += problem_->lengths[cls][r] * problem_->copies(cls);
        std::int64_t left = state.left(r);
        if (all <= left) {
            left = all;
        } else if (left < longest_table) {
            const std::size_t words = static_cast<std::size_t>(left) / 64 + 1;
            sums_.assign(words, 0);
            sums_[0] = 1;
            for (const std::uint32_t cls : state.free()) {
                const auto length = static_cast<std::size_t>(problem_->lengths[cls][r]);
                if (length == 0) continue;
                const std::size_t shift = length / 64, bits = length % 64;
                for (std::uint32_t copy = 0; copy < problem_->copies(cls) && shift < words; ++copy)
                    for (std::size_t w = words; w-- > shift;) {
                        std::uint64_t moved = sums_[w - shift] << bits;
                        if (bits > 0 && w > shift) moved |= sums_[w - shift - 1] >> (64 - bits);
                        sums_[w] |= moved;
                    }
            }
            while (!(sums_[static_cast<std::size_t>(left) / 64] >> (left % 64) & 1)) --left;
        }
        key.add(Part(3, static_cast<std::uint32_t>(r)).append(static_cast<std::uint64_t>(left)));
    }
}

Key Namer::name(const State& state, std::int64_t need) {
    Key key;
    touched_.clear();
    for (const std::uint32_t cls : state.free())
        for (const Cell& cell : problem_->rows[cls]) {
            if (state.covered(cell.column) >= problem_->gains[cell.column].size()) continue;
            if (suppliers_[cell.column] == 0) touched_.push_back(cell.column);
            suppliers_[cell.column] += problem_->copies(cls);
            supply_[cell.column] += std::uint64_t{problem_->copies(cls)} * cell.count;
        }
    for (const std::uint32_t cls : state.free()) {
        // What only this class can still supply counts as its own hits, wherever they come from.
        std::int64_t own = problem_->base[cls];
        for (const Cell& cell : problem_->rows[cls]) {
            if (suppliers_[cell.column] != 1) continue;
            const auto rest = state.residual(cell.column);
            for (std::size_t k = 0; k < rest.size() && k < cell.count; ++k) own += rest[k];
        }
        key.add(Part(1, cls).append(static_cast<std::uint64_t>(own)));
    }
    for (const std::uint32_t column : touched_) {
        if (suppliers_[column] > 1) {
            const auto rest = state.residual(column);
            Part gains(2, column);
            for (std::size_t k = 0; k < rest.size() && k < supply_[column]; ++k)
                gains.append(static_cast<std::uint64_t>(rest[k]));
            key.add(gains);
        }
        suppliers_[column] = 0;
        supply_[column] = 0;
    }
    if (!problem_->fees.empty())
        for (const std::uint32_t cls : state.free())
            for (const std::uint32_t fee : problem_->fee_rows[cls])
                if (state.paid(fee)) key.add(Part(9, fee).append(cls));
    add_lengths(key, state);
    key.add(Part(4, 0).append(static_cast<std::uint64_t>(need)));
    return key;
}

Key Namer::name_free(const State& state) {
    Key key;
    for (const std::uint32_t cls : state.free()) key.add(Part(5, cls));
    add_lengths(key, state);
    return key;
}

// A taken class is indispensable while it loses more than its cost, without a cost: while some n-gram of its is not covered without it. Free classes can only take that
// away on n-grams they have, so those decide: which of them each taken class relies on, and how far they are covered.
void Namer::add_taken(Key& key, const State& state) {
    for (const std::uint32_t cls : state.free())
        for (const Cell& cell : problem_->rows[cls]) reachable_[cell.column] = 1;
    touched_.clear();
    for (const auto& [cls, copies] : state.taken()) {
        if (problem_->base[cls] > 0) continue;
        Key relied;
        std::int64_t for_good = problem_->base[cls];  // lost without it, whatever is added
        for (const Cell& cell : problem_->rows[cls]) {
            if (state.covered(cell.column) >= problem_->gains[cell.column].size() + cell.count) continue;
            if (!reachable_[cell.column]) for_good += state.loss(cell);
            relied.add(Part(6, cell.column).append(cell.count));
        }
        if (for_good > 0) continue;
        if (for_good < 0) relied.add(Part(6, cls).append(static_cast<std::uint64_t>(for_good)).append(cls));
        key.add(Part(7, 0).append(relied.a).append(relied.b));
        for (const Cell& cell : problem_->rows[cls]) {
            if (!reachable_[cell.column] || named_[cell.column]) continue;
            named_[cell.column] = 1;
            touched_.push_back(cell.column);
            key.add(Part(8, cell.column).append(state.covered(cell.column)));
        }
    }
    for (const std::uint32_t column : touched_) named_[column] = 0;
    for (const std::uint32_t cls : state.free())
        for (const Cell& cell : problem_->rows[cls]) reachable_[cell.column] = 0;
}

}  // namespace oraclesum::search
