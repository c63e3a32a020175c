// Random states of a search, and every way to complete one: slow, and obviously right.
#include "completions.hpp"

#include <utility>

namespace oraclesum::testing {
namespace {

void add_completions(search::State& state, const std::vector<std::uint32_t>& free, std::size_t at, std::int64_t start,
                     Copies& copies, std::vector<Completion>& all) {
    if (at == free.size()) {
        all.push_back({state.hits() - start, copies, state.complete()});
        return;
    }
    for (std::uint32_t k = 0; k <= state.problem().copies(free[at]); ++k) {
        if (k > 0 && !state.fits(free[at], k)) break;
        if (k > 0) state.take(free[at], k);
        copies[free[at]] = k;
        add_completions(state, free, at + 1, start, copies, all);
        if (k > 0) state.untake();
    }
    copies[free[at]] = 0;
}

}  // namespace

search::State draw_state(Draw& draw, const search::Problem& problem) {
    search::State state(problem);
    for (std::uint32_t at = 0; at < state.free_count;) {
        const std::uint32_t cls = state.order[at];
        const bool takes = draw.one_in(6) && state.fits(cls);
        if (takes) state.take(cls);
        if (takes || draw.one_in(6))
            state.remove_at(at);
        else
            ++at;
    }
    return state;
}

std::vector<Completion> list_completions(search::State state) {
    const std::vector<std::uint32_t> free(state.free().begin(), state.free().end());
    std::vector<Completion> all;
    Copies copies(state.problem().classes(), 0);
    add_completions(state, free, 0, state.hits(), copies, all);
    return all;
}

Copies count_taken(const search::State& state) {
    Copies copies(state.problem().classes(), 0);
    for (const search::Taken& taken : state.taken()) copies[taken.cls] += taken.copies;
    return copies;
}

std::int64_t value_of(const search::Problem& problem, const Copies& copies) {
    std::int64_t sum = 0;
    std::vector<std::uint64_t> covered(problem.columns(), 0);
    for (std::size_t c = 0; c < copies.size(); ++c) {
        sum += problem.base[c] * copies[c];
        for (const search::Cell& cell : problem.rows[c]) covered[cell.column] += std::uint64_t{cell.count} * copies[c];
    }
    for (std::size_t g = 0; g < covered.size(); ++g)
        for (std::size_t k = 0; k < covered[g] && k < problem.gains[g].size(); ++k) sum += problem.gains[g][k];
    return sum;
}

search::Instance costly_instance(Draw& draw, std::size_t max_sentences) {
    const search::Instance plain = varied_instance(draw, max_sentences);
    std::vector<std::vector<std::int64_t>> gains;
    for (std::size_t g = 0; g < plain.ngrams(); ++g) gains.emplace_back(plain.gains(g).begin(), plain.gains(g).end());
    std::vector<std::vector<search::Entry>> rows;
    search::Extras extras{.costs = {}, .fees = {1, 2, 3}, .fee_rows = {}, .roles = {}, .kinds = {}};
    for (std::size_t i = 0; i < plain.sentences(); ++i) {
        rows.emplace_back(plain.counts(i).begin(), plain.counts(i).end());
        extras.costs.push_back(draw.between(-1, 2));
        extras.fee_rows.emplace_back();
        for (std::uint32_t fee = 0; fee < extras.fees.size(); ++fee)
            if (draw.one_in(3)) extras.fee_rows.back().push_back(fee);
    }
    std::vector<search::Limit> limits = plain.limits();
    if (draw.one_in(2)) limits.front().floor = limits.front().budget / draw.between(2, 4);
    return {gains, rows, std::move(limits), std::move(extras)};
}

}  // namespace oraclesum::testing
