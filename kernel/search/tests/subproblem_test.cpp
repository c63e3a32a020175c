// Names of sub-problems: states that share one have the same completions, compared with a list of all of them.
#include "subproblem.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "check.hpp"
#include "completions.hpp"

using namespace oraclesum::search;
using namespace oraclesum::testing;

namespace {

constexpr int states_per_problem = 300;

using Completions = std::map<Copies, std::int64_t>;  // a completion, and the hits that it adds

// What a key stands for, and the ways to get there.
struct Meaning {
    Completions table;
    std::set<Copies> ways;
};

class Meanings {
public:
    // Whether the key stands for the same completions as before.
    bool agree(const Key& key, const Completions& table, const State& state) {
        const auto [known, fresh] = meanings_.try_emplace({key.a, key.b}, Meaning{table, {}});
        known->second.ways.insert(count_taken(state));
        return known->second.table == table;
    }
    // Keys that states with different sets share.
    [[nodiscard]] std::ptrdiff_t shared() const {
        return std::ranges::count_if(meanings_, [](const auto& each) { return each.second.ways.size() > 1; });
    }

private:
    std::map<std::pair<std::uint64_t, std::uint64_t>, Meaning> meanings_;
};

bool is_minimal(const Problem& problem, const Copies& copies) {
    const std::int64_t whole = value_of(problem, copies);
    for (std::size_t c = 0; c < copies.size(); ++c) {
        if (copies[c] == 0) continue;
        Copies fewer = copies;
        --fewer[c];
        if (value_of(problem, fewer) >= whole) return false;
    }
    return true;
}

// The same sub-problem by another way: classes taken the other way round, free classes in another order.
State rearrange(Draw& draw, const State& state) {
    State other(state.problem());
    for (std::size_t k = state.taken().size(); k > 0; --k)
        other.take(state.taken()[k - 1].cls, state.taken()[k - 1].copies);
    other.order = state.order;
    other.free_count = state.free_count;
    for (std::uint32_t k = other.free_count; k > 1; --k) std::swap(other.order[k - 1], other.order[draw.below(k)]);
    return other;
}

}  // namespace

TEST(states_with_the_same_name_have_the_same_completions) {
    Draw draw(1);
    std::ptrdiff_t shared = 0;
    for (int round = 0; round < rounds(400); ++round) {
        const Problem problem = presolve(round % 2 == 0 ? varied_instance(draw, 7) : costly_instance(draw, 7));
        if (problem.classes() == 0) continue;
        Namer namer(problem);
        Meanings meanings;
        for (int k = 0; k < states_per_problem; ++k) {
            const State state = draw_state(draw, problem);
            Completions table;
            for (const Completion& each : list_completions(state))
                if (each.complete) table[each.copies] = each.added;
            CHECK(meanings.agree(namer.name(state, 0), table, state));
        }
        shared += meanings.shared();
    }
    CHECK(shared > rounds(500));
}

TEST(a_name_says_how_much_is_needed) {
    Draw draw(2);
    for (int round = 0; round < rounds(300); ++round) {
        const Problem problem = presolve(varied_instance(draw, 7));
        if (problem.classes() == 0) continue;
        Namer namer(problem);
        const State state = draw_state(draw, problem);
        const std::int64_t need = draw.between(1, 5);
        CHECK(namer.name(state, need) == namer.name(state, need));
        CHECK(namer.name(state, need) != namer.name(state, need - 1));
    }
}

TEST(a_name_does_not_depend_on_the_way_to_the_state) {
    Draw draw(3);
    for (int round = 0; round < rounds(2000); ++round) {
        const Problem problem = presolve(round % 2 == 0 ? varied_instance(draw, 12) : costly_instance(draw, 12));
        if (problem.classes() == 0) continue;
        Namer namer(problem);
        const State state = draw_state(draw, problem), other = rearrange(draw, state);
        Key key = namer.name(state, 2), other_key = namer.name(other, 2);
        CHECK(key == other_key);
        CHECK(namer.name_free(state) == namer.name_free(other));
        namer.add_taken(key, state);
        namer.add_taken(other_key, other);
        CHECK(key == other_key);
    }
}

TEST(states_with_the_same_free_name_have_the_same_sets_that_fit) {
    Draw draw(4);
    std::ptrdiff_t shared = 0;
    for (int round = 0; round < rounds(300); ++round) {
        const Problem problem = presolve(varied_instance(draw, 7));
        if (problem.classes() == 0) continue;
        Namer namer(problem);
        Meanings meanings;
        for (int k = 0; k < states_per_problem; ++k) {
            const State state = draw_state(draw, problem);
            Completions table;
            for (const Completion& each : list_completions(state)) table[each.copies] = 0;
            CHECK(meanings.agree(namer.name_free(state), table, state));
        }
        shared += meanings.shared();
    }
    CHECK(shared > rounds(500));
}

TEST(states_with_the_same_name_and_taken_have_the_same_minimal_sets) {
    Draw draw(5);
    std::ptrdiff_t shared = 0;
    for (int round = 0; round < rounds(600); ++round) {
        const Problem problem = presolve(varied_instance(draw, 7));
        if (problem.classes() == 0) continue;
        Namer namer(problem);
        Meanings meanings;
        for (int k = 0; k < states_per_problem; ++k) {
            const State state = draw_state(draw, problem);
            const Copies taken = count_taken(state);
            if (!is_minimal(problem, taken)) continue;  // nor is any set beyond it
            const std::int64_t need = draw.between(0, 2);
            Completions table;
            for (const Completion& each : list_completions(state)) {
                Copies copies = taken;
                for (std::size_t c = 0; c < copies.size(); ++c) copies[c] += each.copies[c];
                if (each.added >= need && is_minimal(problem, copies)) table[each.copies] = each.added;
            }
            Key key = namer.name(state, need);
            namer.add_taken(key, state);
            CHECK(meanings.agree(key, table, state));
        }
        shared += meanings.shared();
    }
    CHECK(shared > rounds(300));
}

// A covers the n-gram three times, and so does what is left without it once D and F are there: how often it is covered is
// part of the name, even if nothing can be gained from it any more.
TEST(how_far_an_ngram_is_covered_decides_what_stays_minimal) {
    const std::vector<std::vector<Entry>> rows{{{0, 3}}, {{0, 1}, {1, 1}}, {{0, 2}, {2, 1}}};  // A, D, F
    const Problem problem = presolve(Instance({{1, 1, 1}, {1}, {1}}, rows, {{3, {1, 1, 1}}}));
    CHECK(problem.classes() == 3);
    const auto name = [&](bool takes_d) {
        State state(problem);
        std::uint32_t free = 0;
        for (std::uint32_t cls = 0; cls < problem.classes(); ++cls) {
            const std::uint32_t sentence = problem.members[cls][0];
            if (sentence == 0 || (sentence == 1 && takes_d)) state.take(cls);
            if (sentence == 2) free = cls;
        }
        state.order = {free};
        state.free_count = 1;
        Namer namer(problem);
        Key key = namer.name(state, 0);
        namer.add_taken(key, state);
        return key;
    };
    CHECK(name(false) != name(true));
}
