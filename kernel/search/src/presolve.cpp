// Presolve: classes of equal sentences, merged n-grams, private hits, redundant limits. Keeps all optima.
#include <algorithm>
#include <compare>
#include <map>
#include <numeric>

#include "oraclesum/search/bounds.hpp"
#include "oraclesum/search/int128.hpp"
#include "oraclesum/search/problem.hpp"
#include "oraclesum/search/ranges.hpp"

namespace oraclesum::search {

namespace {

// Looks at the clock after every so many numbers that were read, which takes about a millisecond.
class Pace {
public:
    explicit Pace(Clock* clock) : clock_(clock) {}

    void step(std::size_t numbers) {
        if (clock_ == nullptr) return;
        numbers_ += numbers + 1;
        if (numbers_ < numbers_per_look) return;
        numbers_ = 0;
        if (clock_->look()) throw Stopped(clock_->reason());
    }

private:
    static constexpr std::size_t numbers_per_look = std::size_t{1} << 18;

    Clock* clock_;
    std::size_t numbers_ = 0;
};

struct Draft {
    std::vector<std::vector<Entry>> rows;             // per class, over instance n-grams
    std::vector<std::vector<std::uint32_t>> members;  // per class
};

std::vector<Entry> capped_row(const Instance& instance, std::uint32_t sentence) {
    std::vector<Entry> row;
    row.reserve(instance.counts(sentence).size());
    for (const Entry& entry : instance.counts(sentence)) {
        const auto last = static_cast<std::uint32_t>(instance.gains(entry.ngram).size());
        row.push_back({entry.ngram, std::min(entry.count, last)});
    }
    return row;
}

Draft group_equal_sentences(const Instance& instance, const std::vector<std::size_t>& limits, Pace& pace) {
    const std::vector<std::uint32_t> candidates = instance.candidates();
    std::vector<std::vector<Entry>> rows;
    rows.reserve(candidates.size());
    for (const std::uint32_t sentence : candidates) {
        rows.push_back(capped_row(instance, sentence));
        pace.step(rows.back().size());
    }
    std::vector<std::uint32_t> order(candidates.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto compare_lengths = [&](std::uint32_t a, std::uint32_t b) {
        for (const std::size_t limit : limits) {
            const auto& lengths = instance.limits()[limit].lengths;
            if (const auto c = lengths[candidates[a]] <=> lengths[candidates[b]]; c != 0) return c;
        }
        const std::uint32_t i = candidates[a], j = candidates[b];
        if (const auto c = instance.kind(i) <=> instance.kind(j); c != 0) return c;
        if (const auto c = instance.cost(i) <=> instance.cost(j); c != 0) return c;
        if (const auto c = instance.required(i) <=> instance.required(j); c != 0) return c;
        return std::lexicographical_compare_three_way(instance.fees_of(i).begin(), instance.fees_of(i).end(),
                                                      instance.fees_of(j).begin(), instance.fees_of(j).end());
    };
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        pace.step(std::min(rows[a].size(), rows[b].size()));
        if (const auto c = compare_lengths(a, b); c != 0) return c < 0;
        if (const auto c = rows[a] <=> rows[b]; c != 0) return c < 0;
        return a < b;
    });
    Draft draft;
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::uint32_t a = order[at];
        if (at > 0 && !instance.required(candidates[a]) && compare_lengths(order[at - 1], a) == 0 &&
            draft.rows.back() == rows[a]) {
            draft.members.back().push_back(candidates[a]);
        } else {
            draft.rows.push_back(std::move(rows[a]));
            draft.members.push_back({candidates[a]});
        }
    }
    // Classes in the order of their first sentence: the document's order survives for ties.
    std::vector<std::uint32_t> by_first(draft.rows.size());
    std::iota(by_first.begin(), by_first.end(), 0U);
    std::ranges::sort(by_first, {}, [&](std::uint32_t c) { return draft.members[c].front(); });
    Draft sorted;
    for (const std::uint32_t c : by_first) {
        sorted.rows.push_back(std::move(draft.rows[c]));
        sorted.members.push_back(std::move(draft.members[c]));
    }
    return sorted;
}

struct Column {
    std::vector<Cell> cells;  // .column holds the class here
    std::vector<std::int64_t> gains;
};

// Gains in blocks of a common divisor, cut at what the classes can supply.
void normalise(Column& column, const Draft& draft) {
    std::uint32_t divisor = 0;
    for (const Cell& cell : column.cells) divisor = std::gcd(divisor, cell.count);
    if (divisor > 1) {
        std::vector<std::int64_t> blocks((column.gains.size() + divisor - 1) / divisor, 0);
        for (std::size_t k = 0; k < column.gains.size(); ++k) blocks[k / divisor] += column.gains[k];
        column.gains = std::move(blocks);
        for (Cell& cell : column.cells) cell.count /= divisor;
    }
    std::uint64_t supply = 0;
    for (const Cell& cell : column.cells) supply += std::uint64_t{cell.count} * draft.members[cell.column].size();
    if (supply < column.gains.size()) column.gains.resize(supply);
    for (Cell& cell : column.cells) cell.count = std::min(cell.count, static_cast<std::uint32_t>(column.gains.size()));
}

std::vector<Column> collect_columns(const Instance& instance, const Draft& draft, Pace& pace) {
    std::vector<Column> columns(instance.ngrams());
    for (std::uint32_t c = 0; c < draft.rows.size(); ++c) {
        pace.step(draft.rows[c].size());
        for (const Entry& entry : draft.rows[c]) columns[entry.ngram].cells.push_back({c, entry.count});
    }
    for (std::size_t g = 0; g < columns.size(); ++g) {
        pace.step(columns[g].cells.size() + instance.gains(g).size());
        if (columns[g].cells.empty()) continue;
        columns[g].gains.assign(instance.gains(g).begin(), instance.gains(g).end());
        normalise(columns[g], draft);
    }
    std::erase_if(columns, [](const Column& column) { return column.cells.empty(); });
    return columns;
}

// The unit of the multipliers and their ceilings, such that (1) and (2) of ranges.hpp hold.
void choose_fixed_point(Problem& problem) {
    std::int64_t total = std::accumulate(problem.fees.begin(), problem.fees.end(), std::int64_t{0});
    for (std::size_t c = 0; c < problem.classes(); ++c) total += std::abs(problem.base[c]) * problem.copies(c);
    std::vector<std::int64_t> supply(problem.columns(), 0);
    for (std::size_t c = 0; c < problem.classes(); ++c)
        for (const Cell& cell : problem.rows[c]) supply[cell.column] += std::int64_t{cell.count} * problem.copies(c);
    SignedWide most = 0;  // of sum_g mu_g * supply_g, in hits
    for (std::size_t g = 0; g < problem.columns(); ++g) {
        total = std::accumulate(problem.gains[g].begin(), problem.gains[g].end(), total);
        most += SignedWide{problem.gains[g][0]} * supply[g];
    }
    const SignedWide largest = std::max<SignedWide>(total, most);
    int bits = ranges::max_fraction_bits;
    while (bits > 0 && largest > ranges::price_room >> bits) --bits;
    problem.fraction_bits = bits;
    const bool fits = most <= ranges::price_room >> bits;
    problem.price_ceilings.resize(problem.columns());
    for (std::size_t g = 0; g < problem.columns(); ++g) {
        const std::int64_t gain = problem.gains[g][0] << bits;
        const std::int64_t share = ranges::price_room / static_cast<std::int64_t>(problem.columns()) / supply[g];
        problem.price_ceilings[g] = fits ? gain : std::min(gain, share);
    }
}

// Costs into the base, and fees: of one sentence alone into its base, others as columns of what is paid once.
void place_costs(const Instance& instance, const Draft& draft, Problem& problem) {
    for (std::size_t c = 0; c < draft.members.size(); ++c) problem.base[c] -= instance.cost(draft.members[c].front());
    if (instance.fees().empty()) return;
    std::map<std::vector<std::uint32_t>, std::int64_t> shared;  // classes with a fee -> all such fees
    std::vector<std::vector<std::uint32_t>> payers(instance.fees().size());
    for (std::uint32_t c = 0; c < draft.members.size(); ++c) {
        for (const std::uint32_t fee : instance.fees_of(draft.members[c].front()))
            if (payers[fee].empty() || payers[fee].back() != c) payers[fee].push_back(c);
    }
    for (std::size_t fee = 0; fee < payers.size(); ++fee) {
        if (payers[fee].empty() || instance.fees()[fee] == 0) continue;
        if (payers[fee].size() == 1 && draft.members[payers[fee].front()].size() == 1)
            problem.base[payers[fee].front()] -= instance.fees()[fee];
        else
            shared[payers[fee]] += instance.fees()[fee];
    }
    std::vector<std::vector<std::uint32_t>> rows(draft.members.size());
    for (const auto& [classes, fee] : shared) {
        for (const std::uint32_t c : classes) rows[c].push_back(static_cast<std::uint32_t>(problem.fees.size()));
        problem.fees.push_back(fee);
    }
    for (const auto& row : rows) problem.fee_rows.add_row(row);
}

Problem reduce(const Instance& instance, Pace& pace) {
    Problem problem;
    std::vector<std::size_t> binding, floors;
    const std::vector<std::uint32_t> candidates = instance.candidates();
    for (std::size_t r = 0; r < instance.limits().size(); ++r) {
        const Limit& limit = instance.limits()[r];
        std::int64_t all = 0;
        for (const std::uint32_t i : candidates) all += limit.lengths[i];
        if (all > limit.budget) binding.push_back(r);
        if (limit.floor > 0) floors.push_back(r);
        if (all < limit.floor || limit.floor > limit.budget) problem.feasible = false;
    }
    for (std::size_t i = 0; i < instance.sentences(); ++i)
        if (instance.required(i) && !instance.candidate(i)) problem.feasible = false;
    std::vector<std::size_t> telling = binding;  // lengths that tell sentences apart
    telling.insert(telling.end(), floors.begin(), floors.end());
    const Draft draft = group_equal_sentences(instance, telling, pace);

    problem.sentences = instance.sentences();
    problem.base.assign(draft.rows.size(), 0);
    std::vector<Column> columns = collect_columns(instance, draft, pace);
    std::erase_if(columns, [&](const Column& column) {
        const Cell& first = column.cells.front();
        if (column.cells.size() > 1 || draft.members[first.column].size() > 1) return false;
        for (std::size_t k = 0; k < first.count; ++k) problem.base[first.column] += column.gains[k];
        return true;
    });
    std::ranges::sort(columns, [&](const Column& a, const Column& b) {
        pace.step(std::min(a.cells.size(), b.cells.size()));
        return a.cells < b.cells;
    });
    std::vector<Column> merged;
    for (Column& column : columns) {
        pace.step(column.cells.size() + column.gains.size());
        if (merged.empty() || merged.back().cells != column.cells) {
            merged.push_back(std::move(column));
            continue;
        }
        std::vector<std::int64_t>& gains = merged.back().gains;
        if (gains.size() < column.gains.size()) gains.resize(column.gains.size(), 0);
        for (std::size_t k = 0; k < column.gains.size(); ++k) gains[k] += column.gains[k];
    }
    std::vector<std::vector<Cell>> rows(draft.rows.size());
    for (std::uint32_t g = 0; g < merged.size(); ++g) {
        pace.step(merged[g].cells.size() + merged[g].gains.size());
        problem.gains.add_row(merged[g].gains);
        for (const Cell& cell : merged[g].cells) rows[cell.column].push_back({g, cell.count});
    }
    std::vector<std::int64_t> lengths;
    for (std::size_t c = 0; c < rows.size(); ++c) {
        const std::uint32_t first = draft.members[c].front();
        problem.rows.add_row(rows[c]);
        problem.members.add_row(draft.members[c]);
        lengths.clear();
        for (const std::size_t r : binding) lengths.push_back(instance.limits()[r].lengths[first]);
        for (const std::size_t r : floors) lengths.push_back(-instance.limits()[r].lengths[first]);
        problem.lengths.add_row(lengths);
        if (instance.required(first)) problem.required.push_back(static_cast<std::uint32_t>(c));
    }
    for (const std::size_t r : binding) problem.budgets.push_back(instance.limits()[r].budget);
    for (const std::size_t r : floors) problem.budgets.push_back(-instance.limits()[r].floor);
    problem.uppers = binding.size();
    place_costs(instance, draft, problem);
    problem.monotone = floors.empty() && problem.fees.empty() &&
                       std::ranges::all_of(problem.base, [](std::int64_t base) { return base >= 0; });
    choose_fixed_point(problem);
    return problem;
}

// All hits and all rewards there are; instance.cpp sees to it that they fit.
std::int64_t add_up_everything(const Instance& instance) {
    std::int64_t most = 0;
    for (std::size_t g = 0; g < instance.ngrams(); ++g)
        most = std::accumulate(instance.gains(g).begin(), instance.gains(g).end(), most);
    for (std::size_t i = 0; i < instance.sentences(); ++i) most += std::max<std::int64_t>(0, -instance.cost(i));
    return most;
}

}  // namespace

Problem presolve(const Instance& instance, Clock* clock) {
    try {
        Pace pace(clock);
        return reduce(instance, pace);
    } catch (const Stopped&) {
        Problem problem;
        problem.sentences = instance.sentences();
        problem.stopped = true;
        problem.upper_bound = add_up_everything(instance);
        return problem;
    }
}

}  // namespace oraclesum::search
