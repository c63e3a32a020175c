// A listing counts everything, holds no more than it may, and forgets on request.
#include "oraclesum/search/listing.hpp"

#include "check.hpp"

using oraclesum::search::listed_bytes;
using oraclesum::search::Listing;

namespace {

using Members = std::vector<std::uint32_t>;

Members listed(const Listing& listing, std::size_t place) {
    const auto set = listing[place];
    return {set.begin(), set.end()};
}

}  // namespace

TEST(sets_come_back_sorted_inside_and_among_each_other) {
    Listing listing(5, 10);
    listing.add(Members{4, 1});
    listing.add(Members{3});
    listing.add(Members{2, 0, 1});
    listing.add(Members{1});
    listing.sort();
    CHECK(listing.listed() == 4);
    CHECK(listed(listing, 0) == (Members{0, 1, 2}));
    CHECK(listed(listing, 1) == (Members{1}));
    CHECK(listed(listing, 2) == (Members{1, 4}));
    CHECK(listed(listing, 3) == (Members{3}));
}

TEST(aggregates_cover_what_is_not_held) {
    Listing listing(3, 1);
    listing.add(Members{0, 1});
    listing.add(Members{1, 2});
    listing.add(Members{1});
    CHECK(listing.listed() == 1);
    CHECK(listing.count() == 3);
    CHECK(listing.sizes() == (std::vector<std::uint64_t>{0, 1, 2}));
    CHECK(listing.inclusion()[2] == (std::vector<std::uint64_t>{1, 2, 1}));
    CHECK(listing.inclusion()[1] == (std::vector<std::uint64_t>{0, 1, 0}));
    CHECK(listing.inclusion()[0].empty());
}

TEST(absorbing_adds_up_and_clearing_forgets) {
    Listing all(3, 2), more(3, 2);
    all.add(Members{0});
    more.add(Members{0, 2});
    more.add(Members{2});
    all.absorb(more);
    CHECK(all.count() == 3);
    CHECK(all.listed() == 2);
    CHECK(all.sizes() == (std::vector<std::uint64_t>{0, 2, 1}));
    CHECK(all.inclusion()[1] == (std::vector<std::uint64_t>{1, 0, 1}));
    all.clear();
    CHECK(all.count() == 0);
    CHECK(all.listed() == 0);
    CHECK(all.sizes().empty());
}

TEST(what_is_not_to_be_listed_is_counted_and_what_is_cut_off_as_well) {
    Listing listing(4, 10);
    listing.add(Members{0, 1});
    listing.add(Members{2}, false);
    listing.add(Members{3});
    listing.add(Members{1, 2, 3});
    CHECK(listing.listed() == 3);
    CHECK(listing.cells() == 3 * 4);
    CHECK(listing.bytes() == listed_bytes(2) + listed_bytes(1) + listed_bytes(3));
    listing.cut(2, listing.bytes());
    CHECK(listing.listed() == 2);
    CHECK(listed(listing, 1) == (Members{3}));
    listing.cut(2, listed_bytes(2));
    CHECK(listing.listed() == 1);
    CHECK(listing.bytes() == listed_bytes(2));
    CHECK(listing.count() == 4);
    listing.add(Members{0});
    CHECK(listed(listing, 1) == (Members{0}));
}
