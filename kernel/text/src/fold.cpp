// Counting n-grams of references, sentences and summaries against each other.
#include "oraclesum/text/fold.hpp"

#include <algorithm>
#include <numeric>

namespace oraclesum::text {

namespace {

// Sorts the ids and counts equal ones.
void tally(std::vector<std::uint32_t>& ids, std::vector<Count>& counts) {
    std::ranges::sort(ids);
    counts.clear();
    for (const std::uint32_t id : ids) {
        if (!counts.empty() && counts.back().ngram == id)
            ++counts.back().count;
        else
            counts.push_back({id, 1});
    }
}

}  // namespace

Folded fold(std::span<const Runs> references, std::span<const Words> sentences, std::size_t n) {
    NgramTable table(n);
    Folded folded;
    std::vector<std::uint32_t> ids, longest;  // by n-gram: how often the reference with most of it has it
    std::vector<Count> counts, of_references;
    for (const Runs& reference : references) {
        ids.clear();
        table.intern(reference, ids);
        folded.total += static_cast<std::int64_t>(ids.size());
        longest.resize(table.size());
        tally(ids, counts);
        for (const auto [ngram, count] : counts) longest[ngram] = std::max(longest[ngram], count);
        of_references.insert(of_references.end(), counts.begin(), counts.end());
    }
    folded.gains.reserve(longest.size(), std::accumulate(longest.begin(), longest.end(), std::size_t{0}));
    for (const std::uint32_t gains : longest) folded.gains.add_row(gains, 0);
    for (const auto [ngram, count] : of_references)
        for (std::int64_t& gain : folded.gains[ngram].first(count)) ++gain;
    folded.counts.reserve(sentences.size(), 0);
    for (const Words& sentence : sentences) {
        ids.clear();
        table.find({&sentence, 1}, ids);
        tally(ids, counts);
        folded.counts.add_row(counts);
    }
    return folded;
}

std::vector<Match> match(const Runs& summary, std::span<const Runs> references, std::size_t n) {
    NgramTable table(n);
    std::vector<std::uint32_t> ids;
    table.intern(summary, ids);
    std::vector<std::uint32_t> counts(table.size());
    std::vector<Count> found;
    for (const std::uint32_t id : ids) ++counts[id];

    std::vector<Match> matches;
    matches.reserve(references.size());
    for (const Runs& reference : references) {
        ids.clear();
        table.find(reference, ids);
        std::int64_t hits = 0;
        tally(ids, found);
        for (const auto [ngram, count] : found) hits += std::min(count, counts[ngram]);
        matches.push_back({hits, count_ngrams(reference, n)});
    }
    return matches;
}

}  // namespace oraclesum::text
