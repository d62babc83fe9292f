"""Why a graph is no win, in a line: what the record says of a failure, and where the time of a slow one goes."""

from __future__ import annotations

from typing import Final

from passnet.authored import one_line
from passnet.bench.record.records import GraphRecord, Timing
from passnet.report.run.figures import verdict
from passnet.score import Outcome

_LONGEST: Final = 160


def reason(record: GraphRecord) -> str:
    """One line about a graph that is not right or surely slower than eager. Empty for others."""
    if record.outcome is not Outcome.CORRECT:
        said = one_line((record.detail or "").split("\n")[0])[:_LONGEST]
        miss = record.near_misses[0] if record.near_misses and record.outcome is Outcome.NO_MATCH else {}
        why = ": ".join(one_line(miss[key])[:_LONGEST] for key in ("rule", "reason") if miss.get(key))
        return "; ".join(filter(None, (said, why)))
    return _slow(record.timing) if record.timing is not None and verdict(record) == "slower" else ""


def _slow(timing: Timing) -> str:
    """Kernels alone are named where they take most of what a call takes longer."""
    times = f"{1 / timing.speedup:.2f} times eager's time"
    call = f"a call takes {timing.compiled_us:.1f} us, eager's {timing.eager_us:.1f}"
    if timing.compiled_busy_us is None or timing.eager_busy_us is None:
        return f"{times}: {call}"
    kernels = f"its kernels take {timing.compiled_busy_us:.1f} us, eager's {timing.eager_busy_us:.1f}"
    longer = timing.compiled_us - timing.eager_us
    if timing.compiled_busy_us - timing.eager_busy_us > longer / 2:
        return f"{times}: {kernels}"
    return f"{times}: {call}; {kernels}, so most of it is the host's"
