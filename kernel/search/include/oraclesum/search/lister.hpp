// Lists a family in lexicographic order, from anywhere, without ever holding more than a part of it.
//
// The family is split by its smallest sentences until a part is small; a part's sets are then written out and sorted.
// Splitting works on the diagram, so the first sets come at once however many there are.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "oraclesum/search/family.hpp"

namespace oraclesum::search {

class Lister {
public:
    static constexpr std::uint64_t usual_part = std::uint64_t{1} << 15;
    static constexpr std::uint64_t usual_sentences = std::uint64_t{1} << 22;

    // Starts at the first set that is not before `from` in the order of ascending tuples. A part of more than
    // `max_per_part` sets is split further, and so is one whose sets, if they are several, have more than
    // `max_sentences` sentences together.
    Lister(const DiagramFamily& family, std::span<const std::uint32_t> from, std::uint64_t max_per_part = usual_part,
           std::uint64_t max_sentences = usual_sentences);

    // Passes over the first `sets` sets, however many, without writing them out. For a list from the very beginning,
    // before its first part.
    void skip(Natural sets) { to_skip_ = std::move(sets); }

    // The next sets in order; none at the end. Valid until the next call. A lister that was stopped lists nothing
    // more.
    [[nodiscard]] const Rows<std::uint32_t>& next_part(const Bounds& bounds);

private:
    // Sets that begin with `prefix` and go on with sentences of `start` and later only.
    struct Part {
        Diagram diagram;
        Set prefix;
        std::uint32_t start;
        bool prefix_listed = false;  // the prefix itself, as a set, was shown before
    };
    // What a part leaves open in each class: members chosen already, and members that still may be.
    struct Choice {
        std::uint32_t fixed;
        std::uint32_t open;
    };

    void find_part(const Bounds& bounds);                    // fills sets_
    void choose_in(const Set& prefix, std::uint32_t start);  // fills choices_
    [[nodiscard]] bool possible(const Diagram::Node& node) const {
        const Choice& choice = choices_[node.cls];
        return node.copies >= choice.fixed && node.copies - choice.fixed <= choice.open;
    }
    void split(Part part, const Bounds& bounds);
    void write(const Part& part, const Bounds& bounds);
    void collect(const Part& part, const Bounds& bounds);
    void sort_into_sets(const Part& part);
    void show(std::span<const std::uint32_t> set);  // unless it is before the start
    void restrict(const Diagram& diagram, Part& to, bool with_last, const Bounds& bounds);
    void push(Part part, const Bounds& bounds);
    [[nodiscard]] std::uint64_t ways(const Diagram::Node& node) const;
    // Sets of a part with all their sentences; each one more than its maximum if it is more.
    struct Weight {
        std::uint64_t sets, sentences;
    };
    [[nodiscard]] Weight weigh(const Part& part, const Bounds& bounds);  // fills below_
    void advance(Part& part, std::uint64_t sets, const Bounds& bounds) const;
    template <class Number>
    [[nodiscard]] Number count_from(const Part& part, std::uint32_t start, const Bounds& bounds);  // fills choices_
    [[nodiscard]] bool skip_in(Part& part, const Bounds& bounds);

    const DiagramFamily& family_;
    Set from_;
    std::uint64_t max_per_part_;
    std::uint64_t max_sentences_;
    std::vector<Part> open_;  // the next one last
    Natural to_skip_;
    bool counts_fit_;  // those of the family, in 64 bits
    std::vector<Choice> choices_;
    std::vector<Weight> below_;  // by node
    Rows<std::uint32_t> found_;  // of one part, not yet in order
    Rows<std::uint32_t> sets_;
};

}  // namespace oraclesum::search
