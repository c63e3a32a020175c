// A document gives the family that its text has, and says when there is nothing to search.
#include "oraclesum/corpus/document.hpp"

#include "check.hpp"

using oraclesum::corpus::Answer;
using oraclesum::corpus::count_words;
using oraclesum::corpus::Document;
using oraclesum::corpus::enumerate_document;
using oraclesum::corpus::RememberedWords;
using oraclesum::corpus::Settings;

namespace {

Settings settings_of(std::int64_t max_words) {
    return {.n = 2,
            .words = {.stem = true, .remove_stop_words = false},
            .max_words = max_words,
            .max_sentences = std::nullopt,
            .max_bytes = std::nullopt,
            .within_hits = 0,
            .minimal = false,
            .max_list = 10,
            .threads = 1,
            .time_limit = std::nullopt,
            .max_memory = std::size_t{1} << 28};
}

Answer run(const Document& document, const Settings& settings) {
    oraclesum::text::Vocabulary vocabulary(settings.words);
    return enumerate_document(document, settings, vocabulary, {});
}

const Document cats{{"the cat sat down", "a dog ran off", "The cat sat down"}, {{"the cat sat", "down there"}}};

}  // namespace

TEST(a_document_gives_every_oracle) {
    const Answer answer = run(cats, settings_of(4));
    CHECK(answer.searched && answer.collected);
    CHECK(answer.hits == 3 && answer.total == 4 && answer.upper_bound == 3);
    CHECK(answer.count == oraclesum::search::Natural(2));
    CHECK(answer.sets.size() == 2 && answer.sets[0][0] == 0 && answer.sets[1][0] == 2);
    CHECK((answer.inclusion == std::vector<double>{0.5, 0.0, 0.5}));
}

TEST(the_list_ends_where_the_caller_says_and_the_count_does_not) {
    Settings settings = settings_of(4);
    settings.max_list = 1;
    const Answer answer = run(cats, settings);
    CHECK(answer.sets.size() == 1 && answer.count == oraclesum::search::Natural(2));
}

TEST(nothing_is_searched_without_a_candidate_or_a_reference_word) {
    CHECK(!run(cats, settings_of(3)).searched);
    CHECK(!run({{"the cat"}, {{"..."}}}, settings_of(4)).searched);
    CHECK(!run({{"the cat"}, {{"the cat"}, {}}}, settings_of(4)).searched);
    CHECK(!run({{"the cat"}, {{"cat"}}}, settings_of(4)).searched);
}

TEST(words_met_in_earlier_documents_change_no_answer) {
    const Settings settings = settings_of(4);
    const auto ask = [&](const Document& document) {
        return enumerate_document(document, settings, *RememberedWords(settings.words), {});
    };
    const Answer first = ask(cats);
    (void)ask({{"down sat the cat dogs"}, {{"dogs sat the cat"}}});
    const Answer again = ask(cats);
    CHECK(first.hits == again.hits && first.count == again.count && first.nodes == again.nodes);
    CHECK(first.inclusion == again.inclusion);
    CHECK((*RememberedWords({.stem = false, .remove_stop_words = false})).size() == 0);
    CHECK((*RememberedWords(settings.words)).size() > 0);  // other settings took nothing away
}

TEST(words_that_are_remembered_are_in_the_hands_of_one) {
    const oraclesum::text::Settings words = settings_of(4).words;
    const RememberedWords one(words);
    const RememberedWords other(words);
    CHECK(&*one != &*other);
}

// Words drawn from few: many sets are nearly as good as the best.
TEST(a_family_too_large_for_its_memory_gives_the_same_sums) {
    std::uint64_t state = 1;
    const auto draw = [&](std::size_t words) {
        std::string text;
        for (std::size_t k = 0; k < words; ++k) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            text += static_cast<char>('a' + (state >> 33U) % 14);
            text += ' ';
        }
        return text;
    };
    std::vector<std::string> texts(40);
    for (std::string& text : texts) text = draw(8);
    const std::string wanted = draw(120);
    const Document document{{texts.begin(), texts.end()}, {{wanted}}};
    Settings settings = settings_of(64);
    settings.within_hits = 4;
    const Answer whole = run(document, settings);
    settings.max_memory = 1;
    const Answer parts = run(document, settings);
    CHECK(whole.collected && !whole.streamed);
    CHECK(parts.collected && parts.streamed);
    CHECK(parts.hits == whole.hits && parts.count == whole.count);
    CHECK(parts.inclusion == whole.inclusion && parts.containing == whole.containing);
    CHECK(parts.sets.size() == settings.max_list);
}

TEST(a_family_that_was_counted_has_a_set_wherever_time_ends) {
    std::vector<std::string> texts(300, "the");
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t word = 0; word < 4 + i % 7; ++word) texts[i] += " x";
    const Document document{{texts.begin(), texts.end()}, {{"the end"}}};
    Settings settings = settings_of(1500);
    settings.n = 1;
    oraclesum::text::Vocabulary vocabulary(settings.words);
    bool whole = false;
    for (int last = 0; !whole; ++last) {
        int asked = 0;  // who says yes once stands for the clock: what has a second more asks again
        const Answer answer = enumerate_document(document, settings, vocabulary, [&] { return asked++ == last; });
        whole = asked <= last;
        CHECK(answer.searched);
        if (answer.collected) CHECK(answer.sets.size() > 0);
    }
}

TEST(words_are_those_of_perls_split) {
    CHECK(count_words("") == 0);
    CHECK(count_words(" a\tb\v-- \xc2\xa0 c\n") == 6);
    CHECK(count_words(" \t") == 0);
    CHECK(count_words("a ") == 1);
}
