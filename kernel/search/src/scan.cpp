// All sets of a given gain if they are quickly told: a walk by the gains that sentences have alone, without multipliers.
#include <algorithm>

#include "oraclesum/search/int128.hpp"
#include "oraclesum/search/ranges.hpp"
#include "weighing.hpp"

namespace oraclesum::search {

namespace {

// What a sentence that may be taken brings.
struct Item {
    std::uint32_t sentence;
    std::uint32_t kind;
    std::int64_t alone;
};

class Scan {
public:
    Scan(const Objective& objective, std::span<const std::int64_t> weights, std::span<const std::int64_t> costs,
         std::int64_t target, std::size_t most_steps, const Weighing::Visit& visit)
        : objective_(objective), weights_(weights), costs_(costs), target_(target), steps_(most_steps), visit_(visit) {
        for (const Layer& layer : objective.layers) covered_.emplace_back(layer.gains.size(), 0);
        for (const Limit& limit : objective.limits) left_.push_back(limit.budget);
    }

    bool run(const std::vector<Item>& required, std::vector<Item> items, std::size_t room) {
        std::int64_t gain = 0;
        for (const Item& item : required) {
            if (room == 0 || !fits(item.sentence)) return true;  // no set at all
            gain += take(item);
            --room;
        }
        // The best first; equal ones beside each other.
        std::ranges::sort(items, [](const Item& a, const Item& b) {
            return a.alone != b.alone ? a.alone > b.alone
                   : a.kind != b.kind ? a.kind < b.kind
                                      : a.sentence < b.sentence;
        });
        items_ = std::move(items);
        sums_.assign(1, 0);
        for (const Item& item : items_) sums_.push_back(sums_.back() + std::max<std::int64_t>(0, item.alone));
        if (!taken_.empty()) show(gain);
        return extend(0, gain, room);
    }

private:
    // No set gains more than what its sentences gain alone, added up.
    [[nodiscard]] std::int64_t most(std::size_t from, std::size_t room) const {
        return sums_[std::min(items_.size(), from + room)] - sums_[from];
    }
    [[nodiscard]] bool fits(std::uint32_t i) const {
        for (std::size_t r = 0; r < left_.size(); ++r)
            if (objective_.limits[r].lengths[i] > left_[r]) return false;
        return true;
    }
    void show(std::int64_t gain) const {
        if (gain < target_) return;
        for (std::size_t r = 0; r < left_.size(); ++r)
            if (objective_.limits[r].budget - left_[r] < objective_.limits[r].floor) return;
        visit_(taken_);
    }
    std::int64_t take(const Item& item) {
        std::int64_t gain = -costs_[item.sentence];
        for (std::size_t l = 0; l < covered_.size(); ++l) {
            if (weights_[l] == 0) continue;
            const Layer& layer = objective_.layers[l];
            std::int64_t hits = 0;
            for (const Entry& entry : layer.counts[item.sentence]) {
                const auto& gains = layer.gains[entry.ngram];
                std::uint64_t& reached = covered_[l][entry.ngram];
                for (std::size_t k = reached; k < gains.size() && k < reached + entry.count; ++k) hits += gains[k];
                reached += entry.count;
            }
            gain += weights_[l] * hits;
        }
        for (std::size_t r = 0; r < left_.size(); ++r) left_[r] -= objective_.limits[r].lengths[item.sentence];
        if (!taken_.empty() && taken_.back().cls == item.kind)
            ++taken_.back().copies;
        else
            taken_.push_back({item.kind, 1});
        return gain;
    }
    void give_back(const Item& item) {
        for (std::size_t l = 0; l < covered_.size(); ++l)
            if (weights_[l] != 0)
                for (const Entry& entry : objective_.layers[l].counts[item.sentence])
                    covered_[l][entry.ngram] -= entry.count;
        for (std::size_t r = 0; r < left_.size(); ++r) left_[r] += objective_.limits[r].lengths[item.sentence];
        if (--taken_.back().copies == 0) taken_.pop_back();
    }

    // Sets that add items from `from` on to what is taken.
    bool extend(std::size_t from, std::int64_t gain, std::size_t room) {
        if (room == 0) return true;
        for (std::size_t at = from; at < items_.size(); ++at) {
            const Item& item = items_[at];
            if (gain + item.alone + most(at + 1, room - 1) < target_) break;  // nor do those behind it
            // Of equal sentences the first are taken: the others make the same set again.
            if (at > from && items_[at - 1].kind == item.kind) continue;
            if (!fits(item.sentence)) continue;
            if (steps_-- == 0) return false;
            const std::int64_t more = gain + take(item);
            show(more);
            const bool told = more + most(at + 1, room - 1) < target_ || extend(at + 1, more, room - 1);
            give_back(item);
            if (!told) return false;
        }
        return true;
    }

    const Objective& objective_;
    std::span<const std::int64_t> weights_, costs_;
    std::int64_t target_;
    std::size_t steps_;
    const Weighing::Visit& visit_;
    std::vector<Item> items_;
    std::vector<std::int64_t> sums_;  // of what the first items gain alone, if they gain
    std::vector<std::vector<std::uint64_t>> covered_;
    std::vector<std::int64_t> left_;
    std::vector<Taken> taken_;
};

}  // namespace

bool Weighing::scan(std::int64_t target, std::size_t most_steps, const Visit& visit) const {
    for (std::size_t l = 0; l < size_of_layer_.size(); ++l)
        if (size_of_layer_[l] != nullptr) return false;
    std::vector<Item> required, items;
    for (std::uint32_t i = 0; i < n_; ++i)
        if (in_play(i)) (roles_[i] == Role::required ? required : items).push_back({i, kinds_.of[i], alone_[i]});
    SignedWide all = 0;  // that sums of gains fit
    for (const Item& item : items) all += std::max<std::int64_t>(0, item.alone);
    if (all > ranges::largest_total) return false;
    return Scan(objective_, weights_, own_costs_, target, most_steps, visit)
        .run(required, std::move(items), max_sentences());
}

}  // namespace oraclesum::search
