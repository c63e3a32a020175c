// Choosing sentences by the probabilities of their words.
#include "oraclesum/text/frequent.hpp"

#include <algorithm>
#include <utility>

namespace oraclesum::text {

namespace {

// The words of the sentences, numbered from 0 without a gap, and how probable each is.
struct Numbered {
    std::vector<Words> sentences;
    std::vector<double> probabilities;
};

Numbered number(std::span<const Words> sentences) {
    Numbered numbered{{sentences.begin(), sentences.end()}, {}};
    std::vector<std::pair<std::uint32_t, std::uint32_t*>> every;
    for (Words& words : numbered.sentences)
        for (std::uint32_t& word : words) every.emplace_back(word, &word);
    std::ranges::sort(every, {}, &std::pair<std::uint32_t, std::uint32_t*>::first);
    auto& probabilities = numbered.probabilities;
    for (std::size_t at = 0; at < every.size(); ++at) {
        if (at == 0 || every[at].first != every[at - 1].first) probabilities.push_back(0);
        *every[at].second = static_cast<std::uint32_t>(probabilities.size() - 1);
        ++probabilities.back();
    }
    for (double& one : probabilities) one /= static_cast<double>(every.size());
    return numbered;
}

}  // namespace

std::vector<std::uint32_t> select_frequent(std::span<const Words> sentences, std::vector<Budget> budgets) {
    auto [words, probabilities] = number(sentences);
    const auto find_peak = [&](std::uint32_t i) {
        double peak = 0;
        for (const std::uint32_t word : words[i]) peak = std::max(peak, probabilities[word]);
        return peak;
    };
    const auto find_mean = [&](std::uint32_t i) {
        double sum = 0;
        for (const std::uint32_t word : words[i]) sum += probabilities[word];
        return sum / static_cast<double>(words[i].size());
    };
    const auto has_no_room = [&](std::uint32_t i) {
        return std::ranges::any_of(budgets, [&](const Budget& one) { return one.lengths[i] > one.left; });
    };

    std::vector<std::uint32_t> left;
    for (std::uint32_t i = 0; i < words.size(); ++i)
        if (!words[i].empty()) left.push_back(i);
    // The probability of each sentence's most probable word, as it was when last looked at. As probabilities only fall,
    // it is no less than what it is now.
    std::vector<double> peaks(words.size(), 1.0);
    std::vector<std::uint32_t> chosen;
    while (std::erase_if(left, has_no_room), !left.empty()) {
        // Sentences are looked at again until the best of them are up to date: few are in each step.
        double peak = 0;
        for (bool settled = false; !settled;) {
            peak = 0;
            for (const std::uint32_t i : left) peak = std::max(peak, peaks[i]);
            settled = true;
            for (const std::uint32_t i : left) {
                if (peaks[i] < peak) continue;
                peaks[i] = find_peak(i);
                if (peaks[i] < peak) settled = false;
            }
        }
        std::uint32_t best = 0;
        double highest = -1;
        for (const std::uint32_t i : left) {
            if (peaks[i] < peak) continue;
            if (const double mean = find_mean(i); mean > highest) {
                highest = mean;
                best = i;
            }
        }
        chosen.push_back(best);
        std::erase(left, best);
        for (Budget& one : budgets) one.left -= one.lengths[best];
        Words distinct = words[best];
        std::ranges::sort(distinct);
        distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
        for (const std::uint32_t word : distinct) probabilities[word] *= probabilities[word];
    }
    return chosen;
}

}  // namespace oraclesum::text
