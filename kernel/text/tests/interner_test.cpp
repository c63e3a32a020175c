// Equal bytes get the same id, other bytes another one: in their slot or in the arena.
#include "oraclesum/text/interner.hpp"

#include <map>
#include <string>

#include "check.hpp"

using oraclesum::text::Interner;

TEST(strings_around_eight_bytes_keep_apart) {
    Interner interner;
    const std::string bytes("a\0b\0c\0d\0e\0f\0", 12);
    std::map<std::string, std::uint32_t> ids;
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
        const auto found = interner.intern(std::string_view(bytes).substr(0, size));
        CHECK(found.fresh);
        ids[bytes.substr(0, size)] = found.id;
    }
    CHECK(ids.size() == bytes.size() + 1);
    for (const auto& [text, id] : ids) {
        CHECK(interner.intern(text).id == id);
        CHECK(!interner.intern(text).fresh);
        CHECK(interner[id] == text);
    }
}

TEST(long_strings_with_the_same_head_keep_apart) {
    Interner interner;
    std::map<std::string, std::uint32_t> ids;
    for (int number = 0; number < 20'000; ++number) {
        const std::string text = "the same head " + std::to_string(number);
        ids[text] = interner.intern(text).id;
    }
    CHECK(interner.size() == 20'000);
    for (const auto& [text, id] : ids) CHECK(interner.intern(text).id == id);
}
