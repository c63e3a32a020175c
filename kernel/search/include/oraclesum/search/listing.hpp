// The sets that an enumeration found: exact aggregates over all of them, and as many of the sets as may be listed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oraclesum::search {

class Listing {
public:
    Listing(std::size_t sentences, std::uint64_t max_list) : sentences_(sentences), max_list_(max_list) {}

    void add(std::span<const std::uint32_t> set);  // members in any order, each once
    void absorb(const Listing& other);             // all sets of another listing over the same sentences
    void clear();                                  // a better score came: what was found is no oracle
    void sort();                                   // listed sets into lexicographic order

    [[nodiscard]] std::size_t sentences() const { return sentences_; }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::size_t listed() const { return starts_.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t place) const {  // ascending members
        return {members_.data() + starts_[place], starts_[place + 1] - starts_[place]};
    }

    // Number of sets by number of members; index = size.
    [[nodiscard]] const std::vector<std::uint64_t>& sizes() const { return sizes_; }
    // Number of sets of a size that contain each sentence; empty if no set has that size.
    [[nodiscard]] const std::vector<std::vector<std::uint64_t>>& inclusion() const { return inclusion_; }

private:
    void reach(std::size_t size);
    void store(std::span<const std::uint32_t> set);

    std::size_t sentences_;
    std::uint64_t max_list_;
    std::uint64_t count_ = 0;
    std::vector<std::uint64_t> sizes_;
    std::vector<std::vector<std::uint64_t>> inclusion_;
    std::vector<std::uint32_t> members_;
    std::vector<std::size_t> starts_{0};
};

}  // namespace oraclesum::search
