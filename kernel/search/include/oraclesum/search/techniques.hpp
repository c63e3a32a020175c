// Switches for the benchmark's ablation.
#pragma once

namespace oraclesum::search {

// Techniques of the search that can be switched off to measure what each gains; answers stay the same.
struct Techniques {
    bool reoptimise = true;     // multipliers at every node, not only at the root
    bool fix = true;            // classes by reduced cost
    bool remember = true;       // solved sub-problems
    bool dive = true;           // for a better first incumbent than greedy
    bool relaxed_order = true;  // branch on the class that the relaxation splits
    bool ranked_order = true;   // branch in the fixed order; with both, in turn
    // Of objectives other than recall.
    bool start = true;   // a greedy set before anything else
    bool bounds = true;  // of each ratio of a sum alone
    bool scan = true;    // few sets are told one by one, without a search
    bool losers = true;  // sentences that cost more than they gain alone leave
};

}  // namespace oraclesum::search
