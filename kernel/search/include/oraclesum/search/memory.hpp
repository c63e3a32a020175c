// Sub-problems already solved, shared by the threads of one search: a 128-bit key to a number.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

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

// One table; the caller sees to it that threads do not meet in it.
class Table {
public:
    [[nodiscard]] std::optional<std::uint32_t> find(const Key& key) const {
        if (slots_.empty()) return std::nullopt;
        const Slot& slot = slots_[place(key)];
        return slot.used ? std::optional(slot.value) : std::nullopt;
    }
    // A key that is there already takes the new value.
    void insert(const Key& key, std::uint32_t value) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        Slot& slot = slots_[place(key)];
        size_ += slot.used ? 0 : 1;
        slot = {key, value, 1};
    }
    [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

private:
    struct Slot {
        Key key;
        std::uint32_t value = 0;
        std::uint32_t used = 0;
    };
    // The slot of the key, or the free one where it belongs.
    [[nodiscard]] std::size_t place(const Key& key) const {
        std::size_t at = key.a & mask_;
        while (slots_[at].used && slots_[at].key != key) at = (at + 1) & mask_;
        return at;
    }
    void grow() {
        std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old)
            if (slot.used) slots_[place(slot.key)] = slot;
    }
    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    std::size_t size_ = 0;
};

class Memory {
public:
    explicit Memory(bool shared) : shared_(shared) {}

    [[nodiscard]] std::optional<std::uint32_t> find(const Key& key) {
        if (!shared_) return shards_[0].table.find(key);
        Shard& shard = shards_[key.b % shards_.size()];
        const std::scoped_lock lock(shard.mutex);
        return shard.table.find(key);
    }
    void insert(const Key& key, std::uint32_t value) {
        if (!shared_) return shards_[0].table.insert(key, value);
        Shard& shard = shards_[key.b % shards_.size()];
        const std::scoped_lock lock(shard.mutex);
        shard.table.insert(key, value);
    }
    void clear() {
        for (Shard& shard : shards_) {
            const std::scoped_lock lock(shard.mutex);
            shard.table = Table();
        }
    }
    // Exact only while no other thread inserts.
    [[nodiscard]] std::size_t bytes() {
        std::size_t sum = 0;
        for (Shard& shard : shards_) {
            const std::scoped_lock lock(shard.mutex);
            sum += shard.table.bytes();
        }
        return sum;
    }

private:
    struct Shard {
        std::mutex mutex;
        Table table;
    };
    bool shared_;
    std::array<Shard, 64> shards_;
};

}  // namespace oraclesum::search
