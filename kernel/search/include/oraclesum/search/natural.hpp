// Natural numbers of any size: what counting families needs, and no more.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/search/int128.hpp"

namespace oraclesum::search {

class Natural {
public:
    Natural() = default;
    Natural(std::uint64_t value) {  // NOLINT: counts start as plain numbers
        if (value != 0) limbs_.push_back(value);
    }
    static Natural from_limbs(std::vector<std::uint64_t> limbs);

    [[nodiscard]] bool is_zero() const { return limbs_.empty(); }
    [[nodiscard]] std::span<const std::uint64_t> limbs() const { return limbs_; }  // lowest first, no leading zero

    Natural& operator+=(const Natural& other);
    Natural& operator-=(const Natural& other);  // other must not be larger
    friend Natural operator*(const Natural& a, const Natural& b);
    friend bool operator==(const Natural&, const Natural&) = default;
    friend std::strong_ordering operator<=>(const Natural& a, const Natural& b);

    // Quotient; the remainder stays in *this. For choosing one of many equal parts.
    Natural divide(const Natural& divisor);
    // *this times `by` over `over`, if that is whole.
    [[nodiscard]] Natural scaled(std::uint64_t by, std::uint64_t over) const;

private:
    void trim() {
        while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    }
    std::vector<std::uint64_t> limbs_;
};

// m choose k.
[[nodiscard]] Natural binomial(std::uint32_t m, std::uint32_t k);
// The same, or `most` if it is more.
[[nodiscard]] std::uint64_t binomial_up_to(std::uint32_t m, std::uint32_t k, std::uint64_t most);

}  // namespace oraclesum::search
