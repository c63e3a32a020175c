// Questions to a family of sets that is held as a diagram: exact, however many sets there are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "oraclesum/search/diagram.hpp"
#include "oraclesum/search/natural.hpp"
#include "oraclesum/search/problem.hpp"

namespace oraclesum::search {

using Set = std::vector<std::uint32_t>;  // sentences, ascending

class DiagramFamily {
public:
    // `members[c]`: the sentences of class c, ascending.
    DiagramFamily(Diagram diagram, Rows<std::uint32_t> members, std::size_t sentences);

    [[nodiscard]] const Diagram& diagram() const { return diagram_; }
    [[nodiscard]] const Rows<std::uint32_t>& members() const { return members_; }
    [[nodiscard]] std::size_t sentences() const { return sentences_; }

    [[nodiscard]] Natural count() const;
    // sizes()[s]: number of sets with s sentences.
    [[nodiscard]] std::vector<Natural> sizes() const;
    // inclusion()[s][c]: number of sets with s sentences that hold a given sentence of class c; members of a class
    // are in equally many sets. Rows of sizes that no set has are empty.
    [[nodiscard]] std::vector<std::vector<Natural>> inclusion() const;
    [[nodiscard]] bool contains(std::span<const std::uint32_t> set) const;
    // The set at a place of some fixed order (not the lexicographic one), 0 <= place < count().
    [[nodiscard]] Set at(Natural place) const;
    // For each class, number of sets with `sentence` that hold a given other sentence of the class. At the class of
    // `sentence` itself: 0 where it has no other member.
    [[nodiscard]] std::vector<Natural> inclusion_with(std::uint32_t sentence) const;

    static constexpr std::uint32_t no_class = 0xffffffff;
    [[nodiscard]] std::uint32_t class_of(std::uint32_t sentence) const { return class_of_[sentence]; }

private:
    // Numbers per node, in 128 bits where the whole count fits, else without limit.
    template <class Number>
    struct Counts {
        std::vector<Number> ways;   // to choose a node's copies among the members of its class
        std::vector<Number> below;  // sets of the node
    };
    template <class Number>
    [[nodiscard]] Counts<Number> count_nodes() const;
    template <class Number>
    [[nodiscard]] std::vector<Natural> count_with(const Counts<Number>& counts, std::uint32_t wanted) const;
    template <class Number>
    [[nodiscard]] Set set_at(const Counts<Number>& counts, Number place) const;

    Diagram diagram_;
    Rows<std::uint32_t> members_;
    std::size_t sentences_;
    std::vector<std::uint32_t> class_of_;  // per sentence
    std::variant<Counts<Wide>, Counts<Natural>> counts_;
};

}  // namespace oraclesum::search
