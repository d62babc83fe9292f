"""Why a graph is no win, in a line: what the record says of a failure, and where the time of a slow one goes."""

from __future__ import annotations

from typing import Final

from passnet.authored import one_line
from passnet.bench.record.records import GraphRecord, Timing
from passnet.report.run.figures import SLOWER, verdict
from passnet.report.run.measured import device_time, resolved, shares_of
from passnet.score import Outcome

_LONGEST: Final = 160


def reason(record: GraphRecord) -> str:
    """One line about a graph that is not right or surely slower than eager. Empty for others."""
    if record.outcome is not Outcome.CORRECT:
        said = one_line((record.detail or "").split("\n")[0])[:_LONGEST]
        miss = record.near_misses[0] if record.near_misses and record.outcome is Outcome.NO_MATCH else {}
        why = ": ".join(one_line(miss[key])[:_LONGEST] for key in ("rule", "reason") if miss.get(key))
        return "; ".join(filter(None, (said, why)))
    return _slow(record, record.timing) if record.timing is not None and verdict(record) == SLOWER else ""


def _slow(record: GraphRecord, timing: Timing) -> str:
    """The score's ratio, the times of a call, those of the kernels with their own ratio, and the share of the bound."""
    call = f"a call takes {timing.compiled_us:.1f} us, eager's {timing.eager_us:.1f}"
    share = shares_of(record)[1]
    parts = [f"{1 / timing.speedup:.2f} times eager's time: {call}", _kernels(timing)]
    parts += [f"{100 * share:.2g} % of the bound"] if share is not None else []
    return "; ".join(filter(None, parts))


def _kernels(timing: Timing) -> str:
    """What the kernels take, and whether the host takes most of what a call takes longer."""
    ours, eager = timing.compiled_busy_us, timing.eager_busy_us
    if ours is None or eager is None:
        return ""
    times = f" ({ours / eager:.1f} times)" if resolved(ours) and resolved(eager) else ""
    host = "" if ours - eager > (timing.compiled_us - timing.eager_us) / 2 else ", so most of it is the host's"
    return f"its kernels take {device_time(ours)}, eager's {device_time(eager).removesuffix(' us')}{times}{host}"
