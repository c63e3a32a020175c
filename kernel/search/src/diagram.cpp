// Joining the parts of a diagram that threads built together.
#include "oraclesum/search/diagram.hpp"

namespace oraclesum::search {

Diagram Diagram::join(const std::vector<const Diagram*>& parts, Id root) {
    Diagram joined;
    std::vector<std::vector<Id>> place(parts.size());
    for (std::size_t part = 0; part < parts.size(); ++part) place[part].assign(parts[part]->size(), bottom);
    const auto joined_id = [&](Id id) -> Id& { return place[id >> place_bits][id & (max_nodes - 1)]; };
    place[0][top] = top;
    const auto known = [&](Id id) { return id == bottom || joined_id(id) != bottom; };
    std::vector<Id> open;
    if (!known(root)) open.push_back(root);
    while (!open.empty()) {
        const Id id = open.back();
        const Node& node = (*parts[id >> place_bits])[id];
        if (!known(node.lo)) {
            open.push_back(node.lo);
        } else if (!known(node.hi)) {
            open.push_back(node.hi);
        } else {
            open.pop_back();
            if (joined_id(id) == bottom)
                joined_id(id) = joined.add(node.cls, node.copies, node.lo == bottom ? bottom : joined_id(node.lo),
                                           joined_id(node.hi));
        }
    }
    joined.root = root == bottom ? bottom : joined_id(root);
    return joined;
}

}  // namespace oraclesum::search
