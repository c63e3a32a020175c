// Parts of the method by their names, to switch them off.
#pragma once

#include <string>
#include <vector>

#include "oraclesum/search/error.hpp"
#include "oraclesum/search/parts.hpp"

namespace oraclesum::bindings {

inline search::Parts parts_without(const std::vector<std::string>& names) {
    search::Parts parts;
    for (const std::string& name : names) {
        if (name == "reoptimise")
            parts.reoptimise = false;
        else if (name == "fix")
            parts.fix = false;
        else if (name == "remember")
            parts.remember = false;
        else if (name == "dive")
            parts.dive = false;
        else if (name == "relaxed_order")
            parts.relaxed_order = false;
        else if (name == "ranked_order")
            parts.ranked_order = false;
        else if (name == "start")
            parts.start = false;
        else if (name == "bounds")
            parts.bounds = false;
        else if (name == "scan")
            parts.scan = false;
        else if (name == "losers")
            parts.losers = false;
        else
            throw search::InputError("unknown part: " + name);
    }
    return parts;
}

}  // namespace oraclesum::bindings
