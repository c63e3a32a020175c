"""Work that kills its process on one topic, as the kernel would for lack of memory."""

from __future__ import annotations

import os

from oraclesum.cli.work import Answer, Row
from oraclesum.corpora import Topic

__all__ = ["die_on_demand"]


def die_on_demand(topic: Topic) -> Answer:
    """Answer with the topic's id, unless that is "deadly"."""
    if topic.id == "deadly":
        os._exit(9)
    return Answer(rows=[Row(record={"id": topic.id, "status": "complete"})])
