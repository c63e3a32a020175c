// Sub-problems already solved, shared by the threads of one search: a 128-bit key to a number below 2^63.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace oraclesum::search {

// One part of a key: a tag (1 to 255), an index and a list of numbers. All of it goes into both words, mixed in two
// unrelated ways: parts that meet in one word are no likelier than others to meet in the second.
class Part {
public:
    Part(std::uint64_t tag, std::uint32_t index) : a_(mix_a(tag << 56 | index)), b_(mix_b(tag << 56 | index)) {}

    Part& append(std::uint64_t number) {
        a_ = mix_a(a_ + number);
        b_ = mix_b(b_ + number);
        return *this;
    }
    [[nodiscard]] std::uint64_t a() const { return a_; }
    [[nodiscard]] std::uint64_t b() const { return b_; }

private:
    static std::uint64_t mix_a(std::uint64_t x) {  // the finaliser of SplitMix64
        x ^= x >> 30;
        x *= 0xbf58476d1ce4e5b9U;
        x ^= x >> 27;
        x *= 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }
    static std::uint64_t mix_b(std::uint64_t x) {  // the finaliser of MurmurHash3
        x ^= x >> 33;
        x *= 0xff51afd7ed558ccdU;
        x ^= x >> 33;
        x *= 0xc4ceb9fe1a85ec53U;
        return x ^ (x >> 33);
    }

    std::uint64_t a_, b_;
};

struct Key {
    std::uint64_t a = 0;
    std::uint64_t b = 0;

    // The order of the parts does not matter.
    void add(const Part& part) {
        a += part.a();
        b += part.b();
    }
    friend bool operator==(const Key&, const Key&) = default;
};

// One table; the caller sees to it that threads do not meet in it.
class Table {
public:
    [[nodiscard]] std::optional<std::uint64_t> find(const Key& key) const {
        if (slots_.empty()) return std::nullopt;
        const Slot& slot = slots_[place(key)];
        return slot.value != unused ? std::optional(slot.value) : std::nullopt;
    }
    // A key that is there already takes the new value.
    void insert(const Key& key, std::uint64_t value) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        Slot& slot = slots_[place(key)];
        size_ += slot.value != unused ? 0 : 1;
        slot = {key, value};
    }
    [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(Slot); }
    [[nodiscard]] std::size_t size() const { return size_; }
    void for_each(auto show) const {
        for (const Slot& slot : slots_)
            if (slot.value != unused) show(slot.key, slot.value);
    }

private:
    static constexpr std::uint64_t unused = std::numeric_limits<std::uint64_t>::max();  // no value that is stored
    struct Slot {
        Key key;
        std::uint64_t value = unused;
    };
    // The slot of the key, or the free one where it belongs.
    [[nodiscard]] std::size_t place(const Key& key) const {
        std::size_t at = key.a & mask_;
        while (slots_[at].value != unused && slots_[at].key != key) at = (at + 1) & mask_;
        return at;
    }
    void grow() {
        std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old)
            if (slot.value != unused) slots_[place(slot.key)] = slot;
    }
    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    std::size_t size_ = 0;
};

// One table while it is small and one thread has it, else many: threads seldom meet in one, and a table that grows,
// which takes three times its size meanwhile, is a small part of them all.
class Memory {
public:
    explicit Memory(bool shared) : shared_(shared), split_(shared) {}

    [[nodiscard]] std::optional<std::uint64_t> find(const Key& key) {
        Shard& shard = shard_of(key);
        if (!shared_) return shard.table.find(key);
        const std::scoped_lock lock(shard.mutex);
        return shard.table.find(key);
    }
    void insert(const Key& key, std::uint64_t value) {
        if (!split_ && shards_[0].table.size() == largest_alone) split();
        Shard& shard = shard_of(key);
        if (!shared_) return shard.table.insert(key, value);
        const std::scoped_lock lock(shard.mutex);
        shard.table.insert(key, value);
    }
    void clear() {
        split_ = shared_;
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
    static constexpr std::size_t largest_alone = std::size_t{1} << 16;

    [[nodiscard]] Shard& shard_of(const Key& key) { return shards_[split_ ? key.b % shards_.size() : 0]; }
    void split() {
        split_ = true;
        const Table alone = std::exchange(shards_[0].table, Table());
        alone.for_each([&](const Key& key, std::uint64_t value) { shard_of(key).table.insert(key, value); });
    }

    bool shared_;
    bool split_;
    std::array<Shard, 64> shards_;
};

}  // namespace oraclesum::search
