// Large numbers by their remainders: counting modulo a few primes takes one word per node and prime, however large the
// counts are, and the Chinese remainder theorem gives them back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/search/natural.hpp"

namespace oraclesum::search {

// Arithmetic modulo an odd prime below 2^62, on numbers in Montgomery's form.
class Modulus {
public:
    explicit Modulus(std::uint64_t prime);

    [[nodiscard]] std::uint64_t prime() const { return prime_; }
    [[nodiscard]] std::uint64_t one() const { return one_; }
    [[nodiscard]] std::uint64_t enter(std::uint64_t number) const { return multiply(number % prime_, square_); }
    [[nodiscard]] std::uint64_t leave(std::uint64_t form) const { return reduce(form); }

    [[nodiscard]] std::uint64_t add(std::uint64_t a, std::uint64_t b) const {
        const std::uint64_t sum = a + b;
        return sum >= prime_ ? sum - prime_ : sum;
    }
    [[nodiscard]] std::uint64_t subtract(std::uint64_t a, std::uint64_t b) const {
        return a >= b ? a - b : a + prime_ - b;
    }
    [[nodiscard]] std::uint64_t multiply(std::uint64_t a, std::uint64_t b) const { return reduce(Wide{a} * b); }
    [[nodiscard]] std::uint64_t power(std::uint64_t base, std::uint64_t exponent) const;
    [[nodiscard]] std::uint64_t invert(std::uint64_t a) const { return power(a, prime_ - 2); }

private:
    // a / 2^64 modulo the prime, for a < 2^64 * prime.
    [[nodiscard]] std::uint64_t reduce(Wide a) const {
        const std::uint64_t factor = static_cast<std::uint64_t>(a) * negated_inverse_;
        const auto high = static_cast<std::uint64_t>((a + Wide{factor} * prime_) >> 64);
        return high >= prime_ ? high - prime_ : high;
    }

    std::uint64_t prime_;
    std::uint64_t negated_inverse_;  // of the prime, modulo 2^64
    std::uint64_t one_;              // 2^64
    std::uint64_t square_;           // 2^128
};

// Enough primes between 2^61 and 2^62 to tell all numbers below 2^bits apart. Each leaves 1 when divided by `order`
// (below 2^32), and so has roots of one of that order.
[[nodiscard]] std::vector<Modulus> choose_moduli(double bits, std::uint64_t order);

// A number whose powers 0 .. order - 1 are the roots of x^order = 1, in Montgomery's form.
[[nodiscard]] std::uint64_t find_root(const Modulus& modulus, std::uint64_t order);

// Numbers from their remainders.
class Rebuilder {
public:
    explicit Rebuilder(std::span<const Modulus> moduli);

    // One remainder per modulus, each in Montgomery's form.
    [[nodiscard]] Natural rebuild(std::span<const std::uint64_t> remainders) const;

private:
    std::span<const Modulus> moduli_;
    std::vector<std::uint64_t> inverses_;  // per modulus: of the product of those before it
};

}  // namespace oraclesum::search
