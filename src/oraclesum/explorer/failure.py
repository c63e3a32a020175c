"""What the API answers where it cannot do what it was asked: a status and one clear sentence."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["ApiError", "ClientGone"]


class ApiError(Exception):
    """An answer other than success; `field` names the part of the request that is to blame."""

    def __init__(
        self,
        status: int,
        error: str,
        *,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(error)
        self.status = status
        self.error = error
        self.field = field
        self.headers = dict(headers or {})


class ClientGone(Exception):  # noqa: N818 - nobody is left to whom it would be an error
    """The browser has gone away; the work for it was stopped."""
