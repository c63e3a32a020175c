// Presolve: classes of equal sentences, merged n-grams, private hits, redundant limits. Keeps all optima.
#include <algorithm>
#include <numeric>

#include "oraclesum/search/int128.hpp"
#include "oraclesum/search/problem.hpp"
#include "oraclesum/search/ranges.hpp"

namespace oraclesum::search {

namespace {

struct Draft {
    std::vector<std::vector<Entry>> rows;             // per class, over instance n-grams
    std::vector<std::vector<std::uint32_t>> members;  // per class
};

std::vector<Entry> capped_row(const Instance& instance, std::uint32_t sentence) {
    std::vector<Entry> row;
    for (const Entry& entry : instance.counts(sentence)) {
        const auto last = static_cast<std::uint32_t>(instance.gains(entry.ngram).size());
        row.push_back({entry.ngram, std::min(entry.count, last)});
    }
    return row;
}

Draft group_equal_sentences(const Instance& instance, const std::vector<std::size_t>& limits) {
    const std::vector<std::uint32_t> candidates = instance.candidates();
    std::vector<std::vector<Entry>> rows;
    rows.reserve(candidates.size());
    for (const std::uint32_t sentence : candidates) rows.push_back(capped_row(instance, sentence));
    std::vector<std::uint32_t> order(candidates.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto compare_lengths = [&](std::uint32_t a, std::uint32_t b) {
        for (const std::size_t limit : limits) {
            const auto& lengths = instance.limits()[limit].lengths;
            if (const auto c = lengths[candidates[a]] <=> lengths[candidates[b]]; c != 0) return c;
        }
        return std::strong_ordering::equal;
    };
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        if (const auto c = compare_lengths(a, b); c != 0) return c < 0;
        if (const auto c = rows[a] <=> rows[b]; c != 0) return c < 0;
        return a < b;
    });
    Draft draft;
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::uint32_t a = order[at];
        if (at > 0 && compare_lengths(order[at - 1], a) == 0 && draft.rows.back() == rows[a]) {
            draft.members.back().push_back(candidates[a]);
        } else {
            draft.rows.push_back(rows[a]);
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
    for (Cell& cell : column.cells)
        cell.count = std::min(cell.count, static_cast<std::uint32_t>(column.gains.size()));
}

std::vector<Column> collect_columns(const Instance& instance, const Draft& draft) {
    std::vector<Column> columns(instance.ngrams());
    for (std::uint32_t c = 0; c < draft.rows.size(); ++c)
        for (const Entry& entry : draft.rows[c]) columns[entry.ngram].cells.push_back({c, entry.count});
    for (std::size_t g = 0; g < columns.size(); ++g) {
        if (columns[g].cells.empty()) continue;
        columns[g].gains.assign(instance.gains(g).begin(), instance.gains(g).end());
        normalise(columns[g], draft);
    }
    std::erase_if(columns, [](const Column& column) { return column.cells.empty(); });
    return columns;
}

// The unit of the multipliers and their ceilings, such that (1) and (2) of ranges.hpp hold.
void choose_fixed_point(Problem& problem) {
    std::int64_t total = std::accumulate(problem.base.begin(), problem.base.end(), std::int64_t{0});
    std::vector<std::int64_t> supply(problem.columns(), 0);
    for (std::size_t c = 0; c < problem.classes(); ++c)
        for (const Cell& cell : problem.rows[c]) supply[cell.column] += std::int64_t{cell.count} * problem.copies(c);
    SignedWide most = 0;  // of sum_g mu_g * supply_g, in hits
    for (std::size_t g = 0; g < problem.columns(); ++g) {
        total = std::accumulate(problem.gains[g].begin(), problem.gains[g].end(), total);
        most += SignedWide{problem.gains[g][0]} * supply[g];
    }
    const SignedWide largest = std::max<SignedWide>(total, most);
    int bits = ranges::most_fraction_bits;
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

}  // namespace

Problem presolve(const Instance& instance) {
    std::vector<std::size_t> binding;
    const std::vector<std::uint32_t> candidates = instance.candidates();
    for (std::size_t r = 0; r < instance.limits().size(); ++r) {
        const Limit& limit = instance.limits()[r];
        std::int64_t all = 0;
        for (const std::uint32_t i : candidates) all += limit.lengths[i];
        if (all > limit.budget) binding.push_back(r);
    }
    const Draft draft = group_equal_sentences(instance, binding);

    Problem problem;
    problem.sentences = instance.sentences();
    problem.base.assign(draft.rows.size(), 0);
    std::vector<Column> columns = collect_columns(instance, draft);
    std::erase_if(columns, [&](const Column& column) {
        const Cell& first = column.cells.front();
        if (column.cells.size() > 1 || draft.members[first.column].size() > 1) return false;
        for (std::size_t k = 0; k < first.count; ++k) problem.base[first.column] += column.gains[k];
        return true;
    });
    std::ranges::sort(columns, {}, &Column::cells);
    std::vector<Column> merged;
    for (Column& column : columns) {
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
        problem.gains.add_row(merged[g].gains);
        for (const Cell& cell : merged[g].cells) rows[cell.column].push_back({g, cell.count});
    }
    std::vector<std::int64_t> lengths(binding.size());
    for (std::size_t c = 0; c < rows.size(); ++c) {
        problem.rows.add_row(rows[c]);
        problem.members.add_row(draft.members[c]);
        for (std::size_t r = 0; r < binding.size(); ++r)
            lengths[r] = instance.limits()[binding[r]].lengths[draft.members[c].front()];
        problem.lengths.add_row(lengths);
    }
    for (const std::size_t r : binding) problem.budgets.push_back(instance.limits()[r].budget);
    choose_fixed_point(problem);
    return problem;
}

}  // namespace oraclesum::search
