// A sum of ratios f_1 + ... + f_G: a set with a sum of at least v has each f_g in some interval [a_g, b_g) for g < G, and then
// f_G >= v - (b_1 + ... + b_{G-1}) =: a_G. So sum_g u_g (A_g - a_g D_g) >= 0 for any u >= 0: a linear problem again, whose sets
// are few if the box of intervals is small. Each of them is scored exactly. Boxes that have too many are cut in two.
#include <algorithm>
#include <cmath>

#include "maximiser.hpp"

namespace oraclesum::search {

namespace {

constexpr double widest_weight = 1 << 20;
constexpr std::size_t long_document = 60;  // kinds of sentences; bounds of sums are wide
constexpr std::size_t most_steps_of_scan = 2000;
constexpr std::uint64_t few_sets = 1 << 16;
constexpr std::uint64_t nodes_per_wanted = 16;  // a box with a wanted set for so many nodes is worth its time

}  // namespace

bool Maximiser::reaches_bar(const FractionSum& own) const {
    if (by_rank_) return own >= bar_;
    if (within_.above == 0) return own >= result_.value;
    std::vector<Fraction> parts(own.parts().begin(), own.parts().end());
    parts.push_back(within_);
    return FractionSum(std::move(parts)) >= result_.value;
}

// The sentences of a set of kinds, ascending, into set_.
void Maximiser::list_sentences(std::span<const Taken> taken) {
    set_.clear();
    for (const Taken& each : taken)
        for (std::uint32_t k = 0; k < each.copies; ++k) set_.push_back(kinds_.members[each.cls][k]);
    std::ranges::sort(set_);
}

// A set that keeps the row of the present box: is it wanted? Once time is up it is left, and the walk ends.
void Maximiser::judge(std::vector<Taken> taken) {
    if (clock_.look()) return;  // a long text takes longer to score than a look at the clock
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
    ++wanted_;
    if (settings_.search.minimal && !is_minimal(set_, own)) return;
    std::ranges::sort(taken, {}, &Taken::cls);
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
    return !ended_ && !raised_ && clock_.reason() == StopReason::none;
}

// Few sets are quicker told one by one than by a search.
bool Maximiser::scan(const Weighing& weighing, std::int64_t target, const Weighing::Visit& show) {
    const Weighing::Visit while_in_time = [&](std::span<const Taken> taken) {
        if (!clock_.look()) show(taken);
    };
    return settings_.search.techniques.scan && weighing.scan(target, most_steps_of_scan, while_in_time) &&
           clock_.reason() == StopReason::none;
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
    if (clock_.reason() != StopReason::none || ended_) return Outcome::stopped;
    return found.collected ? Outcome::done : Outcome::open;
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
    for (std::size_t out = 0; out <= best.size() && !clock_.look(); ++out) {  // the last: nothing leaves
        if (out < best.size() && objective_.roles[best[out]] == Role::required) continue;
        Set rest;
        for (std::size_t k = 0; k < best.size(); ++k)
            if (k != out) rest.push_back(best[k]);
        keep(rest);
        for (std::size_t kind = 0; kind < kinds_.members.size() && !clock_.look(); ++kind) {
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

// Twice the sets of sentences, equal ones told apart by their number only, if they are few: no more nodes are needed to
// see them all, while every cut begins anew. 0 if they are many.
std::uint64_t Maximiser::count_few_sets() const {
    std::uint64_t sets = 1;
    for (std::size_t kind = 0; kind < kinds_.members.size() && sets <= few_sets; ++kind)
        sets *= kinds_.members[kind].size() + 1;
    return sets <= few_sets ? 2 * sets : 0;
}

// Explores boxes until none is left in which a wanted set could be.
void Maximiser::survey(bool final_bar) {
    std::vector<Box> open(1);
    open.front().allowance = std::max(open.front().allowance, count_few_sets());
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
    // Sets that share their first kinds share their path from the root. No recursion: a set may have millions of kinds.
    struct Part {
        std::size_t begin, end;  // sets that share as many kinds as there are parts below this one
        Diagram::Id sets;        // those from `end` on, and the one that has no further kind
    };
    std::vector<Part> parts;
    const auto open = [&](std::size_t begin, std::size_t end) {
        const bool ends = found_[begin].set.size() == parts.size();
        parts.push_back({begin + (ends ? 1 : 0), end, ends ? Diagram::top : Diagram::bottom});
    };
    if (!found_.empty()) open(0, found_.size());
    while (!parts.empty()) {
        const Part part = parts.back();
        if (part.end > part.begin) {
            const std::size_t depth = parts.size() - 1;
            std::size_t first = part.end - 1;
            while (first > part.begin && found_[first - 1].set[depth] == found_[part.end - 1].set[depth]) --first;
            parts.back().end = first;
            open(first, part.end);
            continue;
        }
        parts.pop_back();
        if (parts.empty()) {
            diagram.root = part.sets;
        } else {
            Part& below = parts.back();
            const Taken head = found_[below.end].set[parts.size() - 1];
            below.sets = diagram.add(head.cls, head.copies, below.sets, part.sets);
        }
    }
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
    if (!result_.proven) survey(false);
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

}  // namespace oraclesum::search
