// The kernel's test harness: named cases, and checks that print file and line.
#pragma once

namespace oraclesum::testing {

// Enters a case of `file`; main.cpp runs it.
struct Register {
    Register(const char* file, const char* name, void (*run)());
};

void fail(const char* file, int line, const char* condition);

// How many random examples to try: `wide` with ORACLESUM_WIDE=1, else a quarter, as sanitizers make each of them slow.
int rounds(int wide);

}  // namespace oraclesum::testing

#define TEST(name)                                                                    \
    static void name();                                                               \
    static const oraclesum::testing::Register register_##name(__FILE__, #name, name); \
    static void name()

#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) oraclesum::testing::fail(__FILE__, __LINE__, #condition); \
    } while (false)
