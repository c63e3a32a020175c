// Layers and sizes of every kind of term, each never below the hits and never above the size of a set.
#include "oraclesum/measure/measure.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "lcs.hpp"
#include "oraclesum/search/bounds.hpp"
#include "oraclesum/search/error.hpp"
#include "oraclesum/text/fold.hpp"

namespace oraclesum::measure {

namespace {

using search::Entry;
using search::Layer;
using search::Size;

text::Words join(const std::vector<text::Words>& sentences) {
    text::Words all;
    for (const text::Words& one : sentences) all.insert(all.end(), one.begin(), one.end());
    return all;
}

// The runs in which a reference's n-grams are counted.
text::Runs runs_of(const std::vector<text::Words>& reference, const Settings& settings) {
    return settings.references_within ? reference : text::Runs{join(reference)};
}

// Words that a subsequence counts are n-grams of one.
std::uint32_t size_of(const Term& term) { return term.kind == Kind::ngrams ? term.n : 1; }

std::size_t count_words(const std::vector<text::Words>& sentences) {
    std::size_t words = 0;
    for (const text::Words& one : sentences) words += one.size();
    return words;
}

template <class T>
std::vector<std::vector<T>> to_lists(const Rows<T>& rows) {
    std::vector<std::vector<T>> lists(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) lists[i].assign(rows[i].begin(), rows[i].end());
    return lists;
}

struct Built {
    Layer layer;
    std::int64_t total = 0;
    std::vector<std::vector<std::uint32_t>> distinct;
};

class Builder {
public:
    Builder(const Texts& texts, const Settings& settings, search::Clock& clock)
        : texts_(texts), settings_(settings), clock_(clock) {
        for (const auto& reference : texts.references) references_.push_back(runs_of(reference, settings));
    }

    Measured build();

private:
    static constexpr std::size_t words_per_look = std::size_t{1} << 20;  // a few milliseconds
    static constexpr std::size_t steps_per_look = words_per_look;

    // To be called with the number of words, or pairs of words, that are looked at next.
    void spend(std::size_t words) {
        spent_ += words;
        if (spent_ < words_per_look) return;
        spent_ = 0;
        if (clock_.look()) throw search::Stopped(clock_.reason());
    }
    Built build_layer(Kind kind, std::uint32_t n);
    Built cover_ngrams(std::uint32_t n) const;
    Built cover_distinct(std::uint32_t n) const;
    Built cover_places();
    std::vector<std::int64_t> bound_joints(std::uint32_t n) const;
    Size measure_size(std::uint32_t n) const;

    const Texts& texts_;
    const Settings& settings_;
    search::Clock& clock_;
    std::size_t spent_ = 0;  // since the clock was looked at
    std::vector<text::Runs> references_;
};

Built Builder::cover_ngrams(std::uint32_t n) const {
    const text::Folded folded = text::fold(references_, texts_.sentences, n);
    Built built;
    built.total = folded.total;
    built.layer.gains = to_lists(folded.gains);
    built.layer.counts = to_lists(folded.counts);
    return built;
}

// Gain of an n-gram: the references that have it. Ids from the number of gains on are in no reference.
Built Builder::cover_distinct(std::uint32_t n) const {
    text::NgramTable table(n);
    Built built;
    std::vector<std::uint32_t> ids;
    const auto list_once = [&](std::span<const text::Words> runs) {
        ids.clear();
        table.intern(runs, ids);
        std::ranges::sort(ids);
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    };
    for (const text::Runs& reference : references_) {
        list_once(reference);
        built.total += static_cast<std::int64_t>(ids.size());
        built.layer.gains.resize(table.size(), {0});
        for (const std::uint32_t id : ids) ++built.layer.gains[id][0];
    }
    const std::size_t known = built.layer.gains.size();
    for (const text::Words& sentence : texts_.sentences) {
        list_once({&sentence, 1});
        built.distinct.push_back(ids);
        auto& row = built.layer.counts.emplace_back();
        for (const std::uint32_t id : ids)
            if (id < known) row.push_back({id, 1});
    }
    return built;
}

// Union of marked places. A word of several sentences of a reference may be marked more often than the summary has it, which
// ROUGE clips: there the smaller of the summary's and the reference's counts is a bound, and the places are left out.
Built Builder::cover_places() {
    Built built;
    Layer& layer = built.layer;
    layer.counts.resize(texts_.sentences.size());
    const search::Bounds bounds(clock_);
    Meter meter(&bounds, steps_per_look);
    Marker marker(&meter);
    std::vector<std::uint32_t> places;
    for (const auto& reference : texts_.references) {
        std::unordered_map<std::uint32_t, std::uint32_t> first_sentence, times;
        std::map<std::uint32_t, std::uint32_t> column;  // of words in several sentences
        for (std::uint32_t at = 0; at < reference.size(); ++at)
            for (const std::uint32_t word : reference[at]) {
                ++built.total;
                ++times[word];
                if (first_sentence.try_emplace(word, at).first->second != at) column.try_emplace(word, 0);
            }
        for (auto& [word, id] : column) {
            id = static_cast<std::uint32_t>(layer.gains.size());
            layer.gains.emplace_back(times[word], 1);
        }
        for (std::size_t i = 0; i < texts_.sentences.size(); ++i)
            for (const std::uint32_t word : texts_.sentences[i])
                if (const auto found = column.find(word); found != column.end())
                    layer.counts[i].push_back({found->second, 1});
        for (const text::Words& part : reference) {
            const auto first = static_cast<std::uint32_t>(layer.gains.size());
            layer.gains.resize(layer.gains.size() + part.size(), {1});
            for (std::size_t i = 0; i < texts_.sentences.size(); ++i) {
                spend(part.size() * texts_.sentences[i].size());
                meter.begin();
                marker.mark(part, texts_.sentences[i], places);
                for (const std::uint32_t place : places)
                    if (!column.contains(part[place])) layer.counts[i].push_back({first + place, 1});
            }
        }
    }
    return built;
}

// Of the n-grams that end within the first n - 1 words of a sentence, those that could be in a reference: some n-gram there ends
// with these words.
std::vector<std::int64_t> Builder::bound_joints(std::uint32_t n) const {
    std::vector<std::int64_t> bonus(texts_.sentences.size(), 0);
    // Endings of up to n - 1 words of the references' n-grams, and of how many references.
    std::map<text::Words, std::int64_t> endings;
    for (const text::Runs& reference : references_) {
        std::set<text::Words> seen;
        for (const text::Words& words : reference)
            for (std::size_t end = n; end <= words.size(); ++end)
                for (std::size_t size = 1; size < n; ++size)
                    seen.insert({words.begin() + static_cast<std::ptrdiff_t>(end - size),
                                 words.begin() + static_cast<std::ptrdiff_t>(end)});
        for (const text::Words& ending : seen) ++endings[ending];
    }
    for (std::size_t i = 0; i < bonus.size(); ++i) {
        const text::Words& words = texts_.sentences[i];
        for (std::size_t size = 1; size < n && size <= words.size(); ++size)
            if (const auto found = endings.find({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(size)});
                found != endings.end())
                bonus[i] += found->second;
    }
    return bonus;
}

Built Builder::build_layer(Kind kind, std::uint32_t n) {
    spend(count_words(texts_.sentences));
    for (const text::Runs& reference : references_) spend(count_words(reference));
    if (kind == Kind::lcs_sum) return cover_places();
    if (kind == Kind::lcs) return cover_ngrams(1);  // a subsequence is no longer than the words in common
    Built built = settings_.distinct ? cover_distinct(n) : cover_ngrams(n);
    if (settings_.across && n > 1) built.layer.bonus = bound_joints(n);
    return built;
}

Size Builder::measure_size(std::uint32_t n) const {
    Size size;
    for (const text::Words& words : texts_.sentences) {
        const auto length = static_cast<std::int64_t>(words.size());
        size.lengths.push_back(settings_.across ? length : std::max<std::int64_t>(0, length - n + 1));
    }
    if (settings_.across) size.offset = 1 - std::int64_t{n};
    return size;
}

Measured Builder::build() {
    Measured measured;
    search::Objective& objective = measured.objective;
    std::map<std::pair<Kind, std::uint32_t>, std::uint32_t> layers;
    std::map<std::pair<bool, std::uint32_t>, std::uint32_t> sizes;  // distinct or not, n; subsequences count words
    std::vector<std::int64_t> totals;
    const auto references = static_cast<std::int64_t>(texts_.references.size());
    objective.roles.assign(texts_.sentences.size(), search::Role::idle);
    const auto admit = [&](const Layer& layer) {
        for (std::size_t i = 0; i < layer.counts.size(); ++i)
            if (std::ranges::any_of(layer.counts[i],
                                    [&](const Entry& entry) { return !layer.gains[entry.ngram].empty(); }))
                objective.roles[i] = search::Role::candidate;
    };
    for (const Term& term : settings_.terms) {
        const bool grams = term.kind == Kind::ngrams;
        const std::uint32_t n = size_of(term);
        const auto [layer, fresh] =
            layers.try_emplace({term.kind, n}, static_cast<std::uint32_t>(objective.layers.size()));
        if (fresh) {
            Built built = build_layer(term.kind, n);
            if (built.total == 0) throw search::InputError("the references have no " + std::to_string(n) + "-gram");
            totals.push_back(built.total);
            admit(built.layer);
            objective.layers.push_back(std::move(built.layer));
            if (settings_.distinct && grams) {
                sizes.emplace(std::pair{true, n}, static_cast<std::uint32_t>(objective.sizes.size()));
                objective.sizes.push_back({.lengths = {}, .distinct = std::move(built.distinct)});
            }
        }
        const auto [size, unknown] =
            sizes.try_emplace({settings_.distinct && grams, n}, static_cast<std::uint32_t>(objective.sizes.size()));
        if (unknown) objective.sizes.push_back(measure_size(n));
        const std::int64_t total = totals[layer->second];
        measured.totals.push_back(total);
        objective.terms.push_back({.weight = term.weight,
                                   .times = term.r + term.s,
                                   .constant = term.r * total,
                                   .per_ngram = term.s * references,
                                   .layer = layer->second,
                                   .size = size->second});
        if (!grams || (settings_.across && n > 1)) objective.exact = false;
        // Places that are marked, the order of sentences and their joints are not told by the rows of a layer.
        if (!grams || (settings_.across && n > 1)) objective.ordered = true;
    }
    if (settings_.across) admit(cover_ngrams(1).layer);
    return measured;
}

}  // namespace

std::vector<std::int64_t> count_totals(const Texts& texts, const Settings& settings) {
    std::vector<std::int64_t> totals;
    std::vector<std::uint32_t> ids;
    for (const Term& term : settings.terms) {
        std::int64_t& total = totals.emplace_back(0);
        for (const auto& reference : texts.references) {
            const text::Runs runs = runs_of(reference, settings);
            if (settings.distinct && term.kind == Kind::ngrams) {
                text::NgramTable table(term.n);
                ids.clear();
                table.intern(runs, ids);
                total += static_cast<std::int64_t>(table.size());
            } else {
                total += text::count_ngrams(runs, size_of(term));
            }
        }
    }
    return totals;
}

std::vector<std::uint32_t> find_candidates(const Texts& texts, const Settings& settings) {
    std::set<std::uint32_t> sizes;
    for (const Term& term : settings.terms) sizes.insert(size_of(term));
    if (settings.across) sizes.insert(1);
    std::vector<std::uint8_t> found(texts.sentences.size(), 0);
    std::vector<std::uint32_t> ids;
    for (const std::uint32_t n : sizes) {
        text::NgramTable table(n);
        for (const auto& reference : texts.references) {
            ids.clear();
            table.intern(runs_of(reference, settings), ids);
        }
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (found[i]) continue;
            ids.clear();
            table.find({&texts.sentences[i], 1}, ids);
            found[i] = !ids.empty();
        }
    }
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < found.size(); ++i)
        if (found[i]) all.push_back(i);
    return all;
}

Measured measure(const Texts& texts, const Settings& settings, search::Clock& clock) {
    return Builder(texts, settings, clock).build();
}

search::Maximised know_nothing(const Settings& settings, search::StopReason stopped) {
    std::int64_t most = 0;
    for (const Term& term : settings.terms) most += term.weight;
    search::Maximised nothing;
    nothing.upper = search::FractionSum({{most, 1}});
    nothing.stopped = stopped;
    return nothing;
}

}  // namespace oraclesum::measure
