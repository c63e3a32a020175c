// Small random instances for the kernel's tests: ties, twins, repeated n-grams, sentences of no length, two limits.
#include "random_instance.hpp"

#include <utility>

namespace oraclesum::testing {

search::Instance random_instance(std::mt19937_64& engine, std::uint32_t max_sentences) {
    const auto draw = [&](std::uint64_t least, std::uint64_t most) { return least + engine() % (most - least + 1); };
    const auto ngrams = draw(1, 7);
    std::vector<std::vector<std::int64_t>> gains(ngrams);
    for (auto& row : gains) {
        auto last = static_cast<std::int64_t>(draw(0, 3));
        for (auto k = draw(0, 3); k > 0 && last > 0; --k) {
            row.push_back(last);
            last -= static_cast<std::int64_t>(draw(0, 1));
        }
    }
    const auto sentences = draw(1, max_sentences);
    std::vector<std::vector<search::Entry>> rows(sentences);
    std::vector<std::int64_t> lengths(sentences);
    std::int64_t whole = 0;
    for (std::size_t i = 0; i < sentences; ++i) {
        if (i > 0 && draw(0, 4) == 0) {
            rows[i] = rows[i - 1];
        } else {
            for (std::uint32_t g = 0; g < ngrams; ++g)
                if (draw(0, 2) == 0) rows[i].push_back({g, static_cast<std::uint32_t>(draw(1, 2))});
        }
        lengths[i] = static_cast<std::int64_t>(draw(0, 9));
        whole += lengths[i];
    }
    const auto budget = static_cast<std::int64_t>(draw(0, static_cast<std::uint64_t>(whole)));
    std::vector<search::Limit> limits{{budget, lengths}};
    if (draw(0, 2) == 0)
        limits.push_back({static_cast<std::int64_t>(draw(1, sentences)), std::vector<std::int64_t>(sentences, 1)});
    return {gains, rows, std::move(limits)};
}

std::vector<std::uint32_t> members(std::uint32_t mask) {
    std::vector<std::uint32_t> set;
    for (std::uint32_t i = 0; i < 32; ++i)
        if (mask >> i & 1U) set.push_back(i);
    return set;
}

}  // namespace oraclesum::testing
