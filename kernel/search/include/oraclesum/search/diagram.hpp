// A family of sets as a decision diagram: every path from the root to `top` is a choice of copies per class.
//
// A node (class, copies, lo, hi) stands for the sets of `lo` and, with that many copies of the class added, the sets
// of `hi`. Paths differ in at least one class's number of copies, and no path names a class twice, so counting is a
// sum over nodes. The order of the classes may differ from path to path. Children stand before their parents.
#pragma once

#include <cstdint>
#include <vector>

namespace oraclesum::search {

class Diagram {
public:
    using Id = std::uint32_t;
    static constexpr Id bottom = 0;  // no set
    static constexpr Id top = 1;     // the empty set

    struct Node {
        std::uint32_t cls;
        std::uint32_t copies;
        Id lo;
        Id hi;
    };

    // Threads that build one diagram together each write a part of their own; an id names the part and the place.
    static constexpr unsigned place_bits = 27;
    static constexpr std::uint32_t max_parts = std::uint32_t{1} << (32 - place_bits);
    static constexpr std::size_t max_nodes = std::size_t{1} << place_bits;

    explicit Diagram(std::uint32_t part = 0) : nodes_{{0, 0, 0, 0}, {0, 0, 0, 0}}, part_(part << place_bits) {}

    [[nodiscard]] Id add(std::uint32_t cls, std::uint32_t copies, Id lo, Id hi) {
        if (hi == bottom) return lo;
        nodes_.push_back({cls, copies, lo, hi});
        return part_ | static_cast<Id>(nodes_.size() - 1);
    }

    [[nodiscard]] const Node& operator[](Id id) const { return nodes_[id & (max_nodes - 1)]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::size_t bytes() const { return nodes_.capacity() * sizeof(Node); }

    // What can be reached from `root`, as one part with children before parents.
    [[nodiscard]] static Diagram join(const std::vector<const Diagram*>& parts, Id root);

    Id root = bottom;

private:
    std::vector<Node> nodes_;
    std::uint32_t part_;
};

}  // namespace oraclesum::search
