// Coverage keeps hits, gains, losses and room equal to those computed from scratch, through adding and undoing.
#include "coverage.hpp"

#include <algorithm>
#include <random>

#include "check.hpp"
#include "random_instance.hpp"

using oraclesum::search::Coverage;
using oraclesum::testing::random_instance;
using oraclesum::testing::rounds;

TEST(adding_and_undoing_agrees_with_scoring_from_scratch) {
    std::mt19937_64 engine(1);
    for (int round = 0; round < rounds(300); ++round) {
        const auto instance = random_instance(engine, 8);
        Coverage covered(instance);
        std::vector<std::uint32_t> set;
        for (int step = 0; step < 30; ++step) {
            const auto i = static_cast<std::uint32_t>(engine() % instance.sentences());
            if (const auto place = std::ranges::find(set, i); place != set.end()) {
                const auto before = covered.hits();
                const auto loss = covered.loss(i);
                covered.remove(i);
                set.erase(place);
                CHECK(before - loss == covered.hits());
            } else {
                auto larger = set;
                larger.push_back(i);
                if (instance.feasible(set)) CHECK(covered.fits(i) == instance.feasible(larger));
                const auto gain = covered.gain(i);
                const auto before = covered.hits();
                covered.add(i);
                set.push_back(i);
                CHECK(before + gain == covered.hits());
            }
            CHECK(covered.hits() == instance.hits(set));
        }
        covered.clear();
        CHECK(covered.hits() == 0);
        CHECK(covered.left(0) == instance.limits()[0].budget);
    }
}
