// Techniques of the search by their names, to switch them off.
#pragma once

#include <string>
#include <vector>

#include "oraclesum/search/error.hpp"
#include "oraclesum/search/techniques.hpp"

namespace oraclesum::bindings {

inline search::Techniques techniques_without(const std::vector<std::string>& names) {
    search::Techniques techniques;
    for (const std::string& name : names) {
        if (name == "reoptimise")
            techniques.reoptimise = false;
        else if (name == "fix")
            techniques.fix = false;
        else if (name == "remember")
            techniques.remember = false;
        else if (name == "dive")
            techniques.dive = false;
        else if (name == "relaxed_order")
            techniques.relaxed_order = false;
        else if (name == "ranked_order")
            techniques.ranked_order = false;
        else if (name == "start")
            techniques.start = false;
        else if (name == "bounds")
            techniques.bounds = false;
        else if (name == "scan")
            techniques.scan = false;
        else if (name == "losers")
            techniques.losers = false;
        else
            throw search::InputError("unknown technique: " + name);
    }
    return techniques;
}

}  // namespace oraclesum::bindings
