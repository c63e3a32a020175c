// Splitting a diagram by smallest sentence, and writing out the sets of a small part.
#include "oraclesum/search/lister.hpp"

#include <algorithm>
#include <numeric>

#include "passes.hpp"

namespace oraclesum::search {

Lister::Lister(const DiagramFamily& family, std::span<const std::uint32_t> from, std::uint64_t max_per_part,
               std::uint64_t max_sentences)
    : family_(family),
      from_(from.begin(), from.end()),
      max_per_part_(max_per_part),
      max_sentences_(max_sentences),
      counts_fit_(family.count().limbs().size() <= 1) {
    if (family.diagram().root != Diagram::bottom) open_.push_back({family.diagram(), {}, 0});
}

void Lister::choose_in(const Set& prefix, std::uint32_t start) {
    choices_.resize(family_.members().size());
    for (std::uint32_t c = 0; c < choices_.size(); ++c) {
        const auto members = family_.members()[c];
        choices_[c] = {0, static_cast<std::uint32_t>(members.end() - std::ranges::lower_bound(members, start))};
    }
    for (const std::uint32_t sentence : prefix) ++choices_[family_.class_of(sentence)].fixed;
}

// The part of a diagram that agrees with a prefix and start; `with_last`: and takes the class of the prefix's last
// sentence, which so far was free not to be taken.
void Lister::restrict(const Diagram& diagram, Part& to, bool with_last, const Bounds& bounds) {
    choose_in(to.prefix, to.start);
    const std::uint32_t wanted = with_last ? family_.class_of(to.prefix.back()) : DiagramFamily::no_class;
    // Each node in two versions: before and after the wanted class was taken.
    std::vector<std::uint8_t> reached(diagram.size(), 0);
    constexpr std::uint8_t before = 1, after = 2;
    reached[diagram.root] = with_last ? before : after;
    std::vector<std::uint8_t> open(diagram.size(), 0);
    for (auto id = static_cast<std::uint32_t>(diagram.size()); id-- > 2;) {
        bounds.step();
        if (!reached[id]) continue;
        const Diagram::Node& node = diagram[id];
        reached[node.lo] |= reached[id];
        open[id] = possible(node);
        if (open[id]) reached[node.hi] |= node.cls == wanted ? after : reached[id];
    }
    Diagram result;
    std::vector<Diagram::Id> made_before(diagram.size(), Diagram::bottom), made_after(diagram.size(), Diagram::bottom);
    made_after[Diagram::top] = Diagram::top;
    for (std::uint32_t id = 2; id < diagram.size(); ++id) {
        const Diagram::Node& node = diagram[id];
        bounds.step();
        if (reached[id] & before) {
            const Diagram::Id hi = (node.cls == wanted ? made_after : made_before)[node.hi];
            made_before[id] = result.add(node.cls, node.copies, made_before[node.lo], open[id] ? hi : Diagram::bottom);
        }
        if (reached[id] & after)
            made_after[id] = result.add(node.cls, node.copies, made_after[node.lo],
                                        open[id] ? made_after[node.hi] : Diagram::bottom);
    }
    result.root = (with_last ? made_before : made_after)[diagram.root];
    to.diagram = std::move(result);
}

// In how many ways a node's copies can be chosen, up to one more than a part may have.
std::uint64_t Lister::ways(const Diagram::Node& node) const {
    const Choice& choice = choices_[node.cls];
    if (choice.open == 1) return 1;
    return binomial_up_to(choice.open, node.copies - choice.fixed, max_per_part_ + 1);
}

Lister::Weight Lister::weigh(const Part& part, const Bounds& bounds) {
    below_.assign(part.diagram.size(), {0, 0});
    below_[Diagram::top] = {1, 0};
    for (std::uint32_t id = 2; id < part.diagram.size(); ++id) {
        bounds.step();
        const Diagram::Node& node = part.diagram[id];
        const Weight &without = below_[node.lo], &with = below_[node.hi];
        const std::uint64_t taken = node.copies - choices_[node.cls].fixed, times = ways(node);
        const std::uint64_t sentences = std::min(with.sentences + with.sets * taken, max_sentences_ + 1);
        below_[id] = {std::min(without.sets + times * with.sets, max_per_part_ + 1),
                      std::min(without.sentences + times * sentences, max_sentences_ + 1)};
    }
    const Weight& all = below_[part.diagram.root];
    return {all.sets, all.sentences + all.sets * part.prefix.size()};
}

// Takes into the prefix what all of a part's sets go on with: few and long ones may share nearly all they have, and to
// split by each of those sentences would take a pass over the diagram for every one. weigh(part) goes before.
void Lister::advance(Part& part, std::uint64_t sets, const Bounds& bounds) const {
    const Diagram& diagram = part.diagram;
    std::vector<std::uint64_t> above(diagram.size(), 0);
    std::vector<std::uint64_t> whole(family_.members().size(), 0);  // sets with all that is open of a class
    std::vector<std::uint8_t> used(family_.members().size(), 0);
    above[diagram.root] = 1;
    for (auto id = static_cast<std::uint32_t>(diagram.size()); id-- > 2;) {
        bounds.step();
        if (above[id] == 0) continue;
        const Diagram::Node& node = diagram[id];
        const std::uint64_t with = above[id] * ways(node);
        above[node.lo] += above[id];
        above[node.hi] += with;
        used[node.cls] = 1;
        const Choice& choice = choices_[node.cls];
        if (node.copies - choice.fixed == choice.open) whole[node.cls] += with * below_[node.hi].sets;
    }
    const std::size_t before = part.prefix.size();
    for (; part.start < family_.sentences(); ++part.start) {
        const std::uint32_t cls = family_.class_of(part.start);
        if (cls == DiagramFamily::no_class || !used[cls]) continue;
        if (whole[cls] != sets) break;
        part.prefix.push_back(part.start);
    }
    if (part.prefix.size() > before) part.prefix_listed = false;
}

// Sets of a part that go on from `start` on only, the prefix alone included.
template <class Number>
Number Lister::count_from(const Part& part, std::uint32_t start, const Bounds& bounds) {
    choose_in(part.prefix, start);
    const Diagram& diagram = part.diagram;
    std::vector<std::size_t> starts(choices_.size());  // of each class, in the rows by number of members to choose
    std::size_t rows = 0;
    for (std::size_t c = 0; c < choices_.size(); ++c) {
        starts[c] = rows;
        rows += choices_[c].open + 1;
    }
    const auto words = static_cast<double>(family_.count().limbs().size());
    bounds.need((40 + 8 * words) * static_cast<double>(diagram.size() + rows), "finding a place in the list");
    const auto row = [&](const Diagram::Node& node) {
        return starts[node.cls] + node.copies - choices_[node.cls].fixed;
    };
    std::vector<std::uint8_t> used(rows, 0);
    for (std::uint32_t id = 2; id < diagram.size(); ++id)
        if (possible(diagram[id])) used[row(diagram[id])] = 1;
    std::vector<Number> ways(rows);
    for (std::size_t c = 0; c < choices_.size(); ++c) {
        if (choices_[c].open < 2) continue;
        count_choices_of<Number>(
            choices_[c].open, bounds, [&](std::uint32_t k) { return used[starts[c] + k] != 0; },
            [&](std::uint32_t k, const Number& number) { ways[starts[c] + k] = number; });
    }
    std::vector<Number> below(diagram.size());
    below[Diagram::top] = Number(1);
    for (std::uint32_t id = 2; id < diagram.size(); ++id) {
        bounds.step();
        const Diagram::Node& node = diagram[id];
        below[id] = below[node.lo];
        if (possible(node))
            below[id] += choices_[node.cls].open > 1 ? below[node.hi] * ways[row(node)] : below[node.hi];
    }
    return below[diagram.root];
}

// Passes over sets of a part that are to be skipped, up to the sentence that the first set to show goes on with; false
// if all are skipped. The sentence is found by doubling and halving, so that it takes few passes over the diagram,
// however many sentences are before it.
bool Lister::skip_in(Part& part, const Bounds& bounds) {
    const bool ends_here = family_.contains(part.prefix);
    const auto count_further = [&](std::uint32_t start) {  // without the prefix alone
        Natural sets =
            counts_fit_ ? to_natural(count_from<Wide>(part, start, bounds)) : count_from<Natural>(part, start, bounds);
        if (ends_here) sets -= Natural(1);
        return sets;
    };
    if (ends_here && !part.prefix_listed) {
        to_skip_ -= Natural(1);
        part.prefix_listed = true;
    }
    const Natural sets = count_further(part.start);
    if (sets <= to_skip_) {
        to_skip_ -= sets;
        return false;
    }
    const auto sentences = static_cast<std::uint32_t>(family_.sentences());
    std::uint32_t start = part.start, end = sentences;
    Natural skipped;  // all that go on before `start`; those before `end` are too many
    for (std::uint32_t step = 1; start + 1 < end; step *= 2) {
        const std::uint32_t middle = end == sentences ? std::min(start + step, end - 1) : start + (end - start) / 2;
        Natural before = sets;
        before -= count_further(middle);
        if (before <= to_skip_) {
            start = middle;
            skipped = std::move(before);
        } else {
            end = middle;
        }
    }
    to_skip_ -= skipped;
    part.start = start;
    restrict(part.diagram, part, false, bounds);
    return true;
}

// Cuts a part into: the prefix alone, then by the next sentence, each pushed so that the first comes out first.
void Lister::split(Part part, const Bounds& bounds) {
    std::vector<std::uint8_t> used(family_.members().size(), 0);
    for (std::uint32_t id = 2; id < part.diagram.size(); ++id) used[part.diagram[id].cls] = 1;
    std::uint32_t sentence = part.start;
    while (sentence < family_.sentences() &&
           (family_.class_of(sentence) == DiagramFamily::no_class || !used[family_.class_of(sentence)]))
        ++sentence;
    if (sentence == family_.sentences()) {
        write(part, bounds);
        return;
    }
    const std::uint32_t cls = family_.class_of(sentence);
    choose_in(part.prefix, part.start);
    const bool first_of_class = choices_[cls].fixed == 0;
    Part with{Diagram(), part.prefix, sentence + 1};
    with.prefix.push_back(sentence);
    restrict(part.diagram, with, first_of_class, bounds);
    // A set that ends here comes before all that go on.
    if (!part.prefix_listed && family_.contains(part.prefix)) show(part.prefix);
    Part without{Diagram(), std::move(part.prefix), sentence + 1, true};
    restrict(part.diagram, without, false, bounds);
    if (without.diagram.root != Diagram::bottom) push(std::move(without), bounds);
    if (with.diagram.root != Diagram::bottom) push(std::move(with), bounds);
}

void Lister::push(Part part, const Bounds& bounds) {
    double bytes = static_cast<double>(part.diagram.bytes());
    for (const Part& other : open_) bytes += static_cast<double>(other.diagram.bytes());
    bounds.need(bytes, "the parts of the list that are to come");
    open_.push_back(std::move(part));
}

const Rows<std::uint32_t>& Lister::next_part(const Bounds& bounds) {
    sets_.clear();
    try {
        find_part(bounds);
    } catch (...) {
        open_.clear();  // what was cut into parts just now would be missing
        throw;
    }
    return sets_;
}

void Lister::find_part(const Bounds& bounds) {
    while (sets_.size() == 0 && !open_.empty()) {
        Part part = std::move(open_.back());
        open_.pop_back();
        // All its sets are before `from` if the prefix is smaller at the first place of difference.
        const auto differ = std::ranges::mismatch(part.prefix, from_);
        if (differ.in1 != part.prefix.end() && differ.in2 != from_.end() && *differ.in1 < *differ.in2) continue;
        if (!to_skip_.is_zero() && !skip_in(part, bounds)) continue;
        choose_in(part.prefix, part.start);
        const auto [sets, sentences] = weigh(part, bounds);
        if (sets <= 1 || (sets <= max_per_part_ && sentences <= max_sentences_)) {
            write(part, bounds);
        } else {
            if (sets <= max_per_part_) advance(part, sets, bounds);
            split(std::move(part), bounds);
        }
    }
}

void Lister::write(const Part& part, const Bounds& bounds) {
    choose_in(part.prefix, part.start);
    found_.clear();
    collect(part, bounds);
    sort_into_sets(part);
}

// Every set of a part, in the order of the diagram.
void Lister::collect(const Part& part, const Bounds& bounds) {
    const Diagram& diagram = part.diagram;
    // Depth first along the taken edges; a step's chosen members are places among the open ones of its class.
    struct Step {
        Diagram::Id id;
        std::uint32_t wanted;
        bool started;
    };
    std::vector<Step> path;
    std::vector<std::uint32_t> places;
    Set set = part.prefix;  // kept ascending: a step changes it for all the sets below
    const auto insert = [&](std::uint32_t sentence) {
        set.push_back(sentence);
        for (std::size_t k = set.size() - 1; k > 0 && set[k - 1] > sentence; --k) std::swap(set[k - 1], set[k]);
    };
    const auto remove = [&](std::uint32_t sentence) { set.erase(std::ranges::lower_bound(set, sentence)); };
    const auto enter = [&](Diagram::Id id) {
        if (id == Diagram::top)
            found_.add_row(set);
        else if (id != Diagram::bottom)
            path.push_back({id, diagram[id].copies - choices_[diagram[id].cls].fixed, false});
    };
    enter(diagram.root);
    while (!path.empty()) {
        bounds.step();
        Step& step = path.back();
        const Diagram::Node& node = diagram[step.id];
        const std::uint32_t open = choices_[node.cls].open;
        const auto members = family_.members()[node.cls].last(open);
        bool more = open >= step.wanted;
        if (!step.started) {
            step.started = true;
            for (std::uint32_t k = 0; k < step.wanted; ++k) places.push_back(k);
        } else {
            // The next choice of `wanted` places out of the open ones.
            const auto chosen = std::span(places).last(step.wanted);
            for (const std::uint32_t place : chosen) remove(members[place]);
            std::size_t k = step.wanted;
            while (k > 0 && chosen[k - 1] == open - (step.wanted - k) - 1) --k;
            more = more && k > 0;
            if (more) {
                ++chosen[k - 1];
                for (; k < step.wanted; ++k) chosen[k] = chosen[k - 1] + 1;
            }
        }
        if (more) {
            for (const std::uint32_t place : std::span(places).last(step.wanted)) insert(members[place]);
            enter(node.hi);
            continue;
        }
        places.resize(places.size() - step.wanted);
        const Diagram::Id lo = node.lo;
        path.pop_back();
        enter(lo);
    }
}

// Quicksort by one sentence at a time: what sets have in common is looked at once, not at every comparison.
void Lister::sort_into_sets(const Part& part) {
    const std::size_t prefix = part.prefix.size();
    struct Range {
        std::uint32_t begin, end, depth;
    };
    std::vector<std::uint32_t> order(found_.size());
    std::iota(order.begin(), order.end(), 0U);
    // A set that ends comes before one that goes on.
    const auto sentence = [&](std::uint32_t place, std::uint32_t depth) {
        const auto set = found_[place];
        return depth < set.size() ? std::uint64_t{set[depth]} + 1 : std::uint64_t{0};
    };
    std::vector<Range> open{{0, static_cast<std::uint32_t>(order.size()), static_cast<std::uint32_t>(prefix)}};
    while (!open.empty()) {
        const auto [begin, end, depth] = open.back();
        open.pop_back();
        if (end - begin < 2) continue;
        const std::uint64_t a = sentence(order[begin], depth), b = sentence(order[(begin + end) / 2], depth),
                            c = sentence(order[end - 1], depth);
        const std::uint64_t pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
        std::uint32_t less = begin, more = end;
        for (std::uint32_t at = begin; at < more;) {
            const std::uint64_t here = sentence(order[at], depth);
            if (here < pivot)
                std::swap(order[less++], order[at++]);
            else if (here > pivot)
                std::swap(order[at], order[--more]);
            else
                ++at;
        }
        open.push_back({begin, less, depth});
        if (pivot != 0) open.push_back({less, more, depth + 1});
        open.push_back({more, end, depth});
    }
    for (const std::uint32_t place : order) {
        const auto set = found_[place];
        if (set.size() > prefix || !part.prefix_listed) show(set);
    }
}

void Lister::show(std::span<const std::uint32_t> set) {
    if (!from_.empty() && std::ranges::lexicographical_compare(set, from_)) return;
    if (to_skip_.is_zero())
        sets_.add_row(set);
    else
        to_skip_ -= Natural(1);
}

}  // namespace oraclesum::search
