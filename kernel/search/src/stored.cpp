// Writes, reads and checks; the last check takes one pass over the nodes per 64 kinds of step, the others one in all.
#include "oraclesum/search/stored.hpp"

#include <algorithm>
#include <string>

#include "oraclesum/search/error.hpp"

namespace oraclesum::search {

namespace {

using Bits = std::uint64_t;

[[noreturn]] void refuse(const char* what, std::size_t which, const char* wrong) {
    throw InputError(what + std::to_string(which) + wrong);
}

void check_members(const Rows<std::uint32_t>& members, std::size_t sentences) {
    std::vector<std::uint8_t> seen(sentences, 0);
    for (std::size_t c = 0; c < members.size(); ++c) {
        const auto row = members[c];
        if (row.empty()) refuse("class ", c, " has no sentence");
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (row[k] >= sentences) refuse("class ", c, " names a sentence that does not exist");
            if (k > 0 && row[k - 1] >= row[k]) refuse("the sentences of class ", c, " do not ascend");
            if (seen[row[k]] != 0) refuse("sentence ", row[k], " is in two classes");
            seen[row[k]] = 1;
        }
    }
}

class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::uint32_t next() {
        std::uint32_t number = 0;
        for (unsigned k = 0; k < 4; ++k) number |= std::uint32_t{bytes_[4 * at_ + k]} << (8 * k);
        ++at_;
        return number;
    }
    [[nodiscard]] std::uint64_t left() const { return bytes_.size() / 4 - at_; }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

Rows<std::uint32_t> read_members(Reader& reader, std::uint32_t classes) {
    std::vector<std::uint32_t> sizes(classes);
    for (std::uint32_t& size : sizes) size = reader.next();
    Rows<std::uint32_t> members;
    std::vector<std::uint32_t> row;
    for (const std::uint32_t size : sizes) {
        if (size > reader.left()) throw InputError("the classes have more sentences than the data");
        row.resize(size);
        for (std::uint32_t& sentence : row) sentence = reader.next();
        members.add_row(row);
    }
    return members;
}

Diagram read_diagram(Reader& reader, std::uint32_t nodes, const Rows<std::uint32_t>& members, const Bounds& bounds) {
    std::vector<std::uint32_t> cls(nodes), copies(nodes), lo(nodes), hi(nodes);
    for (auto* column : {&cls, &copies, &lo, &hi})
        for (std::uint32_t& number : *column) number = reader.next();
    Diagram diagram;
    std::vector<std::uint8_t> used(std::size_t{nodes} + 2, 0);
    for (std::uint32_t k = 0; k < nodes; ++k) {
        bounds.step();
        const std::uint32_t id = k + 2;
        if (lo[k] < 1 || lo[k] > id || hi[k] < 1 || hi[k] > id)
            refuse("node ", id, " does not stand after its children");
        if (hi[k] == id) refuse("node ", id, " leads to no set");
        if (cls[k] >= members.size()) refuse("node ", id, " names a class that does not exist");
        if (copies[k] < 1 || copies[k] > members[cls[k]].size())
            refuse("node ", id, " takes no copy of its class, or more than there are");
        used[id - lo[k]] = used[id - hi[k]] = 1;
        diagram.root = diagram.add(cls[k], copies[k], id - lo[k], id - hi[k]);
    }
    for (std::size_t id = 2; id + 1 < used.size(); ++id)
        if (used[id] == 0) refuse("nothing leads to node ", id, "");
    return diagram;
}

// Below the hi edge of a node its class must not be named again; below the lo edge not with as many copies.
void check_paths(const Diagram& diagram, std::size_t classes, const Bounds& bounds) {
    using Step = std::pair<std::uint32_t, std::uint32_t>;  // class, copies
    std::vector<Step> kinds;
    for (Diagram::Id id = 2; id < diagram.size(); ++id) kinds.emplace_back(diagram[id].cls, diagram[id].copies);
    std::vector<std::uint32_t> kind(diagram.size(), 0);  // per node
    const std::vector<Step> steps = kinds;
    std::ranges::sort(kinds);
    kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    for (Diagram::Id id = 2; id < diagram.size(); ++id)
        kind[id] = static_cast<std::uint32_t>(std::ranges::lower_bound(kinds, steps[id - 2]) - kinds.begin());
    std::vector<Bits> named(diagram.size(), 0);
    std::vector<Bits> of_class(classes, 0);  // the kinds of a class within the block
    for (std::size_t first = 0; first < kinds.size(); first += 64) {
        const std::size_t end = std::min(first + 64, kinds.size());
        for (std::size_t k = first; k < end; ++k) of_class[kinds[k].first] |= Bits{1} << (k - first);
        for (Diagram::Id id = 2; id < diagram.size(); ++id) {
            bounds.step();
            const Diagram::Node& node = diagram[id];
            const bool here = kind[id] >= first && kind[id] < end;
            const Bits own = here ? Bits{1} << (kind[id] - first) : Bits{0};
            if ((named[node.hi] & of_class[node.cls]) != 0 || (named[node.lo] & own) != 0)
                refuse("a path names a class twice below node ", id, "");
            named[id] = named[node.lo] | named[node.hi] | own;
        }
        for (std::size_t k = first; k < end; ++k) of_class[kinds[k].first] = 0;
    }
}

}  // namespace

std::vector<std::uint8_t> pack_family(const DiagramFamily& family) {
    const Diagram& diagram = family.diagram();
    const Rows<std::uint32_t>& members = family.members();
    std::vector<std::uint8_t> bytes;
    bytes.reserve(4 * (3 + members.size() + members.entries() + 4 * diagram.size()));
    const auto write = [&](std::size_t number) {
        for (unsigned k = 0; k < 4; ++k) bytes.push_back(static_cast<std::uint8_t>(number >> (8 * k)));
    };
    write(members.size());
    write(diagram.size() - 2);
    write(diagram.root);
    for (std::size_t c = 0; c < members.size(); ++c) write(members[c].size());
    for (std::size_t c = 0; c < members.size(); ++c)
        for (const std::uint32_t sentence : members[c]) write(sentence);
    for (Diagram::Id id = 2; id < diagram.size(); ++id) write(diagram[id].cls);
    for (Diagram::Id id = 2; id < diagram.size(); ++id) write(diagram[id].copies);
    for (Diagram::Id id = 2; id < diagram.size(); ++id) write(id - diagram[id].lo);
    for (Diagram::Id id = 2; id < diagram.size(); ++id) write(id - diagram[id].hi);
    return bytes;
}

DiagramFamily unpack_family(std::span<const std::uint8_t> bytes, std::size_t sentences, const Bounds& bounds) {
    bounds.need(8.0 * static_cast<double>(sentences) + 4.0 * static_cast<double>(bytes.size()), "the family");
    if (bytes.size() % 4 != 0 || bytes.size() < 12) throw InputError("the data ends in the middle of a number");
    Reader reader(bytes);
    const std::uint32_t classes = reader.next(), nodes = reader.next(), root = reader.next();
    if (classes > reader.left()) throw InputError("there are more classes than data");
    if (nodes > Diagram::max_nodes - 2) throw InputError("there are more nodes than a family can have");
    Rows<std::uint32_t> members = read_members(reader, classes);
    if (reader.left() != std::uint64_t{4} * nodes) throw InputError("the data is too short or too long for its nodes");
    check_members(members, sentences);
    Diagram diagram = read_diagram(reader, nodes, members, bounds);
    if (nodes == 0 && root <= Diagram::top) diagram.root = root;
    if (diagram.root != root) throw InputError("the root is not the last node");
    check_paths(diagram, members.size(), bounds);
    return {std::move(diagram), std::move(members), sentences, bounds};
}

}  // namespace oraclesum::search
