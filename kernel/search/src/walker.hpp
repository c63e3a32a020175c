// One thread's depth-first walk over sub-problems: to find a better set, or to build the diagram of all that count.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "incumbent.hpp"
#include "judge.hpp"
#include "memory.hpp"
#include "oraclesum/search/clock.hpp"
#include "oraclesum/search/diagram.hpp"
#include "oraclesum/search/techniques.hpp"
#include "relaxation.hpp"
#include "state.hpp"
#include "subproblem.hpp"

namespace oraclesum::search {

// What the threads of one search share.
struct Common {
    Common(bool several_threads, std::size_t max_memory_, const Techniques& techniques_)
        : failures(several_threads), solutions(several_threads), max_memory(max_memory_), techniques(techniques_) {}

    std::atomic<std::int64_t> target{1};                             // hits that a set must reach
    std::int64_t enough = std::numeric_limits<std::int64_t>::max();  // a set of so many hits ends improve()
    std::atomic<bool> done{false};                                   // a thread has finished, or all must stop
    Judge* judge = nullptr;  // sees every set that a collect() meets, one thread at a time
    std::mutex incumbent_mutex;
    Incumbent incumbent;
    Memory failures;         // sub-problem -> hits that no completion adds
    Memory solutions;        // sub-problem -> diagram node of its completions
    std::size_t max_memory;  // for memory and diagrams together
    std::atomic<std::size_t> diagram_bytes{0};
    Techniques techniques;
};

// How a walk is to go: all four combinations end with the same answer.
struct Route {
    bool by_rank = false;    // branch in a fixed order of the classes, in which sub-problems meet again most often;
                             // else on the class that the relaxation splits, which makes bounds tightest
    bool backwards = false;  // visit the children the other way round: threads meet in the middle
    std::uint64_t max_nodes = std::numeric_limits<std::uint64_t>::max();
};

enum class Ending { finished, out_of_nodes, out_of_memory, stopped };

class Walker {
public:
    Walker(const Problem& problem, Common& common, bool minimal)
        : state(problem),
          relaxation(problem),
          problem_(problem),
          common_(common),
          minimal_(minimal),
          namer_(problem),
          marked_(problem.classes(), 0) {}
    // Another thread's walker that starts where `other` stands.
    Walker(const Walker& other, std::uint32_t part) : Walker(other) { diagram = Diagram(part); }

    // Looks for sets of common.target hits and more; every one found raises the target.
    Ending improve(const Route& route, Clock& clock);
    // Builds the diagram of all sets with common.target hits and more below the present state.
    Ending collect(const Route& route, Clock& clock);

    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
    // After a stopped improve(): no set has more hits than this, or than the bound it started with.
    [[nodiscard]] std::int64_t open_bound() const;
    // Of a finished collect(); its children may be nodes of other walkers' diagrams.
    [[nodiscard]] Diagram::Id root() const { return root_; }

    // Takes these free classes; false if they do not fit together.
    bool take_all(std::span<const std::uint32_t> classes);
    // Settles a free class for good: so many copies, or none.
    void decide(const Taken& decision);
    // The free class that a walk by rank would branch on.
    [[nodiscard]] std::uint32_t first_in_rank() const;
    [[nodiscard]] std::uint32_t max_copies(std::uint32_t cls) const;

    State state;
    Relaxation relaxation;
    Diagram diagram;
    std::vector<std::uint32_t> rank;  // per class: place in the fixed order

private:
    struct Frame {
        std::uint32_t taken;         // classes taken when the node was entered
        std::uint32_t branch_taken;  // and after its forced classes
        std::uint32_t free;          // its free prefix, without the branching class
        std::uint32_t cls;
        std::uint32_t child;  // number of children visited
        std::uint32_t children;
        std::size_t prices;  // mark in the stack of multipliers
        std::int64_t bound;  // hits of any set below this node
        std::int64_t need;
        Key key;
        Diagram::Id sets;  // of the children so far
    };
    // The sets below a node as a part of the diagram; none as long as the node has to be branched on.
    using Answer = std::optional<Diagram::Id>;

    // What a walk is for; each class has what is different about it.
    class Improving;
    class Collecting;
    class Judging;

    template <class Aim>
    Ending walk(Aim aim, const Route& route, Clock& clock);
    template <class Aim>
    [[nodiscard]] std::optional<Ending> look_around(Aim& aim, Clock& clock, std::uint64_t first_node,
                                                    std::uint64_t last_node);
    template <class Aim>
    [[nodiscard]] Answer enter(Aim& aim, Frame& frame, bool by_rank);
    // The rest of enter() for a node at which every set of free classes that fits is a completion.
    [[nodiscard]] Answer enter_at_target(Collecting& aim, Frame& frame);
    void branch(Frame& frame);
    void go_to_child(Frame& frame, std::uint32_t copies);
    [[nodiscard]] int steps_here() const;
    [[nodiscard]] bool has_idle_class() const;
    [[nodiscard]] Diagram::Id add_taken(std::size_t from, Diagram::Id sets);
    [[nodiscard]] bool out_of_memory();

    const Problem& problem_;
    Common& common_;
    bool minimal_;
    Namer namer_;
    std::vector<Frame> stack_;
    std::vector<std::int64_t> prices_;
    std::vector<std::uint8_t> marked_;
    std::uint64_t nodes_ = 0;
    std::size_t counted_bytes_ = 0;
    Diagram::Id root_ = Diagram::bottom;
};

// A fixed order in which sub-problems meet again: n-gram by n-gram, the one with the fewest free classes first.
[[nodiscard]] std::vector<std::uint32_t> rank_classes(const State& state);

}  // namespace oraclesum::search
