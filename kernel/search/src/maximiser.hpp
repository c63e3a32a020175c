// What maximises an objective, and how its ways share what they know: `maximise.cpp` has the values of sets and what any way
// needs, `ratio.cpp` solves one ratio, `boxes.cpp` sums of ratios and what only a Scorer can count.
//
// Ranges, which make_groups checks and which hold for every sum below:
//
//   weights    of all terms add up to at most 2^21, and no term is above 1. So the caps of all groups, in units of 2^-40, add
//              up to at most 2^61: they and sums of two of them fit 64 bits. What is not known to be below a cap is compared
//              with it before it is written in units (`at_most`). `within` is at most the sum of the weights.
//   ratios     are of numbers up to 2^60 above, and of a constant and a rest up to 2^45 each below.
//   rows       of a box: a weight u <= 2^20, an interval's end and a number below are multiplied in 128 bits. As the ends of
//              all groups add up to at most 2^61, all products together are at most 2^20 * 2^61 * 2^46 = 2^127.
#pragma once

#include <cstdint>
#include <vector>

#include "judge.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/maximise.hpp"
#include "state.hpp"
#include "weighing.hpp"
#include "wide.hpp"

namespace oraclesum::search {

// Values of boxes are whole numbers of these: 2^-40.
constexpr int value_bits = 40;
constexpr std::int64_t value_one = std::int64_t{1} << value_bits;
constexpr std::int64_t largest_part = std::int64_t{1} << 45;  // of a fraction that multiplies hits
constexpr std::uint64_t first_allowance = 300;                // nodes of a box before it is cut
constexpr std::size_t first_room = 1000;                      // sets that are kept before they are tidied up

// Terms over one denominator: above = sum over layers of weight * hits, below = constant + per_ngram * size.
struct Group {
    std::vector<std::int64_t> weights;  // per layer
    std::int64_t constant = 0;
    std::int64_t per_ngram = 0;
    std::uint32_t size = 0;
    std::vector<std::uint32_t> terms;
    std::vector<std::int64_t> times;  // per term of the group: its hits count so often
    std::int64_t cap = 0;             // the group's value is at most this, in units of 2^-40
};

inline std::int64_t narrow(SignedWide number) {
    if (number > largest_part || number < -largest_part) throw InputError(too_many_digits);
    return static_cast<std::int64_t>(number);
}

inline std::int64_t to_units(Fraction fraction, bool up) {
    const SignedWide wide = static_cast<SignedWide>(fraction.above) << value_bits;
    return static_cast<std::int64_t>((wide + (up ? fraction.below - 1 : 0)) / fraction.below);
}

struct Found {
    std::vector<Taken> set;  // kinds and copies, ascending
    FractionSum value;

    [[nodiscard]] std::size_t bytes() const {
        return sizeof(Found) + set.size() * sizeof(Taken) + value.parts().size() * sizeof(Fraction);
    }
};

class Maximiser : Judge {
    using Set = std::vector<std::uint32_t>;

public:
    Maximiser(const Objective& objective, Scorer* scorer, const MaximiseSettings& settings, Clock& clock)
        : objective_(objective),
          settings_(settings),
          clock_(clock),
          kinds_(group_equal(objective)),
          layers_(objective),
          scorer_(objective.exact || scorer == nullptr ? static_cast<Scorer&>(layers_) : *scorer),
          tallies_(objective.terms.size()) {
        make_groups();
    }

    Maximised run();

private:
    void make_groups();
    void check_reach(const Group& group) const;
    [[nodiscard]] bool has_empty_sentence(std::size_t size) const;
    [[nodiscard]] Fraction ratio(const Group& group, std::span<const Tally> tallies) const;
    [[nodiscard]] FractionSum value(std::span<const Tally> tallies) const;
    [[nodiscard]] FractionSum score(std::span<const std::uint32_t> set);
    [[nodiscard]] bool fits(std::span<const std::uint32_t> set) const;
    bool offer(const Set& set);

    void fill_greedily();
    void climb_by_score();
    void add_neighbours();

    // One exact ratio.
    void solve_ratio();
    [[nodiscard]] Weighing weigh(std::span<const std::int64_t> weights, std::span<const std::int64_t> costs,
                                 bool only_best) const;
    SearchResult search_linear(const Weighing& weighing, const SearchSettings& settings);
    void take_family(SearchResult& found);
    [[nodiscard]] bool has_enough() const;

    // Sums, and counts that only a Scorer knows.
    struct Box {
        std::vector<std::int64_t> lo, hi;  // per group but the last
        std::uint64_t allowance = first_allowance;
    };
    enum class Outcome { done, open, stopped };
    void solve_by_boxes();
    [[nodiscard]] std::uint64_t count_few_sets() const;
    void survey(bool final_bar);
    [[nodiscard]] std::int64_t bound_group(std::size_t g, bool walk);
    bool tighten(Box& box, std::int64_t& last) const;
    Outcome explore(Box& box, std::int64_t last);
    void list_sentences(std::span<const Taken> taken);
    void judge(std::vector<Taken> taken);
    bool visit(const State& state) override;
    bool scan(const Weighing& weighing, std::int64_t target, const Weighing::Visit& show);
    bool scan(const Weighing& weighing, std::int64_t target);
    [[nodiscard]] bool is_minimal(const Set& set, const FractionSum& own);
    void cut_down();
    void forget_family();
    [[nodiscard]] bool reaches_bar(const FractionSum& own) const;
    [[nodiscard]] bool sort_in_time(auto less, bool stable = false);
    [[nodiscard]] bool sort_found();
    [[nodiscard]] bool update_bar();
    void tidy_up();
    void build_family();

    const Objective& objective_;
    const MaximiseSettings& settings_;
    Clock& clock_;
    Kinds kinds_;
    LayerScorer layers_;
    Scorer& scorer_;
    std::vector<Tally> tallies_;
    std::vector<Group> groups_;
    Maximised result_;
    bool has_best_ = false;
    bool climbed_ = false;  // by exact counts, which is done once
    bool rooted_ = false;   // the only group has been bounded

    std::vector<std::int64_t> most_;  // per group: its value is at most this
    std::vector<Found> found_;
    FractionSum bar_;          // of `top`: sets below it are not wanted
    bool by_rank_ = false;     // the bar is that of `top`
    Fraction within_ = {};     // of the present survey
    bool collecting_ = false;  // sets are kept, not only better ones looked for
    bool improved_ = false;
    std::uint64_t wanted_ = 0;       // sets above the bar that the present box has shown, minimal or not
    std::size_t room_ = first_room;  // sets
    std::size_t kept_bytes_ = 0;
    bool raised_ = false;  // the bar, within the present box
    bool ended_ = false;   // sets could not be kept: time or memory is up
    Set set_;
};

}  // namespace oraclesum::search
