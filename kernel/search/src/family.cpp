// Counting, membership and places on a diagram: one pass over its nodes, or one path.
#include "oraclesum/search/family.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "passes.hpp"

namespace oraclesum::search {

namespace {

double log2_binomial(double m, double k) {
    return (std::lgamma(m + 1) - std::lgamma(k + 1) - std::lgamma(m - k + 1)) / std::log(2.0);
}

}  // namespace

DiagramFamily::DiagramFamily(Diagram diagram, Rows<std::uint32_t> members, std::size_t sentences, const Bounds& bounds)
    : diagram_(std::move(diagram)),
      members_(std::move(members)),
      sentences_(sentences),
      class_of_(sentences, no_class),
      places_(std::make_unique<Places>()) {
    for (std::uint32_t c = 0; c < members_.size(); ++c)
        for (const std::uint32_t sentence : members_[c]) class_of_[sentence] = c;
    bound_count(bounds);
    const NodeKinds kinds(diagram_, members_);
    if (fits()) {
        below_ = count_below(diagram_, kinds, WideRing(kinds, bounds), bounds);
        count_ = to_natural(below_[diagram_.root]);
        return;
    }
    const std::vector<Modulus> moduli = choose_moduli(bits_, 1);
    std::vector<std::uint64_t> remainders(moduli.size());
    for_residues(
        kinds, moduli, 1, bounds.fits(32.0 * static_cast<double>(diagram_.size())), bounds,
        [&](const auto& ring) { return std::vector{count_below(diagram_, kinds, ring, bounds)[diagram_.root]}; },
        [&](std::size_t modulus, std::size_t, const auto& numbers) { remainders[modulus] = numbers[0]; });
    count_ = Rebuilder(moduli).rebuild(remainders);
}

// How large the count is, roughly and from above: it decides what is counted in.
void DiagramFamily::bound_count(const Bounds& bounds) {
    bits_ = static_cast<double>(members_.entries()) + 1;  // no more sets than sets of sentences
    if (fits()) return;
    std::vector<double> bits(diagram_.size(), -std::numeric_limits<double>::infinity());
    bits[Diagram::top] = 0;
    for (Diagram::Id id = 2; id < diagram_.size(); ++id) {
        bounds.step();
        const Diagram::Node& node = diagram_[id];
        const auto copies = static_cast<double>(members_[node.cls].size());
        const double with = bits[node.hi] + (copies > 1 ? log2_binomial(copies, node.copies) : 0.0);
        const double more = std::max(with, bits[node.lo]), less = std::min(with, bits[node.lo]);
        bits[id] = more + std::log2(1 + std::exp2(less - more)) + 1e-6;
    }
    bits_ = std::max(bits[diagram_.root], 0.0) + 1;
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

Set DiagramFamily::wander(std::uint64_t number) const {
    Set set;
    std::uint64_t state = number;
    const auto draw = [&](std::uint64_t below) {  // Steele, Lea and Flood's SplitMix64
        std::uint64_t mixed = state += 0x9e3779b97f4a7c15U;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
        return (mixed ^ (mixed >> 31)) % below;
    };
    for (Diagram::Id id = diagram_.root; id != Diagram::top;) {
        const Diagram::Node& node = diagram_[id];
        if (node.lo != Diagram::bottom && draw(2) == 0) {
            id = node.lo;
            continue;
        }
        const auto members = members_[node.cls];
        const std::uint64_t start = draw(members.size());
        for (std::uint32_t k = 0; k < node.copies; ++k) set.push_back(members[(start + k) % members.size()]);
        id = node.hi;
    }
    std::ranges::sort(set);
    return set;
}

Natural DiagramFamily::Places::operator[](Diagram::Id id) const {
    const auto first = below.begin() + static_cast<std::ptrdiff_t>(id * width);
    return Natural::from_limbs({first, first + static_cast<std::ptrdiff_t>(width)});
}

void DiagramFamily::make_places(const Bounds& bounds) const {
    const std::scoped_lock lock(places_->mutex);
    if (!places_->below.empty()) return;
    const std::size_t width = count_.limbs().size();
    const NodeKinds kinds(diagram_, members_);
    bounds.need(8.0 * static_cast<double>(width) * static_cast<double>(diagram_.size() + kinds.size()),
                "counting the oracles below every node");
    const std::vector<Natural> ways = count_choices<Natural>(kinds, bounds);
    std::vector<std::uint64_t> below(width * diagram_.size(), 0);
    below[Diagram::top * width] = 1;
    for (Diagram::Id id = 2; id < diagram_.size(); ++id) {
        bounds.step();
        const Diagram::Node& node = diagram_[id];
        std::uint64_t* own = &below[id * width];
        const std::uint64_t* lo = &below[node.lo * width];
        const std::uint64_t* hi = &below[node.hi * width];
        std::copy(lo, lo + width, own);
        // own += ways * hi; nothing is carried beyond the last word, as the whole count fits
        const auto factor = ways[kinds[node]].limbs();
        for (std::size_t j = 0; j < factor.size(); ++j) {
            Wide carry = 0;
            for (std::size_t k = 0; k + j < width; ++k) {
                carry += Wide{factor[j]} * hi[k] + own[k + j];
                own[k + j] = static_cast<std::uint64_t>(carry);
                carry >>= 64;
            }
        }
    }
    places_->width = width;
    places_->below = std::move(below);
}

template <class Number, class Below>
Set DiagramFamily::set_at(const Below& below, Number place) const {
    Set set;
    for (Diagram::Id id = diagram_.root; id != Diagram::top;) {
        const Diagram::Node& node = diagram_[id];
        const Number without = below[node.lo];
        if (place < without) {
            id = node.lo;
            continue;
        }
        place -= without;
        // place = which choice of copies * sets of hi + place within hi
        const Number further = below[node.hi];
        Number choice = divide(place, further);
        const auto members = members_[node.cls];
        std::uint64_t wanted = node.copies;
        Number ways = choose<Number>(members.size(), wanted);  // to choose `wanted` of the members from m on
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

Set DiagramFamily::at(Natural place, const Bounds& bounds) const {
    if (fits()) {
        Wide start = 0;
        assign(start, place);
        return set_at<Wide>(below_, start);
    }
    make_places(bounds);
    return set_at<Natural>(*places_, std::move(place));
}

}  // namespace oraclesum::search
