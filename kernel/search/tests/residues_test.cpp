// Remainders by primes give numbers of any size back.
#include "residues.hpp"

#include "check.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::Draw;
using oraclesum::testing::rounds;

namespace {

std::uint64_t remainder(Natural number, std::uint64_t divisor) {
    (void)number.divide(Natural(divisor));
    return number.is_zero() ? 0 : number.limbs()[0];
}

}  // namespace

TEST(numbers_come_back_from_their_remainders) {
    Draw draw(1);
    for (int round = 0; round < rounds(200); ++round) {
        std::vector<std::uint64_t> limbs(static_cast<std::size_t>(draw.between(0, 12)));
        for (auto& limb : limbs) limb = static_cast<std::uint64_t>(draw.between(0, std::int64_t{1} << 62)) * 3;
        const Natural number = Natural::from_limbs(limbs);
        const auto moduli = choose_moduli(64.0 * static_cast<double>(limbs.size()), 1);
        std::vector<std::uint64_t> remainders;
        for (const Modulus& modulus : moduli) remainders.push_back(modulus.enter(remainder(number, modulus.prime())));
        CHECK(Rebuilder(moduli).rebuild(remainders) == number);
    }
}

TEST(moduli_differ_and_have_roots_of_one) {
    for (const std::uint64_t order : {1U, 2U, 3U, 12U, 185U, 8192U, 9973U}) {
        const auto moduli = choose_moduli(1000, order);
        for (std::size_t k = 0; k < moduli.size(); ++k) {
            const Modulus& modulus = moduli[k];
            CHECK(k == 0 || modulus.prime() < moduli[k - 1].prime());
            CHECK(modulus.prime() >> 61 == 1 && modulus.prime() % order == 1 % order);
            const std::uint64_t root = find_root(modulus, order);
            std::uint64_t power = modulus.one();
            for (std::uint64_t j = 1; j < order; ++j) CHECK((power = modulus.multiply(power, root)) != modulus.one());
            CHECK(modulus.multiply(power, root) == modulus.one());
        }
    }
}

TEST(arithmetic_is_that_of_remainders) {
    Draw draw(2);
    const Modulus modulus = choose_moduli(1, 1)[0];
    for (int round = 0; round < rounds(1000); ++round) {
        const auto a = static_cast<std::uint64_t>(draw.between(1, std::int64_t{1} << 61));
        const auto b = static_cast<std::uint64_t>(draw.between(1, std::int64_t{1} << 61));
        const std::uint64_t in_a = modulus.enter(a), in_b = modulus.enter(b), p = modulus.prime();
        CHECK(modulus.leave(in_a) == a % p);
        CHECK(modulus.leave(modulus.multiply(in_a, in_b)) == static_cast<std::uint64_t>(Wide{a} * b % p));
        CHECK(modulus.leave(modulus.add(in_a, in_b)) == (a + b) % p);
        CHECK(modulus.add(modulus.subtract(in_a, in_b), in_b) == in_a);
        CHECK(modulus.multiply(in_a, modulus.invert(in_a)) == modulus.one());
    }
}
