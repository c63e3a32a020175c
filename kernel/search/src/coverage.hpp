// What a growing and shrinking set of sentences covers: hits, residual gains and room left, with cheap undo.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "oraclesum/search/instance.hpp"

namespace oraclesum::search {

class Coverage {
public:
    explicit Coverage(const Instance& instance);  // the instance must outlive it

    void add(std::uint32_t sentence);
    void remove(std::uint32_t sentence);  // a sentence that was added
    void clear();

    [[nodiscard]] std::int64_t hits() const { return hits_; }

    // Eq. 10 for one sentence: the hits that `sentence` would add.
    [[nodiscard]] std::int64_t gain(std::uint32_t sentence) const {
        std::int64_t sum = 0;
        for (const Entry& entry : instance_->counts(sentence)) {
            const Curve& curve = curves_[entry.ngram];
            const std::int64_t before = covered_[entry.ngram];
            if (before < curve.last)
                sum += reached_[curve.start + static_cast<std::size_t>(std::min(before + entry.count, curve.last))] -
                       reached_[curve.start + static_cast<std::size_t>(before)];
        }
        return sum;
    }

    // The hits that dropping `sentence`, which was added, would lose.
    [[nodiscard]] std::int64_t loss(std::uint32_t sentence) const;

    [[nodiscard]] bool fits(std::uint32_t sentence) const {
        for (std::size_t row = 0; row < left_.size(); ++row)
            if (instance_->limits()[row].lengths[sentence] > left_[row]) return false;
        return true;
    }

    [[nodiscard]] std::int64_t left(std::size_t limit) const { return left_[limit]; }
    [[nodiscard]] const Instance& instance() const { return *instance_; }

private:
    struct Curve {
        std::size_t start;  // of this n-gram's values in reached_
        std::int64_t last;  // number of gains: counts beyond it add nothing
    };

    [[nodiscard]] std::int64_t value(std::uint32_t ngram, std::int64_t count) const {
        const Curve& curve = curves_[ngram];
        return reached_[curve.start + static_cast<std::size_t>(std::min(count, curve.last))];
    }

    const Instance* instance_;
    std::vector<Curve> curves_;
    std::vector<std::int64_t> reached_;  // F_g(0), F_g(1), ... of every n-gram, one after the other
    std::vector<std::int64_t> covered_;  // c_g of the current set
    std::vector<std::int64_t> left_;     // room left under every limit
    std::int64_t hits_ = 0;
};

}  // namespace oraclesum::search
