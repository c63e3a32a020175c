// Pairs by sets of classes: what may and what must be taken above a node, and what must be taken below it.
//
// A path to a node and a way on from it are chosen freely, so all sets through a node hold class d exactly if every
// path above does or every way below does. That makes one bit per class and node enough, 64 classes at a time.
#include "oraclesum/search/pairs.hpp"

#include <algorithm>

#include "oraclesum/search/wide.hpp"

namespace oraclesum::search {

namespace {

using Bits = std::uint64_t;

// Relations between the classes that occur, numbered anew.
class Relations {
public:
    explicit Relations(const DiagramFamily& family) : family_(family), place_(family.members().size(), none) {
        const Diagram& diagram = family.diagram();
        for (Diagram::Id id = 2; id < diagram.size(); ++id) {
            const Diagram::Node& node = diagram[id];
            if (place_[node.cls] == none) {
                place_[node.cls] = static_cast<std::uint32_t>(classes_.size());
                classes_.push_back(node.cls);
                least_.push_back(node.copies);
                most_.push_back(node.copies);
            }
            const std::uint32_t at = place_[node.cls];
            least_[at] = std::min(least_[at], node.copies);
            most_[at] = std::max(most_[at], node.copies);
        }
        blocks_ = (classes_.size() + 63) / 64;
        meets_.assign(classes_.size() * blocks_, 0);
        implies_.assign(classes_.size() * blocks_, ~Bits{0});
        for (std::size_t block = 0; block < blocks_; ++block) relate(block);
    }

    [[nodiscard]] Pairs list() const {
        Pairs pairs;
        for (std::size_t a = 0; a < classes_.size(); ++a) {
            const auto members = family_.members()[classes_[a]];
            for (std::size_t i = 0; i < members.size(); ++i) {
                for (std::size_t j = i + 1; j < members.size(); ++j) {
                    if (least_[a] == members.size()) pairs.together.emplace_back(members[i], members[j]);
                    if (most_[a] == 1) pairs.apart.emplace_back(members[i], members[j]);
                }
            }
            for (std::size_t b = a + 1; b < classes_.size(); ++b) {
                if (has(implies_, a, b) && has(implies_, b, a)) add_pairs(pairs.together, a, b);
                if (!has(meets_, a, b) && !has(meets_, b, a)) add_pairs(pairs.apart, a, b);
            }
        }
        std::ranges::sort(pairs.together);
        std::ranges::sort(pairs.apart);
        return pairs;
    }

private:
    static constexpr std::uint32_t none = 0xffffffff;

    [[nodiscard]] bool has(const std::vector<Bits>& relation, std::size_t a, std::size_t b) const {
        return relation[a * blocks_ + b / 64] >> (b % 64) & 1;
    }

    void add_pairs(std::vector<Pair>& pairs, std::size_t a, std::size_t b) const {
        for (const std::uint32_t i : family_.members()[classes_[a]])
            for (const std::uint32_t j : family_.members()[classes_[b]]) pairs.emplace_back(std::minmax(i, j));
    }

    void relate(std::size_t block) {
        const Diagram& diagram = family_.diagram();
        const auto taken = [&](const Diagram::Node& node) {
            const std::uint32_t at = place_[node.cls];
            return at / 64 == block ? Bits{1} << (at % 64) : Bits{0};
        };
        // A given sentence of a class is surely taken only where all its members are.
        const auto surely_taken = [&](const Diagram::Node& node) {
            return node.copies == family_.members()[node.cls].size() ? taken(node) : Bits{0};
        };
        std::vector<Bits> must_below(diagram.size(), ~Bits{0}), must_above(diagram.size(), ~Bits{0});
        std::vector<Bits> may_above(diagram.size(), 0);
        must_below[Diagram::top] = 0;
        for (Diagram::Id id = 2; id < diagram.size(); ++id) {
            const Diagram::Node& node = diagram[id];
            must_below[id] = must_below[node.lo] & (must_below[node.hi] | surely_taken(node));
        }
        must_above[diagram.root] = 0;
        for (auto id = static_cast<Diagram::Id>(diagram.size()); id-- > 2;) {
            const Diagram::Node& node = diagram[id];
            const std::size_t row = place_[node.cls] * blocks_ + block;
            meets_[row] |= may_above[id];
            implies_[row] &= must_above[id] | must_below[node.hi];
            may_above[node.lo] |= may_above[id];
            may_above[node.hi] |= may_above[id] | taken(node);
            must_above[node.lo] &= must_above[id];
            must_above[node.hi] &= must_above[id] | surely_taken(node);
        }
    }

    const DiagramFamily& family_;
    std::vector<std::uint32_t> place_;         // per class of the family
    std::vector<std::uint32_t> classes_;       // those that occur
    std::vector<std::uint32_t> least_, most_;  // copies of a class that occurs, where it is taken
    std::size_t blocks_ = 0;
    std::vector<Bits> meets_;    // a, b: some path takes b and then a
    std::vector<Bits> implies_;  // a, b: every set with a sentence of a holds all members of b
};

}  // namespace

Pairs find_pairs(const DiagramFamily& family) { return Relations(family).list(); }

// Inclusion as in count_inclusion, but of the sets that hold one given member of class `wanted`: on the way to a node
// it has been taken, or it will be below it.
template <class Number>
std::vector<Natural> DiagramFamily::count_with(const Counts<Number>& counts, std::uint32_t wanted) const {
    const auto with_member = [&](const Diagram::Node& node) {
        return choose<Number>(members_[node.cls].size() - 1, node.copies - 1);
    };
    std::vector<Number> below(diagram_.size()), above(diagram_.size()), above_with(diagram_.size());
    for (Diagram::Id id = 2; id < diagram_.size(); ++id) {
        const Diagram::Node& node = diagram_[id];
        below[id] = node.cls == wanted ? with_member(node) * counts.below[node.hi] : counts.ways[id] * below[node.hi];
        below[id] += below[node.lo];
    }
    std::vector<Number> held(members_.size());
    above[diagram_.root] = Number(1);
    for (auto id = static_cast<Diagram::Id>(diagram_.size()); id-- > 2;) {
        const Diagram::Node& node = diagram_[id];
        const Number member = with_member(node);
        above[node.lo] += above[id];
        above_with[node.lo] += above_with[id];
        above[node.hi] += above[id] * counts.ways[id];
        if (node.cls == wanted) {
            above_with[node.hi] += above[id] * member;
            if (node.copies > 1)
                held[node.cls] += above[id] * counts.below[node.hi] *
                                  choose<Number>(members_[node.cls].size() - 2, node.copies - 2);
        } else {
            above_with[node.hi] += above_with[id] * counts.ways[id];
            held[node.cls] += above_with[id] * member * counts.below[node.hi];
            held[node.cls] += above[id] * member * below[node.hi];
        }
    }
    std::vector<Natural> result;
    for (const Number& number : held) result.push_back(to_natural(number));
    return result;
}

std::vector<Natural> DiagramFamily::inclusion_with(std::uint32_t sentence) const {
    if (class_of_[sentence] == no_class) return std::vector<Natural>(members_.size());
    return std::visit([&](const auto& counts) { return count_with(counts, class_of_[sentence]); }, counts_);
}

}  // namespace oraclesum::search
