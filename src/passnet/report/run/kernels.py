"""Time by kernel of a graph, as the profiler saw it in wrappers of passes, beside the least time of the work."""

from __future__ import annotations

from typing import Any, Final

from passnet.authored import one_line
from passnet.bench.names import WITH_PASSES
from passnet.bench.record.records import GraphRecord
from passnet.report.run.measured import resolved
from passnet.report.run.reading import RunData
from passnet.score import Outcome

_MOST_KERNELS: Final = 40
_LONGEST: Final = 160


def kernel_times(record: GraphRecord) -> dict[str, Any] | None:
    """The kernels with their microseconds, the longest first, and what they stand beside. None: not known."""
    if not record.kernel_us:
        return None
    timing = record.timing
    rows = sorted(record.kernel_us.items(), key=lambda row: -row[1])
    device = timing.compiled_busy_us if timing is not None else None
    return {
        "kernels": [[one_line(name)[:_LONGEST], us] for name, us in rows[:_MOST_KERNELS]],
        "left_out": max(len(rows) - _MOST_KERNELS, 0),
        "sum_us": sum(record.kernel_us.values()),
        "device_us": device if resolved(device) else None,
        "bound_us": timing.bound_us if timing is not None else None,
        "bound_by": timing.bound_by if timing is not None else None,
    }


def why_no_times(run: RunData, record: GraphRecord) -> str | None:
    """Why there is no time by kernel, in a few words. None where there is."""
    if record.kernel_us:
        return None
    if record.device == "cpu":
        return "none on a CPU"
    if record.compiler not in WITH_PASSES:
        return f"none: only passes run under the profiler, not {one_line(record.compiler)}"
    if record.kernels is not None:
        older = "none: the record is older than this figure"
        return older if record.kernels else "none: the profiler saw no kernel in the wrappers of the passes"
    if record.outcome is not Outcome.CORRECT:
        return f"none: it ended as {record.outcome.value} before a profile was made"
    protocol = run.settings.get("protocol")
    one = isinstance(protocol, dict) and protocol.get("profiled") == "one"
    return "none: of each task one graph is profiled" if one else "none: the record has no profile"
