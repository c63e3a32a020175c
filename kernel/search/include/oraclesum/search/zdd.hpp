// The same family as a zero-suppressed decision diagram over sentences in document order: lists sets in lexicographic order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "oraclesum/search/family.hpp"

namespace oraclesum::search {

class Zdd {
public:
    using Id = std::uint32_t;
    static constexpr Id bottom = 0;
    static constexpr Id top = 1;

    struct Node {
        std::uint32_t sentence;
        Id lo;  // sets without it
        Id hi;  // sets with it, less the sentence itself
    };

    // None where it would take more than `most_nodes` nodes.
    [[nodiscard]] static std::optional<Zdd> build(const DiagramFamily& family, std::size_t most_nodes);

    [[nodiscard]] Id root() const { return root_; }
    [[nodiscard]] const Node& operator[](Id id) const { return nodes_[id]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }

    // Walks the sets in lexicographic order of ascending tuples.
    class Cursor {
    public:
        explicit Cursor(const Zdd& zdd) : zdd_(&zdd) { enter(zdd.root_); }
        // Starts at the first set that is not before `from`.
        Cursor(const Zdd& zdd, std::span<const std::uint32_t> from);

        [[nodiscard]] bool at_end() const { return at_end_; }
        [[nodiscard]] std::span<const std::uint32_t> set() const { return set_; }
        void advance();

    private:
        void enter(Id id);    // moves to the first set of a node
        void backtrack();     // moves to the next set after those of the last step

        const Zdd* zdd_;
        std::vector<Id> path_;  // nodes whose hi edge was taken
        Set set_;
        bool at_end_ = false;
    };

private:
    class Builder;

    std::vector<Node> nodes_{{0, 0, 0}, {0, 0, 0}};
    std::vector<std::uint8_t> empty_{0, 1};  // per node: whether the empty set is in it
    Id root_ = bottom;
};

}  // namespace oraclesum::search
