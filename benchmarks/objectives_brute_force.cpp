// The peer of the benchmark: every set of one to three sentences, R1-F1 + R2-F1 in exact fractions.
//
// A document a line on standard input, all numbers: how many references, then for each how many words and the words, then
// how many sentences, then for each how many words and the words. A line out for each document: nanoseconds from the words to
// the answer, whether all sets were tried within the limit (seconds, the first argument), the best value as two fractions,
// how many sets have it, and how many were tried.
//
// As quick as the plain idea allows: coverage grows from a set to its supersets, and only n-grams of the references are looked at.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using Words = std::vector<std::uint32_t>;
using Time = std::chrono::steady_clock;

struct Document {
    std::vector<Words> references, sentences;
};

std::vector<Words> read_texts(std::istringstream& line) {
    std::size_t number = 0;
    line >> number;
    std::vector<Words> texts(number);
    for (Words& text : texts) {
        line >> number;
        text.resize(number);
        for (std::uint32_t& word : text) line >> word;
    }
    return texts;
}

// Clipped matches of one length of n-grams: gain k of an n-gram is the number of references that have it more than k times.
struct Level {
    std::vector<std::vector<std::int64_t>> gains;
    std::vector<std::vector<std::uint32_t>> rows;  // per sentence: its n-grams that a reference has, with repetitions
    std::vector<std::int64_t> sizes;               // per sentence: all its n-grams
    std::vector<std::uint32_t> covered;
    std::int64_t total = 0, references = 0;

    Level(const Document& document, std::size_t n) : references(static_cast<std::int64_t>(document.references.size())) {
        std::unordered_map<std::uint64_t, std::uint32_t> ids;
        const auto key = [&](const Words& words, std::size_t at) {
            return n == 1 ? words[at] : std::uint64_t{words[at]} << 32 | words[at + 1];
        };
        for (const Words& words : document.references) {
            std::vector<std::uint32_t> seen(gains.size(), 0);
            for (std::size_t at = 0; at + n <= words.size(); ++at) {
                const auto id = ids.try_emplace(key(words, at), static_cast<std::uint32_t>(ids.size())).first->second;
                if (id >= gains.size()) gains.resize(id + 1);
                if (id >= seen.size()) seen.resize(id + 1, 0);
                if (gains[id].size() <= seen[id]) gains[id].push_back(0);
                ++gains[id][seen[id]++];
                ++total;
            }
        }
        covered.assign(gains.size(), 0);
        for (const Words& words : document.sentences) {
            auto& row = rows.emplace_back();
            for (std::size_t at = 0; at + n <= words.size(); ++at)
                if (const auto found = ids.find(key(words, at)); found != ids.end()) row.push_back(found->second);
            sizes.push_back(words.size() < n ? 0 : static_cast<std::int64_t>(words.size() - n + 1));
        }
    }

    std::int64_t take(std::uint32_t sentence) {
        std::int64_t hits = 0;
        for (const std::uint32_t id : rows[sentence]) {
            const std::uint32_t k = covered[id]++;
            if (k < gains[id].size()) hits += gains[id][k];
        }
        return hits;
    }
    void give_back(std::uint32_t sentence) {
        for (const std::uint32_t id : rows[sentence]) --covered[id];
    }
};

struct Search {
    Level one, two;
    Time::time_point ends;
    std::vector<std::uint32_t> candidates;
    std::int64_t best_above = 0, best_below = 1;
    std::int64_t best[4] = {0, 1, 0, 1};
    std::uint64_t ties = 0, tried = 0;
    bool stopped = false;

    Search(const Document& document, Time::time_point limit) : one(document, 1), two(document, 2), ends(limit) {
        for (std::uint32_t i = 0; i < one.rows.size(); ++i)
            if (!one.rows[i].empty()) candidates.push_back(i);
    }

    void compare(std::int64_t hits1, std::int64_t size1, std::int64_t hits2, std::int64_t size2) {
        const std::int64_t below1 = one.total + one.references * size1, below2 = two.total + two.references * size2;
        const std::int64_t above = 2 * (hits1 * below2 + hits2 * below1), below = below1 * below2;
        const auto left = static_cast<__int128>(above) * best_below, right = static_cast<__int128>(best_above) * below;
        ++tried;
        if (left < right) return;
        if (left == right) {
            ++ties;
            return;
        }
        ties = 1;
        best_above = above;
        best_below = below;
        best[0] = 2 * hits1, best[1] = below1, best[2] = 2 * hits2, best[3] = below2;
    }

    void extend(std::size_t from, int left, std::int64_t hits1, std::int64_t size1, std::int64_t hits2, std::int64_t size2) {
        for (std::size_t at = from; at < candidates.size(); ++at) {
            const std::uint32_t i = candidates[at];
            const std::int64_t more1 = hits1 + one.take(i), more2 = hits2 + two.take(i);
            const std::int64_t larger1 = size1 + one.sizes[i], larger2 = size2 + two.sizes[i];
            compare(more1, larger1, more2, larger2);
            if (left > 1) {
                extend(at + 1, left - 1, more1, larger1, more2, larger2);
                stopped = stopped || Time::now() > ends;
            }
            one.give_back(i);
            two.give_back(i);
            if (stopped) return;
        }
    }
};

}  // namespace

int main(int count, char** arguments) {
    const double limit = count > 1 ? std::atof(arguments[1]) : 1e9;
    std::ios::sync_with_stdio(false);
    for (std::string text; std::getline(std::cin, text);) {
        std::istringstream line(text);
        Document document;
        document.references = read_texts(line);
        document.sentences = read_texts(line);
        const auto start = Time::now();
        Search search(document, start + std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(limit)));
        search.extend(0, 3, 0, 0, 0, 0);
        const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Time::now() - start).count();
        std::cout << took << ' ' << !search.stopped;
        for (const std::int64_t number : search.best) std::cout << ' ' << number;
        std::cout << ' ' << search.ties << ' ' << search.tried << std::endl;
    }
}
