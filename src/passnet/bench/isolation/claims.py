"""What workers say of themselves: claims, taken over in the agreed form only."""

from __future__ import annotations

import math
from typing import Any

from passnet.bench.isolation.worker_process import WorkerFailure

_MAX_NEAR_MISSES = 100
_MAX_NAME, _MAX_REASON = 200, 400
_MAX_ROWS, _MAX_TEXT = 1000, 2000


def of_program(reply: dict[str, Any]) -> dict[str, Any]:
    """Replacements by rule and near misses of a program. WorkerFailure `protocol` for another form."""
    counts, misses = reply.get("replacements"), reply.get("near_misses")
    well_formed = (
        isinstance(counts, dict)
        and len(counts) <= _MAX_ROWS
        and all(_is_count(name, count) for name, count in counts.items())
        and isinstance(misses, list)
        and all(isinstance(miss, dict) for miss in misses)
    )
    if not well_formed:
        raise WorkerFailure("protocol", "the worker's report of its program has not the agreed form")
    return {"replacements": counts, "near_misses": misses}


def of_freezing(reply: dict[str, Any]) -> dict[str, Any]:
    """Rules whose calls are not replayed, with the reason. WorkerFailure `protocol` for another form."""
    reasons = reply.get("not_frozen")
    if not isinstance(reasons, dict) or not all(isinstance(reason, str) for reason in reasons.values()):
        raise WorkerFailure("protocol", "the worker's report of its replays has not the agreed form")
    return {"not_frozen": {name[:_MAX_NAME]: reason[:_MAX_REASON] for name, reason in reasons.items()}}


def near_misses(claimed: Any, graph: str) -> tuple[dict[str, str], ...]:
    """Near misses as text under this graph's name; at most a hundred."""
    rows = claimed if isinstance(claimed, list | tuple) else ()
    return tuple(
        {str(k)[:_MAX_NAME]: str(v)[:_MAX_TEXT] for k, v in row.items() if v is not None} | {"graph": graph}
        for row in rows[:_MAX_NEAR_MISSES]
        if isinstance(row, dict)
    )


def rows(reply: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """A list of objects, a thousand at most. WorkerFailure `protocol` for anything else."""
    return [row for row in _list(reply, key) if isinstance(row, dict)]


def texts(reply: dict[str, Any], key: str) -> list[str]:
    """A list of texts, each of bounded length. WorkerFailure `protocol` for anything else."""
    return [text[:_MAX_TEXT] for text in _list(reply, key) if isinstance(text, str)]


def count(row: dict[str, Any], key: str) -> int:
    """A number of things. WorkerFailure `protocol` for anything else."""
    if type(row.get(key)) is int and row[key] >= 0:
        return int(row[key])
    raise WorkerFailure("protocol", f"the worker sent no count as {key}")


def _list(reply: dict[str, Any], key: str) -> list[Any]:
    claimed = reply.get(key)
    if isinstance(claimed, list):
        return claimed[:_MAX_ROWS]
    raise WorkerFailure("protocol", f"the worker sent no list as {key}")


def _is_count(name: object, count: object) -> bool:
    return isinstance(name, str) and len(name) <= _MAX_TEXT and type(count) is int and count >= 0


def times(reply: dict[str, Any], key: str) -> list[float]:
    """Times that a worker measured itself. WorkerFailure `protocol` unless they are positive numbers."""
    claimed = reply.get(key)
    if isinstance(claimed, list) and claimed and all(isinstance(t, int | float) and 0 < t < math.inf for t in claimed):
        return [float(t) for t in claimed]
    raise WorkerFailure("protocol", f"the worker sent no list of positive times as {key}")
