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
    """`oraclesum:VERSION|key:value|…` in the order of the pairs, none of which may hold a "|"."""
    return "|".join(
        f"{key}:{value.replace('|', '/')}"
        for key, value in [("oraclesum", package_version()), *pairs]
    )


def extend_signature(signature: str, *pairs: Pair) -> str:
    """A signature with further settings; a key that it already has keeps its place."""
    merged: dict[str, str] = {}
    for part in signature.split("|")[1:]:
        key, _, value = part.partition(":")
        merged[key] = value
    return join_signature((merged | dict(pairs)).items())
