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

    Diagram() : nodes_{{0, 0, 0, 0}, {0, 0, 0, 0}} {}

    [[nodiscard]] Id add(std::uint32_t cls, std::uint32_t copies, Id lo, Id hi) {
        if (hi == bottom) return lo;
        nodes_.push_back({cls, copies, lo, hi});
        return static_cast<Id>(nodes_.size() - 1);
    }

    [[nodiscard]] const Node& operator[](Id id) const { return nodes_[id]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }

    Id root = bottom;

private:
    std::vector<Node> nodes_;
};

}  // namespace oraclesum::search
