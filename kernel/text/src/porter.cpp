// Porter's algorithm with Martin Porter's two departures (bli, logi) and Lin's sequential step 4.
#include "porter.hpp"

#include <string_view>

#include "stem_parts.hpp"

namespace oraclesum::text {

namespace {

// The whole stem is consonants, one vowel, one consonant other than w, x, y: m = 1 and *o in Porter's paper.
bool short_stem(std::string_view stem) {
    if (stem.size() < 3) return false;
    const char last = stem.back();
    if (plain_vowel(last) || last == 'w' || last == 'x' || last == 'y') return false;
    Walk walk;
    for (std::size_t i = 0; i < stem.size(); ++i)
        if (walk.vowel(stem[i]) != (i == stem.size() - 2)) return false;
    return true;
}

void step_1(std::string& word) {
    if (word.ends_with("sses") || word.ends_with("ies"))
        word.erase(word.size() - 2);
    else if (word.ends_with('s') && !word.ends_with("ss"))
        word.pop_back();

    if (word.ends_with("eed")) {
        if (measure(without(word, 3)) > 0) word.pop_back();
    } else {
        const std::size_t suffix = word.ends_with("ed") ? 2 : word.ends_with("ing") ? 3 : 0;
        if (suffix > 0 && has_vowel(without(word, suffix))) {
            word.erase(word.size() - suffix);
            const char last = word.back();
            if (word.ends_with("at") || word.ends_with("bl") || word.ends_with("iz"))
                word.push_back('e');
            else if (word.size() > 1 && word[word.size() - 2] == last && !plain_vowel(last) && last != 'y' &&
                     last != 'l' && last != 's' && last != 'z')
                word.pop_back();
            else if (short_stem(word))
                word.push_back('e');
        }
    }

    if (word.ends_with('y') && has_vowel(without(word, 1))) word.back() = 'i';
}

// Of two suffixes where one ends in the other, the longer stands first.
void step_2(std::string& word) {
    static constexpr Rule rules[] = {
        {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
        {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},     {"ousli", "ous"},
        {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},  {"iveness", "ive"},
        {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"}, {"biliti", "ble"},
        {"logi", "log"},
    };
    replace_suffix(word, rules);
}

void drop_suffix(std::string& word, std::size_t letters) {
    if (measure(without(word, letters)) > 1) word.erase(word.size() - letters);
}

// Lin's order: the long list, then ment, then ent or ion, each on what the one before has left.
void step_4(std::string& word) {
    static constexpr std::string_view suffixes[] = {"al",    "ance", "ence", "er",  "ic",  "able", "ible", "ant",
                                                    "ement", "ou",   "ism",  "ate", "iti", "ous",  "ive",  "ize"};
    for (const std::string_view suffix : suffixes)
        if (ends_in(word, suffix)) {
            drop_suffix(word, suffix.size());
            break;
        }
    if (word.ends_with("ment")) drop_suffix(word, 4);
    if (word.ends_with("ent"))
        drop_suffix(word, 3);
    else if (word.ends_with("sion") || word.ends_with("tion"))
        drop_suffix(word, 3);
}

void step_5(std::string& word) {
    if (word.ends_with('e')) {
        const std::string_view stem = without(word, 1);
        const int m = measure(stem);
        if (m > 1 || (m == 1 && !short_stem(stem))) word.pop_back();
    }
    if (word.ends_with("ll") && measure(word) > 1) word.pop_back();
}

}  // namespace

void stem_porter(std::string& word) {
    if (word.size() < 3) return;
    step_1(word);
    step_2(word);
    step_3(word);
    step_4(word);
    step_5(word);
}

}  // namespace oraclesum::text
