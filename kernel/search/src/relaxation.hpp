// The Lagrangian relaxation at one node: bounds from multipliers in fixed point, and what they let us fix.
//
// For multipliers mu_g >= 0 per n-gram and lambda >= 0 per limit, with r_i = base_i + sum mu_g N_ig - lambda l_i,
//   U = lambda L + sum_g sum_k max(0, w_gk - mu_g) + sum_i max(0, r_i)
// bounds the hits that the free classes can still add. Multipliers are integers in units of 2^-b hits with
// b = Problem::fraction_bits, 20 for all but huge numbers, so U is exact for them and pruning never depends on a float;
// floats only steer which multipliers are tried. ranges.hpp shows that every sum and product fits 64 bits.
#pragma once

#include <cstdint>
#include <vector>

#include "oraclesum/search/clock.hpp"
#include "state.hpp"

namespace oraclesum::search {

class Relaxation {
public:
    explicit Relaxation(const Problem& problem);

    enum class Verdict { pruned, forced, open, alone };

    // Bounds the completions of `state` that add at least `need` hits, in at most `steps` evaluations. Classes that no such
    // completion holds leave the free prefix. `pruned`: there is no completion. `forced`: the classes of forced()
    // are in every one of them. `open`: branch on branch_class(). `alone`: the one completion adds nothing.
    // With a clock (at the root, where a step may take long) it ends after the step in which that runs out.
    Verdict tighten(State& state, std::int64_t need, int steps, Clock* clock = nullptr);

    // Without it nothing is fixed by reduced cost; for measuring what that buys.
    void may_fix(bool yes) { may_fix_ = yes; }

    [[nodiscard]] const std::vector<std::uint32_t>& forced() const { return forced_; }
    [[nodiscard]] std::uint32_t branch_class() const { return branch_; }
    // Of the last node: no completion adds more hits than this.
    [[nodiscard]] std::int64_t bound() const { return best_ >> problem_->fraction_bits; }
    // What a class is worth under the last multipliers, less its length: its rank in a dive.
    [[nodiscard]] std::int64_t worth(std::uint32_t cls) const { return worth_[cls]; }

    // Multipliers of the last node's columns, to start a second child where its parent stood.
    void save(std::vector<std::int64_t>& stack) const;
    void restore(const std::vector<std::int64_t>& stack, std::size_t mark);

private:
    struct Item {
        std::uint32_t cls;
        std::uint32_t copies;
        std::uint32_t begin, end;  // cells
        std::int64_t base;
        std::int64_t length;
        double per_length;
        std::int64_t value;    // base + sum mu N - further limits
        std::int64_t reduced;  // value - lambda length
    };
    struct Column {
        std::uint32_t id;
        std::uint32_t begin, end;  // units
        std::int64_t ceiling;      // of the multiplier
    };
    struct Key {
        double density;
        std::uint32_t item;
    };

    void prepare(const State& state);
    void share_fees(const State& state);
    [[nodiscard]] bool falls_short(const State& state) const;
    std::int64_t evaluate(const State& state);
    void choose_lambda(std::int64_t left);
    [[nodiscard]] std::int64_t extra_ceiling(const State& state, std::size_t r) const;
    void move(const State& state, std::int64_t bound, std::int64_t target);
    void fix(std::int64_t slack);
    void pick_branch(std::uint32_t critical, bool has_critical);

    const Problem* problem_;
    std::vector<std::int64_t> mu_;       // per column of the problem: warm start
    std::size_t first_extra_;            // row of the first further limit or floor: all but the first limit
    std::vector<std::int64_t> extra_;    // per further limit and floor
    std::vector<std::int64_t> reach_;    // per further limit and floor: the lengths of all classes together
    std::vector<std::uint32_t> payers_;  // per fee: scratch
    std::vector<Item> items_;
    std::vector<Cell> cells_;  // local columns
    std::vector<Column> columns_;
    std::vector<std::int64_t> units_;  // residual gains in fixed point
    std::vector<std::int64_t> local_mu_, best_mu_;
    std::vector<double> usage_, direction_;
    std::vector<double> extra_direction_;
    std::vector<std::uint32_t> slot_;       // problem column -> local column
    std::vector<std::uint32_t> suppliers_;  // per column of the problem: copies of free classes that have it
    std::vector<std::uint64_t> supply_;     // and how often they have it, all together
    std::vector<std::uint32_t> touched_;
    std::vector<Key> keys_;
    std::vector<std::uint32_t> forced_, removed_;
    std::vector<double> scale_;  // typical length under each further limit
    std::vector<std::int64_t> worth_;
    std::int64_t lambda_ = 0;
    double fraction_ = 0;  // of the critical item
    std::uint32_t critical_ = 0;
    bool has_critical_ = false;
    std::size_t chosen_ = 0;
    std::int64_t best_ = 0;
    double step_scale_ = 1;
    std::uint32_t branch_ = 0;
    bool may_fix_ = true;
};

}  // namespace oraclesum::search
