"""A result as a small piece of HTML for notebooks: knows numbers and markup, no stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

__all__ = ["Card", "draw_safely", "show_large", "show_sets"]

# One look for light and dark notebooks: text takes the notebook's own colour, blue is read on both.
_BLUE = "#3a8fc7"
_BOX = (
    "display:inline-block;max-width:46em;box-sizing:border-box;padding:.7em 1em;margin:.2em 0;"
    "border:1px solid rgba(127,127,127,.45);border-radius:6px;line-height:1.45;text-align:left;"
    "font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-variant-numeric:tabular-nums"
)
_QUIET = "opacity:.78;font-size:.88em"
_HIGH = 30  # of a full bar
_MOST_BARS = 400  # sentences with a bar and a hover text of their own
_MOST_INDICES = 20  # of a set that are shown
_LARGEST_WHOLE = 10**15


@dataclass(frozen=True, kw_only=True)
class Card:
    """What a card shows, from top to bottom; what is empty is left out."""

    kind: str
    value: str
    note: str = ""  # beside the value
    facts: Sequence[tuple[str, str]] = ()
    strip: Sequence[float] = field(default=())  # a share from 0 to 1 for each sentence
    lines: Sequence[str] = ()
    signature: str = ""

    def render(self) -> str:
        """The card as HTML, complete in itself."""
        parts = [
            f'<div style="{_QUIET}">{escape(self.kind)}</div>',
            f'<div><b style="font-size:1.35em">{escape(self.value)}</b>'
            f'<span style="margin-left:.7em">{escape(self.note)}</span></div>',
        ]
        if self.facts:
            cells = "".join(
                f'<span style="margin-right:1.4em;white-space:nowrap"><span style="{_QUIET}">'
                f"{escape(name)}</span> {escape(value)}</span> "
                for name, value in self.facts
            )
            parts.append(f'<div style="margin-top:.25em">{cells}</div>')
        if self.strip:
            parts.append(_draw_strip(self.strip))
        parts += [f'<div style="{_QUIET}">{escape(line)}</div>' for line in self.lines]
        if self.signature:
            parts.append(
                f'<div style="{_QUIET};margin-top:.35em"><code style="background:none;color:inherit'
                f';font-size:.86em;overflow-wrap:anywhere">{escape(self.signature)}</code></div>'
            )
        return f'<div style="{_BOX}">{"".join(parts)}</div>'


def _draw_strip(shares: Sequence[float]) -> str:
    """A bar per sentence; of long documents one path without hover texts, which stays small."""
    count = len(shares)
    # A small share is still seen.
    rises = [max(0.06, share) * _HIGH if share > 0 else 0.0 for share in shares]
    if count <= _MOST_BARS:
        bars = "".join(
            f'<g><title>sentence {k}: {share:.1%}</title><rect x="{k}" width="1" height="{_HIGH}" '
            f'fill="transparent"/><rect x="{k}.08" width=".84" y="{_HIGH - rise:.4g}" '
            f'height="{rise:.4g}" fill="{_BLUE}"/></g>'
            for k, (share, rise) in enumerate(zip(shares, rises, strict=True))
        )
    else:
        path = "".join(
            f"M{k} {_HIGH}v-{rise:.4g}h1V{_HIGH}z" for k, rise in enumerate(rises) if rise
        )
        bars = f'<path d="{path}" fill="{_BLUE}"/>'
    style = (
        f"display:block;width:min(100%,{max(8, min(46, count))}em);height:2.4em;"
        "margin:.45em 0 .3em;border-bottom:1px solid rgba(127,127,127,.7)"
    )
    return (
        f'<svg role="img" aria-label="Share of oracles that hold each of {count} sentences" '
        f'viewBox="0 0 {count} {_HIGH}" preserveAspectRatio="none" style="{style}">{bars}</svg>'
    )


def show_large(number: int) -> str:
    """A whole number of any size; a long one as a power of ten. Never turns it into digits."""
    if number < _LARGEST_WHOLE:
        return f"{number:,}"
    exponent = int((number.bit_length() - 1) * 0.30102999566398)
    leading = number // 10 ** (exponent - 2)
    if leading >= 1000:
        exponent, leading = exponent + 1, leading // 10
    return f"{leading / 100:.2f}e+{exponent}"


def show_sets(sets: Sequence[Sequence[int]], more: int) -> str:
    """A few sets, and how many more there are."""
    shown = "  ".join(_show_set(each) for each in sets)
    return f"{shown}  and {show_large(more)} more" if more > 0 else shown


def _show_set(members: Sequence[int]) -> str:
    rest = ", …" if len(members) > _MOST_INDICES else ""
    return f"{{{', '.join(map(str, members[:_MOST_INDICES]))}{rest}}}"


def draw_safely(draw: Callable[[], Card]) -> str | None:
    """The card, or None where it cannot be drawn: a notebook then shows the plain text."""
    try:
        return draw().render()
    except Exception:
        return None
