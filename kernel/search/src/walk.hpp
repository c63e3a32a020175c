// The depth-first walk over feasible sets (the search tree of the paper's figure), with an explicit stack.
//
// A node is a set V; its children add one later sentence of the order each. `visit` says whether to go deeper.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bound.hpp"
#include "coverage.hpp"
#include "oraclesum/search/clock.hpp"

namespace oraclesum::search {

class Walk {
public:
    static constexpr std::size_t MOST_WORK = std::size_t{1} << 24;

    Walk(const Instance& instance, std::vector<std::uint32_t> order)
        : order_(std::move(order)), covered_(instance), bound_(instance), most_(instance.most()) {}

    // visit(set, covered, remaining) -> bool. Ends when all is visited or the clock expires.
    template <class Visit>
    void run(Clock& clock, Visit&& visit) {
        next_.assign(1, 0);
        while (!next_.empty()) {
            if (clock.expired()) return;
            const std::size_t place = next_.back();
            if (place == order_.size()) {
                next_.pop_back();
                if (!next_.empty()) pop();
                continue;
            }
            ++next_.back();
            ++tried_;
            if (!covered_.fits(order_[place])) continue;
            push(order_[place]);
            ++visited_;
            if (visit(std::span<const std::uint32_t>(set_), std::as_const(covered_), rest(place + 1))) {
                next_.push_back(place + 1);
            } else {
                pop();
            }
        }
    }

    // After a stop: no set that was not visited has more hits than this. Unwinds the walk. A stop is no time for much
    // work: below the first levels, of large instances, the bound of one of them stands for all that is deeper.
    [[nodiscard]] std::int64_t bound_open(std::size_t most_work = MOST_WORK) {
        std::size_t work = 1;  // of one bound
        for (const std::uint32_t i : order_) work += 1 + covered_.instance().counts(i).size();
        const std::size_t levels = std::max<std::size_t>(most_work / work, 1);
        if (next_.size() > levels) {
            while (next_.size() > levels) {
                next_.pop_back();
                pop();
            }
            --next_.back();  // the child that the walk was below of counts as open
        }
        std::int64_t largest = 0;
        while (!next_.empty()) {
            largest = std::max(largest, bound_.best(covered_, rest(next_.back())));
            next_.pop_back();
            if (!next_.empty()) pop();
        }
        return std::min(largest, most_);
    }

    [[nodiscard]] std::uint64_t tried() const { return tried_; }      // sets looked at, over-long ones too
    [[nodiscard]] std::uint64_t visited() const { return visited_; }  // feasible ones among them
    [[nodiscard]] Bound& bound() { return bound_; }

private:
    [[nodiscard]] std::span<const std::uint32_t> rest(std::size_t place) const {
        return std::span<const std::uint32_t>(order_).subspan(place);
    }
    void push(std::uint32_t sentence) {
        covered_.add(sentence);
        set_.push_back(sentence);
    }
    void pop() {
        covered_.remove(set_.back());
        set_.pop_back();
    }

    std::vector<std::uint32_t> order_;
    Coverage covered_;
    Bound bound_;
    std::int64_t most_;
    std::vector<std::uint32_t> set_;
    std::vector<std::size_t> next_;  // per depth, the place in the order of the next child
    std::uint64_t tried_ = 0;
    std::uint64_t visited_ = 0;
};

}  // namespace oraclesum::search
