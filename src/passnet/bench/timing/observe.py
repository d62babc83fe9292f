"""The controller's observations of a timed candidate: notes of the guard, its clock, work while idle."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import Worker
from passnet.bench.outcome.ownership import Verdict, found, owned_by
from passnet.bench.timing.blocks import Block, lower_quartile
from passnet.bench.wire.replies import Note

_LEAST_SPANS, _SHORTEST_SPAN_US = 4, 500.0
# Clocks of one machine agree. A difference this large hints at another kind of clock. It does not check calibration.
_CLOCKS_AGREE = 1.5
_SETTLE_S, _SECOND_LOOK = 0.003, 4
# Two processes take about the same time to draw the same inputs. Where they draw themselves, more counts so many times.
_DRAWS_AGREE, _DRAW_SLACK_US, _OWN_DRAWING_COUNTS = 1.05, 1.0, 2.0
_LATE_SHARE, _LATE_DRAWS, _LATE_US = 1.0, 3.0, 20.0
_BUSY_SHARE = 0.3


@dataclass
class Observations:
    """Collects over the blocks of one candidate process. It raises `Verdict` integrity as soon as something is
    certain.

    `late`: three times in microseconds by group. They are of `late_us`, of eager's drawing, and of the candidate's
    calls.
    """

    spans: list[tuple[float, tuple[float, float]]] = field(default_factory=list)
    late: list[tuple[float, float, float]] = field(default_factory=list)

    def block(self, block: Block) -> None:
        """After every candidate block: look at the guard's notes, and at how long the worker says that it took."""
        look_at_notes(block.reply.notes)
        if block.span_us[1] > _SHORTEST_SPAN_US:
            self.spans.append((block.reply.span_us, block.span_us))

    def group(self, eager: Sequence[Block], control: Sequence[Block], candidate: Sequence[Block]) -> None:
        """After every group of blocks."""
        drawing = statistics.mean(block.draw_us for block in eager)
        calls = statistics.mean(block.us_per_call for block in candidate)
        self.late.append((late_us(eager, control, candidate), drawing, calls))

    def decide(self) -> None:
        """At the end: judge what is only certain when it is so in most blocks."""
        self._clocks()
        self._drawing()

    def _clocks(self) -> None:
        """The worker's clock must lie between the least and the most time that passed by our clock."""
        wrong = [(claimed, span) for claimed, span in self.spans if not _possible(claimed, span)]
        if len(self.spans) >= _LEAST_SPANS and len(wrong) > len(self.spans) // 2:
            claimed, (least, most) = wrong[-1]
            said = f"the worker's clock shows {claimed:.0f} us where {least:.0f} to {most:.0f} us passed"
            raise found("clock", f"{said}; so or alike in {len(wrong)} of {len(self.spans)} blocks")

    def _drawing(self) -> None:
        """Drawing the inputs is the same work for eager. A worker that takes much longer does other work too.

        The caches, as a call leaves them, may double the cost of the next draw. That time counts, and is no
        finding. On a busy machine a worker is late by chance in many groups, so a finding needs nearly all.
        """
        if not self.late:
            return
        lateness, drawings, calls = zip(*self.late, strict=True)
        late, drawing, call = lower_quartile(lateness), statistics.median(drawings), statistics.median(calls)
        if late > max(_LATE_SHARE * call, _LATE_DRAWS * drawing, _LATE_US):
            raise found(
                "outside_clock",
                f"between calls the worker took {late:.0f} us longer than eager's; a call takes {call:.0f}",
            )


def counted_us(eager: Sequence[Block], control: Sequence[Block], candidate: Sequence[Block]) -> float:
    """What of `late_us` counts with the candidate's calls: twice where it can save reading what it draws itself."""
    drawn_by_drawer = all(block.wait_us is not None for block in candidate)
    return (1.0 if drawn_by_drawer else _OWN_DRAWING_COUNTS) * late_us(eager, control, candidate)


def late_us(eager: Sequence[Block], control: Sequence[Block], candidate: Sequence[Block]) -> float:
    """What the candidate takes between its calls beyond eager's most.

    Where the drawer draws, all is late that a worker takes until it waits for its call. No worker runs while the drawer
    does. A free share would be filled with work, and the most of four blocks, with the control's, is chance enough for
    the mean of two. Once the inputs are there, a worker has little to do, so that span has a bound of its own. Who is
    quick before it gains no time in it. Where a worker draws itself, what caches make of that is free.
    """
    others = (*eager, *control)
    waits = _beyond([block.wait_us for block in others], [block.wait_us for block in candidate])
    holding = _beyond([block.holding_us for block in others], [block.holding_us for block in candidate])
    if waits is not None and holding is not None:
        return max(waits, holding)
    most = _DRAWS_AGREE * max(block.draw_us for block in eager) + _DRAW_SLACK_US
    return statistics.fmean(max(0.0, block.draw_us - most) for block in candidate)


def _beyond(others: Sequence[float | None], own: Sequence[float | None]) -> float | None:
    most, mine = [us for us in others if us is not None], [us for us in own if us is not None]
    return max(0.0, statistics.fmean(mine) - max(most)) if most and mine else None


def _possible(claimed: float, span: tuple[float, float]) -> bool:
    return span[0] / _CLOCKS_AGREE <= claimed <= span[1] * _CLOCKS_AGREE


def look_at_notes(notes: Sequence[Note]) -> None:
    """Turn the guard's notes from a worker into a verdict."""
    if notes:
        verdicts = [found(name, evidence) for name, evidence in notes]
        findings = [finding for verdict in verdicts for finding in verdict.findings]
        raise Verdict(verdicts[0].outcome, verdicts[0].detail, findings)


def idle_work(pair: WorkerPair, window_s: float) -> None:
    """The worker is awake but has no request. If it uses the processor now, this work is hidden from the clock.

    Blocks are too short to look at what it takes of the machine. So that is looked at here too.
    """
    if not window_s:
        return
    with owned_by("call"), pair.awake("candidate") as worker:
        worker.watch()
        time.sleep(_SETTLE_S)
        if _busy(worker, window_s) > _BUSY_SHARE:
            share = _busy(worker, _SECOND_LOOK * window_s)
            if share > _BUSY_SHARE:
                raise found(
                    "background_work", f"{share:.0%} of a core was wanted while nothing was asked of the worker"
                )


def _busy(worker: Worker, window_s: float) -> float:
    began, before = time.monotonic(), worker.wanted_cpu_ns()
    time.sleep(window_s)
    return (worker.wanted_cpu_ns() - before) / 1e9 / (time.monotonic() - began)
