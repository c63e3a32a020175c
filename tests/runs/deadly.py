"""Work that kills its process on one topic, as the kernel would for lack of memory."""

from __future__ import annotations

import os
from collections.abc import Sequence

from oraclesum.answers import Item, Written
from oraclesum.answers.answerer import refuse, write_answer, write_row
from oraclesum.errors import RecordError

__all__ = ["Mortal"]


class Mortal:
    """Answers with the topics' ids, unless one is "deadly"."""

    def answer_batch(self, items: Sequence[Item]) -> list[Written]:
        if any(getattr(item, "id", None) == "deadly" for item in items):
            os._exit(9)
        return [
            self.refuse(item)
            if isinstance(item, RecordError)
            else Written([write_row({"id": item.id, "status": "complete"})], [])
            for item in items
        ]

    answer_some = answer_batch

    def refuse(self, error: RecordError) -> Written:
        return write_answer(refuse(error))
