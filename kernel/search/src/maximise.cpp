// Drives the search over linear problems until the largest value of an objective is proven and its sets are known.
#include "oraclesum/search/maximise.hpp"

#include <algorithm>
#include <numeric>

#include "maximiser.hpp"
#include "oraclesum/search/bounds.hpp"
#include "oraclesum/search/ranges.hpp"

namespace oraclesum::search {

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

void Maximiser::forget_family() {
    result_.diagram = Diagram();
    result_.streamed.reset();
    result_.collected = false;
}

// Whether the best sets, which are collected, are as many as `top` asks for: all of them tie with the last.
bool Maximiser::has_enough() const {
    const std::uint64_t wanted = settings_.top;
    if (result_.streamed) return result_.streamed->count >= Natural(wanted);
    const Diagram& diagram = result_.diagram;
    std::vector<std::uint64_t> below(diagram.size(), 0);  // sets below every node, or `wanted` if they are more
    below[Diagram::top] = 1;
    for (Diagram::Id id = 2; id < diagram.size(); ++id) {
        const Diagram::Node& node = diagram[id];
        const auto members = static_cast<std::uint32_t>(result_.members[node.cls].size());
        const Wide with = Wide{binomial_up_to(members, node.copies, wanted)} * below[node.hi];
        below[id] = static_cast<std::uint64_t>(std::min<Wide>(with + below[node.lo], wanted));
    }
    return below[diagram.root] >= wanted;
}

// A sentence without which the set would fall below a floor cannot be dropped. False too if time ends meanwhile.
bool Maximiser::is_minimal(const Set& set, const FractionSum& own) {
    Set rest;
    std::vector<Tally> tallies(objective_.terms.size());
    for (std::size_t out = 0; out < set.size(); ++out) {
        if (clock_.look()) return false;
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
    Clock a_moment(1.0);
    std::size_t scored = 0;
    for (std::size_t out = 0; out < result_.best.size();) {
        if (stopped ? scored > most_when_stopped || a_moment.look() : clock_.look()) return;
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

Maximised Maximiser::run() {
    if (kinds_.members.size() == 0) {
        result_.collected = result_.proven = true;
        return std::move(result_);
    }
    const bool near = settings_.within.above != 0 || settings_.top != 0;
    // Minimal sets near the best, of distinct n-grams, by precision (where nothing is as good as no sentence), or above a floor
    // (which may need a sentence that adds nothing) are told apart one by one.
    const bool floors = std::ranges::any_of(objective_.limits, [](const Limit& limit) { return limit.floor > 0; });
    const bool distinct =
        std::ranges::any_of(objective_.sizes, [](const Size& size) { return !size.distinct.empty(); });
    // A ratio over nothing is 0, which no linear row tells.
    const bool empty = groups_.front().constant == 0 && has_empty_sentence(groups_.front().size);
    const bool by_ratio = groups_.size() == 1 && objective_.exact && !empty &&
                          !(settings_.search.minimal && (near || distinct || floors || groups_.front().constant == 0));
    // What was asked for is not known then, and no better bound than all that there is.
    const auto give_up = [&] {
        forget_family();
        if (result_.proven) return;
        std::int64_t most = 0;
        for (const Group& group : groups_) most += group.cap;
        result_.upper = FractionSum({{most, value_one}});
    };
    try {
        if (settings_.search.techniques.start) fill_greedily();
        if (by_ratio) solve_ratio();
        if (by_ratio && settings_.top != 0 && result_.collected && !has_enough()) {
            forget_family();
            solve_by_boxes();
        } else if (!by_ratio) {
            solve_by_boxes();
        }
    } catch (const InputError&) {
        // A scan that time ended is followed by a linear problem, for a bound, which may need larger numbers than the
        // scan: with more time it would not have been asked for.
        if (clock_.reason() == StopReason::none) throw;
        give_up();
    } catch (const Stopped&) {  // a count of very long texts
        give_up();
    }
    try {
        if (settings_.search.minimal) cut_down();
    } catch (const Stopped&) {  // dropped as far as time allowed
    }
    result_.stopped = clock_.reason();
    return std::move(result_);
}

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
