// Tournament selection, uniform crossover, mutation by dropping and refilling, repair by the limits, elitism.
#include "oraclesum/search/genetic.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "coverage.hpp"
#include "oraclesum/search/error.hpp"

namespace oraclesum::search {

namespace {

// The standard fixes the numbers of mt19937_64 but not those of its distributions, hence these draws.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}

    std::size_t below(std::size_t n) {
        const std::uint64_t range = n;
        const std::uint64_t unfair = (0 - range) % range;  // 2^64 mod range: values below it would be drawn too often
        for (;;)
            if (const std::uint64_t value = engine_(); value >= unfair) return static_cast<std::size_t>(value % range);
    }
    bool coin() { return below(2) == 1; }

    void shuffle(std::vector<std::uint32_t>& values) {
        for (std::size_t k = values.size(); k > 1; --k) std::swap(values[k - 1], values[below(k)]);
    }

private:
    std::mt19937_64 engine_;
};

struct Individual {
    std::vector<std::uint32_t> set;
    std::int64_t hits = 0;
};

bool better(const Individual& a, const Individual& b) { return a.hits > b.hits; }

class Population {
public:
    Population(const Instance& instance, const Breeding& settings)
        : dice_(settings.seed), covered_(instance), fill_(instance.candidates()), held_(instance.sentences(), 0) {}

    Individual make_random() { return finish({}); }

    Individual breed(const std::vector<Individual>& parents) {
        const Individual& mother = parents[pick(parents)];
        const Individual& father = parents[pick(parents)];
        for (const std::uint32_t i : father.set) held_[i] = 1;
        std::vector<std::uint32_t> shared, rest;
        for (const std::uint32_t i : mother.set) {
            if (std::exchange(held_[i], std::uint8_t{0})) {
                shared.push_back(i);
            } else {
                rest.push_back(i);
            }
        }
        for (const std::uint32_t i : father.set)
            if (std::exchange(held_[i], std::uint8_t{0})) rest.push_back(i);
        dice_.shuffle(rest);
        for (const std::uint32_t i : rest)
            if (dice_.coin()) shared.push_back(i);
        if (!shared.empty() && dice_.coin()) {  // mutation: one sentence makes room for others
            std::swap(shared[dice_.below(shared.size())], shared.back());
            shared.pop_back();
        }
        return finish(shared);
    }

    [[nodiscard]] std::uint64_t scored() const { return scored_; }

private:
    static constexpr std::size_t tournament = 3;

    // The best of a few random individuals; the population is sorted, best first.
    std::size_t pick(const std::vector<Individual>& parents) {
        std::size_t best = dice_.below(parents.size());
        for (std::size_t round = 1; round < tournament; ++round) best = std::min(best, dice_.below(parents.size()));
        return best;
    }

    // Repair and fill: keep of `wanted` what fits, then add random sentences that fit and gain.
    Individual finish(const std::vector<std::uint32_t>& wanted) {
        covered_.clear();
        Individual child;
        const auto take = [&](const std::vector<std::uint32_t>& from) {
            for (const std::uint32_t i : from)
                if (!held_[i] && covered_.fits(i) && covered_.gain(i) > 0) {
                    covered_.add(i);
                    child.set.push_back(i);
                    held_[i] = 1;
                }
        };
        take(wanted);
        dice_.shuffle(fill_);
        take(fill_);
        for (const std::uint32_t i : child.set) held_[i] = 0;
        child.hits = covered_.hits();
        ++scored_;
        return child;
    }

    Dice dice_;
    Coverage covered_;
    std::vector<std::uint32_t> fill_;
    std::vector<std::uint8_t> held_;  // marks sentences within one call; all 0 between calls
    std::uint64_t scored_ = 0;
};

}  // namespace

Evolution evolve(const Instance& instance, const Breeding& settings, Clock& clock) {
    if (settings.population < 2) throw InputError("a population needs at least 2 individuals");
    Evolution result;
    if (instance.candidates().empty()) return result;

    Population population(instance, settings);
    std::vector<Individual> parents;
    while (parents.size() < settings.population && (parents.empty() || !clock.look()))
        parents.push_back(population.make_random());
    std::ranges::stable_sort(parents, better);

    const std::size_t elite = std::max<std::size_t>(settings.population / 20, 1);
    std::uint32_t stale = 0;
    for (std::uint32_t round = 0; round < settings.generations && stale < settings.patience; ++round) {
        std::vector<Individual> children(
            parents.begin(), parents.begin() + static_cast<std::ptrdiff_t>(std::min(elite, parents.size())));
        while (children.size() < settings.population && !clock.look()) children.push_back(population.breed(parents));
        std::ranges::stable_sort(children, better);
        stale = better(children.front(), parents.front()) ? 0 : stale + 1;
        parents = std::move(children);
        if (clock.reason() != StopReason::none) break;
    }

    result.best.set = parents.front().set;
    std::ranges::sort(result.best.set);
    result.best.hits = parents.front().hits;
    result.best.checked = population.scored();
    result.reason = clock.reason();
    return result;
}

}  // namespace oraclesum::search
