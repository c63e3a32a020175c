"""One line that names every setting that moves a number, in the manner of sacrebleu."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import metadata

__all__ = ["extend_signature", "join_signature", "package_version"]

Pair = tuple[str, str]


@cache
def package_version(package: str = "oraclesum") -> str:
    """Version of an installed package."""
    return metadata.version(package)


def join_signature(pairs: Iterable[Pair]) -> str:
    """`oraclesum:VERSION|key:value|…` in the order of the pairs; the separator cannot stand in a value."""
    return "|".join(
        f"{key}:{value.replace('|', '/')}" for key, value in [("oraclesum", package_version()), *pairs]
    )


def extend_signature(signature: str, *pairs: Pair) -> str:
    """A signature with further settings; a key that it already has gets the new value in its place."""
    held = [(key, value) for key, _, value in (part.partition(":") for part in signature.split("|"))]
    merged = dict(held[1:]) | dict(pairs)
    return join_signature(merged.items())
