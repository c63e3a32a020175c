// Questions to a family of sets that is stored as a diagram: exact, however many sets there are.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "oraclesum/search/bounds.hpp"
#include "oraclesum/search/diagram.hpp"
#include "oraclesum/search/natural.hpp"
#include "oraclesum/search/problem.hpp"

namespace oraclesum::search {

using Set = std::vector<std::uint32_t>;  // sentences, ascending

class DiagramFamily {
public:
    // `members[c]`: the sentences of class c, ascending. Counts the sets.
    DiagramFamily(Diagram diagram, Rows<std::uint32_t> members, std::size_t sentences, const Bounds& bounds);

    [[nodiscard]] const Diagram& diagram() const { return diagram_; }
    [[nodiscard]] const Rows<std::uint32_t>& members() const { return members_; }
    [[nodiscard]] std::size_t sentences() const { return sentences_; }
    [[nodiscard]] const Natural& count() const { return count_; }

    // inclusion()[c]: number of sets with a given sentence of class c; members of a class are in equally many sets.
    [[nodiscard]] std::vector<Natural> inclusion(const Bounds& bounds) const;
    // sizes()[s]: number of sets with s sentences.
    [[nodiscard]] std::vector<Natural> sizes(const Bounds& bounds) const;
    // inclusion_by_size()[s][c]: as inclusion(), of the sets with s sentences. Rows of sizes that no set has are empty.
    [[nodiscard]] std::vector<std::vector<Natural>> inclusion_by_size(const Bounds& bounds) const;
    [[nodiscard]] bool contains(std::span<const std::uint32_t> set) const;
    // The set at a place of some fixed order (not the lexicographic one), 0 <= place < count().
    [[nodiscard]] Set at(Natural place, const Bounds& bounds) const;
    // Some set, a different one for most numbers, found without counting. The family must not be empty.
    [[nodiscard]] Set wander(std::uint64_t number) const;
    // For each class, number of sets with `sentence` that hold a given other sentence of the class. At the class of
    // `sentence` itself: 0 if it has no other member.
    [[nodiscard]] std::vector<Natural> inclusion_with(std::uint32_t sentence, const Bounds& bounds) const;

    static constexpr std::uint32_t no_class = 0xffffffff;
    [[nodiscard]] std::uint32_t class_of(std::uint32_t sentence) const { return class_of_[sentence]; }
    [[nodiscard]] std::span<const std::uint32_t> classes() const { return class_of_; }

private:
    // Sets below every node of a family whose count is beyond 128 bits: needed for places only, made when first asked.
    struct Places {
        std::mutex mutex;
        std::size_t width = 0;             // 64-bit words per node
        std::vector<std::uint64_t> below;  // empty: not made yet
        [[nodiscard]] Natural operator[](Diagram::Id id) const;
    };

    [[nodiscard]] bool fits() const { return bits_ < max_bits; }
    void bound_count(const Bounds& bounds);  // fills bits_
    void make_places(const Bounds& bounds) const;
    template <class Number, class Below>
    [[nodiscard]] Set set_at(const Below& below, Number place) const;

    static constexpr double max_bits = 120;

    Diagram diagram_;
    Rows<std::uint32_t> members_;
    std::size_t sentences_;
    std::vector<std::uint32_t> class_of_;  // per sentence
    double bits_ = 0;                      // count_ < 2^bits_
    std::vector<Wide> below_;              // sets below every node; empty if they do not fit
    Natural count_;
    std::unique_ptr<Places> places_;
};

}  // namespace oraclesum::search
