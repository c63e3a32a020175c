// Adds and removes sentences, keeping hits and room left up to date.
#include "coverage.hpp"

namespace oraclesum::search {

Coverage::Coverage(const Instance& instance) : instance_(&instance) {
    curves_.reserve(instance.ngrams());
    for (std::size_t g = 0; g < instance.ngrams(); ++g) {
        const auto gains = instance.gains(g);
        curves_.push_back({reached_.size(), static_cast<std::int64_t>(gains.size())});
        std::int64_t sum = 0;
        reached_.push_back(sum);
        for (const std::int64_t gain : gains) reached_.push_back(sum += gain);
    }
    clear();
}

void Coverage::clear() {
    hits_ = 0;
    covered_.assign(curves_.size(), 0);
    left_.clear();
    for (const Limit& limit : instance_->limits()) left_.push_back(limit.budget);
}

void Coverage::add(std::uint32_t sentence) {
    for (const Entry& entry : instance_->counts(sentence)) {
        std::int64_t& count = covered_[entry.ngram];
        hits_ -= value(entry.ngram, count);
        count += entry.count;
        hits_ += value(entry.ngram, count);
    }
    for (std::size_t row = 0; row < left_.size(); ++row) left_[row] -= instance_->limits()[row].lengths[sentence];
}

void Coverage::remove(std::uint32_t sentence) {
    for (const Entry& entry : instance_->counts(sentence)) {
        std::int64_t& count = covered_[entry.ngram];
        hits_ -= value(entry.ngram, count);
        count -= entry.count;
        hits_ += value(entry.ngram, count);
    }
    for (std::size_t row = 0; row < left_.size(); ++row) left_[row] += instance_->limits()[row].lengths[sentence];
}

std::int64_t Coverage::loss(std::uint32_t sentence) const {
    std::int64_t sum = 0;
    for (const Entry& entry : instance_->counts(sentence)) {
        const std::int64_t count = covered_[entry.ngram];
        sum += value(entry.ngram, count) - value(entry.ngram, count - entry.count);
    }
    return sum;
}

}  // namespace oraclesum::search
