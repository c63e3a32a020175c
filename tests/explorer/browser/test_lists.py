"""Long lists in a real browser: thousands and billions of oracles scroll in a handful of rows."""

from __future__ import annotations

from math import comb
from typing import Any

from explorer.browser.conftest import BILLIONS, THOUSANDS


def ranks(page: Any) -> list[str]:
    texts = page.locator("#oracles .row .rank").all_inner_texts()
    return [text for text in texts if text]


def scroll(page: Any, top: int) -> None:
    # The page is told of it with the next frame, and asks for rows with the one after that.
    page.evaluate(
        """async (top) => {
            document.getElementById('oracles').scrollTop = top;
            for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
        }""",
        top,
    )
    page.wait_for_function("() => !document.querySelector('#oracles .waiting')")


def test_thousands_of_oracles_scroll_in_a_few_rows(open_page: Any) -> None:
    page = open_page(f"#topic={THOUSANDS}&words=24")
    assert page.inner_text("#figures").startswith("12,870\noracles")
    page.wait_for_selector("#oracles .rank")
    before = page.locator("*").count()
    for top in range(0, 386_000, 38_000):
        scroll(page, top)
        assert page.locator("#oracles .row").count() < 40
    scroll(page, 10_000_000)
    assert ranks(page)[-1] == f"{comb(16, 8):,}"
    assert page.locator("*").count() < before + 200


def test_oracles_are_sorted_and_the_choice_is_kept(open_page: Any) -> None:
    page = open_page(f"#topic={THOUSANDS}&words=26&a=2")
    page.wait_for_selector("#oracles .is-a")
    page.select_option("#sort", "position")
    page.click("#descending")
    page.wait_for_selector("#oracles .row[data-position='0'] .members:has-text('8 9 10 11')")
    assert "desc=1" in page.evaluate("document.location.hash") or page.wait_for_function(
        "() => document.location.hash.includes('desc=1')"
    )
    assert "A" in page.inner_text("[data-sentence='0'] .marks")


def test_billions_of_oracles_can_be_walked_and_jumped_through(open_page: Any) -> None:
    page = open_page(f"#topic={BILLIONS}&words=60")
    total = comb(40, 20)
    assert page.inner_text("#figures").startswith(f"{total:,}\noracles")
    page.wait_for_selector("#oracles .rank")
    assert page.locator("#sort option[value=length]").is_disabled()
    scroll(page, 2_000_000)
    middle = int(ranks(page)[5].replace(",", ""))
    assert 0.3 * total < middle < 0.7 * total
    page.fill("#goto-number", "100,000,000,000")
    page.press("#goto-number", "Enter")
    page.wait_for_selector("#oracles .is-a .rank:has-text('100,000,000,000')")
    page.focus("#oracles")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#oracles .is-a .rank:has-text('100,000,000,001')")
    page.keyboard.press("End")
    page.wait_for_selector(f"#oracles .is-a .rank:has-text('{total:,}')")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(f"#oracles .is-a .rank:has-text('{total - 1:,}')")
    page.keyboard.press("Home")
    page.wait_for_selector("#oracles .is-a .rank:text-is('1')")
    assert page.locator("#oracles .row").count() < 40


def test_a_wheel_moves_by_rows_however_long_the_list(open_page: Any) -> None:
    page = open_page(f"#topic={BILLIONS}&words=60")
    page.wait_for_selector("#oracles .rank")
    page.hover("#oracles")
    page.mouse.wheel(0, 300)
    page.wait_for_function("() => document.querySelector('#oracles .row').dataset.position !== '0'")
    page.wait_for_timeout(300)
    first = int(page.get_attribute("#oracles .row", "data-position"))
    assert 0 < first <= 12


def test_another_order_leaves_no_row_of_the_old_one(open_page: Any) -> None:
    page = open_page(f"#topic={THOUSANDS}&words=24")
    page.wait_for_selector("#oracles .rank")
    rows = page.locator("#oracles .row").count()
    page.select_option("#sort", "position")
    # Read in one step: the rows of the old order may go at any moment.
    page.wait_for_function(
        """rows => {
            const all = [...document.querySelectorAll("#oracles .row")];
            const places = all.every((row, i) => row.dataset.position === String(i));
            return all.length === rows && places && !document.querySelector("#oracles .waiting");
        }""",
        arg=rows,
    )


def test_a_number_that_is_not_there_is_refused(open_page: Any) -> None:
    page = open_page(f"#topic={THOUSANDS}&words=24")
    page.fill("#goto-number", "12871")
    page.press("#goto-number", "Enter")
    assert page.inner_text("#oracles-note") == "Give a number from 1 to 12,870."


def test_distance_to_a_system_orders_the_list(open_page: Any) -> None:
    page = open_page("#topic=0&system=topic-words&sort=distance&view=systems")
    assert "nearest oracle" in page.inner_text("#panel-systems")
    nearest = page.locator(".nearest .members").nth(1).inner_text()
    page.click("#tab-oracles")
    page.wait_for_selector("#oracles .members")
    assert page.locator("#oracles .row[data-position='0'] .members").inner_text() == nearest
