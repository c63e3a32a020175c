// Byte strings to dense ids, by open addressing; the bytes stand one after the other in one arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oraclesum::text {

std::uint64_t hash_bytes(std::string_view bytes);

class Interner {
public:
    Interner();

    struct Found {
        std::uint32_t id;
        bool fresh;  // not seen before this call
    };
    Found intern(std::string_view bytes);

    // The same in two steps, with other work in between: memory is slow, and what `look_up` asks it for may take a while
    // to come. Eight bytes must be readable from the first.
    struct Sought {
        std::string_view bytes;
        std::uint64_t head;
        std::uint64_t hash;
    };
    [[nodiscard]] Sought look_up(std::string_view bytes) const;
    Found intern(const Sought& sought);

    [[nodiscard]] std::string_view operator[](std::uint32_t id) const {
        return {arena_.data() + starts_[id], starts_[id + 1] - starts_[id]};
    }
    [[nodiscard]] std::size_t size() const { return starts_.size() - 1; }

private:
    // Tokens of up to eight bytes are told apart by their slots alone, without a look at the arena.
    struct Slot {
        std::uint64_t head;  // the first eight bytes, filled up with zeros
        std::uint32_t tag;   // 24 bits of the hash above the size, up to 255
        std::uint32_t next;  // id + 1; 0 is a free slot
    };
    void grow();

    std::vector<Slot> slots_;
    std::vector<std::size_t> starts_{0};
    std::string arena_;
};

}  // namespace oraclesum::text
