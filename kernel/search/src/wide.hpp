// The few operations that counting needs, alike for 128-bit numbers and for numbers of any size.
#pragma once

#include "oraclesum/search/natural.hpp"

namespace oraclesum::search {

inline Natural to_natural(const Natural& number) { return number; }
inline Natural to_natural(Wide number) {
    return Natural::from_limbs({static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(number >> 64)});
}

inline void assign(Natural& to, const Natural& from) { to = from; }
inline void assign(Wide& to, const Natural& from) {
    to = 0;
    for (std::size_t k = from.limbs().size(); k-- > 0;) to = to << 64 | from.limbs()[k];
}

inline bool is_zero(const Natural& number) { return number.is_zero(); }
inline bool is_zero(Wide number) { return number == 0; }

// Quotient; the remainder stays in `number`.
inline Wide divide(Wide& number, Wide divisor) {
    const Wide quotient = number / divisor;
    number %= divisor;
    return quotient;
}
inline Natural divide(Natural& number, const Natural& divisor) { return number.divide(divisor); }

// number * by / over, if that is whole.
inline Wide scaled(Wide number, std::uint64_t by, std::uint64_t over) {
    return number / over * by + number % over * by / over;  // overflows only if the result does
}
inline Natural scaled(const Natural& number, std::uint64_t by, std::uint64_t over) { return number.scaled(by, over); }

// m choose k, for a caller who knows that it fits.
template <class Number>
[[nodiscard]] Number choose(std::size_t m, std::size_t k) {
    Number number(1);
    if (k != 0 && k != m) assign(number, binomial(static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(k)));
    return number;
}

}  // namespace oraclesum::search
