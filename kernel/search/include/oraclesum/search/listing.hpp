// The sets that an enumeration found: exact aggregates over all of them, and as many of the sets as may be listed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/rows.hpp"

namespace oraclesum::search {

// What a list of sets may take, however many are asked for; further ones are only counted.
constexpr std::size_t MAX_LISTED_BYTES = std::size_t{1} << 30;

// Of one set in such a list, roughly, once it is handed on.
constexpr std::size_t listed_bytes(std::size_t members) { return 64 + 8 * members; }

inline std::size_t listed_bytes(const Rows<std::uint32_t>& sets) {
    return sets.size() * listed_bytes(0) + sets.entries() * (listed_bytes(1) - listed_bytes(0));
}

class Listing {
public:
    Listing(std::size_t sentences, std::uint64_t max_list) : sentences_(sentences), max_list_(max_list) {}

    // Members in any order, each once. A set that is not to be listed is counted all the same.
    void add(std::span<const std::uint32_t> set, bool list = true);
    void absorb(const Listing& other);                   // all sets of another listing over the same sentences
    void clear();                                        // a better score came: what was found is no oracle
    void sort();                                         // listed sets into lexicographic order
    void cut(std::size_t most, std::size_t most_bytes);  // of what is listed, the first sets stay

    [[nodiscard]] std::size_t sentences() const { return sentences_; }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::size_t listed() const { return starts_.size() - 1; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }                          // of what is listed
    [[nodiscard]] std::size_t cells() const { return cells_; }                          // of the table of inclusion
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
    std::size_t cells_ = 0;
    std::size_t bytes_ = 0;
    std::vector<std::uint32_t> members_;
    std::vector<std::size_t> starts_{0};
};

}  // namespace oraclesum::search
