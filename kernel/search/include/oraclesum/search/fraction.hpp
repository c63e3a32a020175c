// Sums of fractions, compared exactly: by enclosures in fixed point, and if these touch by numbers of any size.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/search/int128.hpp"

namespace oraclesum::search {

struct Fraction {
    std::int64_t above = 0;  // >= 0
    std::int64_t below = 1;  // > 0
};

class FractionSum {
public:
    FractionSum() = default;
    explicit FractionSum(std::vector<Fraction> parts);

    [[nodiscard]] std::span<const Fraction> parts() const { return parts_; }
    [[nodiscard]] double estimate() const;  // for steering only
    friend std::strong_ordering operator<=>(const FractionSum& a, const FractionSum& b);
    friend bool operator==(const FractionSum& a, const FractionSum& b) { return (a <=> b) == 0; }

private:
    std::vector<Fraction> parts_;
    Wide floor_ = 0;  // the sum is in [floor_, floor_ + parts) in units of 2^-60
};

}  // namespace oraclesum::search
