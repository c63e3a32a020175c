// 128-bit integers: the only place that names the compiler's own types.
#pragma once

namespace oraclesum::search {

__extension__ typedef unsigned __int128 Wide;  // counts of sets
__extension__ typedef __int128 SignedWide;     // products of gains, lengths and counts; sums of weights

}  // namespace oraclesum::search
