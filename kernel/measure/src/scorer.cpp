// Exact counts of a set of sentences under every kind of term, straight from the words.
#include <algorithm>
#include <unordered_map>

#include "lcs.hpp"
#include "oraclesum/measure/measure.hpp"

namespace oraclesum::measure {

namespace {

using Set = std::span<const std::uint32_t>;
using search::Tally;

// Adds up, for ids that come one by one, how many of them are hits.
class Counter {
public:
    void reserve(std::size_t ids) {
        if (seen_.size() < ids) seen_.resize(ids, 0);
    }
    // How often `id` came before, in this round.
    std::uint32_t next(std::uint32_t id) {
        reserve(id + 1);
        if (seen_[id] == 0) touched_.push_back(id);
        return seen_[id]++;
    }
    void clear() {
        for (const std::uint32_t id : touched_) seen_[id] = 0;
        touched_.clear();
    }

private:
    std::vector<std::uint32_t> seen_;
    std::vector<std::uint32_t> touched_;
};

class Part {
public:
    virtual ~Part() = default;
    virtual Tally count(Set set) = 0;
};

class NgramPart : public Part {
public:
    NgramPart(const Texts& texts, std::uint32_t n, const Settings& settings)
        : texts_(texts), table_(n), across_(settings.across), distinct_(settings.distinct) {
        for (const auto& reference : texts.references) {
            ids_.clear();
            text::Words words;
            for (const text::Words& part : reference) words.insert(words.end(), part.begin(), part.end());
            table_.intern(settings.references_within ? reference : text::Runs{words}, ids_);
            for (const std::uint32_t id : ids_) {
                const std::size_t k = counter_.next(id);
                if (distinct_ && k > 0) continue;
                if (gains_.size() <= id) gains_.resize(id + 1);
                if (gains_[id].size() <= k) gains_[id].resize(k + 1, 0);
                ++gains_[id][k];
            }
            counter_.clear();
        }
        rows_.resize(texts.sentences.size());
    }

    Tally count(Set set) override {
        Tally tally;
        if (across_ && table_.n() > 1) {
            joined_.front().clear();
            for (const std::uint32_t i : set)
                joined_.front().insert(joined_.front().end(), texts_.sentences[i].begin(), texts_.sentences[i].end());
            ids_.clear();
            table_.intern(joined_, ids_);
            add(ids_, tally);
        } else {
            for (const std::uint32_t i : set) {
                if (rows_[i].empty())
                    table_.intern({&texts_.sentences[i], 1}, rows_[i]);  // few sentences are ever asked for
                add(rows_[i], tally);
            }
        }
        counter_.clear();
        return tally;
    }

private:
    void add(const std::vector<std::uint32_t>& ids, Tally& tally) {
        for (const std::uint32_t id : ids) {
            const std::uint32_t k = counter_.next(id);
            if (distinct_ && k > 0) continue;
            ++tally.size;
            if (id < gains_.size() && k < gains_[id].size()) tally.hits += gains_[id][k];
        }
    }

    const Texts& texts_;
    text::NgramTable table_;
    bool across_, distinct_;
    std::vector<std::vector<std::int64_t>> gains_;  // gain k: references that have the n-gram more than k times
    std::vector<std::vector<std::uint32_t>> rows_;
    std::vector<std::uint32_t> ids_;
    text::Runs joined_{1};
    Counter counter_;
};

class SubsequencePart : public Part {
public:
    SubsequencePart(const Texts& texts, Meter* meter) : texts_(texts) {
        for (const auto& reference : texts.references) {
            text::Words words;
            for (const text::Words& part : reference) words.insert(words.end(), part.begin(), part.end());
            references_.emplace_back(words, meter);
        }
    }

    Tally count(Set set) override {
        Tally tally;
        for (const std::uint32_t i : set) tally.size += static_cast<std::int64_t>(texts_.sentences[i].size());
        for (Subsequence& reference : references_) {
            reference.restart();
            for (const std::uint32_t i : set) reference.append(texts_.sentences[i]);
            tally.hits += reference.length();
        }
        return tally;
    }

private:
    const Texts& texts_;
    std::vector<Subsequence> references_;
};

class UnionPart : public Part {
public:
    UnionPart(const Texts& texts, Meter* meter) : texts_(texts), known_(texts.sentences.size(), 0), marker_(meter) {
        for (const auto& reference : texts.references) {
            Reference& made = references_.emplace_back();
            for (const text::Words& part : reference) made.words.insert(made.words.end(), part.begin(), part.end());
            made.marks.resize(texts.sentences.size());
        }
    }

    Tally count(Set set) override {
        Tally tally;
        for (const std::uint32_t i : set)
            if (!known_[i]) mark(i);
        for (const std::uint32_t i : set) {
            tally.size += static_cast<std::int64_t>(texts_.sentences[i].size());
            for (const std::uint32_t word : texts_.sentences[i]) ++counts_[word];
        }
        for (Reference& reference : references_) {
            marked_.assign(reference.words.size(), 0);
            used_.clear();
            for (const std::uint32_t i : set)
                for (const std::uint32_t place : reference.marks[i]) marked_[place] = 1;
            for (std::size_t place = 0; place < marked_.size(); ++place)
                if (marked_[place] && used_[reference.words[place]]++ < counts_[reference.words[place]]) ++tally.hits;
        }
        counts_.clear();
        return tally;
    }

private:
    // Few sentences are ever asked for. One that time ended is marked anew.
    void mark(std::uint32_t i) {
        for (std::size_t r = 0; r < references_.size(); ++r) {
            references_[r].marks[i].clear();
            std::uint32_t first = 0;
            for (const text::Words& part : texts_.references[r]) {
                marker_.mark(part, texts_.sentences[i], places_);
                for (const std::uint32_t place : places_) references_[r].marks[i].push_back(first + place);
                first += static_cast<std::uint32_t>(part.size());
            }
        }
        known_[i] = 1;
    }

    struct Reference {
        text::Words words;
        std::vector<std::vector<std::uint32_t>> marks;  // per sentence
    };
    const Texts& texts_;
    std::vector<Reference> references_;
    std::unordered_map<std::uint32_t, std::uint32_t> counts_, used_;
    std::vector<std::uint8_t> marked_;
    std::vector<std::uint8_t> known_;  // per sentence: its marks are
    Marker marker_;
    std::vector<std::uint32_t> places_;
};

class TextScorer : public search::Scorer {
public:
    TextScorer(const Texts& texts, const Settings& settings, Meter meter) : meter_(meter) {
        for (const Term& term : settings.terms) {
            if (term.kind == Kind::lcs)
                parts_.push_back(std::make_unique<SubsequencePart>(texts, &meter_));
            else if (term.kind == Kind::lcs_sum)
                parts_.push_back(std::make_unique<UnionPart>(texts, &meter_));
            else
                parts_.push_back(std::make_unique<NgramPart>(texts, term.n, settings));
        }
    }

    void count(Set set, std::span<Tally> tallies) override {
        meter_.begin();
        meter_.spend(1);
        for (std::size_t t = 0; t < parts_.size(); ++t) tallies[t] = parts_[t]->count(set);
    }

private:
    Meter meter_;  // of all parts, which point to it
    std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace

std::unique_ptr<search::Scorer> make_scorer(const Texts& texts, const Settings& settings, const search::Bounds* bounds,
                                            std::size_t free_steps) {
    return std::make_unique<TextScorer>(texts, settings, Meter(bounds, free_steps));
}

}  // namespace oraclesum::measure
