// How many sets hold a sentence, by size of the set: from both ends of the diagram, or class by class.
#include <algorithm>

#include "oraclesum/search/family.hpp"
#include "oraclesum/search/wide.hpp"

namespace oraclesum::search {

namespace {

// to[s + shift] += ways * from[s]
template <class Number>
void add_shifted(std::vector<Number>& to, const std::vector<Number>& from, std::size_t shift, const Number& ways) {
    if (to.size() < from.size() + shift) to.resize(from.size() + shift);
    for (std::size_t s = 0; s < from.size(); ++s)
        if (!is_zero(from[s])) to[s + shift] += ways * from[s];
}

}  // namespace

// Per node, how many of its sets have which size.
template <class Number>
std::vector<std::vector<Number>> DiagramFamily::by_size(const Counts<Number>& counts) const {
    std::vector<std::vector<Number>> sizes(diagram_.size());
    sizes[Diagram::top] = {Number(1)};
    for (Diagram::Id id = 2; id < diagram_.size(); ++id) {
        const Diagram::Node& node = diagram_[id];
        sizes[id] = sizes[node.lo];
        add_shifted(sizes[id], sizes[node.hi], node.copies, counts.ways[id]);
    }
    return sizes;
}

std::vector<Natural> DiagramFamily::sizes() const {
    return std::visit(
        [&](const auto& counts) {
            const auto per_node = by_size(counts);
            std::vector<Natural> sizes;
            for (const auto& number : per_node[diagram_.root]) sizes.push_back(to_natural(number));
            return sizes;
        },
        counts_);
}

// Both of the following give held[c][s]: how many sets of size s hold a given sentence of class c.

// For each edge that takes a class: ways to come there times ways to go on, by total size.
template <class Number>
DiagramFamily::Table<Number> DiagramFamily::meet_in_the_middle(const Counts<Number>& counts,
                                                               const Table<Number>& below) const {
    Table<Number> above(diagram_.size()), held(members_.size());
    above[diagram_.root] = {Number(1)};
    for (auto id = static_cast<Diagram::Id>(diagram_.size()); id-- > 2;) {
        const Diagram::Node& node = diagram_[id];
        const std::vector<Number>& here = above[id];
        if (node.lo != Diagram::bottom) add_shifted(above[node.lo], here, 0, Number(1));
        add_shifted(above[node.hi], here, node.copies, counts.ways[id]);
        const auto with_member = choose<Number>(members_[node.cls].size() - 1, node.copies - 1);
        for (std::size_t s = 0; s < here.size(); ++s)
            if (!is_zero(here[s]))
                add_shifted(held[node.cls], below[node.hi], s + node.copies, here[s] * with_member);
        above[id] = {};
    }
    return held;
}

// For one class after the other: sets of each node that hold a given member of it, by size.
template <class Number>
DiagramFamily::Table<Number> DiagramFamily::class_by_class(const Counts<Number>& counts,
                                                           const Table<Number>& below) const {
    Table<Number> held(members_.size());
    for (std::uint32_t c = 0; c < members_.size(); ++c) {
        Table<Number> with(diagram_.size());
        for (Diagram::Id id = 2; id < diagram_.size(); ++id) {
            const Diagram::Node& node = diagram_[id];
            with[id] = with[node.lo];
            if (node.cls == c) {
                const auto with_member = choose<Number>(members_[c].size() - 1, node.copies - 1);
                add_shifted(with[id], below[node.hi], node.copies, with_member);
            } else if (!with[node.hi].empty()) {
                add_shifted(with[id], with[node.hi], node.copies, counts.ways[id]);
            }
        }
        held[c] = std::move(with[diagram_.root]);
    }
    return held;
}

// The first way multiplies all sizes above with all sizes below; with sets of hundreds of sentences in few classes
// that is the slower one.
template <class Number>
bool DiagramFamily::prefers_class_by_class(const Table<Number>& below) const {
    std::vector<std::size_t> above(diagram_.size(), 0);  // sizes above a node, at most
    above[diagram_.root] = 1;
    std::uint64_t by_edges = 0, by_classes = 0;
    for (auto id = static_cast<Diagram::Id>(diagram_.size()); id-- > 2;) {
        const Diagram::Node& node = diagram_[id];
        above[node.lo] = std::max(above[node.lo], above[id]);
        above[node.hi] = std::max(above[node.hi], above[id] + node.copies);
        by_edges += above[id] * below[node.hi].size();
        by_classes += below[id].size() * members_.size();
    }
    return by_classes < by_edges;
}

template <class Number>
std::vector<std::vector<Natural>> DiagramFamily::count_inclusion(const Counts<Number>& counts) const {
    const Table<Number> below = by_size(counts);
    const Table<Number> held =
        prefers_class_by_class(below) ? class_by_class(counts, below) : meet_in_the_middle(counts, below);
    const std::vector<Number>& sizes = below[diagram_.root];
    std::vector<std::vector<Natural>> result(sizes.size());
    for (std::size_t s = 0; s < sizes.size(); ++s) {
        if (is_zero(sizes[s])) continue;
        for (const std::vector<Number>& row : held)
            result[s].push_back(s < row.size() ? to_natural(row[s]) : Natural());
    }
    return result;
}

std::vector<std::vector<Natural>> DiagramFamily::inclusion() const {
    return std::visit([&](const auto& counts) { return count_inclusion(counts); }, counts_);
}

}  // namespace oraclesum::search
