// Bottom-up over the diagram; ties are settled by comparing the sets themselves.
//
// "Holds the first sentence in which they differ" survives adding the same sentences to both sets, which is what makes
// it right to keep one set per node. The lexicographic order of tuples does not: there a prefix goes first, and what
// is a prefix changes with what is added.
#include "oraclesum/search/choice.hpp"

#include <algorithm>
#include <functional>

namespace oraclesum::search {

namespace {

class Chooser {
public:
    Chooser(const DiagramFamily& family, std::span<const Weight> weights, const Bounds& bounds)
        : diagram_(family.diagram()),
          members_(family.members().size()),
          sums_(family.members().size()),
          best_(diagram_.size(), 0),
          step_(diagram_.size(), Diagram::top) {
        for (std::size_t c = 0; c < members_.size(); ++c) {
            // Of k copies the k heaviest members are taken, the first of equal ones.
            members_[c].assign(family.members()[c].begin(), family.members()[c].end());
            std::ranges::stable_sort(members_[c], std::greater{}, [&](std::uint32_t i) { return weights[i]; });
            sums_[c].push_back(0);
            for (const std::uint32_t i : members_[c]) sums_[c].push_back(sums_[c].back() + weights[i]);
        }
        for (Diagram::Id id = 2; id < diagram_.size(); ++id) {
            bounds.step();
            weigh(id);
        }
    }

    [[nodiscard]] Set best(Diagram::Id id) const {
        Set set;
        list(step_[id], set);
        return set;
    }

private:
    void weigh(Diagram::Id id) {
        const Diagram::Node& node = diagram_[id];
        const Weight with = best_[node.hi] + sums_[node.cls][node.copies];
        const bool take = node.lo == Diagram::bottom || with > best_[node.lo] ||
                          (with == best_[node.lo] && goes_first(id, step_[node.lo]));
        best_[id] = take ? with : best_[node.lo];
        step_[id] = take ? id : step_[node.lo];
    }

    // Whether the set that takes node `a` goes before the one that takes node `b`.
    [[nodiscard]] bool goes_first(Diagram::Id a, Diagram::Id b) {
        list(a, left_);
        list(b, right_);
        const auto [l, r] = std::ranges::mismatch(left_, right_);
        return l != left_.end() && (r == right_.end() || *l < *r);
    }

    void list(Diagram::Id id, Set& set) const {
        set.clear();
        for (; id != Diagram::top; id = step_[diagram_[id].hi]) {
            const Diagram::Node& node = diagram_[id];
            const auto& members = members_[node.cls];
            set.insert(set.end(), members.begin(), members.begin() + node.copies);
        }
        std::ranges::sort(set);
    }

    const Diagram& diagram_;
    std::vector<Set> members_;               // per class, heaviest first
    std::vector<std::vector<Weight>> sums_;  // per class: weight of its first k members
    std::vector<Weight> best_;               // per node
    std::vector<Diagram::Id> step_;          // per node: where its best set takes copies next; top: nowhere
    Set left_, right_;
};

}  // namespace

std::optional<Set> find_heaviest(const DiagramFamily& family, std::span<const Weight> weights, const Bounds& bounds) {
    const Diagram::Id root = family.diagram().root;
    if (root == Diagram::bottom) return std::nullopt;
    bounds.need(20.0 * static_cast<double>(family.diagram().size()), "weighing the oracles");
    return Chooser(family, weights, bounds).best(root);
}

}  // namespace oraclesum::search
