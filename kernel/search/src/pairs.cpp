// Pairs by sets of classes: what may and what must be taken above a node, and what must be taken below it.
//
// A path to a node and a way on from it are chosen freely, so all sets through a node hold class d exactly if every
// path above does or every way below does. That makes one bit per class and node enough, 64 classes at a time.
#include "oraclesum/search/pairs.hpp"

#include <algorithm>

namespace oraclesum::search {

namespace {

using Bits = std::uint64_t;

// Relations between the classes that occur, numbered anew.
class Relations {
public:
    Relations(const DiagramFamily& family, const Bounds& bounds)
        : family_(family), bounds_(bounds), place_(family.members().size(), none) {
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
        bounds.need(16.0 * static_cast<double>(classes_.size() * blocks_) + 24.0 * static_cast<double>(diagram.size()),
                    "relating all pairs of sentences");
        meets_.assign(classes_.size() * blocks_, 0);
        implies_.assign(classes_.size() * blocks_, ~Bits{0});
        for (std::size_t block = 0; block < blocks_; ++block) relate(block);
    }

    [[nodiscard]] Pairs list() const {
        Pairs pairs;
        for (std::size_t a = 0; a < classes_.size(); ++a) {
            const auto members = family_.members()[classes_[a]];
            if (least_[a] == members.size()) add_pairs_within(pairs.together, members);
            if (most_[a] == 1) add_pairs_within(pairs.apart, members);
            for (std::size_t b = a + 1; b < classes_.size(); ++b) {
                bounds_.step();
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

    // A pair takes more room where it is handed on than here.
    void make_room(const std::vector<Pair>& pairs, std::size_t first, std::size_t second) const {
        constexpr double bytes_per_pair = 100;
        bounds_.need(bytes_per_pair *
                         (static_cast<double>(pairs.size()) + static_cast<double>(first) * static_cast<double>(second)),
                     "a list of all pairs");
    }

    void add_pairs(std::vector<Pair>& pairs, std::size_t a, std::size_t b) const {
        const auto left = family_.members()[classes_[a]], right = family_.members()[classes_[b]];
        make_room(pairs, left.size(), right.size());
        for (const std::uint32_t i : left)
            for (const std::uint32_t j : right) pairs.emplace_back(std::minmax(i, j));
    }

    void add_pairs_within(std::vector<Pair>& pairs, std::span<const std::uint32_t> members) const {
        make_room(pairs, members.size(), members.size() / 2);
        for (std::size_t i = 0; i < members.size(); ++i)
            for (std::size_t j = i + 1; j < members.size(); ++j) pairs.emplace_back(members[i], members[j]);
    }

    void relate(std::size_t block) {
        const Diagram& diagram = family_.diagram();
        const auto taken = [&](const Diagram::Node& node) {
            const std::uint32_t at = place_[node.cls];
            return at / 64 == block ? Bits{1} << (at % 64) : Bits{0};
        };
        // A given sentence of a class is surely taken only if all its members are.
        const auto surely_taken = [&](const Diagram::Node& node) {
            return node.copies == family_.members()[node.cls].size() ? taken(node) : Bits{0};
        };
        std::vector<Bits> must_below(diagram.size(), ~Bits{0}), must_above(diagram.size(), ~Bits{0});
        std::vector<Bits> may_above(diagram.size(), 0);
        must_below[Diagram::top] = 0;
        for (Diagram::Id id = 2; id < diagram.size(); ++id) {
            bounds_.step();
            const Diagram::Node& node = diagram[id];
            must_below[id] = must_below[node.lo] & (must_below[node.hi] | surely_taken(node));
        }
        must_above[diagram.root] = 0;
        for (auto id = static_cast<Diagram::Id>(diagram.size()); id-- > 2;) {
            bounds_.step();
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
    const Bounds& bounds_;
    std::vector<std::uint32_t> place_;         // per class of the family
    std::vector<std::uint32_t> classes_;       // those that occur
    std::vector<std::uint32_t> least_, most_;  // copies of a class that occurs, if it is taken
    std::size_t blocks_ = 0;
    std::vector<Bits> meets_;    // a, b: some path takes b and then a
    std::vector<Bits> implies_;  // a, b: every set with a sentence of a holds all members of b
};

}  // namespace

Pairs find_pairs(const DiagramFamily& family, const Bounds& bounds) { return Relations(family, bounds).list(); }

}  // namespace oraclesum::search
