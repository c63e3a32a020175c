// Checks and stores an instance, and scores a set from scratch.
#include "oraclesum/search/instance.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "oraclesum/search/error.hpp"
#include "oraclesum/search/ranges.hpp"

namespace oraclesum::search {

namespace {

std::string place(const char* what, std::size_t index) { return std::string(what) + " " + std::to_string(index); }

void require_at_most(std::size_t number, std::size_t most, const char* what) {
    if (number > most)
        throw InputError("an instance has at most " + std::to_string(most) + " " + what + ", not " +
                         std::to_string(number));
}

}  // namespace

Entry Instance::make_entry(std::size_t sentence, std::int64_t ngram, std::int64_t count) {
    if (ngram < 0 || ngram > static_cast<std::int64_t>(ranges::max_entries))
        throw InputError(place("sentence", sentence) + " names n-gram " + std::to_string(ngram) +
                         ", which does not exist");
    if (count < 0 || count > ranges::largest_count)
        throw InputError("count of n-gram " + std::to_string(ngram) + " in " + place("sentence", sentence) +
                         " must be from 0 to " + std::to_string(ranges::largest_count) + ", not " +
                         std::to_string(count));
    return {static_cast<std::uint32_t>(ngram), static_cast<std::uint32_t>(count)};
}

Instance::Instance(const std::vector<std::vector<std::int64_t>>& gains, const std::vector<std::vector<Entry>>& counts,
                   std::vector<Limit> limits, Extras extras)
    : limits_(std::move(limits)), extras_(std::move(extras)) {
    store(gains, counts);
}

Instance::Instance(const Rows<std::int64_t>& gains, const Rows<Entry>& counts, std::vector<Limit> limits, Extras extras)
    : limits_(std::move(limits)), extras_(std::move(extras)) {
    store(gains, counts);
}

template <class Gains, class Counts>
void Instance::store(const Gains& gains, const Counts& counts) {
    require_at_most(counts.size(), ranges::max_sentences, "sentences");
    require_at_most(gains.size(), ranges::max_entries, "n-grams");
    store_gains(gains);
    check_limits(counts.size());
    check_extras(counts.size());
    store_counts(counts);
}

template <class Gains>
void Instance::store_gains(const Gains& gains) {
    std::int64_t& total = total_;
    std::size_t entries = 0;
    for (std::size_t g = 0; g < gains.size(); ++g) {
        entries += gains[g].size();
        require_at_most(entries, ranges::max_entries, "gains");
        std::int64_t last = std::numeric_limits<std::int64_t>::max();
        for (const std::int64_t gain : gains[g]) {
            if (gain < 0) throw InputError("gains of " + place("n-gram", g) + " must not be negative");
            if (gain > last) throw InputError("gains of " + place("n-gram", g) + " must not increase");
            if (gain > ranges::largest_total - total)
                throw InputError("gains of " + place("n-gram", g) + " are too large: all gains together add up to " +
                                 "more than " + std::to_string(ranges::largest_total));
            last = gain;
            total += gain;
        }
        auto end = gains[g].size();
        while (end > 0 && gains[g][end - 1] == 0) --end;
        gains_.add_row(std::span(gains[g]).first(end));
    }
}

void Instance::check_limits(std::size_t sentences) const {
    if (limits_.empty() && extras_.costs.empty()) throw InputError("an instance needs at least one limit");
    for (std::size_t r = 0; r < limits_.size(); ++r) {
        const Limit& limit = limits_[r];
        if (limit.lengths.size() != sentences)
            throw InputError(place("limit", r) + " has " + std::to_string(limit.lengths.size()) + " lengths for " +
                             std::to_string(sentences) + " sentences");
        if (limit.budget < 0)
            throw InputError("budget of " + place("limit", r) +
                             " must not be negative: " + std::to_string(limit.budget));
        for (std::size_t i = 0; i < sentences; ++i)
            if (limit.lengths[i] < 0 || limit.lengths[i] > ranges::largest_length)
                throw InputError("length of " + place("sentence", i) + " under " + place("limit", r) +
                                 " must be from 0 to " + std::to_string(ranges::largest_length) + ", not " +
                                 std::to_string(limit.lengths[i]));
    }
}

// Costs and fees count towards the same range as gains, so that no value of a set leaves it.
void Instance::check_extras(std::size_t sentences) const {
    const auto require_one_each = [&](std::size_t size, const char* what) {
        if (size != 0 && size != sentences)
            throw InputError("an instance of " + std::to_string(sentences) + " sentences has " + std::to_string(size) +
                             " " + what);
    };
    require_one_each(extras_.costs.size(), "costs");
    require_one_each(extras_.fee_rows.size(), "rows of fees");
    require_one_each(extras_.roles.size(), "roles");
    require_one_each(extras_.kinds.size(), "kinds");
    std::int64_t total = total_;
    const auto add = [&](std::int64_t size, const std::string& what) {
        if (size < 0 || size > ranges::largest_total - total) throw InputError(what + " is out of range");
        total += size;
    };
    for (std::size_t i = 0; i < extras_.costs.size(); ++i) {
        if (extras_.costs[i] < -ranges::largest_total)
            throw InputError("cost of " + place("sentence", i) + " is out of range");
        add(std::abs(extras_.costs[i]), "cost of " + place("sentence", i));
    }
    for (std::size_t f = 0; f < extras_.fees.size(); ++f) add(extras_.fees[f], place("fee", f));
    for (std::size_t i = 0; i < extras_.fee_rows.size(); ++i)
        for (const std::uint32_t fee : extras_.fee_rows[i])
            if (fee >= extras_.fees.size()) throw InputError(place("sentence", i) + " names " + place("fee", fee));
}

template <class Counts>
void Instance::store_counts(const Counts& counts) {
    std::vector<Entry> row;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        row.assign(counts[i].begin(), counts[i].end());
        std::ranges::sort(row, {}, &Entry::ngram);
        std::size_t kept = 0;
        for (const Entry& entry : row) {
            if (entry.ngram >= gains_.size())
                throw InputError(place("sentence", i) + " names " + place("n-gram", entry.ngram) + " of " +
                                 std::to_string(gains_.size()));
            if (entry.count == 0 || gains_[entry.ngram].empty()) continue;
            if (kept > 0 && row[kept - 1].ngram == entry.ngram)
                row[kept - 1] = make_entry(i, entry.ngram, std::int64_t{row[kept - 1].count} + entry.count);
            else
                row[kept++] = entry;
        }
        require_at_most(counts_.entries() + kept, ranges::max_entries, "counts");
        counts_.add_row(std::span<const Entry>(row).first(kept));
    }
}

bool Instance::candidate(std::size_t sentence) const {
    const Role role = !extras_.roles.empty()      ? extras_.roles[sentence]
                      : counts_[sentence].empty() ? Role::idle
                                                  : Role::candidate;
    return (role == Role::candidate || role == Role::required) &&
           std::ranges::all_of(limits_, [&](const Limit& limit) { return limit.lengths[sentence] <= limit.budget; });
}

std::vector<std::uint32_t> Instance::candidates() const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < sentences(); ++i)
        if (candidate(i)) all.push_back(i);
    return all;
}

// All hits and all rewards there are: the constructor saw to it that they fit.
std::int64_t Instance::most() const {
    std::int64_t most = 0;
    for (std::size_t g = 0; g < ngrams(); ++g) most = std::accumulate(gains(g).begin(), gains(g).end(), most);
    for (std::size_t i = 0; i < sentences(); ++i) most += std::max<std::int64_t>(0, -cost(i));
    return most;
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

std::int64_t Instance::value(std::span<const std::uint32_t> set) const {
    std::int64_t sum = hits(set);
    std::vector<std::uint8_t> paid(extras_.fees.size(), 0);
    for (const std::uint32_t i : set) {
        sum -= cost(i);
        for (const std::uint32_t fee : fees_of(i))
            if (!paid[fee]) {
                paid[fee] = 1;
                sum -= extras_.fees[fee];
            }
    }
    return sum;
}

bool Instance::feasible(std::span<const std::uint32_t> set) const {
    for (std::uint32_t i = 0; i < sentences() && !extras_.roles.empty(); ++i) {
        const bool inside = std::ranges::find(set, i) != set.end();
        if (extras_.roles[i] == Role::required && !inside) return false;
        if (extras_.roles[i] == Role::forbidden && inside) return false;
    }
    return std::ranges::all_of(limits_, [&](const Limit& limit) {
        std::int64_t length = 0;
        for (const std::uint32_t i : set) length += limit.lengths[i];
        return limit.floor <= length && length <= limit.budget;
    });
}

}  // namespace oraclesum::search
