// Runs the cases of the test files that the arguments name, or all; exit status 1 if a check failed or nothing ran.
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "check.hpp"

namespace oraclesum::testing {
namespace {

struct Case {
    std::string_view file;
    const char* name;
    void (*run)();
};

std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

int failures = 0;

bool wanted(std::string_view file, std::span<char*> names) {
    for (const std::string_view name : names)
        if (file.ends_with(name)) return true;
    return names.empty();
}

}  // namespace

Register::Register(const char* file, const char* name, void (*run)()) { cases().push_back({file, name, run}); }

void fail(const char* file, int line, const char* condition) {
    std::printf("%s:%d: %s\n", file, line, condition);
    ++failures;
}

int rounds(int wide) {
    static const char* const setting = std::getenv("ORACLESUM_WIDE");
    const bool is_wide = setting != nullptr && std::string_view(setting) != "" && std::string_view(setting) != "0";
    return is_wide ? wide : (wide + 3) / 4;
}

}  // namespace oraclesum::testing

int main(int count, char** arguments) {
    using namespace oraclesum::testing;
    const std::span<char*> names(arguments + 1, static_cast<std::size_t>(count - 1));
    std::size_t ran = 0;
    for (const Case& test : cases()) {
        if (!wanted(test.file, names)) continue;
        const int before = failures;
        test.run();
        ++ran;
        std::printf("%s %s\n", failures == before ? "ok  " : "FAIL", test.name);
    }
    return failures == 0 && ran > 0 ? 0 : 1;
}
