# Turns the word lists in data/ into lines of C++ that lexicon.cpp includes.
set(data ${CMAKE_CURRENT_LIST_DIR}/data)
set(ORACLESUM_TEXT_TABLES ${CMAKE_CURRENT_BINARY_DIR}/text_tables)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${data}/exceptions.txt ${data}/stop_words.txt)

file(READ ${data}/exceptions.txt exceptions)
string(REGEX REPLACE "([^ \n]+) ([^ \n]+)\n" "{\"\\1\", \"\\2\"},\n" exceptions "${exceptions}")
file(CONFIGURE OUTPUT ${ORACLESUM_TEXT_TABLES}/exceptions.inc CONTENT "@exceptions@" @ONLY)

file(READ ${data}/stop_words.txt stop_words)
string(REGEX REPLACE "([^\n]+)\n" "\"\\1\",\n" stop_words "${stop_words}")
file(CONFIGURE OUTPUT ${ORACLESUM_TEXT_TABLES}/stop_words.inc CONTENT "@stop_words@" @ONLY)
