// Memory that runs out on any thread of a search: the caller gets the exception, and no thread is left at work.
#include <atomic>
#include <cstdlib>
#include <new>

#include "check.hpp"
#include "oraclesum/search/search.hpp"
#include "varied_instance.hpp"

namespace {

std::atomic<long> allocations_left{-1};  // negative: no limit

}  // namespace

// Replaces the allocator of the whole program; not inlined, so that the compiler sees new and delete as a pair.
[[gnu::noinline]] void* operator new(std::size_t size) {
    const long left = allocations_left.load();
    if (left >= 0 && allocations_left.fetch_sub(1) <= 0) {
        allocations_left = 0;  // and every later one fails as well, on every thread
        throw std::bad_alloc();
    }
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
// Of the sanitizers' own allocators only whole pairs may be replaced, and this one too is freed by the delete below.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace oraclesum::search;
using oraclesum::testing::document;
using oraclesum::testing::Draw;

TEST(memory_that_runs_out_anywhere_reaches_the_caller) {
    Draw draw(1);
    const Problem problem = presolve(document(draw, 60, 80, 90));
    for (const unsigned threads : {1U, 2U, 4U}) {
        int refused = 0, finished = 0;
        for (long allocations = 0; allocations < 40'000 && finished == 0; allocations += 1 + allocations / 20) {
            Clock clock;
            allocations_left = allocations;
            try {
                const SearchResult found = run_search(problem, {.threads = threads}, clock);
                allocations_left = -1;
                CHECK(found.upper_bound == found.hits);
                ++finished;
            } catch (const std::bad_alloc&) {
                allocations_left = -1;
                ++refused;
            }
        }
        CHECK(refused > 10);
        CHECK(finished > 0);
    }
}
