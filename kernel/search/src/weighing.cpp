// Kinds of equal sentences, weighted instances, and counts by layers.
#include "weighing.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "oraclesum/search/error.hpp"
#include "oraclesum/search/int128.hpp"
#include "oraclesum/search/ranges.hpp"

namespace oraclesum::search {

namespace {

std::int64_t keep_in_range(SignedWide number) {
    if (number > ranges::largest_total || number < -ranges::largest_total) throw InputError(too_many_digits);
    return static_cast<std::int64_t>(number);
}

}  // namespace

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

Weighing::Weighing(const Objective& objective, const Kinds& kinds, std::span<const std::int64_t> weights,
                   std::span<const std::int64_t> costs, bool joints)
    : objective_(objective), kinds_(kinds), weights_(weights), n_(objective.sentences()), roles_(objective.roles) {
    own_costs_.assign(n_, 0);
    const auto charge = [&](std::int64_t price, std::span<const std::int64_t> numbers) {
        for (std::size_t i = 0; i < numbers.size(); ++i)
            own_costs_[i] = keep_in_range(static_cast<SignedWide>(price) * numbers[i] + own_costs_[i]);
    };
    for (std::size_t s = 0; s < objective.sizes.size(); ++s)
        if (costs[s] != 0) charge(costs[s], objective.sizes[s].lengths);
    for (std::size_t l = 0; l < objective.layers.size(); ++l)
        if (joints) charge(-weights[l], objective.layers[l].bonus);
    // Costs of distinct n-grams lower the gain of those in references; what is left of the cost is a fee.
    cost_of_layer_.assign(objective.layers.size(), 0);
    size_of_layer_.assign(objective.layers.size(), nullptr);
    for (const Term& term : objective.terms)
        if (!objective.sizes[term.size].distinct.empty()) {
            cost_of_layer_[term.layer] = costs[term.size];
            size_of_layer_[term.layer] = &objective.sizes[term.size];
        }
    weigh_alone();
}

void Weighing::weigh_alone() {
    alone_.assign(n_, 0);
    for (std::size_t i = 0; i < n_; ++i) {
        if (!in_play(i)) continue;
        SignedWide sum = -own_costs_[i];
        for (std::size_t l = 0; l < objective_.layers.size(); ++l) {
            if (weights_[l] == 0) continue;
            const Layer& layer = objective_.layers[l];
            for (const Entry& entry : layer.counts[i]) {
                const auto& gains = layer.gains[entry.ngram];
                for (std::size_t k = 0; k < gains.size() && k < entry.count; ++k) sum += weigh(l, gains[k]);
            }
        }
        alone_[i] = keep_in_range(sum);
    }
}

bool Weighing::in_play(std::size_t i) const { return roles_[i] == Role::candidate || roles_[i] == Role::required; }

std::int64_t Weighing::weigh(std::size_t layer, std::int64_t gain) const {
    const std::int64_t weighted = keep_in_range(static_cast<SignedWide>(weights_[layer]) * gain);
    return size_of_layer_[layer] == nullptr ? weighted : std::max<std::int64_t>(0, weighted - cost_of_layer_[layer]);
}

// At most so many sentences fit into a set.
std::size_t Weighing::max_sentences() const {
    std::size_t most = n_;
    for (const Limit& limit : objective_.limits) {
        std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
        for (std::size_t i = 0; i < n_; ++i)
            if (in_play(i)) shortest = std::min(shortest, limit.lengths[i]);
        if (shortest > 0) most = std::min<std::size_t>(most, static_cast<std::size_t>(limit.budget / shortest));
    }
    return most;
}

// Without such a sentence a set gains more, as no gain grows with what else is taken, and still keeps every limit from
// above. A floor could need it, and others could come to pay its fees.
void Weighing::drop_losers() {
    for (const Limit& limit : objective_.limits)
        if (limit.floor > 0) return;
    for (const Size* const size : size_of_layer_)
        if (size != nullptr) return;
    for (std::size_t i = 0; i < n_; ++i)
        if (roles_[i] == Role::candidate && alone_[i] < 0) roles_[i] = Role::idle;
}

// No set gains more than its sentences do alone, added up: one that is short of the target even beside the best others
// that fit is in no set that reaches it.
void Weighing::drop_hopeless(std::int64_t target) {
    std::size_t room = max_sentences();
    SignedWide all = 0;
    std::vector<std::int64_t> best;
    for (std::size_t i = 0; i < n_; ++i) {
        if (roles_[i] == Role::required) {
            all += alone_[i];
            room -= room > 0 ? 1 : 0;
        } else if (roles_[i] == Role::candidate && alone_[i] > 0) {
            best.push_back(alone_[i]);
        }
    }
    if (room == 0) return;
    std::int64_t last = 0;  // of the best, what gives way to a sentence that is not among them
    if (best.size() >= room) {
        std::ranges::nth_element(best, best.begin() + static_cast<std::ptrdiff_t>(room - 1), std::greater<>());
        best.resize(room);
        last = best.back();
    }
    for (const std::int64_t each : best) all += each;
    for (std::size_t i = 0; i < n_; ++i)
        if (roles_[i] == Role::candidate && all + std::min<std::int64_t>(0, alone_[i] - last) < target)
            roles_[i] = Role::idle;
}

void Weighing::charge_fees(std::size_t layer, Extras& extras) const {
    const std::int64_t cost = cost_of_layer_[layer];
    const auto& gains = objective_.layers[layer].gains;
    if (extras.fee_rows.empty()) extras.fee_rows.resize(n_);
    const auto first = static_cast<std::uint32_t>(extras.fees.size());
    for (std::size_t i = 0; i < n_; ++i) {
        if (!in_play(i)) continue;
        for (const std::uint32_t g : size_of_layer_[layer]->distinct[i]) {
            if (extras.fees.size() <= first + g) extras.fees.resize(first + g + 1, 0);
            const std::int64_t gain = g < gains.size() ? weights_[layer] * gains[g][0] : 0;
            if (gain >= cost) continue;
            extras.fees[first + g] = cost - gain;
            extras.fee_rows[i].push_back(first + g);
        }
    }
}

// N-grams that no sentence has any more are left out.
Instance Weighing::build() const {
    constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::vector<std::uint32_t>> ids;  // per layer and n-gram
    for (const Layer& layer : objective_.layers) ids.emplace_back(layer.gains.size(), none);
    Rows<std::int64_t> gains;
    Rows<Entry> counts;
    std::vector<std::int64_t> weighted;
    std::vector<Entry> row;
    for (std::size_t i = 0; i < n_; ++i) {
        row.clear();
        for (std::size_t l = 0; l < ids.size() && in_play(i); ++l) {
            if (weights_[l] == 0) continue;
            for (const Entry& entry : objective_.layers[l].counts[i]) {
                std::uint32_t& id = ids[l][entry.ngram];
                if (id == none) {
                    id = static_cast<std::uint32_t>(gains.size());
                    weighted.clear();
                    for (const std::int64_t gain : objective_.layers[l].gains[entry.ngram])
                        weighted.push_back(weigh(l, gain));
                    gains.add_row(weighted);
                }
                row.push_back({id, entry.count});
            }
        }
        counts.add_row(row);
    }
    Extras extras;
    for (std::size_t l = 0; l < ids.size(); ++l)
        if (size_of_layer_[l] != nullptr && cost_of_layer_[l] != 0) charge_fees(l, extras);
    extras.costs = own_costs_;
    extras.roles = roles_;
    extras.kinds = kinds_.of;
    for (std::size_t i = 0; i < n_; ++i)
        if (roles_[i] == Role::idle) extras.costs[i] = 0;  // what is not in play need not be in range
    return {gains, counts, objective_.limits, std::move(extras)};
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
