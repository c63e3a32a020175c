// Counting, inclusion, membership, drawing and weighing on a diagram: one pass over its nodes each.
#include "oraclesum/search/family.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oraclesum/search/wide.hpp"

namespace oraclesum::search {

namespace {

double log2_binomial(double m, double k) {
    return (std::lgamma(m + 1) - std::lgamma(k + 1) - std::lgamma(m - k + 1)) / std::log(2.0);
}

}  // namespace

DiagramFamily::DiagramFamily(Diagram diagram, Rows<std::uint32_t> members, std::size_t sentences)
    : diagram_(std::move(diagram)),
      members_(std::move(members)),
      sentences_(sentences),
      class_of_(sentences, no_class) {
    for (std::uint32_t c = 0; c < members_.size(); ++c)
        for (const std::uint32_t sentence : members_[c]) class_of_[sentence] = c;
    // How large the count is, roughly and from above, decides what it is kept in.
    std::vector<double> bits(diagram_.size(), -std::numeric_limits<double>::infinity());
    bits[Diagram::top] = 0;
    for (std::uint32_t id = 2; id < diagram_.size(); ++id) {
        const Diagram::Node& node = diagram_[id];
        const auto copies = static_cast<double>(members_[node.cls].size());
        const double with = bits[node.hi] + (copies > 1 ? log2_binomial(copies, node.copies) : 0.0);
        const double more = std::max(with, bits[node.lo]), less = std::min(with, bits[node.lo]);
        bits[id] = more + std::log2(1 + std::exp2(less - more)) + 1e-9;
    }
    const bool fits = bits[diagram_.root] < 120;
    if (fits)
        counts_ = count_nodes<Wide>();
    else
        counts_ = count_nodes<Natural>();
}

template <class Number>
DiagramFamily::Counts<Number> DiagramFamily::count_nodes() const {
    Counts<Number> counts;
    counts.ways.resize(diagram_.size(), Number(1));
    counts.below.resize(diagram_.size());
    counts.below[Diagram::top] = Number(1);
    for (std::uint32_t id = 2; id < diagram_.size(); ++id) {
        const Diagram::Node& node = diagram_[id];
        const auto copies = static_cast<std::uint32_t>(members_[node.cls].size());
        if (copies > 1) assign(counts.ways[id], binomial(copies, node.copies));
        counts.below[id] = counts.below[node.hi];
        if (copies > 1) counts.below[id] = counts.below[id] * counts.ways[id];
        counts.below[id] += counts.below[node.lo];
    }
    return counts;
}

Natural DiagramFamily::count() const {
    return std::visit([&](const auto& counts) { return to_natural(counts.below[diagram_.root]); }, counts_);
}

bool DiagramFamily::contains(std::span<const std::uint32_t> set) const {
    std::vector<std::uint32_t> copies(members_.size(), 0);
    for (const std::uint32_t sentence : set) {
        if (sentence >= sentences_ || class_of_[sentence] == no_class) return false;
        ++copies[class_of_[sentence]];
    }
    std::size_t matched = 0;
    for (Diagram::Id id = diagram_.root; id != Diagram::bottom;) {
        if (id == Diagram::top) return matched == set.size();
        const Diagram::Node& node = diagram_[id];
        if (copies[node.cls] == node.copies) {
            matched += node.copies;
            id = node.hi;
        } else {
            id = node.lo;
        }
    }
    return false;
}

template <class Number>
Set DiagramFamily::set_at(const Counts<Number>& counts, Number place) const {
    Set set;
    for (Diagram::Id id = diagram_.root; id != Diagram::top;) {
        const Diagram::Node& node = diagram_[id];
        if (place < counts.below[node.lo]) {
            id = node.lo;
            continue;
        }
        place -= counts.below[node.lo];
        // place = which choice of copies * sets of hi + place within hi
        Number choice = divide(place, counts.below[node.hi]);
        const auto members = members_[node.cls];
        Number ways = counts.ways[id];  // to choose `wanted` of the members from m on
        std::uint64_t wanted = node.copies;
        for (std::size_t m = 0; wanted > 0; ++m) {
            const Number with = scaled(ways, wanted, members.size() - m);
            if (choice < with) {
                set.push_back(members[m]);
                ways = with;
                --wanted;
            } else {
                choice -= with;
                ways -= with;
            }
        }
        id = node.hi;
    }
    std::ranges::sort(set);
    return set;
}

Set DiagramFamily::at(Natural place) const {
    return std::visit(
        [&]<class Number>(const Counts<Number>& counts) {
            Number start{};
            assign(start, place);
            return set_at(counts, std::move(start));
        },
        counts_);
}

}  // namespace oraclesum::search
