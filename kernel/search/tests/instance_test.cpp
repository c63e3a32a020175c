// An instance stores what it was given, refuses what does not fit, and scores sets from scratch.
#include "oraclesum/search/instance.hpp"

#include "check.hpp"
#include "oraclesum/search/error.hpp"

using oraclesum::search::InputError;
using oraclesum::search::Instance;

namespace {

template <class F>
bool refused(F&& make) {
    try {
        make();
    } catch (const InputError&) {
        return true;
    }
    return false;
}

}  // namespace

TEST(hits_clip_at_the_last_gain) {
    const Instance instance({{2, 1}, {3}}, {{{0, 1}}, {{0, 5}, {1, 1}}, {}}, {{10, {4, 7, 1}}});
    const std::uint32_t first[] = {0}, both[] = {0, 1};
    CHECK(instance.hits(first) == 2);
    CHECK(instance.hits(both) == 6);
    CHECK(instance.hits({}) == 0);
    CHECK(instance.feasible(first));
    CHECK(!instance.feasible(both));
}

TEST(candidates_share_an_ngram_and_fit) {
    const Instance instance({{1}, {0}}, {{{0, 1}}, {{0, 1}}, {}, {{1, 1}}}, {{5, {5, 6, 1, 1}}});
    CHECK(instance.candidates() == std::vector<std::uint32_t>{0});
}

TEST(bad_input_is_refused) {
    CHECK(refused([] { return Instance({{1, 2}}, {}, {{1, {}}}); }));
    CHECK(refused([] { return Instance({{-1}}, {}, {{1, {}}}); }));
    CHECK(refused([] { return Instance({{1}}, {{{1, 1}}}, {{1, {1}}}); }));
    CHECK(refused([] { return Instance({{1}}, {{{0, 1}}}, {{1, {}}}); }));
    CHECK(refused([] { return Instance({{1}}, {{{0, 1}}}, {{-1, {1}}}); }));
    CHECK(refused([] { return Instance({{1}}, {{{0, 1}}}, {}); }));
}
