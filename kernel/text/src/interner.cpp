// The hash table behind Interner: linear probing, at most half full.
#include "oraclesum/text/interner.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace oraclesum::text {

namespace {

constexpr std::uint64_t mix(std::uint64_t value) {
    value ^= value >> 32U;
    value *= 0xd6e8feb86659fd93U;
    value ^= value >> 32U;
    return value;
}

constexpr std::uint64_t size_factor = 0x9e3779b97f4a7c15U;

std::uint64_t head_of(std::string_view bytes) {
    std::uint64_t head = 0;
    std::memcpy(&head, bytes.data(), std::min<std::size_t>(bytes.size(), 8));
    return head;
}

// A token of up to eight bytes is its head and its size.
std::uint64_t hash_token(std::string_view bytes, std::uint64_t head) {
    return bytes.size() <= 8 ? mix(bytes.size() * size_factor ^ head) : hash_bytes(bytes);
}

std::uint32_t tag_of(std::uint64_t hash, std::size_t size) {
    return static_cast<std::uint32_t>(hash >> 40U) << 8U | static_cast<std::uint32_t>(std::min<std::size_t>(size, 255));
}

}  // namespace

std::uint64_t hash_bytes(std::string_view bytes) {
    std::uint64_t hash = bytes.size() * size_factor;
    const char* place = bytes.data();
    std::size_t left = bytes.size();
    while (left >= 8) {
        std::uint64_t word;
        std::memcpy(&word, place, 8);
        hash = mix(hash ^ word);
        place += 8;
        left -= 8;
    }
    // The last one to seven bytes by two loads that may overlap; the length is in the hash already.
    std::uint64_t tail = 0;
    if (left >= 4) {
        std::uint32_t low, high;
        std::memcpy(&low, place, 4);
        std::memcpy(&high, place + left - 4, 4);
        tail = std::uint64_t{high} << 32U | low;
    } else if (left > 0) {
        tail = std::uint64_t{static_cast<unsigned char>(place[0])} << 16U |
               std::uint64_t{static_cast<unsigned char>(place[left / 2])} << 8U |
               static_cast<unsigned char>(place[left - 1]);
    }
    return mix(hash ^ tail);
}

Interner::Interner() : slots_(512) {}

Interner::Found Interner::intern(std::string_view bytes) {
    const std::uint64_t head = head_of(bytes);
    return intern(Sought{bytes, head, hash_token(bytes, head)});
}

Interner::Sought Interner::look_up(std::string_view bytes) const {
    std::uint64_t head;
    std::memcpy(&head, bytes.data(), 8);
    if (bytes.size() < 8) head &= (std::uint64_t{1} << 8 * bytes.size()) - 1;
    const std::uint64_t hash = hash_token(bytes, head);
    __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
    return {bytes, head, hash};
}

Interner::Found Interner::intern(const Sought& sought) {
    const auto& [bytes, head, hash] = sought;
    const std::uint32_t tag = tag_of(hash, bytes.size());
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = hash & mask;
    while (slots_[place].next != 0) {
        const Slot& slot = slots_[place];
        if (slot.head == head && slot.tag == tag && (bytes.size() <= 8 || (*this)[slot.next - 1] == bytes))
            return {slot.next - 1, false};
        place = (place + 1) & mask;
    }
    if (size() >= std::numeric_limits<std::uint32_t>::max() - 1) throw std::length_error("too many distinct tokens");
    const auto id = static_cast<std::uint32_t>(size());
    arena_.append(bytes);
    starts_.push_back(arena_.size());
    slots_[place] = {head, tag, id + 1};
    if (2 * size() > slots_.size()) grow();
    return {id, true};
}

void Interner::grow() {
    std::vector<Slot> larger(2 * slots_.size());
    const std::size_t mask = larger.size() - 1;
    for (const Slot& slot : slots_) {
        if (slot.next == 0) continue;
        std::size_t place = hash_token((*this)[slot.next - 1], slot.head) & mask;
        while (larger[place].next != 0) place = (place + 1) & mask;
        larger[place] = slot;
    }
    slots_.swap(larger);
}

}  // namespace oraclesum::text
