// The order of ROUGE-1.5.5: stop words on the bare token, then the exception lists, then Porter.
#include "oraclesum/text/vocabulary.hpp"

#include <array>

#include "lexicon.hpp"
#include "porter.hpp"
#include "tokens.hpp"

namespace oraclesum::text {

Resolved resolve_token(std::string_view token, Settings settings, std::string& scratch) {
    if (settings.remove_stop_words && is_stop_word(token)) return {{}, false};
    // Tokens of up to three letters are never stemmed nor looked up.
    if (!settings.stem || token.size() <= 3) return {token, true};
    if (settings.rules == Rules::rouge_155) {
        if (const auto base = find_exception(token)) return {*base, true};
        scratch.assign(token);
        stem_porter(scratch);
    } else {
        scratch.assign(token);
        stem_nltk(scratch);
    }
    return {scratch, true};
}

void Vocabulary::analyse(std::string_view text, std::vector<std::uint32_t>& ids) {
    // Each token is looked up a few tokens before it is needed: the table does not fit into the nearer caches.
    constexpr std::size_t ahead = 8;
    std::array<Interner::Sought, ahead> waiting;
    std::size_t count = 0;
    if (ids.empty()) ids.reserve(text.size() / 4);  // most words are longer
    for_each_token(text, settings_.rules, buffer_, [&](std::string_view token) {
        Interner::Sought& place = waiting[count % ahead];
        if (count >= ahead) take(place, ids);
        place = tokens_.look_up(token);
        ++count;
    });
    for (std::size_t at = count < ahead ? 0 : count - ahead; at < count; ++at) take(waiting[at % ahead], ids);
}

void Vocabulary::take(const Interner::Sought& token, std::vector<std::uint32_t>& ids) {
    const std::uint32_t id = tokens_.intern(token).id;
    // A token whose first analysis ran out of memory is analysed when it is met again.
    if (id >= meanings_.size()) meanings_.resize(tokens_.size(), unknown);
    if (meanings_[id] == unknown) {
        const auto [word, kept] = resolve_token(token.bytes, settings_, scratch_);
        meanings_[id] = kept ? words_.intern(word).id : dropped;
    }
    if (meanings_[id] != dropped) ids.push_back(meanings_[id]);
}

}  // namespace oraclesum::text
