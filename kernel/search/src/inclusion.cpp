// How many sets hold a sentence, by size of the set: from both ends of the diagram, or class by class.
#include <algorithm>

#include "oraclesum/search/family.hpp"
#include "oraclesum/search/wide.hpp"

namespace oraclesum::search {

namespace {

struct Range {
    std::uint32_t first = 0;
    std::uint32_t end = 0;

    [[nodiscard]] std::size_t width() const { return end - first; }
    [[nodiscard]] Range shifted(std::uint32_t by) const { return width() == 0 ? Range{} : Range{first + by, end + by}; }
    [[nodiscard]] Range joined(Range other) const {
        if (width() == 0) return other;
        if (other.width() == 0) return *this;
        return {std::min(first, other.first), std::max(end, other.end)};
    }
};

// Sizes that the sets of a node have, at most.
std::vector<Range> sizes_below(const Diagram& diagram) {
    std::vector<Range> ranges(diagram.size());
    ranges[Diagram::top] = {0, 1};
    for (Diagram::Id id = 2; id < diagram.size(); ++id) {
        const Diagram::Node& node = diagram[id];
        ranges[id] = ranges[node.lo].joined(ranges[node.hi].shifted(node.copies));
    }
    return ranges;
}

// Sizes of what is taken on the way to a node, at most.
std::vector<Range> sizes_above(const Diagram& diagram) {
    std::vector<Range> ranges(diagram.size());
    ranges[diagram.root] = {0, 1};
    for (auto id = static_cast<Diagram::Id>(diagram.size()); id-- > 2;) {
        const Diagram::Node& node = diagram[id];
        ranges[node.lo] = ranges[node.lo].joined(ranges[id]);
        ranges[node.hi] = ranges[node.hi].joined(ranges[id].shifted(node.copies));
    }
    return ranges;
}

// A number per size in a range.
template <class Number>
struct BySize {
    Range range;
    std::span<Number> numbers;

    // this[s + shift] += ways * from[s]
    void add(const BySize& from, std::uint32_t shift, const Number& ways) {
        for (std::size_t k = 0; k < from.range.width(); ++k)
            if (!is_zero(from.numbers[k])) numbers[from.range.first + k + shift - range.first] += ways * from.numbers[k];
    }
};

// Numbers by size for every node, in one piece: a vector per node would take several times the memory.
template <class Number>
class Table {
public:
    explicit Table(const std::vector<Range>& ranges) : ranges_(ranges), starts_(ranges.size() + 1, 0) {
        for (std::size_t id = 0; id < ranges.size(); ++id) starts_[id + 1] = starts_[id] + ranges[id].width();
        numbers_.resize(starts_.back());
    }
    [[nodiscard]] BySize<Number> operator[](Diagram::Id id) {
        return {ranges_[id], std::span(numbers_).subspan(starts_[id], ranges_[id].width())};
    }
    void clear() { std::ranges::fill(numbers_, Number()); }

private:
    const std::vector<Range>& ranges_;
    std::vector<std::size_t> starts_;
    std::vector<Number> numbers_;
};

template <class Number>
class Inclusion {
public:
    Inclusion(const Diagram& diagram, const Rows<std::uint32_t>& members, const std::vector<Number>& ways)
        : diagram_(diagram), members_(members), ways_(ways), below_sizes_(sizes_below(diagram)), below_(below_sizes_) {
        if (diagram.root != Diagram::bottom) below_[Diagram::top].numbers[0] = Number(1);
        for (Diagram::Id id = 2; id < diagram.size(); ++id) {
            const Diagram::Node& node = diagram[id];
            BySize<Number> own = below_[id];
            own.add(below_[node.lo], 0, Number(1));
            own.add(below_[node.hi], node.copies, ways[id]);
        }
    }

    [[nodiscard]] std::vector<Natural> sizes() {
        const BySize<Number> all = below_[diagram_.root];
        std::vector<Natural> sizes(all.range.end);
        for (std::size_t k = 0; k < all.range.width(); ++k) sizes[all.range.first + k] = to_natural(all.numbers[k]);
        return sizes;
    }

    // By size and class, with empty rows for sizes that no set has.
    [[nodiscard]] std::vector<std::vector<Natural>> count() {
        const std::vector<Range> above_sizes = sizes_above(diagram_);
        const Range all = below_sizes_[diagram_.root];
        held_.assign(members_.size() * all.width(), Number());
        if (prefers_class_by_class(above_sizes))
            go_class_by_class();
        else
            meet_in_the_middle(above_sizes);
        std::vector<std::vector<Natural>> table(all.end);
        const BySize<Number> sizes = below_[diagram_.root];
        for (std::size_t k = 0; k < all.width(); ++k) {
            if (is_zero(sizes.numbers[k])) continue;
            for (std::uint32_t c = 0; c < members_.size(); ++c)
                table[all.first + k].push_back(to_natural(held(c).numbers[k]));
        }
        return table;
    }

private:
    // By size: sets that hold a given sentence of class c.
    [[nodiscard]] BySize<Number> held(std::uint32_t c) {
        const Range all = below_sizes_[diagram_.root];
        return {all, std::span(held_).subspan(c * all.width(), all.width())};
    }
    // Choices of a node's copies that have a given member of the class.
    [[nodiscard]] Number with_member(const Diagram::Node& node) const {
        return choose<Number>(members_[node.cls].size() - 1, node.copies - 1);
    }

    // For each edge that takes a class: ways to come there times ways to go on, by total size.
    void meet_in_the_middle(const std::vector<Range>& above_sizes) {
        std::vector<std::vector<Number>> above(diagram_.size());  // filled from the root down, and emptied behind
        const auto at = [&](Diagram::Id id) -> BySize<Number> {
            if (above[id].empty()) above[id].resize(above_sizes[id].width());
            return {above_sizes[id], above[id]};
        };
        at(diagram_.root).numbers[0] = Number(1);
        for (auto id = static_cast<Diagram::Id>(diagram_.size()); id-- > 2;) {
            const Diagram::Node& node = diagram_[id];
            const BySize<Number> here = at(id);
            if (node.lo != Diagram::bottom) at(node.lo).add(here, 0, Number(1));
            at(node.hi).add(here, node.copies, ways_[id]);
            const Number member = with_member(node);
            for (std::uint32_t k = 0; k < here.range.width(); ++k)
                if (!is_zero(here.numbers[k]))
                    held(node.cls).add(below_[node.hi], here.range.first + k + node.copies, here.numbers[k] * member);
            above[id] = {};
        }
    }

    // For one class after the other: sets of each node that hold a given member of it, by size.
    void go_class_by_class() {
        Table<Number> with(below_sizes_);
        for (std::uint32_t c = 0; c < members_.size(); ++c) {
            with.clear();
            for (Diagram::Id id = 2; id < diagram_.size(); ++id) {
                const Diagram::Node& node = diagram_[id];
                BySize<Number> own = with[id];
                own.add(with[node.lo], 0, Number(1));
                if (node.cls == c)
                    own.add(below_[node.hi], node.copies, with_member(node));
                else
                    own.add(with[node.hi], node.copies, ways_[id]);
            }
            held(c).add(with[diagram_.root], 0, Number(1));
        }
    }

    // The first way multiplies all sizes above with all sizes below; with sets of hundreds of sentences in few
    // classes that is the slower one.
    [[nodiscard]] bool prefers_class_by_class(const std::vector<Range>& above_sizes) const {
        std::uint64_t by_edges = 0, by_classes = 0;
        for (Diagram::Id id = 2; id < diagram_.size(); ++id) {
            by_edges += above_sizes[id].width() * below_sizes_[diagram_[id].hi].width();
            by_classes += below_sizes_[id].width() * members_.size();
        }
        return by_classes < by_edges;
    }

    const Diagram& diagram_;
    const Rows<std::uint32_t>& members_;
    const std::vector<Number>& ways_;  // per node: to choose its copies
    std::vector<Range> below_sizes_;
    Table<Number> below_;  // per node: its sets by size
    std::vector<Number> held_;
};

}  // namespace

std::vector<Natural> DiagramFamily::sizes() const {
    return std::visit(
        [&]<class Number>(const Counts<Number>& counts) {
            return Inclusion<Number>(diagram_, members_, counts.ways).sizes();
        },
        counts_);
}

std::vector<std::vector<Natural>> DiagramFamily::inclusion() const {
    return std::visit(
        [&]<class Number>(const Counts<Number>& counts) {
            return Inclusion<Number>(diagram_, members_, counts.ways).count();
        },
        counts_);
}

}  // namespace oraclesum::search
