"""Makes the pictures of the report and of a notebook's cards, from the demo corpus, in Chromium."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

import oraclesum

FOLDER = Path(__file__).resolve().parent
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
COMMANDS = [
    "enumerate demo --rouge 2 --max-words 60 -q -o oracles.jsonl",
    "evaluate demo --rouge 2 --max-words 60 --systems all -q -o scores.jsonl",
    "report oracles.jsonl scores.jsonl --corpus demo -q -o report.html",
]


def make_report(folder: Path) -> str:
    """The address of a report of the demo corpus."""
    for command in COMMANDS:
        subprocess.run(
            [sys.executable, "-m", "oraclesum", *command.split()], cwd=folder, check=True
        )
    return (folder / "report.html").as_uri()


def take(
    browser: Browser, address: str, name: str, size: tuple[int, int], *, at: str = "", dark: bool
) -> None:
    """One picture, from the part of the page that `at` names."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(address + at)
    page.screenshot(path=FOLDER / f"{name}.png")
    context.close()


def take_card(browser: Browser) -> None:
    """A family as a notebook shows it."""
    topic = json.loads(oraclesum.demo_path().read_text().splitlines()[0])
    family = oraclesum.enumerate_oracles(topic["sentences"], topic["references"], max_words=60)
    page = browser.new_page(viewport={"width": 700, "height": 300})
    page.set_content(f'<body style="font:14px sans-serif;margin:16px">{family._repr_html_()}')
    page.locator("body > div").screenshot(path=FOLDER / "notebook.png")
    page.close()


def main() -> None:
    """Make all pictures."""
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        address = make_report(Path(folder))
        chromium = shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        take(browser, address, "report", (1280, 900), at="#numbers", dark=False)
        take(browser, address, "report-topics", (1280, 900), at="#hardest", dark=True)
        take(browser, address, "report-phone", (390, 844), at="#room", dark=False)
        take_card(browser)
        browser.close()


if __name__ == "__main__":
    main()
