// Sub-problems already solved: a 128-bit key to the diagram node of their completions.
#pragma once

#include <cstdint>
#include <vector>

#include "oraclesum/search/diagram.hpp"

namespace oraclesum::search {

struct Key {
    std::uint64_t a = 0;
    std::uint64_t b = 0;

    // Adds one part; the order of the parts does not matter.
    void add(std::uint64_t part) {
        a += mix(part ^ 0x9e3779b97f4a7c15U);
        b += mix(part * 0xd6e8feb86659fd93U + 0x2545f4914f6cdd1dU);
    }
    static std::uint64_t mix(std::uint64_t x) {
        x ^= x >> 30;
        x *= 0xbf58476d1ce4e5b9U;
        x ^= x >> 27;
        x *= 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }
    friend bool operator==(const Key&, const Key&) = default;
};

class Memory {
public:
    // The node of a known sub-problem, or null.
    [[nodiscard]] const Diagram::Id* find(const Key& key) const {
        if (slots_.empty()) return nullptr;
        for (std::size_t at = key.a & mask_;; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (!slot.used) return nullptr;
            if (slot.key == key) return &slot.node;
        }
    }
    void insert(const Key& key, Diagram::Id node) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        place(key, node);
        ++size_;
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

private:
    struct Slot {
        Key key;
        Diagram::Id node = 0;
        std::uint32_t used = 0;
    };
    void place(const Key& key, Diagram::Id node) {
        std::size_t at = key.a & mask_;
        while (slots_[at].used) at = (at + 1) & mask_;
        slots_[at] = {key, node, 1};
    }
    void grow() {
        std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old)
            if (slot.used) place(slot.key, slot.node);
    }
    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    std::size_t size_ = 0;
};

}  // namespace oraclesum::search
