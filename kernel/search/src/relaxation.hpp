// The Lagrangian relaxation at one node: bounds from multipliers in fixed point, and what they let us fix.
//
// For multipliers mu_g >= 0 per n-gram and lambda >= 0 per limit, with r_i = base_i + sum mu_g N_ig - lambda l_i,
//   U = lambda L + sum_g sum_k max(0, w_gk - mu_g) + sum_i max(0, r_i)
// bounds the hits that the free classes can still add. Multipliers are integers in units of 2^-b hits with
// b = Problem::fraction_bits, 20 for all but huge numbers, so U is exact for them and pruning never depends on a float;
// floats only steer which multipliers are tried. ranges.hpp shows that every sum and product fits 64 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "oraclesum/search/clock.hpp"
#include "state.hpp"

namespace oraclesum::search {

class Relaxation {
public:
    explicit Relaxation(const Problem& problem);

    // What tighten() found out about the completions of a node that add at least the hits needed. A bound is in hits:
    // no completion adds more. What an outcome refers to is valid until the next call of tighten().
    struct Pruned {};  // there are none
    struct Alone {     // the only one adds nothing
        std::int64_t bound;
    };
    struct Forced {  // these classes are in every one of them
        std::int64_t bound;
        std::span<const std::uint32_t> classes;
    };
    class Open {  // branch on this class
    public:
        std::int64_t bound;
        std::uint32_t branch;

        // Puts the node's multipliers on the stack, to start a second child where its parent stood.
        void save(std::vector<std::int64_t>& stack) const { relaxation->save(stack); }

    private:
        friend class Relaxation;
        Open(std::int64_t bound_, std::uint32_t branch_, const Relaxation* relaxation_)
            : bound(bound_), branch(branch_), relaxation(relaxation_) {}
        const Relaxation* relaxation;
    };
    using Outcome = std::variant<Pruned, Alone, Forced, Open>;
    // None if there are no completions.
    [[nodiscard]] static std::optional<std::int64_t> bound_of(const Outcome& outcome);

    // The root, where a step may take long: tighten() ends after the step in which the clock runs out. `worth` is what each
    // free class is worth under the last multipliers, less its length.
    struct Root {
        Clock& clock;
        std::vector<std::int64_t> worth;  // per class
    };

    // Bounds the completions of `state` that add at least `need` hits, in at most `steps` evaluations. Classes that no such
    // completion has leave the free prefix.
    [[nodiscard]] Outcome tighten(State& state, std::int64_t need, int steps, Root* root = nullptr);

    // Takes over the multipliers that an open node saved at `mark`, up to the end of the stack.
    void restore(const std::vector<std::int64_t>& stack, std::size_t mark);

    // Without it nothing is fixed by reduced cost; for measuring what that buys.
    void may_fix(bool yes) { may_fix_ = yes; }

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

    // The fractional knapsack under the first limit: the first `whole` of keys_ entirely, and a part of one item more.
    struct Filling {
        std::size_t whole;
        std::optional<std::uint32_t> critical;  // the item of which a part is in
        double fraction = 0;                    // of that item
    };
    // The items under the present multipliers. fix() uses it up, as it reorders the items.
    struct Evaluation {
        std::int64_t bound;
        Filling filling;
    };

    void prepare(const State& state);
    void share_fees(const State& state);
    [[nodiscard]] bool falls_short(const State& state) const;
    [[nodiscard]] bool out_of_time(Clock& clock) const;
    [[nodiscard]] Evaluation evaluate(const State& state);
    [[nodiscard]] Filling choose_lambda(std::int64_t left);
    [[nodiscard]] std::int64_t extra_ceiling(const State& state, std::size_t r) const;
    void move(const State& state, const Evaluation& evaluation, std::int64_t target);
    // Returns the class of the critical item.
    std::optional<std::uint32_t> fix(Evaluation&& evaluation, std::int64_t target);
    [[nodiscard]] std::uint32_t pick_branch(std::optional<std::uint32_t> critical) const;
    void save(std::vector<std::int64_t>& stack) const;

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
    std::int64_t lambda_ = 0;
    double step_scale_ = 1;
    bool may_fix_ = true;
};

}  // namespace oraclesum::search
