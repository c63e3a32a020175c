// The ranges of the numbers of an instance, and why no sum or product of the search leaves its type.
//
// An Instance is made only of numbers in these ranges (instance.cpp checks them), so that nothing below checks again.
// With n sentences, N_ig the count of n-gram g in sentence i, and T the sum of all gains:
//
//   hits       of any set are at most T <= 2^60. Hence gains, residual gains, base hits, needs, targets and bounds of
//              hits fit 64 bits, and so does their difference.
//   lengths    of all candidates under one limit add up to at most 2^22 * 2^40 = 2^62. A limit with a larger budget is
//              dropped by presolve, so every length left, and every length times copies, is below 2^62 as well.
//   counts     of one n-gram add up to at most 2^22 * 2^32 = 2^54 (coverage, supply); they are kept in 64 bits.
//   Density    multiplies gains (2^60) by lengths (2^62) in 128 bits. Bound cuts its sums at largest_total, which no
//              set exceeds.
//
// The relaxation works in units of 2^-b hits, b = Problem::fraction_bits <= 20. Presolve chooses b and a ceiling for
// the price mu_g of every column such that
//
//   (1) T * 2^b <= 2^60,   (2) sum_g mu_g * (sum_i N_ig) <= 2^60 for all mu below their ceilings.
//
// Both are possible for every instance: with b = 0 the first is the range of T, and a ceiling may be as low as 0, since
// the identity of docs/engine.md holds for any prices. Only a problem whose largest gains times counts add up to more
// than 2^60 has a ceiling below the largest gain of a column. Further limits have prices e_r with
//
//   (3) sum_r e_r * left_r <= 2^59 (prepare() and move() see to it).
//
// The value of a class is v_i = base_i + sum_g mu_g N_ig - sum_r e_r l_ir. A free class fits, l_ir <= left_r, so by (3)
// v_i >= -2^59; and as only classes of one copy have base hits, sum_i copies_i max(0, v_i) <= 2^60 + 2^60 = 2^61 by (1)
// and (2). The price of length is lambda = floor(v_c / l_c) of the class c at which the length runs out. Classes at
// least as dense as c (up to the rounding of a double, a factor of 1 + 2^-50) are longer than what is left, hence
// lambda * left <= (1 + 2^-50) sum_i copies_i max(0, v_i) < 2^61 + 2^12, and lambda * l_i is no more, since l_i <= left.
// So
//
//   reduced value   v_i - lambda l_i          lies between -2^59 - 2^61 - 2^12 and 2^61;
//   U               lambda left + sum_r e_r left_r + units above mu + sum of positive reduced values
//                                             <= 2^61 + 2^12 + 2^59 + 2^60 + 2^61 < 2^63;
//   slack           U - need * 2^b            is smaller than U.
//
// Doubles only steer: which prices are tried, which class is dense. None decides.
#pragma once

#include <cstdint>

namespace oraclesum::search::ranges {

inline constexpr std::size_t max_sentences = std::size_t{1} << 22;
inline constexpr std::size_t max_entries = (std::size_t{1} << 31) - 1;      // n-grams; gains of all; counts of all
inline constexpr std::int64_t largest_total = std::int64_t{1} << 60;        // of all gains together
inline constexpr std::int64_t largest_count = (std::int64_t{1} << 32) - 1;  // of one n-gram in one sentence
inline constexpr std::int64_t largest_length = std::int64_t{1} << 40;       // of one sentence under one limit
inline constexpr std::int64_t largest_weight = std::int64_t{1} << 21;       // of all terms of an objective together
// A budget is any 64-bit number that is not negative.

// Of the relaxation: see (1) to (3) above.
inline constexpr int max_fraction_bits = 20;
inline constexpr std::int64_t price_room = std::int64_t{1} << 60;
inline constexpr std::int64_t further_room = std::int64_t{1} << 59;

}  // namespace oraclesum::search::ranges
