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

    [[nodiscard]] std::string_view operator[](std::uint32_t id) const {
        return {arena_.data() + starts_[id], starts_[id + 1] - starts_[id]};
    }
    [[nodiscard]] std::size_t size() const { return starts_.size() - 1; }

private:
    struct Slot {
        std::uint32_t hash;
        std::uint32_t next;  // id + 1; 0 is a free slot
    };
    void grow();

    std::vector<Slot> slots_;
    std::vector<std::size_t> starts_{0};
    std::string arena_;
};

}  // namespace oraclesum::text
