// Checks and stores an instance, and scores a set from scratch.
#include "oraclesum/search/instance.hpp"

#include <algorithm>
#include <string>

#include "oraclesum/search/error.hpp"

namespace oraclesum::search {

namespace {

// Sums of hits stay far below 2^63 even after scaling to fixed point.
constexpr std::int64_t largest_gain = std::int64_t{1} << 24;
constexpr std::int64_t largest_total = std::int64_t{1} << 36;
constexpr std::int64_t largest_length = std::int64_t{1} << 40;

std::string place(const char* what, std::size_t index) { return std::string(what) + " " + std::to_string(index); }

}  // namespace

Instance::Instance(const std::vector<std::vector<std::int64_t>>& gains,
                   const std::vector<std::vector<Entry>>& counts, std::vector<Limit> limits)
    : limits_(std::move(limits)) {
    std::int64_t total = 0;
    for (std::size_t g = 0; g < gains.size(); ++g) {
        std::int64_t last = largest_gain;
        for (const std::int64_t gain : gains[g]) {
            if (gain < 0) throw InputError("gains of " + place("n-gram", g) + " must not be negative");
            if (gain > last)
                throw InputError("gains of " + place("n-gram", g) +
                                 (last == largest_gain ? " are too large" : " must not increase"));
            last = gain;
            total += gain;
            if (total > largest_total) throw InputError("the gains add up to more than the kernel can hold");
        }
        auto end = gains[g].size();
        while (end > 0 && gains[g][end - 1] == 0) --end;
        gains_.add_row(std::span(gains[g]).first(end));
    }
    if (limits_.empty()) throw InputError("an instance needs at least one limit");
    for (const Limit& limit : limits_) {
        if (limit.lengths.size() != counts.size())
            throw InputError("a limit has " + std::to_string(limit.lengths.size()) + " lengths for " +
                             std::to_string(counts.size()) + " sentences");
        if (limit.budget < 0) throw InputError("a budget must not be negative");
        if (limit.budget > largest_length) throw InputError("a budget is too large");
        for (std::size_t i = 0; i < limit.lengths.size(); ++i) {
            if (limit.lengths[i] < 0) throw InputError("the length of " + place("sentence", i) + " is negative");
            if (limit.lengths[i] > largest_length)
                throw InputError("the length of " + place("sentence", i) + " is too large");
        }
    }
    std::vector<Entry> row;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        row = counts[i];
        std::ranges::sort(row, {}, &Entry::ngram);
        std::size_t kept = 0;
        for (const Entry& entry : row) {
            if (entry.ngram >= gains.size())
                throw InputError(place("sentence", i) + " names " + place("n-gram", entry.ngram) + " of " +
                                 std::to_string(gains.size()));
            if (entry.count > largest_gain) throw InputError("a count of " + place("sentence", i) + " is too large");
            if (entry.count == 0 || gains_[entry.ngram].empty()) continue;
            if (kept > 0 && row[kept - 1].ngram == entry.ngram)
                row[kept - 1].count += entry.count;
            else
                row[kept++] = entry;
        }
        counts_.add_row(std::span<const Entry>(row).first(kept));
    }
}

bool Instance::candidate(std::size_t sentence) const {
    return !counts_[sentence].empty() && std::ranges::all_of(limits_, [&](const Limit& limit) {
        return limit.lengths[sentence] <= limit.budget;
    });
}

std::vector<std::uint32_t> Instance::candidates() const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < sentences(); ++i)
        if (candidate(i)) all.push_back(i);
    return all;
}

std::int64_t Instance::hits(std::span<const std::uint32_t> set) const {
    std::vector<std::uint64_t> covered(ngrams(), 0);
    for (const std::uint32_t i : set)
        for (const Entry& entry : counts_[i]) covered[entry.ngram] += entry.count;
    std::int64_t sum = 0;
    for (std::size_t g = 0; g < ngrams(); ++g) {
        const auto gain = gains_[g];
        const std::size_t reached = std::min<std::uint64_t>(covered[g], gain.size());
        for (std::size_t k = 0; k < reached; ++k) sum += gain[k];
    }
    return sum;
}

bool Instance::feasible(std::span<const std::uint32_t> set) const {
    return std::ranges::all_of(limits_, [&](const Limit& limit) {
        std::int64_t length = 0;
        for (const std::uint32_t i : set) length += limit.lengths[i];
        return length <= limit.budget;
    });
}

}  // namespace oraclesum::search
