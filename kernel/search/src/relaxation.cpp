// Subgradient steps on the multipliers, bounds in fixed point, and fixing by reduced cost.
#include "relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "oraclesum/search/ranges.hpp"

namespace oraclesum::search {

Relaxation::Relaxation(const Problem& problem)
    : problem_(&problem),
      mu_(problem.columns()),
      first_extra_(problem.uppers > 0 ? 1 : 0),
      extra_(problem.budgets.size() - first_extra_, 0),
      extra_direction_(extra_.size(), 0.0),
      slot_(problem.columns()),
      suppliers_(problem.columns(), 0),
      supply_(problem.columns(), 0),
      scale_(extra_.size(), 1.0) {
    payers_.assign(problem.fees.size(), 0);
    reach_.assign(extra_.size(), 0);
    for (std::size_t r = 0; r < extra_.size(); ++r) {
        for (std::size_t c = 0; c < problem.classes(); ++c)
            reach_[r] += std::abs(problem.lengths[c][r + first_extra_]) * problem.copies(c);
        double sum = 0;
        for (std::size_t c = 0; c < problem.classes(); ++c)
            sum += std::abs(static_cast<double>(problem.lengths[c][r + first_extra_]));
        scale_[r] = std::max(1.0, sum / static_cast<double>(problem.classes()));
    }
    for (std::size_t g = 0; g < problem.columns(); ++g) mu_[g] = problem.price_ceilings[g] / 2;
    items_.reserve(problem.classes());
    removed_.reserve(problem.classes());
    keys_.reserve(problem.classes());
    forced_.reserve(problem.classes());
    cells_.reserve(problem.rows.entries());
    for (auto* column : {&local_mu_, &best_mu_}) column->reserve(problem.columns());
    usage_.reserve(problem.columns());
    direction_.reserve(problem.columns());
    columns_.reserve(problem.columns());
    touched_.reserve(problem.columns());
    units_.reserve(problem.gains.entries());
}

// The sub-problem of the free classes: residual gains cut at what they can supply; an n-gram that only one class
// can still supply joins that class's base, where it counts exactly.
void Relaxation::prepare(const State& state) {
    const int bits = problem_->fraction_bits;
    items_.clear();
    removed_.clear();
    cells_.clear();
    columns_.clear();
    units_.clear();
    touched_.clear();
    for (const std::uint32_t cls : state.free()) {
        if (!state.fits(cls)) {
            removed_.push_back(cls);
            continue;
        }
        const std::uint32_t copies = problem_->copies(cls);
        const std::int64_t length = problem_->uppers == 0 ? 0 : problem_->lengths[cls][0];
        items_.push_back({cls, copies, 0, 0, problem_->base[cls] << bits, length,
                          length > 0 ? 1.0 / static_cast<double>(length) : 0.0, 0, 0});
        for (const Cell& cell : problem_->rows[cls]) {
            const std::uint32_t g = cell.column;
            if (state.covered(g) >= problem_->gains[g].size()) continue;
            if (suppliers_[g] == 0) touched_.push_back(g);
            suppliers_[g] += copies;
            supply_[g] += std::uint64_t{copies} * cell.count;
        }
    }
    for (const std::uint32_t g : touched_) {
        if (suppliers_[g] == 1) continue;
        const auto rest = state.residual(g);
        const auto begin = static_cast<std::uint32_t>(units_.size());
        const std::size_t reach = std::min<std::size_t>(rest.size(), supply_[g]);
        for (std::size_t k = 0; k < reach; ++k) units_.push_back(rest[k] << bits);
        slot_[g] = static_cast<std::uint32_t>(columns_.size());
        columns_.push_back({g, begin, static_cast<std::uint32_t>(units_.size()),
                            std::min(units_[begin], problem_->price_ceilings[g])});
    }
    local_mu_.resize(columns_.size());
    for (std::size_t j = 0; j < columns_.size(); ++j) local_mu_[j] = std::min(mu_[columns_[j].id], columns_[j].ceiling);
    for (Item& item : items_) {
        item.begin = static_cast<std::uint32_t>(cells_.size());
        for (const Cell& cell : problem_->rows[item.cls]) {
            const std::uint32_t g = cell.column;
            if (suppliers_[g] == 0) continue;
            if (suppliers_[g] > 1) {
                cells_.push_back({slot_[g], cell.count});
                continue;
            }
            const auto rest = state.residual(g);
            const std::size_t reach = std::min<std::size_t>(rest.size(), cell.count);
            for (std::size_t k = 0; k < reach; ++k) item.base += rest[k] << bits;
        }
        item.end = static_cast<std::uint32_t>(cells_.size());
    }
    for (const std::uint32_t g : touched_) {
        suppliers_[g] = 0;
        supply_[g] = 0;
    }
    if (!problem_->fees.empty()) share_fees(state);
    direction_.assign(columns_.size(), 0.0);
    std::ranges::fill(extra_direction_, 0.0);
    for (std::size_t r = 0; r < extra_.size(); ++r) extra_[r] = std::min(extra_[r], extra_ceiling(state, r));
}

// A fee that nobody has paid yet is shared among the free copies that have it: all together are charged no more than the fee,
// nor are as many as the limits leave room for. A fee of one copy alone is charged in full.
void Relaxation::share_fees(const State& state) {
    std::int64_t room = std::numeric_limits<std::int64_t>::max();  // copies that fit
    for (std::size_t r = 0; r < problem_->uppers; ++r) {
        std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
        for (const Item& item : items_) shortest = std::min(shortest, problem_->lengths[item.cls][r]);
        if (shortest > 0 && !items_.empty()) room = std::min(room, state.left(r) / shortest);
    }
    for (const Item& item : items_)
        for (const std::uint32_t fee : problem_->fee_rows[item.cls]) payers_[fee] += item.copies;
    for (Item& item : items_)
        for (const std::uint32_t fee : problem_->fee_rows[item.cls])
            if (!state.paid(fee))
                item.base -= (problem_->fees[fee] << problem_->fraction_bits) /
                             std::max<std::int64_t>(1, std::min(room, std::int64_t{payers_[fee]}));
    for (const Item& item : items_)
        for (const std::uint32_t fee : problem_->fee_rows[item.cls]) payers_[fee] = 0;
}

// (3) of ranges.hpp: what is left of all further limits together, or what all classes add to a floor, costs no more than
// further_room.
std::int64_t Relaxation::extra_ceiling(const State& state, std::size_t r) const {
    const std::size_t row = r + first_extra_;
    const std::int64_t most = row < problem_->uppers ? state.left(row) : std::max(reach_[r], -state.left(row));
    return ranges::further_room / static_cast<std::int64_t>(extra_.size()) / std::max<std::int64_t>(1, most);
}

// Even all free classes together stay short of a floor.
bool Relaxation::falls_short(const State& state) const {
    for (std::size_t r = problem_->uppers; r < problem_->budgets.size(); ++r) {
        std::int64_t left = state.left(r);
        for (const Item& item : items_) left -= problem_->lengths[item.cls][r] * item.copies;
        if (left < 0) return true;
    }
    return false;
}

// The fractional knapsack over value per length: its price of length, and the class that is taken in part.
Relaxation::Filling Relaxation::choose_lambda(std::int64_t left) {
    keys_.clear();
    std::int64_t weight = 0;
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
        const Item& item = items_[i];
        if (item.value <= 0) continue;
        const bool weightless = item.length == 0;
        keys_.push_back(
            {weightless ? std::numeric_limits<double>::infinity() : static_cast<double>(item.value) * item.per_length,
             i});
        weight += item.length * item.copies;
    }
    const auto previous = static_cast<double>(lambda_);
    lambda_ = 0;
    if (weight <= left) return {.whole = keys_.size(), .critical = std::nullopt};
    std::size_t begin = 0, end = keys_.size();
    std::int64_t room = left;
    double pivot = previous;
    // Quickselect for the class at which the length runs out: what lies in [begin, end) weighs more than `room`.
    while (end - begin > 12) {
        std::size_t above = begin, below = end;
        std::int64_t weight_above = 0, weight_equal = 0;
        for (std::size_t k = begin; k < below;) {
            const Item& item = items_[keys_[k].item];
            if (keys_[k].density > pivot) {
                weight_above += item.length * item.copies;
                std::swap(keys_[above++], keys_[k++]);
            } else if (keys_[k].density < pivot) {
                std::swap(keys_[k], keys_[--below]);
            } else {
                weight_equal += item.length * item.copies;
                ++k;
            }
        }
        if (weight_above > room) {
            end = above;
        } else if (weight_above + weight_equal > room) {
            room -= weight_above;
            begin = above;
            end = below;
            break;
        } else {
            room -= weight_above + weight_equal;
            begin = below;
        }
        const double a = keys_[begin].density, b = keys_[(begin + end) / 2].density, c = keys_[end - 1].density;
        pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
    }
    std::sort(keys_.begin() + static_cast<std::ptrdiff_t>(begin), keys_.begin() + static_cast<std::ptrdiff_t>(end),
              [](const Key& a, const Key& b) { return a.density > b.density; });
    std::size_t whole = begin;
    for (;; ++whole) {
        const Item& item = items_[keys_[whole].item];
        const std::int64_t length = item.length * item.copies;
        if (length > room) break;
        room -= length;
    }
    const Item& critical = items_[keys_[whole].item];
    lambda_ = critical.value / critical.length;
    return {.whole = whole, .critical = keys_[whole].item, .fraction = static_cast<double>(room) * critical.per_length};
}

Relaxation::Evaluation Relaxation::evaluate(const State& state) {
    const std::int64_t* mu = local_mu_.data();
    for (Item& item : items_) {
        std::int64_t value = item.base;
        for (std::uint32_t e = item.begin; e < item.end; ++e) value += mu[cells_[e].column] * cells_[e].count;
        item.value = value;
    }
    std::int64_t bound = 0;
    for (std::size_t r = 0; r < extra_.size(); ++r) {
        if (extra_[r] == 0) continue;
        bound += extra_[r] * state.left(r + first_extra_);
        for (Item& item : items_) item.value -= extra_[r] * problem_->lengths[item.cls][r + first_extra_];
    }
    const std::int64_t left = problem_->uppers == 0 ? 0 : state.left(0);
    const Filling filling = choose_lambda(left);
    bound += lambda_ * left;
    for (Item& item : items_) {
        item.reduced = item.value - lambda_ * item.length;
        if (item.reduced > 0) bound += item.reduced * item.copies;
    }
    for (std::size_t j = 0; j < columns_.size(); ++j)
        for (std::uint32_t k = columns_[j].begin; k < columns_[j].end && units_[k] > mu[j]; ++k)
            bound += units_[k] - mu[j];
    return {bound, filling};
}

// One deflected subgradient step of Polyak's length towards `target`.
void Relaxation::move(const State& state, const Evaluation& evaluation, std::int64_t target) {
    const Filling& filling = evaluation.filling;
    usage_.assign(columns_.size(), 0.0);
    const auto use = [&](const Item& item, double copies) {
        for (std::uint32_t e = item.begin; e < item.end; ++e) usage_[cells_[e].column] += copies * cells_[e].count;
    };
    for (std::size_t k = 0; k < filling.whole; ++k) use(items_[keys_[k].item], items_[keys_[k].item].copies);
    if (filling.critical) use(items_[*filling.critical], filling.fraction);
    double norm = 0;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
        std::uint32_t above = columns_[j].begin;
        while (above < columns_[j].end && units_[above] > local_mu_[j]) ++above;
        std::uint32_t equal = above;
        while (equal < columns_[j].end && units_[equal] == local_mu_[j]) ++equal;
        const double least = above - columns_[j].begin, most = equal - columns_[j].begin;
        double slope = usage_[j] - std::clamp(usage_[j], least, most);
        if (slope > 0 && local_mu_[j] == 0) slope = 0;  // mu cannot fall below 0
        direction_[j] = slope + 0.5 * direction_[j];
        norm += direction_[j] * direction_[j];
    }
    for (std::size_t r = 0; r < extra_.size(); ++r) {
        double used = 0;
        for (std::size_t k = 0; k < filling.whole; ++k) {
            const Item& item = items_[keys_[k].item];
            used += static_cast<double>(problem_->lengths[item.cls][r + first_extra_] * item.copies);
        }
        if (filling.critical)
            used += filling.fraction *
                    static_cast<double>(problem_->lengths[items_[*filling.critical].cls][r + first_extra_]);
        double slope = (static_cast<double>(state.left(r + first_extra_)) - used) / scale_[r];
        if (slope > 0 && extra_[r] == 0) slope = 0;
        extra_direction_[r] = slope + 0.5 * extra_direction_[r];
        norm += extra_direction_[r] * extra_direction_[r];
    }
    if (norm < 1e-12) return;
    const double step = step_scale_ * static_cast<double>(evaluation.bound - target) / norm;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
        if (direction_[j] == 0.0) continue;
        const double moved = static_cast<double>(local_mu_[j]) - step * direction_[j];
        const std::int64_t top = columns_[j].ceiling;
        local_mu_[j] = moved <= 0 ? 0 : moved >= static_cast<double>(top) ? top : static_cast<std::int64_t>(moved);
    }
    for (std::size_t r = 0; r < extra_.size(); ++r) {
        const double moved = static_cast<double>(extra_[r]) - step * extra_direction_[r] / scale_[r];
        const std::int64_t top = extra_ceiling(state, r);
        extra_[r] = moved <= 0 ? 0 : moved >= static_cast<double>(top) ? top : static_cast<std::int64_t>(moved);
    }
}

// Reduced costs: a class whose taking costs more than the slack is out, one whose leaving out does is in.
std::optional<std::uint32_t> Relaxation::fix(Evaluation&& evaluation, std::int64_t target) {
    std::optional<std::uint32_t> critical;
    if (evaluation.filling.critical) critical = items_[*evaluation.filling.critical].cls;
    if (!may_fix_) return critical;
    const std::int64_t slack = evaluation.bound - target;
    for (std::size_t i = 0; i < items_.size();) {
        Item& item = items_[i];
        if (-item.reduced > slack) {  // a copy more costs more than there is to lose
            removed_.push_back(item.cls);
            item = items_.back();
            items_.pop_back();
            continue;
        }
        if (item.reduced > slack && item.copies == 1) forced_.push_back(item.cls);
        ++i;
    }
    return critical;
}

// The class of which the fractional knapsack takes a part; if it is gone, the one whose choice is clearest.
std::uint32_t Relaxation::pick_branch(std::optional<std::uint32_t> critical) const {
    std::int64_t largest = -1;
    std::uint32_t branch = 0;
    for (const Item& item : items_) {
        if (critical == item.cls) return item.cls;
        if (std::abs(item.reduced) > largest) {
            largest = std::abs(item.reduced);
            branch = item.cls;
        }
    }
    return branch;
}

// A step over many cells takes longer than a look at the clock.
bool Relaxation::out_of_time(Clock& clock) const {
    constexpr std::size_t many = 10'000;
    return cells_.size() + columns_.size() > many ? clock.look() : clock.expired();
}

Relaxation::Outcome Relaxation::tighten(State& state, std::int64_t need, int steps, Root* root) {
    prepare(state);
    forced_.clear();
    const int bits = problem_->fraction_bits;
    const std::int64_t target = need * (std::int64_t{1} << bits);
    if (falls_short(state)) return Pruned{};
    std::int64_t best = items_.empty() ? 0 : std::numeric_limits<std::int64_t>::max();
    step_scale_ = 1;
    int failures = 0;
    std::optional<std::uint32_t> critical;
    for (int step = 0; !items_.empty(); ++step) {
        Evaluation evaluation = evaluate(state);
        if (evaluation.bound < best) {
            best = evaluation.bound;
            best_mu_ = local_mu_;
            failures = 0;
        } else if (++failures >= (root ? 6 : 3)) {
            failures = 0;
            step_scale_ *= 0.5;
        }
        if (evaluation.bound < target) return Pruned{};
        const bool last = step + 1 >= steps;
        if (!last) move(state, evaluation, target);
        critical = fix(std::move(evaluation), target);
        if (!forced_.empty() || last || (root && out_of_time(root->clock))) break;
    }
    if (items_.empty()) {
        if (need <= 0 && state.complete()) return Alone{best >> bits};
        return Pruned{};
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) mu_[columns_[j].id] = best_mu_[j];
    std::uint32_t place = 0;
    for (const Item& item : items_) {
        state.order[place++] = item.cls;
        if (root) root->worth[item.cls] = item.reduced;
    }
    state.free_count = place;
    for (const std::uint32_t cls : removed_) state.order[place++] = cls;
    if (!forced_.empty()) return Forced{best >> bits, forced_};
    return Open(best >> bits, pick_branch(critical), this);
}

std::optional<std::int64_t> Relaxation::bound_of(const Outcome& outcome) {
    return std::visit(
        [](const auto& each) -> std::optional<std::int64_t> {
            if constexpr (requires { each.bound; })
                return each.bound;
            else
                return std::nullopt;
        },
        outcome);
}

void Relaxation::save(std::vector<std::int64_t>& stack) const {
    for (const Column& column : columns_) {
        stack.push_back(column.id);
        stack.push_back(mu_[column.id]);
    }
    stack.insert(stack.end(), extra_.begin(), extra_.end());
}

void Relaxation::restore(const std::vector<std::int64_t>& stack, std::size_t mark) {
    const std::size_t end = stack.size() - extra_.size();
    for (std::size_t at = mark; at < end; at += 2) mu_[static_cast<std::size_t>(stack[at])] = stack[at + 1];
    std::copy(stack.begin() + static_cast<std::ptrdiff_t>(end), stack.end(), extra_.begin());
}

}  // namespace oraclesum::search
