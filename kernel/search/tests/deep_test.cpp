// Long documents and deep walks: nothing recurses by sentence, so no stack overflows.
#include <vector>

#include "check.hpp"
#include "oraclesum/search/lister.hpp"
#include "oraclesum/search/search.hpp"
#include "unbounded.hpp"
#include "varied_instance.hpp"

using namespace oraclesum::search;
using oraclesum::testing::document;
using oraclesum::testing::Draw;
using oraclesum::testing::unbounded;

TEST(a_document_of_twenty_thousand_sentences_with_a_loose_limit_gives_an_honest_answer) {
    Draw draw(1);
    const Instance instance = document(draw, 20'000, 20'000, 2'000);
    const Problem problem = presolve(instance);
    Clock clock(0.2);
    const SearchResult found = run_search(problem, {}, clock);
    CHECK(instance.feasible(found.best));
    CHECK(instance.hits(found.best) == found.hits);
    CHECK(found.hits > 0);
    CHECK(found.upper_bound >= found.hits);
    CHECK(found.collected || found.stopped == StopReason::time);
}

TEST(a_walk_goes_as_deep_as_the_document_is_long) {
    // Sentences 2i and 2i + 1 share their n-gram and no limit binds: 3 ways to cover each, and no class is forced.
    constexpr std::uint32_t many = 2'000;
    const std::vector<std::vector<std::int64_t>> gains(many / 2, {2});
    std::vector<std::vector<Entry>> rows;
    for (std::uint32_t i = 0; i < many; ++i) rows.push_back({{i / 2, 1}});
    const Problem problem = presolve(Instance(gains, rows, {{many, std::vector<std::int64_t>(many, 1)}}));
    Clock clock;
    const SearchResult found = run_search(problem, {}, clock);
    CHECK(found.collected);
    const DiagramFamily family(found.diagram, problem.members, problem.sentences, unbounded());
    Natural powers(1);
    for (std::uint32_t k = 0; k < many / 2; ++k) powers = powers * Natural(3);
    CHECK(family.count() == powers);
}

TEST(a_long_family_is_listed) {
    constexpr std::uint32_t many = 1'000;
    Diagram diagram;
    Rows<std::uint32_t> members;
    for (std::uint32_t c = 0; c < many; ++c) members.add_row(Set{c});
    // All sentences but the last in order, then the last one: it has to travel down the whole diagram.
    Diagram::Id root = Diagram::top;
    for (std::uint32_t c = many - 1; c-- > 0;) root = diagram.add(c, 1, Diagram::bottom, root);
    diagram.root = diagram.add(many - 1, 1, root, root);
    const DiagramFamily family(std::move(diagram), std::move(members), many, unbounded());
    Lister lister(family, {}, 1);
    std::vector<std::size_t> sizes;
    while (true) {
        const Rows<std::uint32_t>& part = lister.next_part(unbounded());
        if (part.size() == 0) break;
        for (std::size_t at = 0; at < part.size(); ++at) sizes.push_back(part[at].size());
    }
    CHECK((sizes == std::vector<std::size_t>{many - 1, many}));
}

// To split by each sentence that the sets share would take a pass over the diagram for every one: minutes.
TEST(long_sets_that_differ_at_their_ends_are_listed_in_small_parts) {
    constexpr std::uint32_t many = 50'000, open = 4;
    Diagram diagram;
    Rows<std::uint32_t> members;
    for (std::uint32_t c = 0; c < many; ++c) members.add_row(Set{c});
    Diagram::Id root = Diagram::top;
    for (std::uint32_t c = many; c-- > 0;) root = diagram.add(c, 1, c < many - open ? Diagram::bottom : root, root);
    diagram.root = root;
    const DiagramFamily family(std::move(diagram), std::move(members), many, unbounded());
    Lister lister(family, {}, 1'000, 2 * many);
    std::size_t sets = 0;
    while (true) {
        const Rows<std::uint32_t>& part = lister.next_part(unbounded());
        if (part.size() == 0) break;
        CHECK(part.size() <= 2);
        sets += part.size();
    }
    CHECK(sets == 1U << open);
}
