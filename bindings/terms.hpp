// The terms of an objective as Python hands them over.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "oraclesum/measure/measure.hpp"

namespace oraclesum::bindings {

using TermTuple = std::tuple<int, std::uint32_t, std::int64_t, std::int64_t, std::int64_t>;  // kind, n, weight, r, s

inline measure::Settings make_settings(const std::vector<TermTuple>& terms, bool across, bool distinct,
                                       bool references_within) {
    measure::Settings settings;
    settings.across = across;
    settings.distinct = distinct;
    settings.references_within = references_within;
    for (const auto& [kind, n, weight, r, s] : terms)
        settings.terms.push_back({static_cast<measure::Kind>(kind), n, weight, r, s});
    return settings;
}

}  // namespace oraclesum::bindings
