// Tokens, stop words, exceptions and stems come out as ROUGE-1.5.5 makes them.
#include "oraclesum/text/vocabulary.hpp"

#include <string>

#include "check.hpp"
#include "lexicon.hpp"
#include "porter.hpp"

using oraclesum::text::find_exception;
using oraclesum::text::Interner;
using oraclesum::text::Settings;
using oraclesum::text::Vocabulary;

namespace {

std::string analyse(std::string_view text, Settings settings) {
    Vocabulary vocabulary(settings);
    std::vector<std::uint32_t> ids;
    vocabulary.analyse(text, ids);
    std::string joined;
    for (const std::uint32_t id : ids) {
        if (!joined.empty()) joined += ' ';
        joined += vocabulary.word(id);
    }
    return joined;
}

std::string plain(std::string_view text) { return analyse(text, {false, false}); }
std::string stemmed(std::string_view text) { return analyse(text, {true, false}); }

}  // namespace

TEST(everything_but_ascii_letters_and_digits_separates) {
    CHECK(plain("State-of-the-art, doesn't U.S. 1,000 3.14 a_b $5%") ==
          "state of the art doesn t u s 1 000 3 14 a b 5");
    CHECK(plain("caf\xc3\xa9 na\xc3\xafve") == "caf na ve");
    CHECK(plain("\xe2\x84\xaa"
                "elvin \xc4\xb0x \xef\xbc\x91") == "elvin x");
    CHECK(plain("").empty());
    CHECK(plain(" -- \n\t").empty());
    CHECK(plain(std::string_view("a\0b", 3)) == "a b");
    CHECK(plain("@[`{/:") == "");
    CHECK(plain("AZaz09") == "azaz09");
}

TEST(step_4_goes_on_where_a_suffix_was_dropped) {
    CHECK(stemmed("sediment statement argument element parliament tournament") ==
          "sedim statem argum elem parliam tournam");
    CHECK(stemmed("accidentally experimental experiments governmental") == "accid experi experi govern");
    CHECK(stemmed("professional commissioner executioner") == "profess commiss execut");
}

TEST(the_other_steps_are_porters) {
    CHECK(stemmed("caresses ponies caress cats 1990s 747s") == "caress poni caress cat 1990 747");
    CHECK(stemmed("agreed plastered screed motoring sing conflated troubled sized") ==
          "agre plaster screed motor sing conflat troubl size");
    CHECK(stemmed("hopping falling hissing failing filing happy sky days enjoy") ==
          "hop fall hiss fail file happi sky dai enjoi");
    CHECK(stemmed("technology assembly rate cease controll roll yellow yyyy") ==
          "technolog assembl rate ceas control roll yellow yyyi");
}

TEST(short_tokens_stay_as_they_are) { CHECK(stemmed("ate ran men is has ties") == "ate ran men is has ti"); }

TEST(exceptions_replace_stemming) {
    CHECK(stemmed("went carried carries carrying best better customer customers") ==
          "go carry carri carri well well customer custom");
    CHECK(find_exception("offer") == "offer");
    CHECK(!find_exception("ashes").has_value());
    CHECK(!find_exception("").has_value());
}

TEST(stop_words_go_before_stems) {
    CHECK(analyse("The cat in the hat doesn't", {false, true}) == "cat hat doesn");
    CHECK(analyse("wells first last name reuters better", {true, true}) == "well first last name");
}

TEST(a_word_keeps_its_id) {
    Vocabulary vocabulary({true, false});
    std::vector<std::uint32_t> ids;
    vocabulary.analyse("cat Cats dog", ids);
    vocabulary.analyse("dogs CAT's", ids);
    CHECK((ids == std::vector<std::uint32_t>{0, 0, 1, 1, 0, 2}));
    CHECK(vocabulary.size() == 3);
}

TEST(interning_survives_growth) {
    Interner interner;
    for (std::uint32_t i = 0; i < 5000; ++i) {
        const auto [id, fresh] = interner.intern("word" + std::to_string(i * 7919U));
        CHECK(id == i && fresh);
    }
    for (std::uint32_t i = 0; i < 5000; ++i) {
        const auto [id, fresh] = interner.intern("word" + std::to_string(i * 7919U));
        CHECK(id == i && !fresh);
    }
    CHECK(interner.size() == 5000);
    CHECK(interner[17] == "word" + std::to_string(17 * 7919));
}

TEST(a_stem_is_never_longer_than_its_word) {
    for (std::string word : {"ing", "zed", "bling", "ated", "aized", "oed", "yed", "eeeed", "ll", "a", ""}) {
        const std::size_t before = word.size();
        oraclesum::text::stem_porter(word);
        CHECK(word.size() <= before);
    }
}
