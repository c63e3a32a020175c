// Presolve: classes of equal sentences, merged n-grams, private hits, redundant limits. Keeps all optima.
#include <algorithm>
#include <compare>
#include <map>
#include <numeric>
#include <span>

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

template <class T>
auto compare(std::span<T> a, std::span<T> b) {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

// Equal sentences: their row, over the n-grams of the instance, and which they are.
struct Class {
    std::span<const Entry> row;
    std::span<const std::uint32_t> members;
};

// The classes look into the two lists behind them: one list for all rows costs far less than one for each.
struct Draft {
    std::vector<Class> classes;
    std::vector<Entry> entries;
    std::vector<std::uint32_t> sentences;
};

// The rows of some sentences one after the other, counts cut to an n-gram's last gain.
std::vector<std::span<const Entry>> cap_rows(const Instance& instance, const std::vector<std::uint32_t>& sentences,
                                             std::vector<Entry>& entries, Pace& pace) {
    std::size_t size = 0;
    for (const std::uint32_t sentence : sentences) size += instance.counts(sentence).size();
    entries.reserve(size);  // what is handed out stays where it is
    std::vector<std::span<const Entry>> rows;
    rows.reserve(sentences.size());
    for (const std::uint32_t sentence : sentences) {
        const std::size_t first = entries.size();
        for (const Entry& entry : instance.counts(sentence)) {
            const auto last = static_cast<std::uint32_t>(instance.gains(entry.ngram).size());
            entries.push_back({entry.ngram, std::min(entry.count, last)});
        }
        rows.emplace_back(entries.data() + first, entries.size() - first);
        pace.step(rows.back().size());
    }
    return rows;
}

Draft group_equal_sentences(const Instance& instance, const std::vector<std::size_t>& limits, Pace& pace) {
    Draft draft;
    const std::vector<std::uint32_t> candidates = instance.candidates();
    const std::vector<std::span<const Entry>> rows = cap_rows(instance, candidates, draft.entries, pace);
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
        if (const auto c = compare(rows[a], rows[b]); c != 0) return c < 0;
        return a < b;
    });
    draft.sentences.reserve(order.size());
    for (const std::uint32_t a : order) draft.sentences.push_back(candidates[a]);
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::uint32_t a = order[at];
        if (at > 0 && !instance.required(candidates[a]) && compare_lengths(order[at - 1], a) == 0 &&
            std::ranges::equal(draft.classes.back().row, rows[a])) {
            std::span<const std::uint32_t>& members = draft.classes.back().members;
            members = {members.data(), members.size() + 1};
        } else {
            draft.classes.push_back({rows[a], {draft.sentences.data() + at, 1}});
        }
    }
    // Classes in the order of their first sentence: the document's order survives for ties.
    std::ranges::sort(draft.classes, {}, [](const Class& one) { return one.members.front(); });
    return draft;
}

struct Column {
    std::span<Cell> cells;  // .column holds the class here
    std::span<std::int64_t> gains;
};

// As with `Draft`, the columns look into the lists behind them.
struct Columns {
    std::vector<Column> all;
    std::vector<Cell> cells;
    std::vector<std::int64_t> gains;
};

// Gains in blocks of a common divisor, cut at what the classes can supply.
void normalise(Column& column, const Draft& draft) {
    std::uint32_t divisor = 0;
    for (const Cell& cell : column.cells) divisor = std::gcd(divisor, cell.count);
    if (divisor > 1) {
        // A block is at or before the gains that it adds up, so nothing is written over that is still to be read.
        for (std::size_t k = 0; k < column.gains.size(); ++k) {
            const std::int64_t gain = column.gains[k];
            std::int64_t& block = column.gains[k / divisor];
            block = k % divisor == 0 ? gain : block + gain;
        }
        column.gains = column.gains.first((column.gains.size() + divisor - 1) / divisor);
        for (Cell& cell : column.cells) cell.count /= divisor;
    }
    std::uint64_t supply = 0;
    for (const Cell& cell : column.cells)
        supply += std::uint64_t{cell.count} * draft.classes[cell.column].members.size();
    if (supply < column.gains.size()) column.gains = column.gains.first(supply);
    for (Cell& cell : column.cells) cell.count = std::min(cell.count, static_cast<std::uint32_t>(column.gains.size()));
}

Columns collect_columns(const Instance& instance, const Draft& draft, Pace& pace) {
    Columns columns;
    std::vector<std::size_t> ends(instance.ngrams(), 0);  // of each n-gram's cells; at first, how many there are
    for (const Class& one : draft.classes) {
        pace.step(one.row.size());
        for (const Entry& entry : one.row) ++ends[entry.ngram];
    }
    std::size_t cells = 0, gains = 0, used = 0;
    for (std::size_t g = 0; g < ends.size(); ++g) {
        if (ends[g] == 0) continue;
        ++used;
        gains += instance.gains(g).size();
        const std::size_t first = cells;
        cells += ends[g];
        ends[g] = first;
    }
    columns.cells.resize(cells);
    columns.gains.reserve(gains);
    columns.all.reserve(used);
    for (std::uint32_t c = 0; c < draft.classes.size(); ++c) {
        pace.step(draft.classes[c].row.size());
        for (const Entry& entry : draft.classes[c].row) columns.cells[ends[entry.ngram]++] = {c, entry.count};
    }
    std::size_t first = 0;
    for (std::size_t g = 0; g < ends.size(); ++g) {
        if (ends[g] <= first) continue;  // nobody has it
        const std::span<const std::int64_t> known = instance.gains(g);
        pace.step(ends[g] - first + known.size());
        columns.gains.insert(columns.gains.end(), known.begin(), known.end());
        Column& column = columns.all.emplace_back();
        column.cells = {columns.cells.data() + first, ends[g] - first};
        column.gains = {columns.gains.data() + columns.gains.size() - known.size(), known.size()};
        normalise(column, draft);
        first = ends[g];
    }
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
    for (std::size_t c = 0; c < draft.classes.size(); ++c)
        problem.base[c] -= instance.cost(draft.classes[c].members.front());
    if (instance.fees().empty()) return;
    std::map<std::vector<std::uint32_t>, std::int64_t> shared;  // classes with a fee -> all such fees
    std::vector<std::vector<std::uint32_t>> payers(instance.fees().size());
    for (std::uint32_t c = 0; c < draft.classes.size(); ++c) {
        for (const std::uint32_t fee : instance.fees_of(draft.classes[c].members.front()))
            if (payers[fee].empty() || payers[fee].back() != c) payers[fee].push_back(c);
    }
    for (std::size_t fee = 0; fee < payers.size(); ++fee) {
        if (payers[fee].empty() || instance.fees()[fee] == 0) continue;
        if (payers[fee].size() == 1 && draft.classes[payers[fee].front()].members.size() == 1)
            problem.base[payers[fee].front()] -= instance.fees()[fee];
        else
            shared[payers[fee]] += instance.fees()[fee];
    }
    std::vector<std::vector<std::uint32_t>> rows(draft.classes.size());
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
    problem.base.assign(draft.classes.size(), 0);
    Columns columns = collect_columns(instance, draft, pace);
    std::erase_if(columns.all, [&](const Column& column) {
        const Cell& first = column.cells.front();
        if (column.cells.size() > 1 || draft.classes[first.column].members.size() > 1) return false;
        for (std::size_t k = 0; k < first.count; ++k) problem.base[first.column] += column.gains[k];
        return true;
    });
    std::ranges::sort(columns.all, [&](const Column& a, const Column& b) {
        pace.step(std::min(a.cells.size(), b.cells.size()));
        return compare(a.cells, b.cells) < 0;
    });
    // Columns of equal cells become one with the sum of their gains.
    std::vector<std::size_t> starts(draft.classes.size() + 1, 0);  // of each class's row in `cells`
    std::vector<std::span<const Cell>> merged;
    std::vector<std::int64_t> sum;
    problem.gains.reserve(columns.all.size(), columns.gains.size());
    for (std::size_t at = 0; at < columns.all.size(); ++at) {
        const Column& column = columns.all[at];
        pace.step(column.cells.size() + column.gains.size());
        if (sum.size() < column.gains.size()) sum.resize(column.gains.size(), 0);
        for (std::size_t k = 0; k < column.gains.size(); ++k) sum[k] += column.gains[k];
        if (at + 1 < columns.all.size() && std::ranges::equal(columns.all[at + 1].cells, column.cells)) continue;
        problem.gains.add_row(sum);
        sum.clear();
        merged.push_back(column.cells);
        for (const Cell& cell : column.cells) ++starts[cell.column + 1];
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<Cell> cells(starts.back());
    std::vector<std::size_t> ends(starts.begin(), starts.end() - 1);
    for (std::uint32_t g = 0; g < merged.size(); ++g) {
        pace.step(merged[g].size());
        for (const Cell& cell : merged[g]) cells[ends[cell.column]++] = {g, cell.count};
    }
    std::vector<std::int64_t> lengths;
    problem.rows.reserve(draft.classes.size(), cells.size());
    problem.members.reserve(draft.classes.size(), draft.sentences.size());
    problem.lengths.reserve(draft.classes.size(), draft.classes.size() * telling.size());
    for (std::size_t c = 0; c < draft.classes.size(); ++c) {
        const std::uint32_t first = draft.classes[c].members.front();
        problem.rows.add_row(std::span(cells).subspan(starts[c], ends[c] - starts[c]));
        problem.members.add_row(draft.classes[c].members);
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

}  // namespace

Problem presolve(const Instance& instance, Clock* clock) {
    Problem problem;
    try {
        Pace pace(clock);
        problem = reduce(instance, pace);
    } catch (const Stopped&) {
        problem.sentences = instance.sentences();
        problem.stopped = true;
    }
    problem.upper_bound = instance.most();
    return problem;
}

}  // namespace oraclesum::search
