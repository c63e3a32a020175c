// Primes by Miller and Rabin's test, roots of one by trial, large numbers by Garner's algorithm.
#include "residues.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace oraclesum::search {

namespace {

constexpr std::uint64_t largest = std::uint64_t{1} << 62;

// Exact below 3.3 * 10^24 with the first thirteen primes as bases; `number` is odd and large.
bool is_prime(std::uint64_t number) {
    constexpr std::array<std::uint64_t, 13> bases{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41};
    for (const std::uint64_t base : bases)
        if (number % base == 0) return false;
    const Modulus modulus(number);
    const std::uint64_t minus_one = number - modulus.one();
    const int twos = std::countr_zero(number - 1);
    return std::ranges::all_of(bases, [&](std::uint64_t base) {
        std::uint64_t power = modulus.power(modulus.enter(base), (number - 1) >> twos);
        if (power == modulus.one() || power == minus_one) return true;
        for (int k = 1; k < twos; ++k) {
            power = modulus.multiply(power, power);
            if (power == minus_one) return true;
        }
        return false;
    });
}

std::vector<std::uint64_t> prime_factors(std::uint64_t number) {
    std::vector<std::uint64_t> factors;
    for (std::uint64_t factor = 2; factor * factor <= number; ++factor) {
        if (number % factor != 0) continue;
        factors.push_back(factor);
        while (number % factor == 0) number /= factor;
    }
    if (number > 1) factors.push_back(number);
    return factors;
}

}  // namespace

Modulus::Modulus(std::uint64_t prime) : prime_(prime), negated_inverse_(1) {
    // Newton's iteration: each step doubles the number of bits that are right.
    for (int step = 0; step < 6; ++step) negated_inverse_ *= 2 - prime * negated_inverse_;
    negated_inverse_ = 0 - negated_inverse_;
    one_ = static_cast<std::uint64_t>((Wide{1} << 64) % prime);
    square_ = static_cast<std::uint64_t>(Wide{one_} * one_ % prime);
}

std::uint64_t Modulus::power(std::uint64_t base, std::uint64_t exponent) const {
    std::uint64_t result = one_;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = multiply(result, base);
        base = multiply(base, base);
    }
    return result;
}

std::vector<Modulus> choose_moduli(double bits, std::uint64_t order) {
    const auto number = static_cast<std::size_t>(std::ceil(std::max(bits, 1.0) / 61)) + 1;
    const std::uint64_t step = order % 2 == 0 ? order : 2 * order;
    std::vector<Modulus> moduli;
    for (std::uint64_t candidate = (largest - 2) / step * step + 1; moduli.size() < number; candidate -= step)
        if (is_prime(candidate)) moduli.emplace_back(candidate);
    return moduli;
}

std::uint64_t find_root(const Modulus& modulus, std::uint64_t order) {
    const std::vector<std::uint64_t> factors = prime_factors(order);
    for (std::uint64_t base = 2;; ++base) {
        const std::uint64_t root = modulus.power(modulus.enter(base), (modulus.prime() - 1) / order);
        if (std::ranges::all_of(
                factors, [&](std::uint64_t factor) { return modulus.power(root, order / factor) != modulus.one(); }))
            return root;
    }
}

Rebuilder::Rebuilder(std::span<const Modulus> moduli) : moduli_(moduli) {
    for (std::size_t k = 0; k < moduli.size(); ++k) {
        std::uint64_t product = moduli[k].one();
        for (std::size_t j = 0; j < k; ++j) product = moduli[k].multiply(product, moduli[k].enter(moduli[j].prime()));
        inverses_.push_back(moduli[k].invert(product));
    }
}

Natural Rebuilder::rebuild(std::span<const std::uint64_t> remainders) const {
    // number = digit 0 + prime 0 * (digit 1 + prime 1 * (digit 2 + ...)), each digit below its prime.
    std::vector<std::uint64_t> digits;
    for (std::size_t k = 0; k < moduli_.size(); ++k) {
        const Modulus& modulus = moduli_[k];
        std::uint64_t known = 0;
        for (std::size_t j = k; j-- > 0;)
            known = modulus.add(modulus.multiply(known, modulus.enter(moduli_[j].prime())), modulus.enter(digits[j]));
        digits.push_back(modulus.leave(modulus.multiply(modulus.subtract(remainders[k], known), inverses_[k])));
    }
    Natural number;
    for (std::size_t k = digits.size(); k-- > 0;) {
        number = number.scaled(moduli_[k].prime(), 1);
        number += Natural(digits[k]);
    }
    return number;
}

}  // namespace oraclesum::search
