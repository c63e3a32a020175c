// Sets by size, and by size how many of them hold a sentence: polynomials, added up or worked out from their values.
//
// Adding up keeps a row of numbers per node, one per size: quick as long as sets are small. The values of a polynomial
// at as many points as there are sizes say the same, and take one number per node, point after point.
#include <algorithm>

#include "oraclesum/search/family.hpp"
#include "passes.hpp"

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

// The nodes of one class that follow each other along their `lo` edges, and that nothing else leads to, share the rows
// of the first one, their head: for a class of m sentences that saves m rows of up to m numbers.
struct Layout {
    explicit Layout(const Diagram& diagram, const Bounds& bounds)
        : head(diagram.size()), below(diagram.size()), above(diagram.size()) {
        std::vector<std::uint8_t> parents(diagram.size(), 0);  // counted up to 2
        below[Diagram::top] = {0, 1};
        for (Diagram::Id id = 2; id < diagram.size(); ++id) {
            bounds.step();
            const Diagram::Node& node = diagram[id];
            for (const Diagram::Id child : {node.lo, node.hi}) parents[child] = std::min(parents[child] + 1, 2) & 3;
            below[id] = below[node.lo].joined(below[node.hi].shifted(node.copies));
        }
        for (Diagram::Id id = 0; id < diagram.size(); ++id) head[id] = id;
        above[diagram.root] = {0, 1};
        for (auto id = static_cast<Diagram::Id>(diagram.size()); id-- > 2;) {
            bounds.step();
            const Diagram::Node& node = diagram[id];
            if (node.lo >= 2 && diagram[node.lo].cls == node.cls && parents[node.lo] == 1) head[node.lo] = head[id];
            above[node.lo] = above[node.lo].joined(above[id]);
            above[node.hi] = above[node.hi].joined(above[id].shifted(node.copies));
        }
    }

    std::vector<Diagram::Id> head;  // per node
    std::vector<Range> below;       // sizes that the sets of a node have, at most
    std::vector<Range> above;       // sizes of what is taken on the way to it, at most
};

// A number per size in a range.
template <class Number>
struct BySize {
    Range range;
    std::span<Number> numbers;

    // this[s + shift] += ways * from[s]
    void add(const BySize& from, std::uint32_t shift, const Number& ways) {
        for (std::size_t k = 0; k < from.range.width(); ++k)
            if (!is_zero(from.numbers[k]))
                numbers[from.range.first + k + shift - range.first] += ways * from.numbers[k];
    }
};

// What is asked: numbers by class (none if only sizes are wanted) and in all, for each size of the range.
struct Answer {
    Range range;
    std::vector<std::vector<Natural>> by_class;
    std::vector<Natural> all;
};

template <class Number>
class Adder {
public:
    Adder(const Diagram& diagram, const NodeKinds& kinds, const Layout& layout, const Bounds& bounds)
        : diagram_(diagram),
          kinds_(kinds),
          layout_(layout),
          bounds_(bounds),
          ways_(count_choices<Number>(kinds, bounds)),
          below_(diagram.size()) {}

    [[nodiscard]] Answer run(bool by_class) {
        add_below();
        Answer answer{layout_.below[diagram_.root], {}, to_naturals(below_[diagram_.root])};
        if (!by_class) return answer;
        included_.resize(kinds_.classes());
        for (auto& row : included_) row.resize(answer.range.width());
        add_included(answer.range);
        for (const auto& row : included_) answer.by_class.push_back(to_naturals(row));
        return answer;
    }

private:
    using Row = std::vector<Number>;

    static std::vector<Natural> to_naturals(const Row& row) {
        std::vector<Natural> numbers;
        for (const Number& number : row) numbers.push_back(to_natural(number));
        return numbers;
    }
    [[nodiscard]] BySize<Number> below(Diagram::Id id) {
        if (below_[id].empty()) below_[id].resize(layout_.below[id].width());
        return {layout_.below[id], below_[id]};
    }

    void add_below() {
        below(Diagram::top).numbers[0] = Number(1);
        for (Diagram::Id id = 2; id < diagram_.size(); ++id) {
            bounds_.step();
            const Diagram::Node& node = diagram_[id];
            const Diagram::Id head = layout_.head[id];
            BySize<Number> own = below(head);
            own.add(below(node.hi), node.copies, ways_[kinds_[node]]);
            if (node.lo != Diagram::bottom && layout_.head[node.lo] != head) own.add(below(node.lo), 0, Number(1));
        }
        if (diagram_.root == Diagram::bottom) below_[Diagram::bottom].clear();
    }

    // For each edge that takes a class: ways to come there times ways to go on, by total size.
    void add_included(Range range) {
        std::vector<Row> above(diagram_.size());  // filled from the root down, and emptied behind
        const auto at = [&](Diagram::Id id) -> BySize<Number> {
            if (above[id].empty()) above[id].resize(layout_.above[id].width());
            return {layout_.above[id], above[id]};
        };
        if (diagram_.root != Diagram::bottom) at(diagram_.root).numbers[0] = Number(1);
        for (auto id = static_cast<Diagram::Id>(diagram_.size()); id-- > 2;) {
            const Diagram::Node& node = diagram_[id];
            const std::size_t kind = kinds_[node];
            const Diagram::Id head = layout_.head[id];
            const BySize<Number> here = at(head);
            at(node.hi).add(here, node.copies, ways_[kind]);
            const Number with_one = scaled(ways_[kind], node.copies, kinds_.copies(node.cls));
            BySize<Number> included{range, included_[node.cls]};
            for (std::uint32_t k = 0; k < here.range.width(); ++k) {
                bounds_.step();
                if (!is_zero(here.numbers[k]))
                    included.add(below(node.hi), here.range.first + k + node.copies, here.numbers[k] * with_one);
            }
            if (node.lo != Diagram::bottom && layout_.head[node.lo] == head) continue;
            if (node.lo != Diagram::bottom) at(node.lo).add(here, 0, Number(1));
            above[head] = {};
        }
    }

    const Diagram& diagram_;
    const NodeKinds& kinds_;
    const Layout& layout_;
    const Bounds& bounds_;
    std::vector<Number> ways_;
    std::vector<Row> below_;     // per head
    std::vector<Row> included_;  // per class
};

// The polynomials' values at all roots of one whose order is the number of sizes, by several primes; then back.
Answer evaluate(const Diagram& diagram, const NodeKinds& kinds, Range range, double bits, bool by_class,
                const Bounds& bounds) {
    const std::size_t points = range.width();
    const std::size_t rows = by_class ? kinds.classes() + 1 : 1;  // the last one: all sets
    const std::vector<Modulus> moduli = choose_moduli(bits, points);
    const double nodes = static_cast<double>(diagram.size());
    const double kept =
        static_cast<double>(rows) * static_cast<double>(points) * (48 + 16 * static_cast<double>(moduli.size()));
    bounds.need(kept + 16 * nodes, "counting by size");
    std::vector<std::uint64_t> values(rows * moduli.size() * points);
    for_residues(
        kinds, moduli, points, bounds.fits(kept + 64 * nodes), bounds,
        [&](const auto& ring) {
            const auto below = count_below(diagram, kinds, ring, bounds);
            auto row = by_class ? count_inclusion(diagram, kinds, ring, below, bounds)
                                : std::remove_cvref_t<decltype(below)>();
            row.push_back(below[diagram.root]);
            return row;
        },
        [&](std::size_t modulus, std::size_t power, const std::vector<std::uint64_t>& numbers) {
            for (std::size_t row = 0; row < rows; ++row)
                values[(row * moduli.size() + modulus) * points + power] = numbers[row];
        });
    // number of size s = sum over j of value(root^j) * root^(-j s) / points
    std::vector<std::vector<std::uint64_t>> inverses;  // per modulus: root^(-k) / points
    for (const Modulus& modulus : moduli) {
        const std::uint64_t step = modulus.invert(find_root(modulus, points));
        std::uint64_t power = modulus.invert(modulus.enter(points));
        auto& row = inverses.emplace_back();
        for (std::size_t k = 0; k < points; ++k, power = modulus.multiply(power, step)) row.push_back(power);
    }
    const Rebuilder rebuilder(moduli);
    std::vector<std::uint64_t> remainders(moduli.size());
    Answer answer{range, {}, {}};
    for (std::size_t row = 0; row < rows; ++row) {
        std::vector<Natural> numbers;
        for (std::size_t s = range.first; s < range.end; ++s) {
            for (std::size_t m = 0; m < moduli.size(); ++m) {
                bounds.step();
                const std::uint64_t* value = &values[(row * moduli.size() + m) * points];
                remainders[m] = 0;
                for (std::size_t j = 0, at = 0; j < points; ++j, at = (at + s) % points)
                    remainders[m] = moduli[m].add(remainders[m], moduli[m].multiply(value[j], inverses[m][at]));
            }
            numbers.push_back(rebuilder.rebuild(remainders));
        }
        if (row + 1 == rows)
            answer.all = std::move(numbers);
        else
            answer.by_class.push_back(std::move(numbers));
    }
    return answer;
}

// Bytes and nanoseconds of adding up, roughly; `words` are those of the largest number.
struct Cost {
    Cost(const Diagram& diagram, const Layout& layout, std::size_t words, bool exact, bool by_class) {
        const double number = exact ? 16 : 40 + 8.0 * static_cast<double>(words);
        for (Diagram::Id id = 2; id < diagram.size(); ++id) {
            const auto hi = static_cast<double>(layout.below[diagram[id].hi].width());
            const auto here = static_cast<double>(layout.above[layout.head[id]].width());
            products += by_class ? hi + here + here * hi : hi;
            if (layout.head[id] == id)
                bytes += 48 + number * (static_cast<double>(layout.below[id].width()) + (by_class ? here : 0));
        }
        const auto size = static_cast<double>(words);
        nanoseconds = products * (exact ? 2 : 60 + size * size);
    }
    double products = 0;
    double bytes = 0;
    double nanoseconds = 0;
};

Answer count_by_size(const Diagram& diagram, const Rows<std::uint32_t>& members, double bits, bool exact, bool by_class,
                     const Bounds& bounds) {
    const NodeKinds kinds(diagram, members);
    const Layout layout(diagram, bounds);
    const Range range = layout.below[diagram.root];
    const auto words = static_cast<std::size_t>(bits / 64) + 1;
    const Cost adding(diagram, layout, words, exact, by_class);
    const double kept = static_cast<double>(range.width()) * (40 + 8 * static_cast<double>(words)) *
                        (by_class ? static_cast<double>(kinds.classes()) : 1);
    const double evaluating = static_cast<double>(diagram.size()) * static_cast<double>(range.width()) *
                              (bits / 61 + 2) * (by_class ? 12 : 3);
    if (range.width() > 0 && (adding.nanoseconds > evaluating || !bounds.fits(adding.bytes + kept)))
        return evaluate(diagram, kinds, range, bits, by_class, bounds);
    bounds.need(adding.bytes + kept, "counting by size");
    if (exact) return Adder<Wide>(diagram, kinds, layout, bounds).run(by_class);
    return Adder<Natural>(diagram, kinds, layout, bounds).run(by_class);
}

}  // namespace

std::vector<Natural> DiagramFamily::sizes(const Bounds& bounds) const {
    Answer answer = count_by_size(diagram_, members_, bits_, fits(), false, bounds);
    std::vector<Natural> sizes(answer.range.end);
    std::ranges::move(answer.all, sizes.begin() + answer.range.first);
    return sizes;
}

std::vector<std::vector<Natural>> DiagramFamily::inclusion_by_size(const Bounds& bounds) const {
    Answer answer = count_by_size(diagram_, members_, bits_, fits(), true, bounds);
    std::vector<std::vector<Natural>> table(answer.range.end);
    for (std::size_t k = 0; k < answer.range.width(); ++k)
        if (!answer.all[k].is_zero())
            for (auto& row : answer.by_class) table[answer.range.first + k].push_back(std::move(row[k]));
    return table;
}

}  // namespace oraclesum::search
