"""Frozen dataclasses that are quick to define: nearly every module has some, and a command waits.

Python's own `dataclass` writes and compiles six methods for each class, which was a quarter of the
time that the command needed to start. Those of frozen classes with keywords only are shared here.
The fields are still collected by Python, so `fields`, `replace` and `asdict` work as ever, and to a
type checker it is the same decorator.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, FrozenInstanceError, fields

from .digits import show_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass
    from inspect import Signature
    from typing import Any, NoReturn
else:

    def dataclass(cls=None, /, **options):
        """As `dataclasses.dataclass`."""
        usual = options == {"frozen": True, "kw_only": True}
        return _freeze if usual else dataclasses.dataclass(cls, **options)


__all__ = ["dataclass"]


def _freeze(cls: type[Any]) -> type[Any]:
    own = dict(vars(cls))
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=True)(cls)
    made._frozen = _Plan(made)
    made.__signature__ = _Signature()  # what `help` shows
    made.__setattr__ = made.__delattr__ = _refuse
    shared = {"__init__": _fill, "__repr__": _show, "__eq__": _is_equal, "__hash__": _hash}
    for name, method in shared.items():
        if own.get(name) is None:  # as `__hash__` is of a class with an `__eq__` of its own
            setattr(made, name, method)
    return cls


class _Plan:
    """The fields of a class by what is done with them."""

    def __init__(self, cls: type[Any]) -> None:
        every = fields(cls)
        assert all(one.init for one in every), "a field that is not given: use Python's dataclass"
        self.start = {one.name: one.default for one in every}  # in this order stand attributes
        self.made = [
            (one.name, one.default_factory) for one in every if one.default_factory is not MISSING
        ]
        self.required = {one.name for one in every if one.default is MISSING and not _is_made(one)}
        self.shown = [one.name for one in every if one.repr]
        self.compared = [one.name for one in every if one.compare]
        self.checks = hasattr(cls, "__post_init__")


def _is_made(one: dataclasses.Field[Any]) -> bool:
    return one.default_factory is not MISSING


class _Signature:
    """The parameters of a class, found out if somebody asks."""

    def __get__(self, instance: object, owner: Any) -> Signature:
        from inspect import Parameter, Signature

        def describe(one: dataclasses.Field[Any]) -> Parameter:
            default = one.default_factory if _is_made(one) else one.default
            default = Parameter.empty if default is MISSING else default
            kind = Parameter.KEYWORD_ONLY
            return Parameter(one.name, kind, default=default, annotation=one.type)

        return Signature([describe(one) for one in fields(owner)])


def _fill(self: Any, /, **given: Any) -> None:
    plan: _Plan = self._frozen
    values = plan.start | given
    if len(values) != len(plan.start) or not given.keys() >= plan.required:
        _complain(self, plan, given)
    for name, make in plan.made:
        if name not in given:
            values[name] = make()
    vars(self).update(values)
    if plan.checks:
        self.__post_init__()


def _complain(self: object, plan: _Plan, given: dict[str, Any]) -> NoReturn:
    call = f"{type(self).__name__}()"
    unknown = [name for name in given if name not in plan.start]
    if unknown:
        raise TypeError(f"{call} got an unexpected keyword argument {unknown[0]!r}")
    missing = [repr(name) for name in plan.start if name in plan.required - given.keys()]
    raise TypeError(f"{call} missing required keyword-only arguments: {', '.join(missing)}")


def _refuse(self: object, name: str, value: object = None) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to or delete field {name!r}")


def _show(self: Any) -> str:
    values = ", ".join(f"{name}={_write(getattr(self, name))}" for name in self._frozen.shown)
    return f"{type(self).__qualname__}({values})"


def _write(value: object) -> str:
    return show_whole(value) if type(value) is int else repr(value)


def _is_equal(self: Any, other: Any) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    return all(getattr(self, name) == getattr(other, name) for name in self._frozen.compared)


def _hash(self: Any) -> int:
    return hash(tuple(getattr(self, name) for name in self._frozen.compared))
