// Porter's algorithm with Martin Porter's two departures (bli, logi) and Lin's sequential step 4.
//
// A letter other than aeiou is a consonant (digits too); y is a vowel after a consonant, and a consonant elsewhere.
// m counts how often a run of vowels is followed by a run of consonants.
#include "porter.hpp"

#include <span>
#include <string_view>

namespace oraclesum::text {

namespace {

struct Rule {
    std::string_view suffix;
    std::string_view replacement;
};

constexpr bool plain_vowel(char letter) {
    return letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u';
}

// Walks a word from its start, which is the only direction in which y can be told apart.
class Walk {
public:
    bool vowel(char letter) {
        last_vowel_ = plain_vowel(letter) || (letter == 'y' && !first_ && !last_vowel_);
        first_ = false;
        return last_vowel_;
    }

private:
    bool first_ = true;
    bool last_vowel_ = false;
};

// m of a stem, counted no further than 2: no rule asks for more.
int measure(std::string_view stem) {
    Walk walk;
    bool before = false;
    int m = 0;
    for (const char letter : stem) {
        const bool now = walk.vowel(letter);
        if (before && !now && ++m == 2) return m;
        before = now;
    }
    return m;
}

bool has_vowel(std::string_view stem) {
    Walk walk;
    for (const char letter : stem)
        if (walk.vowel(letter)) return true;
    return false;
}

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

// Most words end in none of a table's suffixes, which one letter tells in most cases.
bool ends_in(std::string_view word, std::string_view suffix) {
    return word.back() == suffix.back() && word.ends_with(suffix);
}

std::string_view without(const std::string& word, std::size_t letters) {
    return std::string_view(word).substr(0, word.size() - letters);
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

// Replaces the longest suffix of the table that the word ends in, if the rest has m > 0.
void replace_suffix(std::string& word, std::span<const Rule> rules) {
    for (const Rule& rule : rules) {
        if (!ends_in(word, rule.suffix)) continue;
        if (measure(without(word, rule.suffix.size())) > 0) {
            word.erase(word.size() - rule.suffix.size());
            word.append(rule.replacement);
        }
        return;
    }
}

// Of two suffixes of which one ends in the other, the longer stands first.
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

void step_3(std::string& word) {
    static constexpr Rule rules[] = {
        {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
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
