"""Makes the pictures of the explorer in docs/pictures with Chromium, on the demo corpus."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).resolve().parent / "pictures"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
DESKTOP = (1280, 800)
PHONE = (390, 844)


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One view of the page: where it is, how large, and what is done before the picture."""

    name: str
    fragment: str
    size: tuple[int, int] = DESKTOP
    dark: bool = False
    act: Callable[[Page], object] = lambda page: None


def finish_curve(page: Page) -> None:
    page.wait_for_selector("#curve-stop:has-text('Compute again')")


PICTURES = [
    Picture(
        name="explorer",
        fragment="#topic=0&rouge=1&a=1",
        act=lambda page: page.hover("[data-sentence='2'] .text"),
    ),
    Picture(name="explorer-cost", fragment="#topic=0&in=3&out=5.8"),
    Picture(name="explorer-compare", fragment="#topic=3&words=60&a=0&b=2&view=compare"),
    Picture(
        name="explorer-systems", fragment="#topic=0&view=systems&system=topic-words", dark=True
    ),
    Picture(name="explorer-curve", fragment="#topic=4&view=curve", act=finish_curve),
    Picture(name="explorer-phone", fragment="#topic=0&a=0", size=PHONE),
]


@contextmanager
def serve() -> Iterator[str]:
    """The address of a server on the demo corpus."""
    command = [sys.executable, "-m", "oraclesum", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        told = server.stderr.readline()
        found = re.search(r"http://\S+/", told)
        if found is None:
            raise SystemExit(told + server.stderr.read())
        try:
            yield found.group()
        finally:
            server.send_signal(signal.SIGINT)


def take(browser: Browser, address: str, picture: Picture) -> None:
    wide, high = picture.size
    context = browser.new_context(
        viewport={"width": wide, "height": high},
        color_scheme="dark" if picture.dark else "light",
        reduced_motion="reduce",
        has_touch=picture.size == PHONE,
        is_mobile=picture.size == PHONE,
    )
    page = context.new_page()
    page.goto(address + picture.fragment)
    page.wait_for_selector("body[data-ready]")
    picture.act(page)
    page.wait_for_timeout(300)
    page.screenshot(path=FOLDER / f"{picture.name}.png")
    context.close()


def main() -> None:
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        raise SystemExit("Chromium is needed: apt install chromium")
    FOLDER.mkdir(exist_ok=True)
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for picture in PICTURES:
            take(browser, address, picture)
            print(FOLDER / f"{picture.name}.png")
        browser.close()


if __name__ == "__main__":
    main()
