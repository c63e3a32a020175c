// Keys of sub-problems: parts that meet in one word of a key do not meet in the other; and the memory, beside a plain map.
#include "memory.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "check.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::Draw;
using oraclesum::testing::rounds;

namespace {

Key key_of(const Part& part) {
    Key key;
    key.add(part);
    return key;
}

}  // namespace

// For any two indices there are numbers with which their parts meet in the first word: the second must tell them apart.
TEST(parts_that_meet_in_one_word_differ_in_the_other) {
    Draw draw(1);
    for (int round = 0; round < rounds(100'000); ++round) {
        const auto one = static_cast<std::uint32_t>(draw.below(1'000'000)), two = one + 1;
        const std::uint64_t number = draw.below(1'000'000);
        const std::uint64_t meets_in_a = number + Part(1, one).a() - Part(1, two).a();
        const std::uint64_t meets_in_b = number + Part(1, one).b() - Part(1, two).b();
        const Key key = key_of(Part(1, one).append(number));
        const Key same_a = key_of(Part(1, two).append(meets_in_a)), same_b = key_of(Part(1, two).append(meets_in_b));
        CHECK(same_a.a == key.a && same_a.b != key.b);
        CHECK(same_b.b == key.b && same_b.a != key.a);
    }
}

TEST(the_order_and_the_length_of_a_part_count_and_the_order_of_parts_does_not) {
    CHECK(key_of(Part(1, 2).append(3).append(4)) != key_of(Part(1, 2).append(4).append(3)));
    CHECK(key_of(Part(1, 2)) != key_of(Part(1, 2).append(0)));
    CHECK(key_of(Part(1, 2)) != key_of(Part(2, 1)));
    Key one, two;
    one.add(Part(1, 2));
    one.add(Part(3, 4));
    two.add(Part(3, 4));
    two.add(Part(1, 2));
    CHECK(one == two);
}

TEST(each_word_of_a_key_is_spread_over_all_bits) {
    std::set<std::uint64_t> low_a, low_b, high_a, high_b;
    for (std::uint32_t index = 0; index < 4096; ++index) {
        const Part part = Part(1, index).append(1);
        low_a.insert(part.a() & 0xffffff);
        low_b.insert(part.b() & 0xffffff);
        high_a.insert(part.a() >> 40);
        high_b.insert(part.b() >> 40);
    }
    for (const auto* words : {&low_a, &low_b, &high_a, &high_b}) CHECK(words->size() > 4090);
}

TEST(a_memory_keeps_numbers_of_63_bits) {
    for (const bool shared : {false, true}) {
        Memory memory(shared);
        const std::uint64_t large = (std::uint64_t{1} << 63) - 1;
        for (std::uint64_t k = 0; k < 1000; ++k)
            memory.insert(key_of(Part(1, static_cast<std::uint32_t>(k))), k % 2 == 0 ? large - k : k);
        for (std::uint64_t k = 0; k < 1000; ++k)
            CHECK(memory.find(key_of(Part(1, static_cast<std::uint32_t>(k)))) == (k % 2 == 0 ? large - k : k));
        CHECK(!memory.find(key_of(Part(1, 1000))));
    }
}

// Keys are drawn such that many want the same slot, one after another, and around the end of the table.
TEST(a_memory_says_what_a_plain_map_says) {
    Draw draw(2);
    for (const bool shared : {false, true})
        for (int round = 0; round < 50; ++round) {
            Memory memory(shared);
            std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> plain;
            const auto draw_key = [&] {
                const std::uint64_t low = draw.one_in(2) ? 0 : ~std::uint64_t{0};
                return Key{low - (draw.below(3) << 40) - draw.below(3), draw.below(200)};
            };
            for (int step = 0; step < 2000; ++step) {
                const Key key = draw_key();
                if (draw.one_in(500)) {
                    memory.clear();
                    plain.clear();
                    CHECK(memory.bytes() == 0);
                } else if (draw.one_in(2)) {
                    const std::uint64_t value = draw.below(1000);
                    memory.insert(key, value);
                    plain[{key.a, key.b}] = value;
                }
                const Key asked = draw_key();
                const auto found = plain.find({asked.a, asked.b});
                CHECK(memory.find(asked) == (found == plain.end() ? std::nullopt : std::optional(found->second)));
            }
            for (const auto& [key, value] : plain) CHECK(memory.find({key.first, key.second}) == value);
        }
}

// While a table grows, the old one and the new one are there; all together must not come to more than was asked for.
TEST(a_large_memory_grows_in_small_steps_and_loses_nothing) {
    for (const bool shared : {false, true}) {
        Memory memory(shared);
        constexpr std::uint32_t keys = 300'000;
        std::size_t bytes = 0, largest_step = 0;
        for (std::uint32_t k = 0; k < keys; ++k) {
            memory.insert(key_of(Part(1, k)), k);
            if (k < keys / 2) continue;
            const std::size_t now = memory.bytes();
            if (bytes != 0) largest_step = std::max(largest_step, now - bytes);
            bytes = now;
        }
        CHECK(largest_step > 0 && largest_step < bytes / 16);
        for (std::uint32_t k = 0; k < keys; ++k) CHECK(memory.find(key_of(Part(1, k))) == k);
        memory.clear();
        CHECK(memory.bytes() == 0 && !memory.find(key_of(Part(1, 1))));
    }
}

TEST(threads_that_share_a_memory_lose_nothing) {
    Memory memory(true);
    constexpr std::uint32_t threads = 4, each = 5000;
    {
        std::vector<std::jthread> all;
        for (std::uint32_t t = 0; t < threads; ++t)
            all.emplace_back([&memory, t] {
                for (std::uint32_t k = 0; k < each; ++k) memory.insert(key_of(Part(1, t * each + k)), k);
            });
    }
    for (std::uint32_t k = 0; k < threads * each; ++k) CHECK(memory.find(key_of(Part(1, k))) == k % each);
}
