// Random instances of many shapes: ties, twins, private and merged n-grams, several references, one to three limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "oraclesum/search/instance.hpp"

namespace oraclesum::testing {

class Draw {
public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}

    std::int64_t between(std::int64_t least, std::int64_t most) {
        return least + static_cast<std::int64_t>(
                           engine_() % (static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1));
    }
    std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }
    bool one_in(std::int64_t n) { return between(1, n) == 1; }
    std::int64_t one_of(std::initializer_list<std::int64_t> values) { return values.begin()[below(values.size())]; }

private:
    std::mt19937_64 engine_;
};

search::Instance varied_instance(Draw& draw, std::size_t max_sentences);

// A document of made-up sentences over a small vocabulary: many ties, long to enumerate.
search::Instance document(Draw& draw, std::size_t sentences, std::size_t vocabulary, std::int64_t budget);

}  // namespace oraclesum::testing
