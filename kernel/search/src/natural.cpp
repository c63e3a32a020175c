// Schoolbook arithmetic on 64-bit limbs.
#include "oraclesum/search/natural.hpp"

#include <algorithm>
#include <bit>

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

namespace {

// Quotient of limbs by one limb, in place; returns the remainder.
std::uint64_t divide_small(std::vector<std::uint64_t>& limbs, std::uint64_t divisor) {
    Wide rest = 0;
    for (std::size_t k = limbs.size(); k-- > 0;) {
        rest = rest << 64 | limbs[k];
        limbs[k] = static_cast<std::uint64_t>(rest / divisor);
        rest %= divisor;
    }
    return static_cast<std::uint64_t>(rest);
}

// `limbs` shifted up by fewer than 64 bits, with one more limb at the top.
std::vector<std::uint64_t> shift_up(std::span<const std::uint64_t> limbs, int bits) {
    std::vector<std::uint64_t> shifted(limbs.size() + 1, 0);
    for (std::size_t k = 0; k < limbs.size(); ++k) {
        shifted[k] |= limbs[k] << bits;
        if (bits > 0) shifted[k + 1] = limbs[k] >> (64 - bits);
    }
    return shifted;
}

// u[at .. at + v.size()] -= q * v; returns whether that went below zero.
bool subtract_multiple(std::span<std::uint64_t> u, std::span<const std::uint64_t> v, std::uint64_t q) {
    Wide carry = 0;
    std::uint64_t borrow = 0;
    for (std::size_t k = 0; k < u.size(); ++k) {
        carry += k < v.size() ? Wide{q} * v[k] : Wide{0};
        const Wide take = Wide{static_cast<std::uint64_t>(carry)} + borrow;
        borrow = u[k] < take ? 1 : 0;
        u[k] = static_cast<std::uint64_t>(Wide{u[k]} - take);
        carry >>= 64;
    }
    return borrow != 0;
}

void add_back(std::span<std::uint64_t> u, std::span<const std::uint64_t> v) {
    Wide carry = 0;
    for (std::size_t k = 0; k < u.size(); ++k) {
        carry += Wide{u[k]} + (k < v.size() ? v[k] : 0);
        u[k] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
    }
}

}  // namespace

// Knuth, The Art of Computer Programming, vol. 2, 4.3.1, algorithm D.
Natural Natural::divide(const Natural& divisor) {
    if (*this < divisor) return {};
    std::vector<std::uint64_t> quotient;
    if (divisor.limbs_.size() == 1) {
        quotient = std::move(limbs_);
        const std::uint64_t rest = divide_small(quotient, divisor.limbs_[0]);
        limbs_.clear();
        if (rest != 0) limbs_.push_back(rest);
        return from_limbs(std::move(quotient));
    }
    const int bits = std::countl_zero(divisor.limbs_.back());
    std::vector<std::uint64_t> u = shift_up(limbs_, bits), v = shift_up(divisor.limbs_, bits);
    v.pop_back();
    const std::size_t n = v.size();
    quotient.assign(u.size() - n, 0);
    for (std::size_t at = u.size() - n; at-- > 0;) {
        const Wide top = Wide{u[at + n]} << 64 | u[at + n - 1];
        Wide guess = top / v[n - 1], rest = top % v[n - 1];
        while (guess >> 64 != 0 || guess * v[n - 2] > (rest << 64 | u[at + n - 2])) {
            --guess;
            rest += v[n - 1];
            if (rest >> 64 != 0) break;
        }
        const std::span<std::uint64_t> part(u.data() + at, n + 1);
        if (subtract_multiple(part, v, static_cast<std::uint64_t>(guess))) {
            --guess;
            add_back(part, v);
        }
        quotient[at] = static_cast<std::uint64_t>(guess);
    }
    u.resize(n);
    for (std::size_t k = 0; k < n; ++k)
        limbs_[k] = bits == 0 ? u[k] : u[k] >> bits | (k + 1 < n ? u[k + 1] << (64 - bits) : 0);
    limbs_.resize(n);
    trim();
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
    divide_small(product, over);
    return from_limbs(std::move(product));
}

Natural binomial(std::uint32_t m, std::uint32_t k) {
    if (k > m) return {};
    Natural result(1);
    for (std::uint32_t i = 0; i < std::min(k, m - k); ++i) result = result.scaled(m - i, i + 1);
    return result;
}

std::uint64_t binomial_up_to(std::uint32_t m, std::uint32_t k, std::uint64_t most) {
    if (k > m) return 0;
    Wide result = 1;
    for (std::uint32_t i = 0; i < std::min(k, m - k) && result < most; ++i) result = result * (m - i) / (i + 1);
    return static_cast<std::uint64_t>(std::min<Wide>(result, most));
}

}  // namespace oraclesum::search
