// The normal form of every problem here: concave integer gains per n-gram, sparse counts per sentence, limits.
//
// hits(S) = sum over n-grams g of the first c_g(S) gains of g, where c_g(S) is how often the sentences of S
// contain g. Several references fold into the gains: gain k of g is the number of references that contain g at
// least k times. What is maximised is
//
//   value(S) = hits(S) - sum of the costs of its sentences - sum of the fees that at least one of them has
//
// which for recall, without costs and fees, is hits(S). A set is feasible if, for every limit, the lengths of its sentences
// add up to at least its floor and at most its budget, and if it contains all required sentences and no forbidden one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/rows.hpp"

namespace oraclesum::search {

using Entry = Count;
using oraclesum::Rows;

struct Limit {
    std::int64_t budget;
    std::vector<std::int64_t> lengths;  // one per sentence
    std::int64_t floor = 0;
};

enum class Role : std::uint8_t {
    idle,  // can add nothing: in no set
    candidate,
    required,   // in every set
    forbidden,  // in no set
};

// What an instance may have beyond gains, counts and limits; whatever is empty is absent.
struct Extras {
    std::vector<std::int64_t> costs;                   // per sentence; negative: a reward
    std::vector<std::int64_t> fees;                    // > 0, or 0 for one that nobody pays
    std::vector<std::vector<std::uint32_t>> fee_rows;  // per sentence: the fees that it has
    std::vector<Role> roles;                           // per sentence; absent: candidates share an n-gram
    std::vector<std::uint32_t> kinds;                  // per sentence: those of different kinds are never the same
};

class Instance {
public:
    // Throws InputError if the parts do not fit together or a number is outside its range (ranges.hpp); rows may come
    // unsorted, equal n-grams are added up.
    Instance(const std::vector<std::vector<std::int64_t>>& gains, const std::vector<std::vector<Entry>>& counts,
             std::vector<Limit> limits, Extras extras = {});
    Instance(const Rows<std::int64_t>& gains, const Rows<Entry>& counts, std::vector<Limit> limits, Extras extras);

    // One entry of a row, for callers whose numbers are wider than an Entry's; throws InputError if they do not fit.
    [[nodiscard]] static Entry make_entry(std::size_t sentence, std::int64_t ngram, std::int64_t count);

    [[nodiscard]] std::size_t sentences() const { return counts_.size(); }
    [[nodiscard]] std::size_t ngrams() const { return gains_.size(); }
    [[nodiscard]] std::span<const std::int64_t> gains(std::size_t ngram) const { return gains_[ngram]; }
    [[nodiscard]] std::span<const Entry> counts(std::size_t sentence) const { return counts_[sentence]; }
    [[nodiscard]] const std::vector<Limit>& limits() const { return limits_; }

    [[nodiscard]] std::int64_t cost(std::size_t sentence) const {
        return extras_.costs.empty() ? 0 : extras_.costs[sentence];
    }
    [[nodiscard]] std::span<const std::uint32_t> fees_of(std::size_t sentence) const {
        return extras_.fee_rows.empty() ? std::span<const std::uint32_t>{} : extras_.fee_rows[sentence];
    }
    [[nodiscard]] std::span<const std::int64_t> fees() const { return extras_.fees; }
    [[nodiscard]] bool required(std::size_t sentence) const {
        return !extras_.roles.empty() && extras_.roles[sentence] == Role::required;
    }
    [[nodiscard]] std::uint32_t kind(std::size_t sentence) const {
        return extras_.kinds.empty() ? 0 : extras_.kinds[sentence];
    }

    // Shares an n-gram with a reference (or is said to be a candidate, or required) and fits the limits alone: the only
    // sentences that a set may contain.
    [[nodiscard]] bool candidate(std::size_t sentence) const;
    [[nodiscard]] std::vector<std::uint32_t> candidates() const;

    // Eq. 1's numerator for a set, from scratch. The obviously right version that every answer is checked against.
    [[nodiscard]] std::int64_t hits(std::span<const std::uint32_t> set) const;
    [[nodiscard]] std::int64_t most() const;  // no set has a larger value, whatever its sentences
    [[nodiscard]] std::int64_t value(std::span<const std::uint32_t> set) const;
    [[nodiscard]] bool feasible(std::span<const std::uint32_t> set) const;

private:
    template <class Gains, class Counts>
    void store(const Gains& gains, const Counts& counts);
    template <class Gains>
    void store_gains(const Gains& gains);
    void check_limits(std::size_t sentences) const;
    void check_extras(std::size_t sentences) const;
    template <class Counts>
    void store_counts(const Counts& counts);

    Rows<std::int64_t> gains_;
    Rows<Entry> counts_;
    std::vector<Limit> limits_;
    Extras extras_;
    std::int64_t total_ = 0;  // of all gains
};

}  // namespace oraclesum::search
