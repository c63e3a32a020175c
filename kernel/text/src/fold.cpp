// Counting n-grams of references, sentences and summaries against each other.
#include "oraclesum/text/fold.hpp"

#include <algorithm>

namespace oraclesum::text {

namespace {

// Sorts the ids and counts equal ones.
std::vector<Count> tally(std::vector<std::uint32_t>& ids) {
    std::ranges::sort(ids);
    std::vector<Count> counts;
    counts.reserve(ids.size());
    for (const std::uint32_t id : ids) {
        if (!counts.empty() && counts.back().ngram == id)
            ++counts.back().count;
        else
            counts.push_back({id, 1});
    }
    return counts;
}

}  // namespace

Folded fold(std::span<const Runs> references, std::span<const Runs> sentences, std::size_t n) {
    NgramTable table(n);
    Folded folded;
    std::vector<std::uint32_t> ids;
    for (const Runs& reference : references) {
        ids.clear();
        table.intern(reference, ids);
        folded.total += static_cast<std::int64_t>(ids.size());
        folded.gains.resize(table.size());
        for (const auto [ngram, count] : tally(ids)) {
            auto& gains = folded.gains[ngram];
            if (gains.size() < count) gains.resize(count);
            for (std::size_t k = 0; k < count; ++k) ++gains[k];
        }
    }
    folded.counts.reserve(sentences.size());
    for (const Runs& sentence : sentences) {
        ids.clear();
        table.find(sentence, ids);
        folded.counts.push_back(tally(ids));
    }
    return folded;
}

std::vector<Match> match(const Runs& summary, std::span<const Runs> references, std::size_t n) {
    NgramTable table(n);
    std::vector<std::uint32_t> ids;
    table.intern(summary, ids);
    std::vector<std::uint32_t> counts(table.size());
    for (const std::uint32_t id : ids) ++counts[id];

    std::vector<Match> matches;
    matches.reserve(references.size());
    for (const Runs& reference : references) {
        ids.clear();
        table.find(reference, ids);
        std::int64_t hits = 0;
        for (const auto [ngram, count] : tally(ids)) hits += std::min(count, counts[ngram]);
        matches.push_back({hits, count_ngrams(reference, n)});
    }
    return matches;
}

}  // namespace oraclesum::text
