// Builds the ordered diagram bottom-up by union and insertion, and walks it in lexicographic order.
#include "oraclesum/search/zdd.hpp"

#include <algorithm>

#include "oraclesum/search/memory.hpp"

namespace oraclesum::search {

class Zdd::Builder {
public:
    Builder(Zdd& zdd, std::size_t most_nodes) : zdd_(zdd), most_nodes_(most_nodes), cache_(std::size_t{1} << 12) {}

    [[nodiscard]] bool full() const { return zdd_.nodes_.size() > most_nodes_; }

    Id unite(Id a, Id b) {
        if (a == b || b == bottom) return a;
        if (a == bottom) return b;
        if (full()) return top;  // the answer is thrown away
        if (a > b) std::swap(a, b);
        if (const Id* known = cached(a, b)) return *known;
        Id united;
        const Node y = zdd_.nodes_[b];
        if (a == top) {
            united = make(y.sentence, unite(a, y.lo), y.hi);
        } else {
            const Node x = zdd_.nodes_[a];
            if (x.sentence < y.sentence)
                united = make(x.sentence, unite(x.lo, b), x.hi);
            else if (y.sentence < x.sentence)
                united = make(y.sentence, unite(a, y.lo), y.hi);
            else
                united = make(x.sentence, unite(x.lo, y.lo), unite(x.hi, y.hi));
        }
        return remember(a, b, united);
    }

    // Adds a sentence that no set of the node has to all of them.
    Id insert(Id id, std::uint32_t sentence) {
        if (id == bottom) return bottom;
        if (full()) return top;
        if (id == top || zdd_.nodes_[id].sentence > sentence) return make(sentence, bottom, id);
        const Id tag = insert_tag | sentence;
        if (const Id* known = cached(id, tag)) return *known;
        const Node node = zdd_.nodes_[id];
        const Id lo = insert(node.lo, sentence);
        return remember(id, tag, make(node.sentence, lo, insert(node.hi, sentence)));
    }

private:
    static constexpr Id insert_tag = Id{1} << 31;  // ids stay below it

    struct Entry {
        Id a = 0, b = 0, result = 0;
    };

    [[nodiscard]] std::size_t slot(Id a, Id b) const {
        return Key::mix(std::uint64_t{a} << 32 | b) & (cache_.size() - 1);
    }
    [[nodiscard]] const Id* cached(Id a, Id b) const {
        const Entry& entry = cache_[slot(a, b)];
        return entry.a == a && entry.b == b ? &entry.result : nullptr;
    }
    Id remember(Id a, Id b, Id result) {
        if (cache_.size() < zdd_.nodes_.size() && cache_.size() < largest_cache) cache_.assign(2 * cache_.size(), {});
        cache_[slot(a, b)] = {a, b, result};
        return result;
    }

    Id make(std::uint32_t sentence, Id lo, Id hi) {
        if (hi == bottom) return lo;
        if (2 * zdd_.nodes_.size() > unique_.size()) grow();
        Id& place = unique_[find(sentence, lo, hi)];
        if (place == bottom) {
            place = static_cast<Id>(zdd_.nodes_.size());
            zdd_.nodes_.push_back({sentence, lo, hi});
            zdd_.empty_.push_back(zdd_.empty_[lo]);
        }
        return place;
    }
    [[nodiscard]] std::size_t find(std::uint32_t sentence, Id lo, Id hi) const {
        std::size_t at = Key::mix((std::uint64_t{lo} << 32 | hi) ^ Key::mix(sentence)) & (unique_.size() - 1);
        while (unique_[at] != bottom) {
            const Node& node = zdd_.nodes_[unique_[at]];
            if (node.sentence == sentence && node.lo == lo && node.hi == hi) break;
            at = (at + 1) & (unique_.size() - 1);
        }
        return at;
    }
    void grow() {
        unique_.assign(std::max<std::size_t>(64, 2 * unique_.size()), bottom);
        for (Id id = 2; id < zdd_.nodes_.size(); ++id) {
            const Node& node = zdd_.nodes_[id];
            unique_[find(node.sentence, node.lo, node.hi)] = id;
        }
    }

    static constexpr std::size_t largest_cache = std::size_t{1} << 22;

    Zdd& zdd_;
    std::size_t most_nodes_;
    std::vector<Entry> cache_;
    std::vector<Id> unique_;
};

std::optional<Zdd> Zdd::build(const DiagramFamily& family, std::size_t most_nodes) {
    Zdd zdd;
    Builder builder(zdd, most_nodes);
    const Diagram& diagram = family.diagram();
    std::vector<Id> made(diagram.size(), bottom);
    made[Diagram::top] = top;
    std::vector<Id> chosen, next;
    for (std::uint32_t id = 2; id < diagram.size(); ++id) {
        const Diagram::Node& node = diagram[id];
        const auto members = family.members()[node.cls];
        // chosen[j]: sets of `hi` with j of the members looked at so far, from the last one down.
        chosen.assign(node.copies + 1, bottom);
        chosen[0] = made[node.hi];
        for (std::size_t m = members.size(); m-- > 0;)
            for (std::size_t j = std::min<std::size_t>(node.copies, members.size() - m); j > 0; --j)
                chosen[j] = builder.unite(chosen[j], builder.insert(chosen[j - 1], members[m]));
        made[id] = builder.unite(made[node.lo], chosen[node.copies]);
        if (builder.full()) return std::nullopt;
    }
    zdd.root_ = made[diagram.root];
    return zdd;
}

// The first set of a node: the empty one where it has it, else down the hi edge.
void Zdd::Cursor::enter(Id id) {
    if (id == bottom) {
        at_end_ = true;
        return;
    }
    while (!zdd_->empty_[id]) {
        path_.push_back(id);
        set_.push_back(zdd_->nodes_[id].sentence);
        id = zdd_->nodes_[id].hi;
    }
    // The node below the last step may hold more sets than the empty one: they come next.
    path_.push_back(id);
}

void Zdd::Cursor::advance() {
    // path_ ends in the node whose empty set was the last one shown.
    const Id id = path_.back();
    path_.pop_back();
    if (id > top) {
        path_.push_back(id);
        set_.push_back(zdd_->nodes_[id].sentence);
        enter(zdd_->nodes_[id].hi);
        return;
    }
    backtrack();
}

void Zdd::Cursor::backtrack() {
    while (!path_.empty()) {
        const Id lo = zdd_->nodes_[path_.back()].lo;
        path_.pop_back();
        set_.pop_back();
        if (lo > top) {
            // Its empty set was shown before its sets with a sentence; go on with those.
            path_.push_back(lo);
            set_.push_back(zdd_->nodes_[lo].sentence);
            enter(zdd_->nodes_[lo].hi);
            return;
        }
    }
    at_end_ = true;
}

Zdd::Cursor::Cursor(const Zdd& zdd, std::span<const std::uint32_t> from) : zdd_(&zdd) {
    Id id = zdd.root_;
    for (const std::uint32_t sentence : from) {
        // Sets that go on with a smaller sentence (or end here) are before `from`.
        while (id > top && zdd.nodes_[id].sentence < sentence) id = zdd.nodes_[id].lo;
        if (id <= top) {
            backtrack();
            return;
        }
        const Node& node = zdd.nodes_[id];
        path_.push_back(id);
        set_.push_back(node.sentence);
        if (node.sentence > sentence) {
            enter(node.hi);
            return;
        }
        id = node.hi;
    }
    if (id == bottom)
        backtrack();
    else
        enter(id);
}

}  // namespace oraclesum::search
