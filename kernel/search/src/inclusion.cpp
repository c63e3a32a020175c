// How many sets hold a sentence, in all and with a given other one.
#include "oraclesum/search/family.hpp"
#include "passes.hpp"

namespace oraclesum::search {

namespace {

// A row of numbers per class, from the remainders of a pass that counts with `tables` numbers per node: at least about
// as much memory as the diagram takes itself, and four times that if it is there.
template <class Pass>
std::vector<Natural> rebuild_by_class(const Diagram& diagram, const NodeKinds& kinds, double bits, double tables,
                                      const Bounds& bounds, Pass pass) {
    const double nodes = static_cast<double>(diagram.size());
    const std::vector<Modulus> moduli = choose_moduli(bits, 1);
    std::vector<std::uint64_t> remainders(kinds.classes() * moduli.size());
    for_residues(kinds, moduli, 1, bounds.fits(32 * tables * nodes), bounds, pass,
                 [&](std::size_t modulus, std::size_t, const std::vector<std::uint64_t>& numbers) {
                     for (std::size_t c = 0; c < numbers.size(); ++c)
                         remainders[c * moduli.size() + modulus] = numbers[c];
                 });
    const Rebuilder rebuilder(moduli);
    std::vector<Natural> row;
    for (std::size_t c = 0; c < kinds.classes(); ++c) {
        bounds.step();
        row.push_back(rebuilder.rebuild(std::span(remainders).subspan(c * moduli.size(), moduli.size())));
    }
    return row;
}

std::vector<Natural> to_naturals(const std::vector<Wide>& numbers) {
    std::vector<Natural> row;
    row.reserve(numbers.size());
    for (const Wide number : numbers) row.push_back(to_natural(number));
    return row;
}

}  // namespace

std::vector<Natural> DiagramFamily::inclusion(const Bounds& bounds) const {
    const NodeKinds kinds(diagram_, members_);
    if (fits()) {
        return to_naturals(count_inclusion(diagram_, kinds, WideRing(kinds, bounds), below_, bounds));
    }
    return rebuild_by_class(diagram_, kinds, bits_, 2, bounds, [&](const auto& ring) {
        return count_inclusion(diagram_, kinds, ring, count_below(diagram_, kinds, ring, bounds), bounds);
    });
}

std::vector<Natural> DiagramFamily::inclusion_with(std::uint32_t sentence, const Bounds& bounds) const {
    const std::uint32_t wanted = class_of_[sentence];
    if (wanted == no_class) return std::vector<Natural>(members_.size());
    const NodeKinds kinds(diagram_, members_);
    if (fits()) {
        return to_naturals(count_inclusion_with(diagram_, kinds, WideRing(kinds, bounds), below_, wanted, bounds));
    }
    return rebuild_by_class(diagram_, kinds, bits_, 4, bounds, [&](const auto& ring) {
        return count_inclusion_with(diagram_, kinds, ring, count_below(diagram_, kinds, ring, bounds), wanted, bounds);
    });
}

}  // namespace oraclesum::search
