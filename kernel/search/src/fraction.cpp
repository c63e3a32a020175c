// Comparing sums of fractions without rounding.
#include "oraclesum/search/fraction.hpp"

#include <algorithm>

#include "oraclesum/search/natural.hpp"

namespace oraclesum::search {

namespace {

constexpr int fraction_bits = 60;

// The sum over the product of all denominators, as numerator and denominator.
struct Whole {
    Natural above;
    Natural below;
};

Whole add_up(std::span<const Fraction> parts) {
    Whole sum{Natural(0), Natural(1)};
    for (const Fraction& part : parts) {
        const Natural below(static_cast<std::uint64_t>(part.below));
        sum.above = sum.above * below;
        sum.above += sum.below * Natural(static_cast<std::uint64_t>(part.above));
        sum.below = sum.below * below;
    }
    return sum;
}

}  // namespace

FractionSum::FractionSum(std::vector<Fraction> parts) : parts_(std::move(parts)) {
    std::erase_if(parts_, [](const Fraction& part) { return part.above == 0; });
    for (const Fraction& part : parts_) {
        // above < 2^63: the shifted number has at most 123 bits.
        floor_ += (static_cast<Wide>(part.above) << fraction_bits) / static_cast<Wide>(part.below);
    }
}

double FractionSum::estimate() const {
    double sum = 0;
    for (const Fraction& part : parts_) sum += static_cast<double>(part.above) / static_cast<double>(part.below);
    return sum;
}

std::strong_ordering operator<=>(const FractionSum& a, const FractionSum& b) {
    if (a.floor_ > b.floor_ + b.parts_.size()) return std::strong_ordering::greater;
    if (b.floor_ > a.floor_ + a.parts_.size()) return std::strong_ordering::less;
    const Whole left = add_up(a.parts_), right = add_up(b.parts_);
    return left.above * right.below <=> right.above * left.below;
}

}  // namespace oraclesum::search
