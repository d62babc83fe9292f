"""Why a graph is no win, in a line: what the record says of a failure, and where the time of a slow one goes."""

from __future__ import annotations

from typing import Final

from passnet.authored import one_line
from passnet.bench.record.records import GraphRecord, Timing
from passnet.report.run.figures import verdict
from passnet.score import Outcome

_LONGEST: Final = 160
# Device time beyond eager's by this factor is the kernels' fault.
_MORE: Final = 1.05


def reason(record: GraphRecord) -> str:
    """One line about a graph that is not right or surely slower than eager. Empty for others."""
    if record.outcome is not Outcome.CORRECT:
        said = one_line((record.detail or "").split("\n")[0])[:_LONGEST]
        miss = record.near_misses[0] if record.near_misses and record.outcome is Outcome.NO_MATCH else {}
        why = ": ".join(one_line(miss[key])[:_LONGEST] for key in ("rule", "reason") if miss.get(key))
        return "; ".join(filter(None, (said, why)))
    return _slow(record.timing) if record.timing is not None and verdict(record) == "slower" else ""


def _slow(timing: Timing) -> str:
    times = f"{1 / timing.speedup:.2f} times eager's time"
    own, eagers = timing.compiled_busy_us, timing.eager_busy_us
    if own is not None and eagers is not None and own > _MORE * eagers:
        return f"{times}: its kernels take {own:.1f} us, eager's {eagers:.1f}"
    rest = "" if own is None or eagers is None else ", and its kernels no longer than eager's"
    return f"{times}: a call takes {timing.compiled_us:.1f} us, eager's {timing.eager_us:.1f}{rest}"
