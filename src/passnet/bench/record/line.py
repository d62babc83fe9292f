"""A record as a line of its file. The line is bounded, since its reader holds all of it in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from passnet.bench.record.records import GraphRecord

# A record is some kilobytes. Of another's text, each byte may take some hundred of a reader's memory.
MAX_RECORD_BYTES: Final = 1 << 22
# What a worker tells at length, in the order in which it is left out.
_LONG: Final[Mapping[str, object]] = {
    "near_misses": (), "not_frozen": {}, "kernel_us": {}, "kernels": None, "replacements": {}
}  # fmt: skip


def fitting(record: GraphRecord) -> tuple[GraphRecord, str]:
    """The record, and its line that every reader takes.

    Only a hostile worker tells so much that some of it is left out. Without the bound here, its record would make the
    whole run unreadable.
    """
    line = record.model_dump_json(by_alias=True)
    for name, nothing in _LONG.items():
        if len(line.encode()) <= MAX_RECORD_BYTES:
            break
        record = record.model_copy(update={name: nothing})
        line = record.model_dump_json(by_alias=True)
    return record, line
