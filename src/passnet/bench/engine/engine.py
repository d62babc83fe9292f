"""The engine: gives units to the devices of a fleet, tries again what the machine broke, and gives up in bounded time.

What a device does is said in the module `fleet`. Which fleet it is changes no record.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from passnet.bench.engine.fleet import DeviceFleet
from passnet.bench.engine.messages import (
    GraphJudged,
    HostLost,
    HostReady,
    HostRefused,
    HostReports,
    HostWaits,
    UnitDone,
    UnitStopped,
)
from passnet.bench.engine.unit import EvaluationUnit
from passnet.bench.record.records import GraphRecord
from passnet.errors import InfrastructureError, MachineError, PassNetError
from passnet.writing import StorageError

# How often a graph is tried. After one that ended its device's process so often, others of its unit are tried once.
TRIES = 3
# A device that could not be started so often is given up. A service tries it again after a while, and waits twice as
# long after each time that it is given up.
_STARTS, _FIRST_REST_S, _LONGEST_REST_S = 2, 5.0, 60.0
# A device that takes so many times as long as a unit's candidates may is stopped. What else it does takes less.
_TIMES_AS_LONG, _LEAST_S = 3.0, 60.0
# When graphs of so many tasks fail in a row and none in between has a record, the machine is to blame.
_TASKS_IN_A_ROW = 3
# Figures of two such machines must not stand in one run.
SAME_MACHINE = ("passnet", "torch", "cpu", "gpu")


@dataclass(frozen=True)
class GraphRecorded:
    """A graph of a unit has its record."""

    unit: str
    record: GraphRecord


@dataclass(frozen=True)
class TriedAgain:
    """The machine failed at a graph. `attempt`: how often by now. It is tried again, unless `Unjudged` follows."""

    unit: str
    task: str
    graph: str
    device: str
    attempt: int
    reason: str


@dataclass(frozen=True)
class Unjudged:
    """A graph has no record, because the machine failed every time. This says nothing of the candidate."""

    unit: str
    task: str
    graph: str
    reason: str


@dataclass(frozen=True)
class UnitFinished:
    """Every graph of a unit was judged or given up."""

    unit: str


EngineEvent = GraphRecorded | TriedAgain | Unjudged | UnitFinished


@dataclass
class _Work:
    """A unit with the graphs that are left, and how often each was tried."""

    unit: EvaluationUnit
    missing: list[str]
    tries: dict[str, int] = field(default_factory=dict)
    limit: int = TRIES

    @property
    def left(self) -> EvaluationUnit:
        return self.unit.model_copy(update={"wanted": tuple(self.missing)})


@dataclass
class _Seat:
    """A device. `work`: the unit that it judges. `starts`: failed starts in a row. `rests_until`: by the clock.

    `rests`: how often it was given up since it was last ready. `was`: the last unit that it was given, at `since`.
    `expects`: the unit that it was told will follow.
    """

    state: Literal["off", "starting", "idle", "busy"] = "off"
    work: _Work | None = None
    starts: int = 0
    rests: int = 0
    rests_until: float = 0.0
    reason: str = ""
    was: str = ""
    since: float = 0.0
    expects: str = ""


class Engine:
    """Judges units on the devices of a fleet. Use it as a context or call `close`, all from one thread.

    `same`: facts of the machine that every device must share; None takes those of the first one.
    `say`: receives a sentence about a device that waits, fails or is given up.
    `stops`: whether a failing machine ends everything with InfrastructureError. A service goes on instead.
    """

    def __init__(
        self, fleet: DeviceFleet, say: Callable[[str], None], *, same: dict[str, Any] | None = None, stops: bool = True
    ) -> None:
        self.fleet = fleet
        self._say, self._stops = say, stops
        self._same = same
        self._queue: deque[_Work] = deque()
        self._seats: dict[str, _Seat] = {}
        self._failed_tasks: set[str] = set()
        self._events: list[EngineEvent] = []
        self._fatal: PassNetError | None = None

    # --- what callers use ------------------------------------------------------------------------------------

    def run(self, units: Iterable[EvaluationUnit]) -> Iterator[EngineEvent]:
        """Judge all units. They are taken as devices become free. InfrastructureError when no device is left."""
        coming = iter(units)
        more = True
        while more or self.unfinished:
            while more and self.waiting <= len(self._seats):
                unit = next(coming, None)
                more = unit is not None
                if unit is not None:
                    self.submit(unit)
            yield from self.poll(1.0)

    def submit(self, unit: EvaluationUnit) -> None:
        """Queue a unit. Its `id` must not be in use."""
        self._queue.append(_Work(unit, list(unit.wanted)))

    def cancel(self, unit: str) -> bool:
        """Take back a unit that still waits. False when it is being judged, or unknown."""
        kept = deque(work for work in self._queue if work.unit.id != unit)
        found = len(kept) < len(self._queue)
        self._queue = kept
        return found

    def poll(self, timeout_s: float) -> list[EngineEvent]:
        """Give work to free devices and return what happened, after at most `timeout_s` seconds or a graph's time.

        StorageError or InfrastructureError when nothing can go on. What happened before is returned first.
        """
        if self._fatal is None:
            self._stop_endless()
            self._assign()
        if not self._events and self._fatal is None:
            for device, report in self.fleet.wait(timeout_s):
                self._take(device, report)
        if not self._events and self._fatal is not None:
            raise self._fatal
        events, self._events = self._events, []
        return events

    @property
    def waiting(self) -> int:
        """Units that wait for a device."""
        return len(self._queue)

    @property
    def unfinished(self) -> int:
        """Units that wait or are being judged."""
        return len(self._queue) + sum(seat.work is not None for seat in self._seats.values())

    def states(self) -> dict[str, str]:
        """What each device does: off, starting, idle, busy, or why it is given up for now."""
        now = time.monotonic()
        return {
            name: f"failed: {seat.reason}" if seat.rests_until > now else seat.state
            for name, seat in self._known_seats().items()
        }

    def close(self) -> None:
        """End everything, also what is being judged."""
        self.fleet.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- devices and their reports ---------------------------------------------------------------------------

    def _known_seats(self) -> dict[str, _Seat]:
        for device in self.fleet.devices:
            self._seats.setdefault(device, _Seat())
        return self._seats

    def _assign(self) -> None:
        """Start as many devices as there are units for, and give units to idle ones."""
        seats = self._known_seats()
        coming = sum(seat.state == "starting" for seat in seats.values())
        present = set(self.fleet.devices)
        for device, seat in seats.items():
            if seat.state == "idle" and self._queue:
                self._give(device, seat)
        for device, seat in seats.items():
            usable = device in present and seat.rests_until <= time.monotonic()
            if seat.state == "off" and usable and coming < len(self._queue):
                seat.state = "starting"
                coming += 1
                self._begin(device, partial(self.fleet.start, device))
        if self._queue and not any(self._hopeful(device, seat) for device, seat in seats.items()):
            self._no_device_left()

    def _hopeful(self, device: str, seat: _Seat) -> bool:
        resting = seat.rests_until > time.monotonic() or device not in self.fleet.devices
        return seat.state != "off" or not resting

    def _give(self, device: str, seat: _Seat) -> None:
        """The unit that this device expects, or the first one that it did not fail at, or the first of all."""
        fit = [work for work in self._queue if not work.tries or seat.was != work.unit.id] or [self._queue[0]]
        work = next((work for work in fit if work.unit.id == seat.expects), None) or self._unexpected(fit) or fit[0]
        self._queue.remove(work)
        seat.state, seat.work, seat.was, seat.since = "busy", work, work.unit.id, time.monotonic()
        following = self._unexpected(self._queue)
        seat.expects = following.unit.id if following is not None else ""
        unit = work.left
        if following is not None and following.unit.passes != unit.passes:
            unit = unit.model_copy(update={"following": following.unit.passes})
        self._begin(device, lambda: self.fleet.send(device, unit))

    def _unexpected(self, queue: Iterable[_Work]) -> _Work | None:
        """The first unit for which no device has made itself ready."""
        expected = {seat.expects for seat in self._seats.values() if seat.state == "busy"}
        return next((work for work in queue if work.unit.id not in expected), None)

    def _begin(self, device: str, act: Callable[[], None]) -> None:
        """Start a device or give it work. A failure of the machine there is a report like others."""
        try:
            act()
        except MachineError as error:
            starting, reason = self._seats[device].state == "starting", str(error)
            full = isinstance(error, StorageError)
            self._take(device, HostRefused(reason=reason) if starting else UnitStopped(reason=reason, storage=full))

    def _take(self, device: str, report: HostReports) -> None:
        seat = self._seats[device]
        match report:
            case HostWaits(text=text):
                self._say(text)
            case HostReady(machine=machine):
                self._ready(device, seat, machine)
            case GraphJudged(record=record):
                assert seat.work is not None
                seat.work.missing.remove(record.graph)
                self._failed_tasks.clear()
                self._events.append(GraphRecorded(seat.work.unit.id, record))
            case UnitDone():
                work, seat.work, seat.state = seat.work, None, "idle"
                assert work is not None and not work.missing, "a device is done with a unit that has graphs left"
                self._events.append(UnitFinished(work.unit.id))
            case UnitStopped(reason=reason, storage=storage):
                seat.state = "idle"
                if storage and self._stops:
                    self._fatal = StorageError(reason)
                self._failed(device, seat, reason, ended=False)
            case HostRefused(reason=reason) | HostLost(reason=reason):
                if seat.work is None:
                    self._not_started(device, seat, reason)
                else:
                    seat.state = "off"
                    self._failed(device, seat, reason, ended=True)

    def _ready(self, device: str, seat: _Seat, machine: dict[str, Any]) -> None:
        facts = {key: machine.get(key) for key in SAME_MACHINE}
        self._same = self._same or facts
        other = [key for key in SAME_MACHINE if facts[key] != self._same[key]]
        if other:
            told = "; ".join(f"{key} is {facts[key]} there and {self._same[key]} elsewhere" for key in other)
            self.fleet.stop(device)
            self._give_up(device, seat, f"{device} is another machine: {told}")
            return
        seat.state, seat.starts, seat.rests = "idle", 0, 0

    def _not_started(self, device: str, seat: _Seat, reason: str) -> None:
        seat.state = "off"
        seat.starts += 1
        if seat.starts >= _STARTS:
            self._give_up(device, seat, reason)
        else:
            self._say(f"{device} did not start and is tried again: {reason}")

    def _give_up(self, device: str, seat: _Seat, reason: str) -> None:
        seat.state, seat.starts, seat.reason = "off", 0, reason
        rest_s = min(_LONGEST_REST_S, _FIRST_REST_S * 2 ** min(seat.rests, 10))
        seat.rests += 1
        seat.rests_until = float("inf") if self._stops else time.monotonic() + rest_s
        self._say(f"{device} is given up: {reason}")

    def _stop_endless(self) -> None:
        """Stop devices that take far longer for a unit than its candidates may. Nobody knows whose fault that is.

        Its graphs have no record, and are not tried again.
        """
        for device, seat in self._seats.items():
            work, passed = seat.work, time.monotonic() - seat.since
            if work is None or work.unit.limit_s is None:
                continue
            if passed > max(_LEAST_S, _TIMES_AS_LONG * work.unit.limit_s):
                self.fleet.stop(device)
                seat.state, seat.work = "off", None
                self._drop(work, f"judging took {passed:.0f} s, and its passes may take {work.unit.limit_s:g} s of it")

    def _drop(self, work: _Work, reason: str) -> None:
        self._events += [Unjudged(work.unit.id, work.unit.task, graph, reason) for graph in work.missing]
        self._events.append(UnitFinished(work.unit.id))

    # --- failures of the machine -----------------------------------------------------------------------------

    def _failed(self, device: str, seat: _Seat, reason: str, *, ended: bool) -> None:
        """Count a failure against the graph that was next, and queue what is left at the end."""
        work, seat.work = seat.work, None
        assert work is not None
        if work.missing:
            self._count(device, work, reason, ended=ended)
        if work.missing:
            self._queue.append(work)
        else:
            self._events.append(UnitFinished(work.unit.id))
        if self._stops and len(self._failed_tasks) >= _TASKS_IN_A_ROW:
            self._fatal = InfrastructureError(
                f"graphs of {_TASKS_IN_A_ROW} tasks failed in a row, and none in between was judged: {reason}"
            )

    def _count(self, device: str, work: _Work, reason: str, *, ended: bool) -> None:
        graph = work.missing[0]
        tries = work.tries[graph] = work.tries.get(graph, 0) + 1
        self._failed_tasks.add(work.unit.task)
        self._events.append(TriedAgain(work.unit.id, work.unit.task, graph, device, tries, reason))
        if tries < work.limit:
            self._say(f"{work.unit.task}/{graph} is tried again ({tries} of {work.limit} tries failed): {reason}")
            return
        del work.missing[0]
        if ended:  # each further graph of such a unit would cost as many processes
            work.limit = 1
        self._events.append(Unjudged(work.unit.id, work.unit.task, graph, reason))

    def _no_device_left(self) -> None:
        reason = next((seat.reason for seat in self._seats.values() if seat.reason), "no device is there")
        if self._stops:
            self._fatal = InfrastructureError(f"no device is left to judge on: {reason}")
            return
        while self._queue:
            self._drop(self._queue.popleft(), reason)
