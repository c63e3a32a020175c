// Numbering n-grams level by level.
#include "oraclesum/text/ngrams.hpp"

#include <limits>
#include <stdexcept>

namespace oraclesum::text {

std::int64_t count_ngrams(const Runs& text, std::size_t n) {
    std::int64_t count = 0;
    for (const Words& run : text)
        if (run.size() >= n) count += static_cast<std::int64_t>(run.size() - n + 1);
    return count;
}

PairTable::PairTable() : slots_(256) {}

std::size_t PairTable::locate(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = (key ^ key >> 29U) * 0xbf58476d1ce4e5b9U;
    hash ^= hash >> 32U;
    std::size_t place = hash & mask;
    while (slots_[place].next != 0 && slots_[place].key != key) place = (place + 1) & mask;
    return place;
}

std::uint32_t PairTable::intern(std::uint32_t prefix, std::uint32_t word) {
    const std::uint64_t key = std::uint64_t{prefix} << 32U | word;
    const std::size_t place = locate(key);
    if (slots_[place].next != 0) return slots_[place].next - 1;
    if (size_ >= std::numeric_limits<std::uint32_t>::max() - 1) throw std::length_error("too many distinct n-grams");
    const auto id = static_cast<std::uint32_t>(size_++);
    slots_[place] = {key, id + 1};
    if (2 * size_ > slots_.size()) grow();
    return id;
}

std::optional<std::uint32_t> PairTable::find(std::uint32_t prefix, std::uint32_t word) const {
    const Slot& slot = slots_[locate(std::uint64_t{prefix} << 32U | word)];
    if (slot.next == 0) return std::nullopt;
    return slot.next - 1;
}

void PairTable::grow() {
    std::vector<Slot> old(2 * slots_.size());
    slots_.swap(old);
    for (const Slot& slot : old)
        if (slot.next != 0) slots_[locate(slot.key)] = slot;
}

NgramTable::NgramTable(std::size_t n) : levels_(n) {
    if (n == 0) throw std::invalid_argument("n must be at least 1");
}

void NgramTable::intern(std::span<const Words> text, std::vector<std::uint32_t>& ids) {
    for (const Words& run : text) {
        for (const std::uint32_t word : run) words_.add(word);
        for (std::size_t first = 0; first + n() <= run.size(); ++first) {
            std::uint32_t id = 0;
            for (std::size_t k = 0; k < n(); ++k) id = levels_[k].intern(id, run[first + k]);
            ids.push_back(id);
        }
    }
}

void NgramTable::find(std::span<const Words> text, std::vector<std::uint32_t>& ids) const {
    for (const Words& run : text)
        for (std::size_t first = 0; first + n() <= run.size(); ++first) {
            const auto words = std::span(run).subspan(first, n());
            if (!words_.may_have(words.back()) || !words_.may_have(words.front())) continue;
            std::optional<std::uint32_t> id = 0;
            for (std::size_t k = 0; k < n() && id; ++k) id = levels_[k].find(*id, words[k]);
            if (id) ids.push_back(*id);
        }
}

}  // namespace oraclesum::text
