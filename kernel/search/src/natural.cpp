// Schoolbook arithmetic on 64-bit limbs.
#include "oraclesum/search/natural.hpp"

#include <algorithm>

namespace oraclesum::search {

Natural Natural::from_limbs(std::vector<std::uint64_t> limbs) {
    Natural number;
    number.limbs_ = std::move(limbs);
    number.trim();
    return number;
}

Natural& Natural::operator+=(const Natural& other) {
    if (limbs_.size() < other.limbs_.size()) limbs_.resize(other.limbs_.size(), 0);
    Wide carry = 0;
    for (std::size_t k = 0; k < limbs_.size() && (k < other.limbs_.size() || carry != 0); ++k) {
        carry += Wide{limbs_[k]} + (k < other.limbs_.size() ? other.limbs_[k] : 0);
        limbs_[k] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint64_t>(carry));
    return *this;
}

Natural& Natural::operator-=(const Natural& other) {
    std::uint64_t borrow = 0;
    for (std::size_t k = 0; k < limbs_.size() && (k < other.limbs_.size() || borrow != 0); ++k) {
        const Wide take = Wide{k < other.limbs_.size() ? other.limbs_[k] : 0} + borrow;
        borrow = limbs_[k] < take ? 1 : 0;
        limbs_[k] = static_cast<std::uint64_t>(Wide{limbs_[k]} - take);
    }
    trim();
    return *this;
}

Natural operator*(const Natural& a, const Natural& b) {
    if (a.is_zero() || b.is_zero()) return {};
    std::vector<std::uint64_t> product(a.limbs_.size() + b.limbs_.size(), 0);
    for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
        Wide carry = 0;
        for (std::size_t j = 0; j < b.limbs_.size(); ++j) {
            carry += Wide{a.limbs_[i]} * b.limbs_[j] + product[i + j];
            product[i + j] = static_cast<std::uint64_t>(carry);
            carry >>= 64;
        }
        product[i + b.limbs_.size()] = static_cast<std::uint64_t>(carry);
    }
    return Natural::from_limbs(std::move(product));
}

std::strong_ordering operator<=>(const Natural& a, const Natural& b) {
    if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() <=> b.limbs_.size();
    for (std::size_t k = a.limbs_.size(); k-- > 0;)
        if (a.limbs_[k] != b.limbs_[k]) return a.limbs_[k] <=> b.limbs_[k];
    return std::strong_ordering::equal;
}

// Binary long division: divisions are rare here (one per step of drawing a set).
Natural Natural::divide(const Natural& divisor) {
    std::vector<std::uint64_t> quotient(limbs_.size(), 0);
    Natural rest;
    for (std::size_t bit = limbs_.size() * 64; bit-- > 0;) {
        rest += Natural(rest);
        if (limbs_[bit / 64] >> (bit % 64) & 1) rest += Natural(1);
        if (rest >= divisor) {
            rest -= divisor;
            quotient[bit / 64] |= std::uint64_t{1} << (bit % 64);
        }
    }
    *this = std::move(rest);
    return from_limbs(std::move(quotient));
}

Natural Natural::scaled(std::uint64_t by, std::uint64_t over) const {
    std::vector<std::uint64_t> product(limbs_.size() + 1, 0);
    Wide carry = 0;
    for (std::size_t k = 0; k < limbs_.size(); ++k) {
        carry += Wide{limbs_[k]} * by;
        product[k] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
    }
    product.back() = static_cast<std::uint64_t>(carry);
    Wide rest = 0;
    for (std::size_t k = product.size(); k-- > 0;) {
        rest = rest << 64 | product[k];
        product[k] = static_cast<std::uint64_t>(rest / over);
        rest %= over;
    }
    return from_limbs(std::move(product));
}

Natural binomial(std::uint32_t m, std::uint32_t k) {
    if (k > m) return {};
    Natural result(1);
    for (std::uint32_t i = 0; i < std::min(k, m - k); ++i) result = result.scaled(m - i, i + 1);
    return result;
}

}  // namespace oraclesum::search
