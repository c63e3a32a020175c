// Hash tables over the word lists in data/, built once at first use.
#include "lexicon.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oraclesum/text/interner.hpp"

namespace oraclesum::text {

namespace {

struct Exception {
    std::string_view form;
    std::string_view base;
};

constexpr Exception exceptions[] = {
#include "exceptions.inc"
};

constexpr std::string_view stop_words[] = {
#include "stop_words.inc"
};

constexpr std::string_view key(const Exception& entry) { return entry.form; }
constexpr std::string_view key(std::string_view word) { return word; }

// Read-only table over an array that outlives it: linear probing, at most a quarter full.
template <class Entry>
class Table {
public:
    explicit Table(std::span<const Entry> entries) {
        std::size_t size = 1;
        while (size < 4 * entries.size()) size *= 2;
        slots_.resize(size);
        for (const Entry& entry : entries) {
            std::size_t place = hash_bytes(key(entry)) & (size - 1);
            while (slots_[place] != nullptr) place = (place + 1) & (size - 1);
            slots_[place] = &entry;
        }
    }

    const Entry* find(std::string_view word) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = hash_bytes(word) & mask;
        while (slots_[place] != nullptr && key(*slots_[place]) != word) place = (place + 1) & mask;
        return slots_[place];
    }

private:
    std::vector<const Entry*> slots_;
};

}  // namespace

bool is_stop_word(std::string_view token) {
    static const Table<std::string_view> table(stop_words);
    return table.find(token) != nullptr;
}

std::optional<std::string_view> find_exception(std::string_view token) {
    static const Table<Exception> table(exceptions);
    const Exception* const entry = table.find(token);
    if (entry == nullptr) return std::nullopt;
    return entry->base;
}

}  // namespace oraclesum::text
