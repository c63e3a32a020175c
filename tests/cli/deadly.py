"""Work that kills its process on one topic, as the kernel would for lack of memory."""

from __future__ import annotations

import os
from collections.abc import Sequence

from oraclesum.answers import Answer, Json, Row
from oraclesum.corpora import Topic

__all__ = ["die_on_demand"]


def die_on_demand(topics: Sequence[Topic]) -> list[Answer[Json]]:
    """Answer with the topics' ids, unless one is "deadly"."""
    if any(topic.id == "deadly" for topic in topics):
        os._exit(9)
    return [Answer(rows=[Row(record={"id": one.id, "status": "complete"})]) for one in topics]
