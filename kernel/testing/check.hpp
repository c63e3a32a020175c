// The kernel's test harness: named cases, checks that print file and line, exit status 1 on a failure.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace oraclesum::testing {

struct Case {
    std::string name;
    std::function<void()> run;
};

inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

inline int& failures() {
    static int count = 0;
    return count;
}

struct Register {
    Register(const char* name, std::function<void()> run) { cases().push_back({name, std::move(run)}); }
};

inline int run_all() {
    for (const Case& test : cases()) {
        const int before = failures();
        test.run();
        std::printf("%s %s\n", failures() == before ? "ok  " : "FAIL", test.name.c_str());
    }
    return failures() == 0 ? 0 : 1;
}

}  // namespace oraclesum::testing

#define TEST(name)                                                                 \
    static void name();                                                            \
    static const oraclesum::testing::Register register_##name(#name, name);        \
    static void name()

#define CHECK(condition)                                                           \
    do {                                                                           \
        if (!(condition)) {                                                        \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
            ++oraclesum::testing::failures();                                      \
        }                                                                          \
    } while (false)

#define TEST_MAIN                                                                  \
    int main() { return oraclesum::testing::run_all(); }
