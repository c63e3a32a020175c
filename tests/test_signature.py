"""Signatures are ordered key:value pairs behind the package's version."""

from __future__ import annotations

from oraclesum.signature import extend_signature, join_signature, package_version


def test_a_signature_starts_with_the_version() -> None:
    assert join_signature([("a", "1"), ("b", "x:y")]) == f"oraclesum:{package_version()}|a:1|b:x:y"


def test_a_value_cannot_break_the_line() -> None:
    assert join_signature([("tok", "a|b")]).endswith("|tok:a/b")


def test_extending_appends_new_keys_and_replaces_old_ones_in_place() -> None:
    signature = join_signature([("a", "1"), ("b", "x:y")])
    longer = extend_signature(signature, ("c", "3"), ("a", "2"))
    assert longer == f"oraclesum:{package_version()}|a:2|b:x:y|c:3"
