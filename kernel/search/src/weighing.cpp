// Kinds of equal sentences, weighted instances, and counts by layers.
#include "weighing.hpp"

#include <algorithm>
#include <numeric>

namespace oraclesum::search {

Kinds group_equal(const Objective& objective) {
    const std::size_t n = objective.sentences();
    Kinds kinds;
    kinds.of.resize(n, 0xffffffff);
    const auto compare = [&](std::uint32_t a, std::uint32_t b) -> std::strong_ordering {
        if (const auto c = objective.roles[a] <=> objective.roles[b]; c != 0) return c;
        for (const Limit& limit : objective.limits)
            if (const auto c = limit.lengths[a] <=> limit.lengths[b]; c != 0) return c;
        for (const Size& size : objective.sizes) {
            if (!size.lengths.empty())
                if (const auto c = size.lengths[a] <=> size.lengths[b]; c != 0) return c;
            if (!size.distinct.empty())
                if (const auto c = size.distinct[a] <=> size.distinct[b]; c != 0) return c;
        }
        for (const Layer& layer : objective.layers) {
            if (!layer.bonus.empty())
                if (const auto c = layer.bonus[a] <=> layer.bonus[b]; c != 0) return c;
            if (const auto c = layer.counts[a] <=> layer.counts[b]; c != 0) return c;
        }
        return std::strong_ordering::equal;
    };
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < n; ++i)
        if (objective.roles[i] == Role::candidate || objective.roles[i] == Role::required) order.push_back(i);
    // A required sentence is in every set, and not one of several that could be.
    const auto alone = [&](std::uint32_t i) { return objective.ordered || objective.roles[i] == Role::required; };
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return compare(a, b) < 0; });
    std::vector<std::vector<std::uint32_t>> groups;
    for (std::size_t at = 0; at < order.size(); ++at) {
        const bool again = at > 0 && !alone(order[at]) && compare(order[at - 1], order[at]) == 0;
        if (!again) groups.emplace_back();
        groups.back().push_back(order[at]);
    }
    std::ranges::sort(groups, {}, [](const auto& group) { return group.front(); });
    for (std::uint32_t kind = 0; kind < groups.size(); ++kind) {
        for (const std::uint32_t i : groups[kind]) kinds.of[i] = kind;
        kinds.members.add_row(groups[kind]);
    }
    return kinds;
}

namespace {

// Without such a sentence a set gains more, as no gain grows with what else is taken, and still keeps every limit from above.
// A floor could need it, and others could come to pay its fees.
void drop_losers(const Objective& objective, std::span<const std::int64_t> weights, Extras& extras) {
    for (const Limit& limit : objective.limits)
        if (limit.floor > 0) return;
    for (const Size& size : objective.sizes)
        if (!size.distinct.empty()) return;
    for (std::size_t i = 0; i < objective.sentences(); ++i) {
        if (extras.roles[i] != Role::candidate) continue;
        std::int64_t alone = -extras.costs[i];
        for (std::size_t l = 0; l < objective.layers.size() && alone < 0; ++l) {
            if (weights[l] == 0) continue;
            for (const Entry& entry : objective.layers[l].counts[i]) {
                const auto& gains = objective.layers[l].gains[entry.ngram];
                for (std::size_t k = 0; k < gains.size() && k < entry.count; ++k) alone += weights[l] * gains[k];
            }
        }
        if (alone < 0) extras.roles[i] = Role::idle;
    }
}

}  // namespace

Instance weigh(const Objective& objective, const Kinds& kinds, std::span<const std::int64_t> weights,
               std::span<const std::int64_t> costs, Wanted wanted) {
    const std::size_t n = objective.sentences();
    std::vector<std::vector<std::int64_t>> gains;
    std::vector<std::vector<Entry>> counts(n);
    Extras extras;
    extras.costs.assign(n, 0);
    extras.roles = objective.roles;
    extras.kinds = kinds.of;
    for (std::size_t s = 0; s < objective.sizes.size(); ++s)
        if (costs[s] != 0 && !objective.sizes[s].lengths.empty())
            for (std::size_t i = 0; i < n; ++i) extras.costs[i] += costs[s] * objective.sizes[s].lengths[i];
    for (std::size_t l = 0; l < objective.layers.size(); ++l)
        if (!objective.layers[l].bonus.empty())
            for (std::size_t i = 0; i < n; ++i) extras.costs[i] -= weights[l] * objective.layers[l].bonus[i];
    if (wanted == Wanted::best) drop_losers(objective, weights, extras);
    // Costs of distinct n-grams lower the gain of those in references; what is left of the cost is a fee.
    std::vector<std::int64_t> cost_of_layer(objective.layers.size(), 0);
    std::vector<const Size*> size_of_layer(objective.layers.size(), nullptr);
    for (const Term& term : objective.terms)
        if (!objective.sizes[term.size].distinct.empty()) {
            cost_of_layer[term.layer] = costs[term.size];
            size_of_layer[term.layer] = &objective.sizes[term.size];
        }
    for (std::size_t l = 0; l < objective.layers.size(); ++l) {
        const Layer& layer = objective.layers[l];
        const auto first = static_cast<std::uint32_t>(gains.size());
        const std::int64_t cost = cost_of_layer[l];
        if (weights[l] == 0 && size_of_layer[l] == nullptr) continue;
        for (const auto& row : layer.gains) {
            auto& weighted = gains.emplace_back();
            if (size_of_layer[l] == nullptr)
                for (const std::int64_t gain : row) weighted.push_back(weights[l] * gain);
            else if (weights[l] * row[0] > cost)
                weighted.push_back(weights[l] * row[0] - cost);
        }
        for (std::size_t i = 0; i < n; ++i)
            if (weights[l] != 0 && extras.roles[i] != Role::idle)
                for (const Entry& entry : layer.counts[i]) counts[i].push_back({first + entry.ngram, entry.count});
        if (size_of_layer[l] == nullptr || cost == 0) continue;
        if (extras.fee_rows.empty()) extras.fee_rows.resize(n);
        const auto first_fee = static_cast<std::uint32_t>(extras.fees.size());
        for (std::size_t i = 0; i < n; ++i)
            for (const std::uint32_t g : size_of_layer[l]->distinct[i]) {
                if (extras.fees.size() <= first_fee + g) extras.fees.resize(first_fee + g + 1, 0);
                const std::int64_t gain = g < layer.gains.size() ? weights[l] * layer.gains[g][0] : 0;
                if (gain >= cost) continue;
                extras.fees[first_fee + g] = cost - gain;
                extras.fee_rows[i].push_back(first_fee + g);
            }
    }
    return {gains, counts, objective.limits, std::move(extras)};
}

LayerScorer::LayerScorer(const Objective& objective) : objective_(objective) {
    for (const Layer& layer : objective.layers) covered_.emplace_back(layer.gains.size(), 0);
    for (const Size& size : objective.sizes) {
        std::size_t most = 0;
        for (const auto& row : size.distinct)
            for (const std::uint32_t g : row) most = std::max<std::size_t>(most, g + std::size_t{1});
        present_.emplace_back(most, 0);
    }
    hits_.assign(objective.layers.size(), 0);
    sizes_.assign(objective.sizes.size(), 0);
}

void LayerScorer::clear() {
    for (const std::uint32_t i : taken_) {
        for (std::size_t l = 0; l < covered_.size(); ++l)
            for (const Entry& entry : objective_.layers[l].counts[i]) covered_[l][entry.ngram] = 0;
        for (std::size_t s = 0; s < present_.size(); ++s)
            if (!objective_.sizes[s].distinct.empty())
                for (const std::uint32_t g : objective_.sizes[s].distinct[i]) present_[s][g] = 0;
    }
    taken_.clear();
    std::ranges::fill(hits_, 0);
    std::ranges::fill(sizes_, 0);
}

void LayerScorer::add(std::uint32_t sentence) {
    taken_.push_back(sentence);
    for (std::size_t l = 0; l < covered_.size(); ++l) {
        const Layer& layer = objective_.layers[l];
        for (const Entry& entry : layer.counts[sentence]) {
            const auto& gains = layer.gains[entry.ngram];
            std::uint32_t& reached = covered_[l][entry.ngram];
            for (std::uint32_t k = 0; k < entry.count; ++k, ++reached)
                if (reached < gains.size()) hits_[l] += gains[reached];
        }
    }
    for (std::size_t s = 0; s < present_.size(); ++s) {
        const Size& size = objective_.sizes[s];
        if (!size.lengths.empty()) sizes_[s] += size.lengths[sentence];
        if (!size.distinct.empty())
            for (const std::uint32_t g : size.distinct[sentence]) {
                sizes_[s] += present_[s][g] == 0 ? 1 : 0;
                present_[s][g] = 1;
            }
    }
}

void LayerScorer::tally(std::span<Tally> tallies, std::span<const std::int64_t> hits,
                        std::span<const std::int64_t> sizes) const {
    for (std::size_t t = 0; t < tallies.size(); ++t) {
        const Term& term = objective_.terms[t];
        tallies[t] = {hits[term.layer],
                      std::max<std::int64_t>(0, sizes[term.size] + objective_.sizes[term.size].offset)};
    }
}

void LayerScorer::read(std::span<Tally> tallies) const { tally(tallies, hits_, sizes_); }

void LayerScorer::probe(std::uint32_t sentence, std::span<Tally> tallies) const {
    more_hits_ = hits_;
    more_sizes_ = sizes_;
    for (std::size_t l = 0; l < covered_.size(); ++l) {
        const Layer& layer = objective_.layers[l];
        for (const Entry& entry : layer.counts[sentence]) {
            const auto& gains = layer.gains[entry.ngram];
            const std::uint32_t reached = covered_[l][entry.ngram];
            for (std::size_t k = reached; k < gains.size() && k < reached + std::size_t{entry.count}; ++k)
                more_hits_[l] += gains[k];
        }
    }
    for (std::size_t s = 0; s < present_.size(); ++s) {
        const Size& size = objective_.sizes[s];
        if (!size.lengths.empty()) more_sizes_[s] += size.lengths[sentence];
        if (!size.distinct.empty())
            for (const std::uint32_t g : size.distinct[sentence]) more_sizes_[s] += present_[s][g] == 0 ? 1 : 0;
    }
    tally(tallies, more_hits_, more_sizes_);
}

void LayerScorer::count(std::span<const std::uint32_t> set, std::span<Tally> tallies) {
    clear();
    for (const std::uint32_t i : set) add(i);
    read(tallies);
}

}  // namespace oraclesum::search
