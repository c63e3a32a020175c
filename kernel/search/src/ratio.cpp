// One ratio A/D (Dinkelbach): v = p/q is the largest value if and only if no set has q A - p D > 0, and the best sets are
// exactly those with q A - p D = 0. For given p and q that is a linear problem, which the search solves and enumerates.
#include <algorithm>
#include <numeric>

#include "maximiser.hpp"

namespace oraclesum::search {

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
        const bool late = clock_.look();  // then a bound is all that is wanted
        const SearchResult found = search_linear(weighing, settings);
        const bool gained = found.hits > *settings.known;
        if (gained && !late) offer(found.best);
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

}  // namespace oraclesum::search
