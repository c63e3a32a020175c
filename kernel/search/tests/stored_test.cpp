// Families survive as bytes; bytes that are no family are refused, and what is let through is safe to ask.
#include "oraclesum/search/stored.hpp"

#include <random>

#include "brute_force.hpp"
#include "check.hpp"
#include "oraclesum/search/choice.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/search/pairs.hpp"
#include "search_family.hpp"
#include "unbounded.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::Draw;
using oraclesum::testing::list_sets;
using oraclesum::testing::rounds;
using oraclesum::testing::search_family;
using oraclesum::testing::unbounded;
using oraclesum::testing::varied_instance;

namespace {

void ask_everything(const DiagramFamily& family) {
    CHECK(family.count() == Natural(list_sets(family).size()));
    for (const Set& set : list_sets(family)) CHECK(family.contains(set));
    (void)family.inclusion_by_size(unbounded());
    (void)find_pairs(family, unbounded());
    const std::vector<Weight> weights(family.sentences(), 1);
    (void)find_heaviest(family, weights, unbounded());
    if (!family.count().is_zero()) (void)family.at(Natural(0), unbounded());
}

std::vector<std::uint8_t> bytes_of(const std::vector<std::uint32_t>& numbers) {
    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t number : numbers)
        for (unsigned k = 0; k < 4; ++k) bytes.push_back(static_cast<std::uint8_t>(number >> (8 * k)));
    return bytes;
}

bool refuses(const std::vector<std::uint8_t>& bytes, std::size_t sentences) {
    try {
        (void)unpack_family(bytes, sentences, unbounded());
        return false;
    } catch (const InputError&) {
        return true;
    }
}

}  // namespace

TEST(families_survive_as_bytes) {
    Draw draw(21);
    for (int round = 0; round < rounds(150); ++round) {
        const DiagramFamily family = search_family(varied_instance(draw, 9), round % 3);
        const DiagramFamily again = unpack_family(pack_family(family), family.sentences(), unbounded());
        CHECK(again.count() == family.count());
        CHECK(list_sets(again) == list_sets(family));
        CHECK(pack_family(again) == pack_family(family));
    }
}

TEST(spoiled_bytes_are_refused_or_are_a_family) {
    Draw draw(22);
    std::mt19937_64 engine(23);
    int refused = 0;
    for (int round = 0; round < rounds(3000); ++round) {
        const DiagramFamily family = search_family(varied_instance(draw, 6), round % 2);
        std::vector<std::uint8_t> bytes = pack_family(family);
        // Whole numbers are replaced by small ones: random bytes would hardly pass the first check.
        const std::size_t at = engine() % (bytes.size() / 4);
        bytes[4 * at] = static_cast<std::uint8_t>(engine() % 12);
        if (engine() % 8 == 0) bytes[4 * at + 1 + engine() % 3] = static_cast<std::uint8_t>(engine());
        try {
            ask_everything(unpack_family(bytes, family.sentences(), unbounded()));
        } catch (const InputError&) {
            ++refused;
        }
    }
    CHECK(refused > rounds(1000));
    CHECK(refused < 3000);
}

TEST(each_promise_of_a_diagram_is_checked) {
    // Two classes, {0, 1} and {2}; node 2 takes a copy of the first, node 3 the second and then node 2.
    const std::vector<std::uint32_t> good{2, 2, 3, 2, 1, 0, 1, 2, 0, 1, 1, 1, 2, 3, 1, 1};
    CHECK(unpack_family(bytes_of(good), 3, unbounded()).count() == Natural(2));
    const std::vector<std::pair<std::size_t, std::uint32_t>> wrong{
        {0, 3},   // one more class than there is data for
        {1, 3},   // one more node
        {2, 2},   // the root is not the last node
        {3, 3},   // a class larger than the data
        {4, 0},   // a class without sentences
        {5, 1},   // sentences that do not ascend
        {6, 3},   // a sentence that does not exist
        {7, 1},   // a sentence in two classes
        {8, 2},   // a class that does not exist
        {10, 3},  // more copies than the class has
        {11, 0},  // no copies
        {13, 4},  // lo stands before the beginning
        {12, 0},  // lo is the node itself
        {14, 2},  // hi leads to no set
        {9, 0},   // a class twice on a path
        {15, 2},  // nothing leads to node 2
    };
    for (const auto& [at, value] : wrong) {
        std::vector<std::uint32_t> spoiled = good;
        spoiled[at] = value;
        CHECK(refuses(bytes_of(spoiled), 3));
    }
    CHECK(refuses({}, 3));
    CHECK(refuses(bytes_of({0, 0}), 3));
    CHECK(refuses(bytes_of({0, 0, 2}), 3));
    CHECK(unpack_family(bytes_of({0, 0, 0}), 3, unbounded()).count().is_zero());
    CHECK(unpack_family(bytes_of({0, 0, 1}), 3, unbounded()).count() == Natural(1));
}
