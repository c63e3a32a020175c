"""A result as a small piece of HTML for notebooks: knows markup, no stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from html import escape

from .digits import show_large
from .frozen import dataclass

__all__ = ["Card", "draw_safely", "show_sets"]

# One look for light and dark notebooks: text takes the notebook's own colour, blue is read on both.
_BLUE = "#3a8fc7"
_BOX = (
    "display:inline-block;max-width:46em;box-sizing:border-box;padding:.7em 1em;margin:.2em 0;"
    "border:1px solid rgba(127,127,127,.45);border-radius:6px;line-height:1.45;text-align:left;"
    "font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-variant-numeric:tabular-nums"
)
_QUIET = "opacity:.78;font-size:.88em"
_HIGH = 30  # of a full bar
_MAX_BARS = 400  # sentences with a bar and a hover text of their own
_MAX_INDICES = 20  # of a set that are shown
_MAX_NUMBERS = 12  # under the bars

# Of facts whose name alone does not say it, shown on hover.
_MEANINGS = {
    "nodes": "partial summaries that the search looked into",
    "in every oracle": "sentences that all oracles hold",
    "in some": "sentences that at least one oracle holds",
}


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
                f'<span style="margin-right:1.4em;white-space:nowrap"{_explain(name)}>'
                f'<span style="{_QUIET}">{escape(name)}</span> {escape(value)}</span> '
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


def _explain(name: str) -> str:
    text = _MEANINGS.get(name)
    return f' title="{escape(text, quote=True)}"' if text else ""


def _measure(count: int) -> int:
    """How wide the bars of so many sentences are together, in em."""
    return max(8, min(46, count))


def _number_bars(count: int) -> str:
    """The numbers of the first, of every tenth and of the last sentence, under their bars."""
    step = 10
    while count / step > _MAX_NUMBERS:
        step *= 10 if count / step > 5 * _MAX_NUMBERS else 2
    # The last one is always told; a neighbour that it would cover is not.
    told = [k for k in range(0, count - 1, step) if (count - 1 - k) * _measure(count) > 2 * count]
    told.append(count - 1)
    return "".join(
        f'<span style="position:absolute;left:{(k + 0.5) / count:.2%};'
        f'transform:translateX(-50%)">{k}</span>'
        for k in dict.fromkeys(told)
    )


def _draw_strip(shares: Sequence[float]) -> str:
    """A bar per sentence; of long documents one path without hover texts, which stays small."""
    count = len(shares)
    # A small share is still seen.
    rises = [max(0.06, share) * _HIGH if share > 0 else 0.0 for share in shares]
    if count <= _MAX_BARS:
        bars = "".join(
            f"<g><title>sentence {k}: in {_say(share)} of the oracles</title>"
            f'<rect x="{k}" width="1" height="{_HIGH}" fill="transparent"/>'
            f'<rect x="{k}.08" width=".84" y="{_HIGH - rise:.4g}" '
            f'height="{rise:.4g}" fill="{_BLUE}"/></g>'
            for k, (share, rise) in enumerate(zip(shares, rises, strict=True))
        )
    else:
        path = "".join(
            f"M{k} {_HIGH}v-{rise:.4g}h1V{_HIGH}z" for k, rise in enumerate(rises) if rise
        )
        bars = f'<path d="{path}" fill="{_BLUE}"/>'
    style = "display:block;width:100%;height:2.4em;border-bottom:1px solid rgba(127,127,127,.7)"
    width = f"width:min(100%,{_measure(count)}em);margin:.45em 0 .3em"
    return (
        f'<div style="{width}">'
        f'<svg role="img" aria-label="Share of oracles that hold each of {count} sentences" '
        f'viewBox="0 0 {count} {_HIGH}" preserveAspectRatio="none" style="{style}">{bars}</svg>'
        f'<div aria-hidden="true" title="numbers of the sentences, from 0" '
        f'style="position:relative;height:1.3em;font-size:.75em;opacity:.78">{_number_bars(count)}</div></div>'
    )


def _say(share: float) -> str:
    """A share in percent that never rounds to none or all."""
    if 0 < share < 0.0005:
        return "under 0.1%"
    return "over 99.9%" if 0.9995 <= share < 1 else f"{share:.1%}"


def show_sets(sets: Sequence[Sequence[int]], more: int) -> str:
    """A few sets, and how many more there are."""
    shown = "  ".join(_show_set(each) for each in sets)
    return f"{shown}  and {show_large(more)} more" if more > 0 else shown


def _show_set(members: Sequence[int]) -> str:
    rest = ", …" if len(members) > _MAX_INDICES else ""
    return f"{{{', '.join(map(str, members[:_MAX_INDICES]))}{rest}}}"


def draw_safely(draw: Callable[[], Card]) -> str | None:
    """The card, or None where it cannot be drawn: a notebook then shows the plain text."""
    try:
        return draw().render()
    except Exception:
        return None
