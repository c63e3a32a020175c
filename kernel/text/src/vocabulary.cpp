// The order of ROUGE-1.5.5: stop words on the bare token, then the exception lists, then Porter.
#include "oraclesum/text/vocabulary.hpp"

#include "oraclesum/text/lexicon.hpp"
#include "oraclesum/text/porter.hpp"
#include "oraclesum/text/tokens.hpp"

namespace oraclesum::text {

Resolved resolve_token(std::string_view token, Settings settings, std::string& scratch) {
    if (settings.remove_stop_words && is_stop_word(token)) return {{}, false};
    // Tokens of up to three letters are never stemmed nor looked up.
    if (!settings.stem || token.size() <= 3) return {token, true};
    if (const auto base = find_exception(token)) return {*base, true};
    scratch.assign(token);
    stem_porter(scratch);
    return {scratch, true};
}

void Vocabulary::analyse(std::string_view text, std::vector<std::uint32_t>& ids) {
    for_each_token(text, buffer_, [&](std::string_view token) {
        const auto [id, fresh] = tokens_.intern(token);
        if (fresh) {
            const auto [word, kept] = resolve_token(token, settings_, scratch_);
            meanings_.push_back({kept ? words_.intern(word).id : 0, kept});
        }
        const Meaning meaning = meanings_[id];
        if (meaning.kept) ids.push_back(meaning.word);
    });
}

}  // namespace oraclesum::text
