// Passes over a diagram that count its sets, alike for exact 128-bit numbers and for remainders of larger ones.
//
// Where a polynomial is asked for (sets by size), every sentence taken multiplies by a number x: the sum over all sets
// is then the polynomial's value at x.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "oraclesum/search/bounds.hpp"
#include "oraclesum/search/diagram.hpp"
#include "oraclesum/search/instance.hpp"
#include "residues.hpp"
#include "wide.hpp"

namespace oraclesum::search {

// The steps that nodes can take, numbered: so many copies of such a class.
class NodeKinds {
public:
    NodeKinds(const Diagram& diagram, const Rows<std::uint32_t>& members) : starts_{0}, sizes_(members.size()) {
        for (std::size_t c = 0; c < members.size(); ++c) {
            sizes_[c] = static_cast<std::uint32_t>(members[c].size());
            starts_.push_back(starts_.back() + sizes_[c]);
        }
        used_.assign(starts_.back(), 0);
        for (Diagram::Id id = 2; id < diagram.size(); ++id) used_[(*this)[diagram[id]]] = 1;
    }
    [[nodiscard]] std::size_t operator[](const Diagram::Node& node) const { return at(node.cls, node.copies); }
    [[nodiscard]] std::size_t at(std::size_t cls, std::size_t copies) const { return starts_[cls] + copies - 1; }
    [[nodiscard]] std::size_t size() const { return used_.size(); }
    [[nodiscard]] std::size_t classes() const { return sizes_.size(); }
    [[nodiscard]] std::uint32_t copies(std::size_t cls) const { return sizes_[cls]; }
    [[nodiscard]] bool used(std::size_t kind) const { return used_[kind] != 0; }

private:
    std::vector<std::size_t> starts_;  // per class
    std::vector<std::uint32_t> sizes_;
    std::vector<std::uint8_t> used_;  // per kind: by some node
};

// Calls `take(k, ways)` with the ways to choose k of m for every k from 0 to m that is `used`; those for others may be
// too large for a Number.
template <class Number, class Used, class Take>
void count_choices_of(std::uint32_t m, const Bounds& bounds, Used used, Take take) {
    std::uint32_t last = 0;  // C(m, k) = C(m, m - k), and grows up to the middle
    for (std::uint32_t k = 0; k <= m; ++k)
        if (used(k)) last = std::max(last, std::min(k, m - k));
    Number ways(1);
    for (std::uint32_t k = 0; k <= last; ++k) {
        bounds.step();
        if (k > 0) ways = scaled(ways, m - k + 1, k);
        if (used(k)) take(k, ways);
        if (k < m - k && used(m - k)) take(m - k, ways);
    }
}

// Ways to choose the copies of every kind that is used; 0 for the others.
template <class Number>
[[nodiscard]] std::vector<Number> count_choices(const NodeKinds& kinds, const Bounds& bounds) {
    std::vector<Number> ways(kinds.size());
    for (std::uint32_t c = 0; c < kinds.classes(); ++c)
        count_choices_of<Number>(
            kinds.copies(c), bounds, [&](std::uint32_t k) { return k > 0 && kinds.used(kinds.at(c, k)); },
            [&](std::uint32_t k, const Number& number) { ways[kinds.at(c, k)] = number; });
    return ways;
}

// Exact numbers: no sum of a pass is larger than the number of sets, which fits.
class WideRing {
public:
    using Value = Wide;

    WideRing(const NodeKinds& kinds, const Bounds& bounds)
        : weights_(count_choices<Wide>(kinds, bounds)), with_one_(weights_), with_two_(weights_) {
        for (std::size_t c = 0; c < kinds.classes(); ++c) {
            const std::uint32_t m = kinds.copies(c);
            for (std::uint32_t k = 1; k <= m; ++k) {
                const std::size_t kind = kinds.at(c, k);
                with_one_[kind] = scaled(weights_[kind], k, m);
                with_two_[kind] = m > 1 ? scaled(with_one_[kind], k - 1, m - 1) : Wide{0};
            }
        }
    }
    [[nodiscard]] static Wide one() { return 1; }
    static void add(Wide& to, Wide number) { to += number; }
    [[nodiscard]] static Wide multiply(Wide a, Wide b) { return a * b; }
    // Choices of a kind's copies; those with a given member of the class; those with two given members.
    [[nodiscard]] Wide weight(std::size_t kind) const { return weights_[kind]; }
    [[nodiscard]] Wide with_one(std::size_t kind) const { return with_one_[kind]; }
    [[nodiscard]] Wide with_two(std::size_t kind) const { return with_two_[kind]; }

private:
    std::vector<Wide> weights_, with_one_, with_two_;
};

// Remainders by several primes, or at several points, in one pass: the nodes are read once for all of them.
template <std::size_t lanes>
class ResidueRing {
public:
    using Value = std::array<std::uint64_t, lanes>;
    struct Point {
        const Modulus* modulus;
        std::uint64_t x;  // in Montgomery's form
    };

    ResidueRing(const NodeKinds& kinds, const std::array<Point, lanes>& points, const Bounds& bounds)
        : moduli_{*points[0].modulus, *points[lanes > 1 ? 1 : 0].modulus, *points[lanes > 2 ? 2 : 0].modulus,
                  *points[lanes > 3 ? 3 : 0].modulus},
          weights_(kinds.size()),
          with_one_(kinds.size()),
          with_two_(kinds.size()) {
        static_assert(lanes == 1 || lanes == 4);
        for (std::size_t lane = 0; lane < lanes; ++lane) weigh(kinds, lane, points[lane].x, bounds);
    }
    [[nodiscard]] Value one() const {
        Value value;
        for (std::size_t lane = 0; lane < lanes; ++lane) value[lane] = moduli_[lane].one();
        return value;
    }
    void add(Value& to, const Value& number) const {
        for (std::size_t lane = 0; lane < lanes; ++lane) to[lane] = moduli_[lane].add(to[lane], number[lane]);
    }
    [[nodiscard]] Value multiply(const Value& a, const Value& b) const {
        Value product;
        for (std::size_t lane = 0; lane < lanes; ++lane) product[lane] = moduli_[lane].multiply(a[lane], b[lane]);
        return product;
    }
    [[nodiscard]] const Value& weight(std::size_t kind) const { return weights_[kind]; }
    [[nodiscard]] const Value& with_one(std::size_t kind) const { return with_one_[kind]; }
    [[nodiscard]] const Value& with_two(std::size_t kind) const { return with_two_[kind]; }

private:
    void weigh(const NodeKinds& kinds, std::size_t lane, std::uint64_t x, const Bounds& bounds) {
        const Modulus& modulus = moduli_[lane];
        std::uint32_t most = 1;
        for (std::size_t c = 0; c < kinds.classes(); ++c) most = std::max(most, kinds.copies(c));
        std::vector<std::uint64_t> number{0}, inverse{0};  // of 1, 2, ...
        for (std::uint32_t k = 1; k <= most; ++k) {
            number.push_back(modulus.enter(k));
            // p = q k + r gives 1/k = -q / r
            const std::uint64_t q = modulus.prime() / k, r = modulus.prime() % k;
            inverse.push_back(k == 1 ? modulus.one()
                                     : modulus.subtract(0, modulus.multiply(modulus.enter(q), inverse[r])));
        }
        for (std::size_t c = 0; c < kinds.classes(); ++c) {
            const std::uint32_t m = kinds.copies(c);
            std::uint64_t choices = modulus.one();  // times x^k
            for (std::uint32_t k = 1; k <= m; ++k) {
                bounds.step();
                const auto times = [&](std::uint64_t a, std::uint64_t b) { return modulus.multiply(a, b); };
                choices = times(times(choices, x), times(number[m - k + 1], inverse[k]));
                const std::uint64_t one = times(choices, times(number[k], inverse[m]));
                const std::size_t kind = kinds.at(c, k);
                weights_[kind][lane] = choices;
                with_one_[kind][lane] = one;
                with_two_[kind][lane] = m > 1 ? times(one, times(number[k - 1], inverse[m - 1])) : 0;
            }
        }
    }

    std::array<Modulus, 4> moduli_;
    std::vector<Value> weights_, with_one_, with_two_;
};

// Sets below every node.
template <class Ring>
[[nodiscard]] std::vector<typename Ring::Value> count_below(const Diagram& diagram, const NodeKinds& kinds,
                                                            const Ring& ring, const Bounds& bounds) {
    std::vector<typename Ring::Value> below(diagram.size());
    below[Diagram::top] = ring.one();
    for (Diagram::Id id = 2; id < diagram.size(); ++id) {
        bounds.step();
        const Diagram::Node& node = diagram[id];
        below[id] = ring.multiply(below[node.hi], ring.weight(kinds[node]));
        ring.add(below[id], below[node.lo]);
    }
    return below;
}

// For each class, sets with a given sentence of it: for each node that takes some, ways to come there times ways to go
// on from it.
template <class Ring>
[[nodiscard]] std::vector<typename Ring::Value> count_inclusion(const Diagram& diagram, const NodeKinds& kinds,
                                                                const Ring& ring,
                                                                const std::vector<typename Ring::Value>& below,
                                                                const Bounds& bounds) {
    using Value = typename Ring::Value;
    std::vector<Value> above(diagram.size()), included(kinds.classes());
    above[diagram.root] = ring.one();
    for (auto id = static_cast<Diagram::Id>(diagram.size()); id-- > 2;) {
        bounds.step();
        const Diagram::Node& node = diagram[id];
        const std::size_t kind = kinds[node];
        ring.add(included[node.cls], ring.multiply(ring.multiply(above[id], ring.with_one(kind)), below[node.hi]));
        ring.add(above[node.lo], above[id]);
        ring.add(above[node.hi], ring.multiply(above[id], ring.weight(kind)));
    }
    return included;
}

// The same of the sets that hold one given member of class `wanted`: on the way to a node it has been taken, or it will
// be below it. For `wanted` itself: of two given members.
template <class Ring>
[[nodiscard]] std::vector<typename Ring::Value> count_inclusion_with(const Diagram& diagram, const NodeKinds& kinds,
                                                                     const Ring& ring,
                                                                     const std::vector<typename Ring::Value>& below,
                                                                     std::uint32_t wanted, const Bounds& bounds) {
    using Value = typename Ring::Value;
    std::vector<Value> below_with(diagram.size()), above(diagram.size()), above_with(diagram.size());
    std::vector<Value> included(kinds.classes());
    for (Diagram::Id id = 2; id < diagram.size(); ++id) {
        bounds.step();
        const Diagram::Node& node = diagram[id];
        const std::size_t kind = kinds[node];
        below_with[id] = node.cls == wanted ? ring.multiply(ring.with_one(kind), below[node.hi])
                                            : ring.multiply(ring.weight(kind), below_with[node.hi]);
        ring.add(below_with[id], below_with[node.lo]);
    }
    above[diagram.root] = ring.one();
    for (auto id = static_cast<Diagram::Id>(diagram.size()); id-- > 2;) {
        bounds.step();
        const Diagram::Node& node = diagram[id];
        const std::size_t kind = kinds[node];
        const Value& one = ring.with_one(kind);
        ring.add(above[node.lo], above[id]);
        ring.add(above_with[node.lo], above_with[id]);
        ring.add(above[node.hi], ring.multiply(above[id], ring.weight(kind)));
        if (node.cls == wanted) {
            ring.add(above_with[node.hi], ring.multiply(above[id], one));
            ring.add(included[node.cls], ring.multiply(ring.multiply(above[id], ring.with_two(kind)), below[node.hi]));
        } else {
            ring.add(above_with[node.hi], ring.multiply(above_with[id], ring.weight(kind)));
            ring.add(included[node.cls], ring.multiply(ring.multiply(above_with[id], one), below[node.hi]));
            ring.add(included[node.cls], ring.multiply(ring.multiply(above[id], one), below_with[node.hi]));
        }
    }
    return included;
}

// Runs `pass(ring)`, which returns a row of numbers, for every modulus and every power of a root of one of that order
// (order 1: x = 1 alone). Calls `take(modulus, power, row)` with the remainders, in Montgomery's form.
template <class Pass, class Take>
void for_residues(const NodeKinds& kinds, const std::vector<Modulus>& moduli, std::uint64_t order, bool four_at_once,
                  const Bounds& bounds, Pass pass, Take take) {
    std::vector<std::uint64_t> powers;  // of each modulus's root, the next one
    std::vector<std::uint64_t> roots;
    for (const Modulus& modulus : moduli) {
        roots.push_back(find_root(modulus, order));
        powers.push_back(modulus.one());
    }
    const std::size_t all = moduli.size() * order;
    std::vector<std::uint64_t> numbers;
    const auto run = [&]<std::size_t lanes>() {
        for (std::size_t first = 0; first < all; first += lanes) {
            std::array<typename ResidueRing<lanes>::Point, lanes> points;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t m = std::min(first + lane, all - 1) / order;
                points[lane] = {&moduli[m], powers[m]};
                if (first + lane < all) powers[m] = moduli[m].multiply(powers[m], roots[m]);
            }
            const auto row = pass(ResidueRing<lanes>(kinds, points, bounds));
            numbers.resize(row.size());
            for (std::size_t lane = 0; lane < lanes && first + lane < all; ++lane) {
                for (std::size_t k = 0; k < row.size(); ++k) numbers[k] = row[k][lane];
                take((first + lane) / order, (first + lane) % order, numbers);
            }
        }
    };
    if (four_at_once)
        run.template operator()<4>();
    else
        run.template operator()<1>();
}

}  // namespace oraclesum::search
