"""One line that names every setting that moves a number, in the manner of sacrebleu."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from . import _kernel

__all__ = ["extend_signature", "join_signature", "merge_signatures", "package_version"]

Pair = tuple[str, str]


@cache
def package_version(package: str = "oraclesum") -> str:
    """Version of an installed package."""
    if package == "oraclesum":
        return _kernel.version
    from importlib import metadata  # takes longer to import than most of this package

    return metadata.version(package)


def join_signature(pairs: Iterable[Pair]) -> str:
    """`oraclesum:VERSION|key:value|…` in the order of the pairs, none of which may hold a "|"."""
    return "|".join(
        f"{key}:{value.replace('|', '/')}"
        for key, value in [("oraclesum", package_version()), *pairs]
    )


@lru_cache(maxsize=256)  # a run signs every record with the same few settings
def extend_signature(signature: str, *pairs: Pair) -> str:
    """A signature with further settings; a key that it already has keeps its place."""
    return join_signature((_read(signature) | dict(pairs)).items())


def merge_signatures(signatures: Iterable[str]) -> str:
    """One signature for a number made from several records: values that differ stand side by side.

    A key that some of them lack counts as "none" there.
    """
    every = [_read(signature) for signature in dict.fromkeys(signatures)]
    keys = dict.fromkeys(key for pairs in every for key in pairs)
    return join_signature(
        (key, "+".join(dict.fromkeys(pairs.get(key, "none") for pairs in every))) for key in keys
    )


def _read(signature: str) -> dict[str, str]:
    parts = (part.partition(":") for part in signature.split("|")[1:])
    return {key: value for key, _, value in parts}
