// Diagrams that several threads wrote in parts join into one, children first, without what nobody reaches.
#include "oraclesum/search/diagram.hpp"

#include "brute_force.hpp"
#include "check.hpp"
#include "unbounded.hpp"

using namespace oraclesum::search;
using oraclesum::testing::list_sets;
using oraclesum::testing::Sets;
using oraclesum::testing::unbounded;

namespace {

Rows<std::uint32_t> one_sentence_each(std::uint32_t classes) {
    Rows<std::uint32_t> members;
    for (std::uint32_t c = 0; c < classes; ++c) members.add_row(Set{c});
    return members;
}

}  // namespace

TEST(adding_no_sets_changes_nothing) {
    Diagram diagram;
    CHECK(diagram.add(3, 1, Diagram::top, Diagram::bottom) == Diagram::top);
    CHECK(diagram.size() == 2);
}

TEST(parts_join_into_one_diagram) {
    Diagram first(0), second(1), third(2);
    const auto a = first.add(0, 1, Diagram::bottom, Diagram::top);  // {0}
    const auto b = second.add(1, 1, a, Diagram::top);               // {0} {1}
    const auto c = third.add(2, 1, b, a);                           // {0} {1} {0 2}
    const auto d = first.add(3, 1, c, b);                           // and {0 3} {1 3}
    std::ignore = second.add(4, 1, d, c);                           // nobody asks for it
    const Diagram joined = Diagram::join({&first, &second, &third}, d);
    CHECK(joined.size() == 2 + 4);
    for (Diagram::Id id = 2; id < joined.size(); ++id) CHECK(joined[id].lo < id && joined[id].hi < id);
    CHECK(list_sets(DiagramFamily(joined, one_sentence_each(5), 5, unbounded())) ==
          (Sets{{0}, {0, 2}, {0, 3}, {1}, {1, 3}}));
}

TEST(nothing_joins_to_nothing) {
    const Diagram part;
    CHECK(Diagram::join({&part}, Diagram::bottom).root == Diagram::bottom);
    CHECK(Diagram::join({&part}, Diagram::top).root == Diagram::top);
}

TEST(long_chains_join_without_recursion) {
    constexpr std::uint32_t length = 300'000;
    Diagram diagram;
    Diagram::Id root = Diagram::top;
    for (std::uint32_t c = 0; c < length; ++c) root = diagram.add(c, 1, root, root);
    const Diagram joined = Diagram::join({&diagram}, root);
    CHECK(joined.size() == length + 2);
}
