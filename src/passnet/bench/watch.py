"""What the controller notices about a timed candidate: notes of the guard, its clock, work while idle, physics."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field
from typing import Any

from passnet.bench import limits, roofline
from passnet.bench.arena import pack
from passnet.bench.blocks import Block
from passnet.bench.checks import BY_NAME
from passnet.bench.lanes import Lane
from passnet.bench.records import Timing
from passnet.bench.sizing import GraphShape
from passnet.bench.verdict import Verdict, found

_LEAST_SPANS, _SHORTEST_SPAN_US = 4, 500.0
_CLOCKS_AGREE = (1 / 3, 3.0)
_SETTLE_S, _SECOND_LOOK = 0.003, 4
_BUSY_SHARE = 0.3
# Rates that no core or device reaches in a kernel are looked into; below them the bound need not be measured.
_SUSPICIOUS_GB_S = {"cpu": 60.0, "cuda": 2000.0}
# A copy reads as much as it writes and may be slower than writing alone.
_FASTEST_WRITE = 4.0


@dataclass
class Watch:
    """Collects over the blocks of one candidate process; `Verdict` integrity as soon as something is certain."""

    spans: list[tuple[float, float]] = field(default_factory=list)

    def block(self, block: Block) -> None:
        """After every candidate block: what the guard noted in it, and how long the worker says that it took."""
        look_at_notes(block.reply)
        claimed = block.reply.get("span_us")
        if isinstance(claimed, int | float) and block.seen_us > _SHORTEST_SPAN_US:
            self.spans.append((float(claimed), block.seen_us))

    def clocks(self) -> None:
        """At the end: the worker's clock against ours, by the median over blocks, since either may be interrupted."""
        if len(self.spans) < _LEAST_SPANS:
            return
        ratio = statistics.median(claimed / seen for claimed, seen in self.spans)
        if not _CLOCKS_AGREE[0] <= ratio <= _CLOCKS_AGREE[1]:
            raise found(
                "clock", f"the worker's clock shows {ratio:.3g} times what passed, over {len(self.spans)} blocks"
            )


def look_at_notes(reply: dict[str, Any]) -> None:
    """Turn what the guard noted in a worker into a verdict; text from there is shortened and checked."""
    notes = reply.get("notes")
    rows = [row for row in notes if _is_note(row)] if isinstance(notes, list) else []
    if rows:
        first = found(rows[0][0], rows[0][1][:300])
        more = [found(name, evidence[:300]).findings[0] for name, evidence in rows[1:]]
        raise Verdict(first.outcome, first.detail, [*first.findings, *more])


def _is_note(row: Any) -> bool:
    pair = isinstance(row, list) and len(row) == 2
    return pair and row[0] in BY_NAME and isinstance(row[1], str)


def idle_work(lane: Lane, window_s: float) -> None:
    """The worker is awake and asked nothing: what uses the processor now is hidden from the clock otherwise."""
    if not window_s:
        return
    with lane.awake("candidate") as worker:
        time.sleep(_SETTLE_S)
        if _busy(worker.pid, window_s) > _BUSY_SHARE:
            share = _busy(worker.pid, _SECOND_LOOK * window_s)
            if share > _BUSY_SHARE:
                raise found("background_work", f"{share:.0%} of a core was used while nothing was asked of the worker")


def _busy(pid: int, window_s: float) -> float:
    began, before = time.monotonic(), limits.cpu_ns(pid)
    time.sleep(window_s)
    return (limits.cpu_ns(pid) - before) / 1e9 / (time.monotonic() - began)


def physics(timing: Timing, shape: GraphShape) -> None:
    """The outputs must be written: no candidate does it faster than the device writes memory."""
    nbytes = sum(tensor.nbytes for tensor in pack(shape.outputs)[0])
    rate = nbytes / max(timing.compiled_us, 1e-3) / 1e3
    if rate < _SUSPICIOUS_GB_S[shape.device.partition(":")[0]]:
        return
    level = roofline.measure(shape.device).level_for(nbytes)
    if rate > _FASTEST_WRITE * level.gb_s:
        evidence = f"{nbytes} bytes of outputs in {timing.compiled_us:.3f} us are {rate:.0f} GB/s; {level.name} does "
        raise found("implausible_time", f"{evidence}{level.gb_s:.0f} GB/s")
