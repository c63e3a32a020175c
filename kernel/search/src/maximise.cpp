// Drives the search over linear problems until the largest value of an objective is proven and its sets are known.
//
// One ratio A/D (Dinkelbach): v = p/q is the largest value if and only if no set has q A - p D > 0, and the best sets are
// exactly those with q A - p D = 0. For given p and q that is a linear problem, which the search solves and enumerates.
//
// A sum of ratios f_1 + ... + f_G: a set with a sum of at least v has each f_g in some interval [a_g, b_g) for g < G, and then
// f_G >= v - (b_1 + ... + b_{G-1}) =: a_G. So sum_g u_g (A_g - a_g D_g) >= 0 for any u >= 0: a linear problem again, whose sets
// are few if the box of intervals is small. Each of them is scored exactly. Boxes that have too many are cut in two.
//
// Ranges, which make_groups checks and which hold for every sum below:
//
//   weights    of all terms add up to at most 2^21, and no term is above 1. So the caps of all groups, in units of 2^-40, add
//              up to at most 2^61: they and sums of two of them fit 64 bits. What is not known to be below a cap is compared
//              with it before it is written in units (`at_most`). `within` is at most the sum of the weights.
//   ratios     are of numbers up to 2^60 above, and of a constant and a rest up to 2^45 each below.
//   rows       of a box: a weight u <= 2^20, an interval's end and a number below are multiplied in 128 bits. As the ends of
//              all groups add up to at most 2^61, all products together are at most 2^20 * 2^61 * 2^46 = 2^127.
#include "oraclesum/search/maximise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "judge.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/ranges.hpp"
#include "state.hpp"
#include "weighing.hpp"
#include "wide.hpp"

namespace oraclesum::search {

namespace {

using Set = std::vector<std::uint32_t>;

// Values of boxes are whole numbers of these: 2^-40.
constexpr int value_bits = 40;
constexpr std::int64_t value_one = std::int64_t{1} << value_bits;
constexpr std::int64_t largest_part = std::int64_t{1} << 45;  // of a fraction that multiplies hits
constexpr double widest_weight = 1 << 20;
constexpr std::uint64_t first_allowance = 300;  // nodes of a box before it is cut
constexpr std::size_t long_document = 60;       // kinds of sentences; bounds of sums are wide
constexpr std::size_t most_steps_of_scan = 2000;
constexpr std::size_t first_room = 1000;        // sets that are kept before they are tidied up
constexpr std::uint64_t nodes_per_wanted = 16;  // a box with a wanted set for so many nodes is worth its time

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

std::int64_t narrow(SignedWide number) {
    if (number > largest_part || number < -largest_part) throw InputError(too_many_digits);
    return static_cast<std::int64_t>(number);
}

std::int64_t to_units(Fraction fraction, bool up) {
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

    // Sums, and counts that only a Scorer knows.
    struct Box {
        std::vector<std::int64_t> lo, hi;  // per group but the last
        std::uint64_t allowance = first_allowance;
    };
    enum class Outcome { done, open, stopped };
    void solve_by_boxes();
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
    std::uint64_t wanted_ = 0;       // sets that the present box has shown, each as often as it was met
    std::size_t room_ = first_room;  // sets
    std::size_t kept_bytes_ = 0;
    bool raised_ = false;  // the bar, within the present box
    bool ended_ = false;   // sets could not be kept: time or memory is up
    Set set_;
};

void Maximiser::make_groups() {
    const std::size_t layers = objective_.layers.size();
    // All terms with a constant denominator are one group over the least common multiple.
    SignedWide multiple = 1;
    std::int64_t weight = 0;
    for (const Term& term : objective_.terms)
        if (term.per_ngram == 0)
            multiple = narrow(multiple / std::gcd(static_cast<std::int64_t>(multiple), term.constant) * term.constant);
    for (std::uint32_t t = 0; t < objective_.terms.size(); ++t) {
        const Term& term = objective_.terms[t];
        const bool fixed = term.per_ngram == 0;
        const auto same = std::ranges::find_if(groups_, [&](const Group& group) {
            return fixed ? group.per_ngram == 0
                         : group.per_ngram == term.per_ngram && group.constant == term.constant &&
                               group.size == term.size;
        });
        Group& group = same != groups_.end() ? *same : groups_.emplace_back();
        if (group.terms.empty()) {
            group.weights.assign(layers, 0);
            group.constant = fixed ? static_cast<std::int64_t>(multiple) : term.constant;
            group.per_ngram = term.per_ngram;
            group.size = term.size;
        }
        const std::int64_t times =
            narrow(static_cast<SignedWide>(term.weight) * term.times * (fixed ? group.constant / term.constant : 1));
        group.terms.push_back(t);
        group.times.push_back(times);
        group.weights[term.layer] = narrow(static_cast<SignedWide>(group.weights[term.layer]) + times);
        weight += term.weight;
        if (weight > ranges::largest_weight) throw InputError(too_many_digits);
        group.cap += term.weight * value_one;  // every term is at most 1
    }
    for (const Group& group : groups_) check_reach(group);
}

// No set leaves the ranges: neither by its hits nor by its n-grams.
void Maximiser::check_reach(const Group& group) const {
    SignedWide above = 0;
    for (std::size_t k = 0; k < group.terms.size(); ++k) {
        const Layer& layer = objective_.layers[objective_.terms[group.terms[k]].layer];
        std::int64_t hits = std::accumulate(layer.bonus.begin(), layer.bonus.end(), std::int64_t{0});
        for (const auto& gains : layer.gains) hits = std::accumulate(gains.begin(), gains.end(), hits);
        above += static_cast<SignedWide>(group.times[k]) * hits;
    }
    const Size& size = objective_.sizes[group.size];
    std::int64_t ngrams = std::accumulate(size.lengths.begin(), size.lengths.end(), std::int64_t{0});
    for (const auto& distinct : size.distinct) ngrams += static_cast<std::int64_t>(distinct.size());
    narrow(group.constant);
    narrow(static_cast<SignedWide>(group.per_ngram) * ngrams);
    if (above > ranges::largest_total) throw InputError(too_many_digits);
}

// Whether a sentence that a set may contain has none of the n-grams.
bool Maximiser::has_empty_sentence(std::size_t size) const {
    const Size& sizes = objective_.sizes[size];
    for (std::size_t kind = 0; kind < kinds_.members.size(); ++kind) {
        const std::uint32_t i = kinds_.members[kind].front();
        if (sizes.distinct.empty() ? sizes.lengths[i] == 0 : sizes.distinct[i].empty()) return true;
    }
    return false;
}

Fraction Maximiser::ratio(const Group& group, std::span<const Tally> tallies) const {
    Fraction made{0, group.constant + group.per_ngram * tallies[group.terms.front()].size};
    if (made.below <= 0) return {0, 1};
    for (std::size_t k = 0; k < group.terms.size(); ++k) made.above += group.times[k] * tallies[group.terms[k]].hits;
    return made;
}

FractionSum Maximiser::value(std::span<const Tally> tallies) const {
    std::vector<Fraction> parts;
    for (const Group& group : groups_) parts.push_back(ratio(group, tallies));
    return FractionSum(std::move(parts));
}

FractionSum Maximiser::score(std::span<const std::uint32_t> set) {
    scorer_.count(set, tallies_);
    // A count from the words may take milliseconds: who asks whether time is up now and then only is told here.
    if (!objective_.exact) static_cast<void>(clock_.look());
    return value(tallies_);
}

bool Maximiser::fits(std::span<const std::uint32_t> set) const {
    return std::ranges::all_of(objective_.limits, [&](const Limit& limit) {
        std::int64_t length = 0;
        for (const std::uint32_t i : set) length += limit.lengths[i];
        return limit.floor <= length && length <= limit.budget;
    });
}

// Keeps a feasible set if it is the best so far.
bool Maximiser::offer(const Set& set) {
    FractionSum own = score(set);
    if (own <= result_.value) return false;  // 0 while nothing is known: a set without a hit is none that is wanted
    has_best_ = true;
    result_.best = set;
    result_.value = std::move(own);
    result_.tallies = tallies_;
    return true;
}

// Adds the sentence that raises the value most, while one does or a limit asks for more.
void Maximiser::fill_greedily() {
    std::vector<std::int64_t> used(objective_.limits.size(), 0);
    std::vector<std::uint32_t> free;
    Set set;
    layers_.clear();
    const auto take = [&](std::uint32_t i) {
        layers_.add(i);
        set.push_back(i);
        for (std::size_t r = 0; r < used.size(); ++r) used[r] += objective_.limits[r].lengths[i];
    };
    for (std::size_t kind = 0; kind < kinds_.members.size(); ++kind)
        for (const std::uint32_t i : kinds_.members[kind]) {
            if (objective_.roles[i] == Role::required)
                take(i);
            else
                free.push_back(i);
        }
    std::vector<Tally> tallies(objective_.terms.size());
    layers_.read(tallies);
    FractionSum current = value(tallies);
    while (!clock_.look()) {
        const std::uint32_t none = 0xffffffff;
        std::uint32_t best = none;
        FractionSum largest;
        std::erase_if(free, [&](std::uint32_t i) {
            for (std::size_t r = 0; r < used.size(); ++r)
                if (used[r] + objective_.limits[r].lengths[i] > objective_.limits[r].budget) return true;
            return false;
        });
        for (const std::uint32_t i : free) {
            layers_.probe(i, tallies);
            FractionSum next = value(tallies);
            if (best == none || next > largest) {
                best = i;
                largest = std::move(next);
            }
        }
        bool short_of = false;
        for (std::size_t r = 0; r < used.size(); ++r) short_of = short_of || used[r] < objective_.limits[r].floor;
        if (best == none || (!short_of && largest <= current)) break;
        take(best);
        std::erase(free, best);
        current = std::move(largest);
    }
    std::ranges::sort(set);
    if (!set.empty() && fits(set)) offer(set);
}

// The same by exact counts, each of which is made from the words, for documents that are long or turn out to be hard: the
// bounds of such objectives are wide, and a search that is stopped should not have less than a greedy has.
void Maximiser::climb_by_score() {
    if (objective_.exact || climbed_ || !settings_.search.techniques.start) return;
    climbed_ = true;
    std::vector<std::uint32_t> free;
    Set set;
    for (std::size_t kind = 0; kind < kinds_.members.size(); ++kind)
        for (const std::uint32_t i : kinds_.members[kind])
            (objective_.roles[i] == Role::required ? set : free).push_back(i);
    std::ranges::sort(set);
    FractionSum current = set.empty() ? FractionSum() : score(set);
    while (true) {
        std::vector<std::int64_t> used(objective_.limits.size(), 0);
        bool short_of = false;
        for (std::size_t r = 0; r < used.size(); ++r) {
            for (const std::uint32_t i : set) used[r] += objective_.limits[r].lengths[i];
            short_of = short_of || used[r] < objective_.limits[r].floor;
        }
        Set best;
        FractionSum largest;
        for (const std::uint32_t i : free) {
            if (clock_.look()) return;
            bool room = !std::ranges::binary_search(set, i);
            for (std::size_t r = 0; r < used.size(); ++r)
                room = room && used[r] + objective_.limits[r].lengths[i] <= objective_.limits[r].budget;
            if (!room) continue;
            Set next = set;
            next.insert(std::ranges::upper_bound(next, i), i);
            FractionSum value = score(next);
            if (best.empty() || value > largest) {
                best = std::move(next);
                largest = std::move(value);
            }
        }
        if (best.empty() || (!short_of && largest <= current)) break;
        set = std::move(best);
        current = std::move(largest);
        if (fits(set)) offer(set);
    }
}

Weighing Maximiser::weigh(std::span<const std::int64_t> weights, std::span<const std::int64_t> costs,
                          bool only_best) const {
    Weighing weighing(objective_, kinds_, weights, costs);
    if (only_best && settings_.search.techniques.losers) weighing.drop_losers();
    return weighing;
}

SearchResult Maximiser::search_linear(const Weighing& weighing, const SearchSettings& settings) {
    const Instance instance = weighing.build();
    const Problem problem = presolve(instance, &clock_);
    SearchResult found = run_search(problem, settings, clock_);
    result_.nodes += found.nodes;
    if (found.collected) result_.members = problem.members;
    return found;
}

void Maximiser::take_family(SearchResult& found) {
    result_.collected = found.collected;
    result_.diagram = std::move(found.diagram);
    result_.streamed = std::move(found.streamed);
}

void Maximiser::solve_ratio() {
    const Group& group = groups_.front();
    std::vector<std::int64_t> weights(objective_.layers.size()), costs(objective_.sizes.size(), 0);
    const auto weigh_at = [&](Fraction v) {
        const std::int64_t divisor = std::max<std::int64_t>(1, std::gcd(v.above, v.below));
        const std::int64_t p = v.above / divisor, q = v.below / divisor;
        for (std::size_t l = 0; l < weights.size(); ++l)
            weights[l] = narrow(static_cast<SignedWide>(q) * group.weights[l]);
        costs[group.size] = narrow(static_cast<SignedWide>(p) * group.per_ngram);
        return narrow(static_cast<SignedWide>(p) * group.constant);
    };
    SearchSettings settings = settings_.search;
    const bool optimal_only = settings_.within.above == 0;
    collecting_ = settings_.search.collect && optimal_only;
    settings.collect = settings_.search.collect && optimal_only;
    if (group.per_ngram == 0) {
        // The denominator does not depend on the set: one linear problem.
        weigh_at({0, 1});
        SearchResult found = search_linear(weigh(weights, costs, true), settings);
        if (!found.best.empty()) offer(found.best);
        result_.upper = FractionSum({{found.upper_bound, group.constant}});
        result_.proven = result_.upper == result_.value;
        if (result_.proven && found.collected) take_family(found);
        if (!has_best_) {
            result_.collected = result_.proven;
            return;
        }
        settings.collect = settings_.search.collect;
    }
    while (group.per_ngram != 0 && !result_.proven) {
        const Fraction v = has_best_ ? ratio(group, result_.tallies) : Fraction{0, 1};
        const std::int64_t target = weigh_at(v);
        settings.known = target;
        settings.least = target;
        Weighing weighing = weigh(weights, costs, true);
        if (has_best_) {
            weighing.drop_hopeless(target);
            improved_ = false;
            if (optimal_only && scan(weighing, target)) {
                result_.upper = result_.value;
                result_.proven = result_.collected = true;
                build_family();
                return;
            }
            if (improved_) continue;
        }
        SearchResult found = search_linear(weighing, settings);
        if (found.hits > *settings.known) {
            ORACLESUM_REQUIRE(offer(found.best), "a set that gains has no larger ratio");
            if (found.stopped == StopReason::none) continue;
        }
        if (found.stopped != StopReason::none) {
            // q A - p D <= excess for every set, and D is at least its constant part, or 1.
            const std::int64_t excess = std::max<std::int64_t>(0, found.upper_bound - target);
            const std::int64_t divisor = std::max<std::int64_t>(1, std::gcd(v.above, v.below));
            const std::int64_t least = std::max<std::int64_t>(1, group.constant);
            result_.upper =
                std::min(FractionSum({v, {excess, v.below / divisor}, {}}), FractionSum({{group.cap, value_one}}));
            if (least > 1 && excess < largest_part)
                result_.upper = std::min(result_.upper, FractionSum({v, {excess / least + 1, v.below / divisor}}));
            result_.upper = std::max(result_.upper, result_.value);
            return;
        }
        if (!has_best_) {  // no set with a hit keeps the limits
            result_.proven = result_.collected = true;
            return;
        }
        result_.upper = result_.value;
        result_.proven = true;
        take_family(found);
    }
    if (!result_.proven || optimal_only || !settings_.search.collect || clock_.look()) return;
    // v - within, or all sets with a hit.
    const Fraction v = ratio(group, result_.tallies);
    const SignedWide above = static_cast<SignedWide>(v.above) * settings_.within.below -
                             static_cast<SignedWide>(settings_.within.above) * v.below;
    settings.collect = true;
    settings.known.reset();
    settings.target = 1;
    if (above <= 0) {
        weigh_at({0, 1});
    } else {
        const SignedWide below = static_cast<SignedWide>(v.below) * settings_.within.below;
        SignedWide a = above, b = below;
        while (b != 0) {
            const SignedWide rest = a % b;
            a = b;
            b = rest;
        }
        settings.target = weigh_at({narrow(above / a), narrow(below / a)});
    }
    Weighing weighing = weigh(weights, costs, false);
    weighing.drop_hopeless(*settings.target);
    SearchResult found = search_linear(weighing, settings);
    take_family(found);
}

// The largest value of one group alone, by its layers: an upper bound in units of 2^-40. Without a walk it is what the root
// shows. The sets that are best by the layers are offered: of a long document they are often better than a greedy's.
std::int64_t Maximiser::bound_group(std::size_t g, bool walk) {
    const Group& group = groups_[g];
    std::vector<std::int64_t> weights(group.weights), costs(objective_.sizes.size(), 0);
    const std::int64_t offset = objective_.sizes[group.size].offset;
    SearchSettings settings = settings_.search;
    settings.collect = false;
    settings.minimal = false;
    settings.walk = walk;
    const std::int64_t constant = group.constant + group.per_ngram * offset;
    if (constant <= 0) return group.cap;
    // The cap is a whole number of ones; what is not below it may not fit the units.
    const auto at_most = [&](Fraction bound) {
        return bound.above / bound.below >= group.cap / value_one ? group.cap : to_units(bound, true);
    };
    std::vector<Tally> tallies(objective_.terms.size());
    const auto ratio_by_layers = [&](const Set& set) {
        layers_.count(set, tallies);
        Fraction made = ratio(group, tallies);
        // Joints may add hits, which only a bonus knows.
        for (std::size_t k = 0; k < group.terms.size(); ++k)
            if (const Layer& layer = objective_.layers[objective_.terms[group.terms[k]].layer]; !layer.bonus.empty())
                for (const std::uint32_t i : set) made.above += group.times[k] * layer.bonus[i];
        std::int64_t size = 0;
        if (const auto& lengths = objective_.sizes[group.size].lengths; !lengths.empty())
            for (const std::uint32_t i : set) size += lengths[i];
        else
            size = tallies[group.terms.front()].size;
        made.below = constant + group.per_ngram * size;
        return made;
    };
    if (group.per_ngram == 0) {
        const SearchResult found = search_linear(weigh(weights, costs, true), settings);
        if (!found.best.empty()) offer(found.best);
        // What joints could add draws to many short sentences, of which few meet: the best without it, too.
        if (!walk && std::ranges::any_of(objective_.layers, [](const Layer& layer) { return !layer.bonus.empty(); })) {
            const Weighing within(objective_, kinds_, weights, costs, false);
            if (const SearchResult other = search_linear(within, settings); !other.best.empty()) offer(other.best);
        }
        return at_most({found.upper_bound, group.constant});
    }
    Fraction v = has_best_ ? ratio_by_layers(result_.best) : Fraction{0, 1};
    while (true) {
        const std::int64_t divisor = std::max<std::int64_t>(1, std::gcd(v.above, v.below));
        const std::int64_t p = v.above / divisor, q = v.below / divisor;
        for (std::size_t l = 0; l < weights.size(); ++l)
            weights[l] = narrow(static_cast<SignedWide>(q) * group.weights[l]);
        costs[group.size] = narrow(static_cast<SignedWide>(p) * group.per_ngram);
        settings.known = narrow(static_cast<SignedWide>(p) * constant);
        Weighing weighing = weigh(weights, costs, true);
        weighing.drop_hopeless(*settings.known + 1);
        Fraction best = v;
        const bool told = scan(weighing, *settings.known + 1, [&](std::span<const Taken> taken) {
            list_sentences(taken);
            const Fraction other = ratio_by_layers(set_);
            if (FractionSum({other}) > FractionSum({best})) best = other;
        });
        if (told) return at_most(best);
        if (FractionSum({best}) > FractionSum({v})) {
            v = best;
            continue;
        }
        const SearchResult found = search_linear(weighing, settings);
        const bool gained = found.hits > *settings.known;
        if (gained) offer(found.best);
        if (found.stopped == StopReason::none && gained) {
            v = ratio_by_layers(found.best);
            continue;
        }
        // q A - p D <= excess for every set, and D is at least its constant part.
        const std::int64_t excess = found.upper_bound - *settings.known;
        if (excess <= 0) return at_most(v);
        return std::min(group.cap, at_most(v) + at_most({excess / constant + 1, q}));
    }
}

bool Maximiser::reaches_bar(const FractionSum& own) const {
    if (by_rank_) return own >= bar_;
    if (within_.above == 0) return own >= result_.value;
    std::vector<Fraction> parts(own.parts().begin(), own.parts().end());
    parts.push_back(within_);
    return FractionSum(std::move(parts)) >= result_.value;
}

// A sentence without which the set would fall below a floor cannot be dropped.
bool Maximiser::is_minimal(const Set& set, const FractionSum& own) {
    Set rest;
    std::vector<Tally> tallies(objective_.terms.size());
    for (std::size_t out = 0; out < set.size(); ++out) {
        if (objective_.roles[set[out]] == Role::required) continue;
        rest.clear();
        for (std::size_t k = 0; k < set.size(); ++k)
            if (k != out) rest.push_back(set[k]);
        scorer_.count(rest, tallies);
        if (value(tallies) >= own && (rest.empty() || fits(rest))) return false;
    }
    return true;
}

// Drops sentences from the best set until it is minimal. After a stop only as far as takes no time.
void Maximiser::cut_down() {
    constexpr std::size_t most_when_stopped = 1'000'000;  // sentences of the sets that are scored
    const bool stopped = clock_.look();
    std::size_t scored = 0;
    for (std::size_t out = 0; out < result_.best.size();) {
        if (stopped ? scored > most_when_stopped : clock_.look()) return;
        Set rest = result_.best;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(out));
        scored += rest.size();
        const bool droppable = objective_.roles[result_.best[out]] != Role::required && !rest.empty() && fits(rest);
        FractionSum own = droppable ? score(rest) : FractionSum();
        if (!droppable || own < result_.value) {
            ++out;
            continue;
        }
        result_.best = std::move(rest);
        result_.value = std::move(own);
        result_.tallies = tallies_;
        out = 0;  // ratios: what had to stay before may not have to now
    }
}

// The sentences of a set of kinds, ascending, into set_.
void Maximiser::list_sentences(std::span<const Taken> taken) {
    set_.clear();
    for (const Taken& each : taken)
        for (std::uint32_t k = 0; k < each.copies; ++k) set_.push_back(kinds_.members[each.cls][k]);
    std::ranges::sort(set_);
}

// A set that keeps the row of the present box: is it wanted?
void Maximiser::judge(std::vector<Taken> taken) {
    list_sentences(taken);
    if (set_.empty()) return;
    FractionSum own = score(set_);
    if (own.parts().empty()) return;  // no hit
    if (!has_best_ || own > result_.value) {
        has_best_ = improved_ = true;
        result_.best = set_;
        result_.value = own;
        result_.tallies = tallies_;
    }
    if (!collecting_ || !reaches_bar(own)) return;
    if (settings_.search.minimal && !is_minimal(set_, own)) return;
    std::ranges::sort(taken, {}, &Taken::cls);
    ++wanted_;
    found_.push_back({std::move(taken), std::move(own)});
    kept_bytes_ += found_.back().bytes();
    if (found_.size() >= room_ || kept_bytes_ > settings_.search.max_memory) tidy_up();
}

// Boxes overlap, and one that is cut is begun anew, so a set is met more than once; and the bar may have risen.
void Maximiser::tidy_up() {
    if (!(by_rank_ ? update_bar() : sort_found())) {
        ended_ = true;
        return;
    }
    kept_bytes_ = 0;
    for (const Found& found : found_) kept_bytes_ += found.bytes();
    room_ = 2 * found_.size() + first_room;
    // With less room than this, sets would be tidied up more and more often.
    if (kept_bytes_ > settings_.search.max_memory / 2) ended_ = result_.out_of_memory = true;
}

bool Maximiser::visit(const State& state) {
    std::vector<Taken> taken;
    for (const Taken& each : state.taken())
        taken.push_back({kinds_.of[state.problem().members[each.cls].front()], each.copies});
    judge(std::move(taken));
    return !ended_ && !raised_;
}

// Few sets are quicker told one by one than by a search.
bool Maximiser::scan(const Weighing& weighing, std::int64_t target, const Weighing::Visit& show) {
    return settings_.search.techniques.scan && weighing.scan(target, most_steps_of_scan, show);
}

bool Maximiser::scan(const Weighing& weighing, std::int64_t target) {
    const auto in_time = [&] { return clock_.reason() == StopReason::none; };
    return scan(weighing, target,
                [&](std::span<const Taken> taken) {
                    if (in_time()) judge({taken.begin(), taken.end()});
                }) &&
           in_time() && !ended_;
}

// Intervals that no set of the wanted value can leave; false if the box is empty.
bool Maximiser::tighten(Box& box, std::int64_t& last) const {
    std::int64_t bar = 0;
    const auto floor_of = [](const FractionSum& sum) {
        std::int64_t units = 0;
        for (const Fraction& part : sum.parts()) units += to_units(part, false);
        return units;
    };
    if (by_rank_)
        bar = floor_of(bar_);
    else if (has_best_)
        bar = floor_of(result_.value) - to_units(within_, true);
    bar = std::max<std::int64_t>(bar, 0);
    const std::size_t sliced = box.lo.size();
    for (std::size_t g = 0; g < sliced; ++g) {
        box.hi[g] = std::min(box.hi[g], most_[g]);
        std::int64_t others = most_.back();
        for (std::size_t h = 0; h < sliced; ++h)
            if (h != g) others += box.hi[h];
        box.lo[g] = std::max(box.lo[g], bar - others);
        if (box.lo[g] > box.hi[g]) return false;
    }
    last = bar;
    for (std::size_t g = 0; g < sliced; ++g) last -= box.hi[g];
    last = std::max<std::int64_t>(last, 0);
    return last <= most_.back();
}

Maximiser::Outcome Maximiser::explore(Box& box, std::int64_t last) {
    // Weights u_g near 1 / D_g make the row as tight as the sum itself around the best set.
    std::vector<double> shares;
    double widest = 0;
    for (const Group& group : groups_) {
        const double below = has_best_ ? static_cast<double>(ratio(group, result_.tallies).below) : 1.0;
        shares.push_back(1.0 / below);
        for (const std::int64_t weight : group.weights)
            widest = std::max(widest, static_cast<double>(weight) * shares.back());
    }
    std::vector<std::int64_t> weights(objective_.layers.size(), 0), costs(objective_.sizes.size(), 0);
    SignedWide target = 0;
    std::vector<SignedWide> wide_costs(costs.size(), 0);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Group& group = groups_[g];
        const auto u = std::max<std::int64_t>(1, std::llround(shares[g] / widest * widest_weight));
        const std::int64_t lo = g + 1 < groups_.size() ? box.lo[g] : last;
        for (std::size_t l = 0; l < weights.size(); ++l)
            weights[l] = narrow(static_cast<SignedWide>(u) * group.weights[l] + weights[l]);
        wide_costs[group.size] += static_cast<SignedWide>(u) * lo * group.per_ngram;
        target +=
            static_cast<SignedWide>(u) * lo * (group.constant + group.per_ngram * objective_.sizes[group.size].offset);
    }
    // Rounded such that no set leaves the row.
    for (std::size_t s = 0; s < costs.size(); ++s) costs[s] = narrow(wide_costs[s] >> value_bits);
    SearchSettings settings = settings_.search;
    settings.target = narrow(target >> value_bits);  // below 0 if joints could add more than the references have
    settings.judge = this;
    settings.collect = true;  // whoever looks for one set only judges them all the same
    settings.minimal = false;
    settings.threads = 1;
    settings.max_nodes = box.lo.empty() ? std::numeric_limits<std::uint64_t>::max() : box.allowance;
    improved_ = raised_ = false;
    wanted_ = 0;
    Weighing weighing = weigh(weights, costs, false);
    weighing.drop_hopeless(*settings.target);
    if (scan(weighing, *settings.target)) return Outcome::done;
    if (ended_) return Outcome::stopped;
    if (raised_) return Outcome::open;
    if (groups_.size() == 1 && !rooted_) {
        // There are no intervals to narrow, so a low start would show too many sets, and a stopped search have no bound.
        rooted_ = true;
        if (settings_.search.techniques.bounds) most_.front() = bound_group(0, false);
        climb_by_score();
        return tighten(box, last) ? explore(box, last) : Outcome::done;
    }
    const SearchResult found = search_linear(weighing, settings);
    if (found.collected) return Outcome::done;
    return found.stopped != StopReason::none || ended_ ? Outcome::stopped : Outcome::open;
}

// Sets next to the best one: they fill the bar of `top` at the start.
void Maximiser::add_neighbours() {
    const auto keep = [&](Set set) {
        std::ranges::sort(set);
        if (set.empty() || !fits(set)) return;
        FractionSum own = score(set);
        if (own.parts().empty() || (settings_.search.minimal && !is_minimal(set, own))) return;
        std::vector<std::uint32_t> kinds;
        for (const std::uint32_t i : set) kinds.push_back(kinds_.of[i]);
        std::ranges::sort(kinds);
        std::vector<Taken> taken;
        for (const std::uint32_t kind : kinds) {
            if (!taken.empty() && taken.back().cls == kind)
                ++taken.back().copies;
            else
                taken.push_back({kind, 1});
        }
        found_.push_back({std::move(taken), std::move(own)});
    };
    const Set best = result_.best;
    keep(best);
    for (std::size_t out = 0; out <= best.size(); ++out) {  // the last: nothing leaves
        if (out < best.size() && objective_.roles[best[out]] == Role::required) continue;
        Set rest;
        for (std::size_t k = 0; k < best.size(); ++k)
            if (k != out) rest.push_back(best[k]);
        keep(rest);
        for (std::size_t kind = 0; kind < kinds_.members.size() && !clock_.expired(); ++kind) {
            const auto unused = std::ranges::find_if(
                kinds_.members[kind], [&](std::uint32_t i) { return std::ranges::find(best, i) == best.end(); });
            if (unused == kinds_.members[kind].end()) continue;
            rest.push_back(*unused);
            keep(rest);
            rest.pop_back();
        }
    }
}

// Sorts what was found; false if time ends meanwhile, which leaves nothing of use: millions of sets take seconds.
bool Maximiser::sort_in_time(auto less, bool stable) {
    struct TimeUp {};
    std::size_t compared = 0;
    const auto compare = [&](const Found& a, const Found& b) {
        if (++compared % 4096 == 0 && clock_.look()) throw TimeUp{};
        return less(a, b);
    };
    try {
        if (stable)
            std::ranges::stable_sort(found_, compare);
        else
            std::ranges::sort(found_, compare);
    } catch (const TimeUp&) {
        found_.clear();
        return false;
    }
    return true;
}

// Those that are wanted, by their sets, each once.
bool Maximiser::sort_found() {
    std::erase_if(found_, [&](const Found& found) { return !reaches_bar(found.value); });
    if (!sort_in_time([](const Found& a, const Found& b) { return a.set < b.set; })) return false;
    const auto equal = [](const Found& a, const Found& b) { return a.set == b.set; };
    found_.erase(std::unique(found_.begin(), found_.end(), equal), found_.end());
    return true;
}

// The value of the set at place `top`, of those known so far; what is below is let go.
bool Maximiser::update_bar() {
    const auto larger = [](const Found& a, const Found& b) { return a.value > b.value; };
    if (!sort_found() || !sort_in_time(larger, true)) return false;
    Natural sets(0);
    const Natural wanted(settings_.top);
    for (std::size_t at = 0; at < found_.size(); ++at) {
        Natural ways(1);
        for (const Taken& each : found_[at].set)
            ways = ways * binomial(static_cast<std::uint32_t>(kinds_.members[each.cls].size()), each.copies);
        sets += ways;
        if (sets < wanted) continue;
        raised_ = raised_ || found_[at].value > bar_;
        bar_ = found_[at].value;
        while (at + 1 < found_.size() && found_[at + 1].value == bar_) ++at;
        found_.resize(at + 1);
        break;
    }
    return true;
}

// Explores boxes until none is left in which a wanted set could be.
void Maximiser::survey(bool final_bar) {
    std::vector<Box> open(1);
    for (std::size_t g = 0; g + 1 < groups_.size(); ++g) {
        open.front().lo.push_back(0);
        open.front().hi.push_back(most_[g]);
    }
    while (!open.empty()) {
        Box box = std::move(open.back());
        open.pop_back();
        std::int64_t last = 0;
        if (!tighten(box, last)) continue;
        const Outcome outcome = explore(box, last);
        if (outcome != Outcome::stopped && by_rank_) tidy_up();
        if (outcome == Outcome::stopped || ended_) {
            open.push_back(std::move(box));
            break;
        }
        if (outcome == Outcome::done) continue;
        climb_by_score();
        if ((improved_ && !final_bar) || raised_) {  // the same box is smaller now
            open.push_back(std::move(box));
            continue;
        }
        if (wanted_ * nodes_per_wanted > box.allowance) {  // it has many sets, which any part of it would show again
            box.allowance *= 4;
            open.push_back(std::move(box));
            continue;
        }
        std::size_t widest = 0;
        for (std::size_t g = 1; g < box.lo.size(); ++g)
            if (box.hi[g] - box.lo[g] > box.hi[widest] - box.lo[widest]) widest = g;
        box.allowance += box.allowance / 2;
        if (box.hi[widest] - box.lo[widest] < 2) {
            box.allowance *= 4;
            open.push_back(std::move(box));
            continue;
        }
        Box lower = box;
        const std::int64_t middle = box.lo[widest] + (box.hi[widest] - box.lo[widest]) / 2;
        lower.hi[widest] = box.lo[widest] = middle;
        open.push_back(std::move(lower));
        open.push_back(std::move(box));
    }
    if (final_bar) {
        result_.collected = open.empty();
        return;
    }
    result_.proven = open.empty();
    result_.upper = result_.value;
    for (const Box& box : open) {
        std::int64_t most = most_.back();
        for (const std::int64_t hi : box.hi) most += hi;
        result_.upper = std::max(result_.upper, FractionSum({{most, value_one}}));
    }
}

void Maximiser::build_family() {
    if (!sort_found()) {
        result_.collected = false;
        return;
    }
    Diagram& diagram = result_.diagram;
    diagram = Diagram();
    // Sets that share their first kinds share their path from the root.
    const auto build = [&](auto&& self, std::size_t begin, std::size_t end, std::size_t depth) -> Diagram::Id {
        Diagram::Id sets = Diagram::bottom;
        if (found_[begin].set.size() == depth) {
            sets = Diagram::top;
            ++begin;
        }
        while (end > begin) {
            const Taken head = found_[end - 1].set[depth];
            std::size_t first = end - 1;
            while (first > begin && found_[first - 1].set[depth] == head) --first;
            sets = diagram.add(head.cls, head.copies, sets, self(self, first, end, depth + 1));
            end = first;
        }
        return sets;
    };
    diagram.root = found_.empty() ? Diagram::bottom : build(build, 0, found_.size(), 0);
    result_.members = kinds_.members;
}

void Maximiser::solve_by_boxes() {
    if (groups_.size() == 1) {
        most_.push_back(groups_.front().cap);
    } else {
        if (kinds_.members.size() > long_document) climb_by_score();
        for (std::size_t g = 0; g < groups_.size(); ++g)
            most_.push_back(settings_.search.techniques.bounds ? bound_group(g, true) : groups_[g].cap);
    }
    const bool near = settings_.within.above != 0 || settings_.top != 0;
    collecting_ = settings_.search.collect && !near;
    survey(false);
    if (!result_.proven || !settings_.search.collect) return;
    if (near && has_best_) {
        collecting_ = true;
        found_.clear();
        kept_bytes_ = 0;
        room_ = first_room;
        within_ = settings_.within;
        by_rank_ = settings_.top != 0;
        if (by_rank_) {
            add_neighbours();
            if (!update_bar()) return;
        }
        survey(true);
        if (!result_.collected) return;
    } else {
        result_.collected = true;
    }
    build_family();
}

Maximised Maximiser::run() {
    if (kinds_.members.size() == 0) {
        result_.collected = result_.proven = true;
        return std::move(result_);
    }
    if (settings_.search.techniques.start) fill_greedily();
    const bool near = settings_.within.above != 0 || settings_.top != 0;
    // Minimal sets near the best, of distinct n-grams, by precision (where nothing is as good as no sentence), or above a floor
    // (which may need a sentence that adds nothing) are told apart one by one.
    const bool floors = std::ranges::any_of(objective_.limits, [](const Limit& limit) { return limit.floor > 0; });
    const bool distinct =
        std::ranges::any_of(objective_.sizes, [](const Size& size) { return !size.distinct.empty(); });
    // A ratio over nothing is 0, which no linear row tells.
    const bool empty = groups_.front().constant == 0 && has_empty_sentence(groups_.front().size);
    const bool by_ratio = groups_.size() == 1 && objective_.exact && settings_.top == 0 && !empty &&
                          !(settings_.search.minimal && (near || distinct || floors || groups_.front().constant == 0));
    if (by_ratio)
        solve_ratio();
    else
        solve_by_boxes();
    if (settings_.search.minimal) cut_down();
    result_.stopped = clock_.reason();
    return std::move(result_);
}

}  // namespace

FractionSum value_of(const Objective& objective, std::span<const Tally> tallies) {
    std::vector<Fraction> parts;
    for (std::size_t k = 0; k < objective.terms.size(); ++k) {
        const Term& term = objective.terms[k];
        const Fraction part{term.weight * term.times * tallies[k].hits,
                            term.constant + term.per_ngram * tallies[k].size};
        parts.push_back(part.below > 0 ? part : Fraction{});
    }
    return FractionSum(std::move(parts));
}

Maximised maximise(const Objective& objective, Scorer* scorer, const MaximiseSettings& settings, Clock& clock) {
    return Maximiser(objective, scorer, settings, clock).run();
}

}  // namespace oraclesum::search
