// All sets with the largest value of an objective, or near it: one ratio by Dinkelbach's method, sums of ratios by boxes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/diagram.hpp"
#include "oraclesum/search/fraction.hpp"
#include "oraclesum/search/objective.hpp"
#include "oraclesum/search/search.hpp"

namespace oraclesum::search {

struct MaximiseSettings {
    Fraction within = {};   // sets with a value down to this much below the best belong to the family
    std::uint64_t top = 0;  // if not 0: so many of the best sets, with all ties of the last
    SearchSettings search;
};

struct Maximised {
    std::vector<std::uint32_t> best;  // one best set; empty if no set was found
    std::vector<Tally> tallies;       // its counts, one per term
    FractionSum value;                // of `best`: the sum over all terms
    FractionSum upper;                // no set has a larger value
    bool proven = false;              // `value` is the largest
    bool collected = false;           // `diagram` or `streamed` stands for the whole family
    Diagram diagram;
    std::optional<Streamed> streamed;
    Rows<std::uint32_t> members;  // per class of the diagram: its sentences
    std::uint64_t nodes = 0;
    StopReason stopped = StopReason::none;
    bool out_of_memory = false;  // the family was too large to be collected
};

// The value of a set by its counts: the sum over all terms.
[[nodiscard]] FractionSum value_of(const Objective& objective, std::span<const Tally> tallies);

// `scorer` tells the exact counts; it is asked only if the objective is not exact by itself.
[[nodiscard]] Maximised maximise(const Objective& objective, Scorer* scorer, const MaximiseSettings& settings,
                                 Clock& clock);

}  // namespace oraclesum::search
