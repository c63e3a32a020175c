// What the Porter stemmers share: letters, the measure m of a stem, tables of suffixes, and step 3.
//
// A letter other than aeiou is a consonant (digits too); y is a vowel after a consonant, and a consonant elsewhere.
// m counts how often a run of vowels is followed by a run of consonants.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace oraclesum::text {

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
inline int measure(std::string_view stem) {
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

inline bool has_vowel(std::string_view stem) {
    Walk walk;
    for (const char letter : stem)
        if (walk.vowel(letter)) return true;
    return false;
}

// Most words end in none of a table's suffixes, which one letter tells in most cases.
inline bool ends_in(std::string_view word, std::string_view suffix) {
    return word.back() == suffix.back() && word.ends_with(suffix);
}

inline std::string_view without(const std::string& word, std::size_t letters) {
    return std::string_view(word).substr(0, word.size() - letters);
}

// Replaces the longest suffix of the table that the word ends in, where the rest has m > 0.
inline void replace_suffix(std::string& word, std::span<const Rule> rules) {
    for (const Rule& rule : rules) {
        if (!ends_in(word, rule.suffix)) continue;
        if (measure(without(word, rule.suffix.size())) > 0) {
            word.erase(word.size() - rule.suffix.size());
            word.append(rule.replacement);
        }
        return;
    }
}

inline void step_3(std::string& word) {
    static constexpr Rule rules[] = {
        {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
    };
    replace_suffix(word, rules);
}

}  // namespace oraclesum::text
