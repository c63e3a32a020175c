// Porter's algorithm with NLTK's extensions, which is what rouge_score stems with.
//
// Letters, m and the steps are those of porter.cpp; where the two differ a comment says how.
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "porter.hpp"
#include "stem_parts.hpp"

namespace oraclesum::text {

namespace {

struct Irregular {
    std::string_view word;
    std::string_view stem;
};

constexpr std::array irregular = {
    Irregular{"sky", "sky"},         Irregular{"skies", "sky"},        Irregular{"dying", "die"},
    Irregular{"lying", "lie"},       Irregular{"tying", "tie"},        Irregular{"news", "news"},
    Irregular{"innings", "inning"},  Irregular{"inning", "inning"},    Irregular{"outings", "outing"},
    Irregular{"outing", "outing"},   Irregular{"cannings", "canning"}, Irregular{"canning", "canning"},
    Irregular{"howe", "howe"},       Irregular{"proceed", "proceed"},  Irregular{"exceed", "exceed"},
    Irregular{"succeed", "succeed"},
};

bool last_is_consonant(std::string_view word) {
    Walk walk;
    bool vowel = false;
    for (const char letter : word) vowel = walk.vowel(letter);
    return !word.empty() && !vowel;
}

// The word ends in consonant, vowel, consonant other than w, x, y; here also a word that is a vowel and a consonant.
bool ends_in_short_syllable(std::string_view word) {
    if (word.size() < 2) return false;
    Walk walk;
    bool third = false, second = false, last = false;  // vowels, counted from the end
    for (const char letter : word) third = second, second = last, last = walk.vowel(letter);
    if (word.size() == 2) return second && !last;
    const char letter = word.back();
    return !third && second && !last && letter != 'w' && letter != 'x' && letter != 'y';
}

void step_1a(std::string& word) {
    if (word.ends_with("ies"))
        word.erase(word.size() - (word.size() == 4 ? 1 : 2));  // dies gives die, flies gives fli
    else if (word.ends_with("sses"))
        word.erase(word.size() - 2);
    else if (word.ends_with('s') && !word.ends_with("ss"))
        word.pop_back();
}

void step_1b(std::string& word) {
    if (word.ends_with("ied")) {  // died gives die, spied gives spi
        word.erase(word.size() - (word.size() == 4 ? 1 : 2));
        return;
    }
    if (word.ends_with("eed")) {
        if (measure(without(word, 3)) > 0) word.pop_back();
        return;
    }
    const std::size_t suffix = word.ends_with("ed") ? 2 : word.ends_with("ing") ? 3 : 0;
    if (suffix == 0 || !has_vowel(without(word, suffix))) return;
    word.erase(word.size() - suffix);
    const char last = word.back();
    if (word.ends_with("at") || word.ends_with("bl") || word.ends_with("iz")) {
        word.push_back('e');
    } else if (word.size() > 1 && word[word.size() - 2] == last && last_is_consonant(word)) {
        if (last != 'l' && last != 's' && last != 'z') word.pop_back();
    } else if (measure(word) == 1 && ends_in_short_syllable(word)) {
        word.push_back('e');
    }
}

// After a consonant that is not the whole stem: spy gives spi, enjoy stays.
void step_1c(std::string& word) {
    if (word.size() > 2 && word.ends_with('y') && last_is_consonant(without(word, 1))) word.back() = 'i';
}

void step_2(std::string& word) {
    static constexpr Rule rules[] = {
        {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
        {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},     {"ousli", "ous"},
        {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},  {"iveness", "ive"},
        {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"}, {"biliti", "ble"},
        {"fulli", "ful"},
    };
    // alli comes first, and what it leaves is looked at again.
    while (word.ends_with("alli") && measure(without(word, 4)) > 0) word.erase(word.size() - 2);
    if (word.ends_with("logi")) {
        if (measure(without(word, 3)) > 0) word.pop_back();  // the l counts as part of the stem
        return;
    }
    replace_suffix(word, rules);
}

// One suffix, and no other after it.
void step_4(std::string& word) {
    static constexpr std::string_view suffixes[] = {"al",  "ance",  "ence", "er",  "ic",  "able", "ible",
                                                    "ant", "ement", "ment", "ent", "ion", "ou",   "ism",
                                                    "ate", "iti",   "ous",  "ive", "ize"};
    for (const std::string_view suffix : suffixes) {
        if (!ends_in(word, suffix)) continue;
        const std::string_view stem = without(word, suffix.size());
        const bool fits = suffix != "ion" || stem.ends_with('s') || stem.ends_with('t');
        if (fits && measure(stem) > 1) word.erase(word.size() - suffix.size());
        return;
    }
}

void step_5(std::string& word) {
    if (word.ends_with('e')) {
        const std::string_view stem = without(word, 1);
        const int m = measure(stem);
        if (m > 1 || (m == 1 && !ends_in_short_syllable(stem))) word.pop_back();
    }
    if (word.ends_with("ll") && measure(without(word, 1)) > 1) word.pop_back();
}

}  // namespace

void stem_nltk(std::string& word) {
    for (const Irregular& one : irregular)
        if (word == one.word) {
            word = one.stem;
            return;
        }
    if (word.size() < 3) return;
    step_1a(word);
    step_1b(word);
    step_1c(word);
    step_2(word);
    step_3(word);
    step_4(word);
    step_5(word);
}

}  // namespace oraclesum::text
