// Naturals agree with 128-bit arithmetic as far as that reaches, and with identities and known numbers beyond.
#include "oraclesum/search/natural.hpp"

#include <algorithm>
#include <string>

#include "check.hpp"
#include "varied_instance.hpp"

using oraclesum::search::binomial;
using oraclesum::search::binomial_up_to;
using oraclesum::search::Natural;
using oraclesum::search::Wide;
using oraclesum::testing::Draw;
using oraclesum::testing::rounds;

namespace {

Natural natural(Wide number) {
    return Natural::from_limbs({static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(number >> 64)});
}

// Numbers of all sizes, with runs of zeros and ones that make carries travel.
Wide draw_wide(Draw& draw, unsigned max_bits) {
    Wide number = 0;
    for (const std::int64_t bits = draw.between(0, max_bits); number >> bits == 0 && bits > 0;) {
        const bool ones = draw.one_in(2);
        for (std::int64_t run = draw.between(1, 40); run > 0; --run) number = number << 1 | Wide{ones};
    }
    return max_bits == 128 ? number : number & ((Wide{1} << max_bits) - 1);
}

Natural draw_natural(Draw& draw, std::size_t limbs) {
    std::vector<std::uint64_t> drawn(limbs);
    for (auto& limb : drawn) limb = draw.one_in(4) ? 0 : ~std::uint64_t{0} >> draw.between(0, 63);
    return Natural::from_limbs(std::move(drawn));
}

std::string decimal(Natural number) {
    std::string digits;
    while (!number.is_zero()) {
        const Natural quotient = number.divide(Natural(10));
        digits.insert(digits.begin(), static_cast<char>('0' + (number.is_zero() ? 0 : number.limbs()[0])));
        number = quotient;
    }
    return digits.empty() ? "0" : digits;
}

}  // namespace

TEST(arithmetic_agrees_with_128_bits) {
    Draw draw(1);
    for (int round = 0; round < rounds(1000); ++round) {
        const Wide a = draw_wide(draw, 127), b = draw_wide(draw, 127);
        const Wide more = a > b ? a : b, less = a > b ? b : a;
        Natural sum = natural(a);
        sum += natural(b);
        CHECK(sum == natural(a + b));
        Natural difference = natural(more);
        difference -= natural(less);
        CHECK(difference == natural(more - less));
        CHECK((natural(a) <=> natural(b)) == (a <=> b));
        const Wide x = draw_wide(draw, 64), y = draw_wide(draw, 64);
        CHECK(natural(x) * natural(y) == natural(x * y));
        if (less == 0) continue;
        Natural rest = natural(more);
        CHECK(rest.divide(natural(less)) == natural(more / less));
        CHECK(rest == natural(more % less));
    }
}

TEST(long_numbers_keep_the_laws) {
    Draw draw(2);
    for (int round = 0; round < rounds(150); ++round) {
        const Natural a = draw_natural(draw, 1 + draw.below(5)), b = draw_natural(draw, 1 + draw.below(5));
        const Natural c = draw_natural(draw, 1 + draw.below(3));
        Natural sum = a;
        sum += b;
        Natural distributed = a * c;
        distributed += b * c;
        CHECK(sum * c == distributed);
        sum -= b;
        CHECK(sum == a);
        if (b.is_zero()) continue;
        Natural rest = a;
        const Natural quotient = rest.divide(b);
        CHECK(rest < b);
        Natural back = quotient * b;
        back += rest;
        CHECK(back == a);
    }
}

TEST(numbers_have_no_leading_zeros) {
    CHECK(Natural(0).is_zero() && Natural(0).limbs().empty());
    CHECK(Natural::from_limbs({7, 0, 0}) == Natural(7));
    Natural difference = natural(Wide{1} << 100);
    difference -= natural((Wide{1} << 100) - 1);
    CHECK(difference == Natural(1));
}

TEST(binomials_are_the_known_ones) {
    CHECK(binomial(0, 0) == Natural(1));
    CHECK(binomial(5, 6).is_zero());
    CHECK(binomial(52, 5) == Natural(2598960));
    CHECK(decimal(binomial(100, 50)) == "100891344545564193334812497256");
    CHECK(decimal(binomial(200, 100)) == "90548514656103281165404177077484163874504589675413336841320");
    for (std::uint32_t m = 1; m < 70; ++m)  // Pascal's triangle
        for (std::uint32_t k = 1; k <= m; ++k) {
            Natural sum = binomial(m - 1, k - 1);
            sum += binomial(m - 1, k);
            CHECK(binomial(m, k) == sum);
            for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{1} << 62})
                CHECK(Natural(binomial_up_to(m, k, most)) == std::min(sum, Natural(most)));
        }
    CHECK(binomial_up_to(5, 6, 10) == 0);
}
