// Random instances of many shapes: ties, twins, private and merged n-grams, several references, one to three limits.
#include "varied_instance.hpp"

#include <algorithm>
#include <utility>

namespace oraclesum::testing {
namespace {

// Gain k of an n-gram is the number of references that contain it at least k times.
std::vector<std::int64_t> fold_references(Draw& draw, std::int64_t references, std::int64_t repeats) {
    std::vector<std::int64_t> gains(static_cast<std::size_t>(repeats), 0);
    for (std::int64_t r = 0; r < references; ++r)
        for (std::int64_t k = draw.between(0, repeats); k > 0; --k) ++gains[static_cast<std::size_t>(k - 1)];
    return gains;  // zeros at the end are allowed, an n-gram without gain too
}

}  // namespace

search::Instance varied_instance(Draw& draw, std::size_t max_sentences) {
    const auto ngrams = static_cast<std::size_t>(draw.one_of({1, 3, 6, 9, 14}));
    const std::int64_t references = draw.between(1, 4), repeats = draw.one_of({1, 1, 2, 4});
    const std::int64_t step = draw.one_of({1, 1, 1, 2, 3});  // counts with a common divisor
    const std::int64_t sparsity = draw.one_of({1, 2, 4, 8});
    std::vector<std::vector<std::int64_t>> gains;
    for (std::size_t g = 0; g < ngrams; ++g) gains.push_back(fold_references(draw, references, repeats));
    const std::size_t sentences = 1 + draw.below(max_sentences);
    const std::int64_t shortest = draw.one_of({0, 1, 1, 5}), longest = shortest + draw.one_of({0, 1, 4, 30});
    std::vector<std::vector<search::Entry>> rows(sentences);
    std::vector<std::int64_t> lengths(sentences);
    for (std::size_t i = 0; i < sentences; ++i) {
        lengths[i] = draw.between(shortest, longest);
        if (i > 0 && draw.one_in(4)) {  // a twin, perhaps of another length
            const std::size_t twin = draw.below(i);
            rows[i] = rows[twin];
            if (!draw.one_in(3)) lengths[i] = lengths[twin];
            continue;
        }
        for (std::uint32_t g = 0; g < ngrams; ++g)
            if (draw.one_in(sparsity))
                rows[i].push_back({g, static_cast<std::uint32_t>(step * draw.between(1, repeats))});
    }
    const auto sum = [](const std::vector<std::int64_t>& row) {
        std::int64_t all = 0;
        for (const std::int64_t length : row) all += length;
        return all;
    };
    const std::int64_t tenths = draw.one_of({1, 2, 3, 5, 8, 10});
    std::vector<search::Limit> limits{{sum(lengths) * tenths / 10, lengths}};
    if (draw.one_in(3))
        limits.push_back(
            {draw.between(1, static_cast<std::int64_t>(sentences)), std::vector<std::int64_t>(sentences, 1)});
    if (draw.one_in(4)) {
        std::vector<std::int64_t> bytes(sentences);
        for (std::size_t i = 0; i < sentences; ++i) bytes[i] = 6 * lengths[i] + draw.between(0, 20);
        const std::int64_t budget = draw.between(0, sum(bytes));
        limits.push_back({budget, std::move(bytes)});
    }
    if (limits.size() > 1 && draw.one_in(2)) std::swap(limits.front(), limits.back());
    return {gains, rows, std::move(limits)};
}

search::Instance document(Draw& draw, std::size_t sentences, std::size_t vocabulary, std::int64_t budget) {
    std::vector<std::vector<std::int64_t>> gains;
    for (std::size_t g = 0; g < vocabulary; ++g) gains.push_back(fold_references(draw, 3, 2));
    std::vector<std::vector<search::Entry>> rows(sentences);
    std::vector<std::int64_t> lengths(sentences);
    for (std::size_t i = 0; i < sentences; ++i) {
        lengths[i] = draw.between(5, 30);
        for (std::int64_t words = lengths[i] / 3; words >= 0; --words) {
            const std::size_t a = draw.below(vocabulary), b = draw.below(vocabulary);  // the smaller is frequent
            rows[i].push_back({static_cast<std::uint32_t>(std::min(a, b)), 1});
        }
    }
    return {gains, rows, {{budget, std::move(lengths)}}};
}

}  // namespace oraclesum::testing
