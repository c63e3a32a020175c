// The order of ROUGE-1.5.5: stop words on the bare token, then the exception lists, then Porter.
#include "oraclesum/text/vocabulary.hpp"

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
    for_each_token(text, settings_.rules, buffer_, [&](std::string_view token) {
        const std::uint32_t id = tokens_.intern_readable(token).id;
        // A token whose first analysis ran out of memory is analysed when it is met again.
        if (id >= meanings_.size()) meanings_.resize(tokens_.size(), {0, false, false});
        if (!meanings_[id].known) {
            const auto [word, kept] = resolve_token(token, settings_, scratch_);
            meanings_[id] = {kept ? words_.intern(word).id : 0, kept, true};
        }
        const Meaning meaning = meanings_[id];
        if (meaning.kept) ids.push_back(meaning.word);
    });
}

}  // namespace oraclesum::text
