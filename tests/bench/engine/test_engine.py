"""The engine over a fleet that does as a script says: what is tried again, what is given up, and what ends a run."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from passnet.bench.engine.engine import (
    TRIES,
    Engine,
    EngineEvent,
    GraphRecorded,
    TriedAgain,
    UnitFinished,
    Unjudged,
)
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
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord
from passnet.bench.wire.requests import PassFiles
from passnet.errors import InfrastructureError
from passnet.score import Outcome
from passnet.writing import StorageError

Breaks = Callable[[str, str], HostReports | None]
MACHINE = {"passnet": "1", "torch": "2", "cpu": "x", "gpu": None}


def unit(task: str, *graphs: str) -> EvaluationUnit:
    return EvaluationUnit(
        id=task, task=task, graphs=(), wanted=graphs, passes=None, compiler="eager", device="cpu", protocol=Protocol()
    )


def record(task: str, graph: str) -> GraphRecord:
    return GraphRecord(
        task=task, graph=graph, graph_hash="", pass_set_hash=None, protocol_hash="", compiler="eager", device="cpu",
        outcome=Outcome.NO_MATCH,
    )  # fmt: skip


# The report of a device that is at work.
SLOW = HostWaits(text="at work")


class FakeFleet:
    """Judges at once. `breaks(device, graph)` is the report instead of a verdict, or None."""

    def __init__(
        self, devices: Iterable[str], breaks: Callable[[str, str], HostReports | None] = lambda *_: None
    ) -> None:
        self.devices = list(devices)
        self.breaks = breaks
        self.starts: list[str] = []
        self.judged: list[tuple[str, str, str]] = []
        self.sent: list[tuple[str, EvaluationUnit]] = []
        self.on_start: Callable[[str], HostReports] = lambda device: HostReady(machine=MACHINE)
        self._reports: deque[tuple[str, HostReports]] = deque()

    def machine(self) -> dict[str, Any]:
        return MACHINE

    def start(self, device: str) -> None:
        self.starts.append(device)
        self._reports.append((device, self.on_start(device)))

    def send(self, device: str, unit: EvaluationUnit) -> None:
        self.sent.append((device, unit))
        for graph in unit.wanted:
            broken = self.breaks(device, graph)
            if broken is SLOW:
                return
            if broken is not None:
                self._reports.append((device, broken))
                return
            self.judged.append((device, unit.task, graph))
            self._reports.append((device, GraphJudged(record=record(unit.task, graph))))
        self._reports.append((device, UnitDone()))

    def stop(self, device: str) -> None:
        pass

    def wait(self, timeout_s: float) -> list[tuple[str, HostReports]]:
        return [self._reports.popleft()] if self._reports else []

    def close(self) -> None:
        pass


def run(fleet: FakeFleet, *units: EvaluationUnit, **options: Any) -> list[EngineEvent]:
    with Engine(fleet, lambda text: None, **options) as engine:
        return list(engine.run(units))


def judged(events: Iterable[EngineEvent]) -> list[str]:
    return sorted(event.record.graph for event in events if isinstance(event, GraphRecorded))


def test_units_are_spread_and_each_graph_is_judged_once():
    fleet = FakeFleet(["a", "b"])
    events = run(fleet, *(unit(f"t{n}", f"{n}x", f"{n}y") for n in range(5)))
    assert judged(events) == sorted(f"{n}{g}" for n in range(5) for g in "xy")
    assert {device for device, _, _ in fleet.judged} == {"a", "b"}
    assert sum(isinstance(event, UnitFinished) for event in events) == 5


def of_passes(task: str, *graphs: str, text: str = "") -> EvaluationUnit:
    """A unit with a pass set of its own."""
    return unit(task, *(graphs or (task,))).model_copy(
        update={"passes": PassFiles({"rule.py": text or task}, text or task)}
    )


def foreseen(fleet: FakeFleet) -> dict[str, str | None]:
    """By task: the text of the pass set that its device was told will follow."""
    return {each.task: each.following and each.following.files["rule.py"] for _, each in fleet.sent}


def test_a_device_is_told_what_follows():
    fleet = FakeFleet(["a"])
    run(fleet, of_passes("t1"), of_passes("t2", text="shared"), of_passes("t3", text="shared"), of_passes("t4"))
    assert foreseen(fleet) == {"t1": "shared", "t2": None, "t3": "t4", "t4": None}, "nothing is new in its own pass set"


def test_a_device_gets_what_it_was_told():
    fleet = FakeFleet(["a", "b"])
    units = [of_passes(f"t{number}", f"{number}x", f"{number}y") for number in range(9)]
    assert len(judged(run(fleet, *units))) == 18
    following = foreseen(fleet)
    for device in fleet.devices:
        own = [each.task for name, each in fleet.sent if name == device]
        told = [following[task] for task in own]
        assert [task for task in told if task] == own[1 : len([task for task in told if task]) + 1]
    assert sum(task is not None for task in following.values()) >= 6


def test_no_device_waits_for_what_another_one_expects():
    """A slow device keeps no unit to itself."""
    fleet = FakeFleet(["a", "b"], lambda device, graph: SLOW if device == "a" else None)
    with Engine(fleet, lambda text: None) as engine:
        for number in range(4):
            engine.submit(of_passes(f"t{number}"))
        found = [event for _ in range(40) for event in engine.poll(0.0)]
    assert len(judged(found)) == 3, "all but the one that the slow device has"


def test_one_device_is_started_for_one_unit():
    fleet = FakeFleet(["a", "b", "c"])
    run(fleet, unit("t", "x"))
    assert fleet.starts == ["a"]


def test_a_lost_process_costs_only_the_graph_that_it_was_at():
    losses = iter([True])
    fleet = FakeFleet(
        ["a"], lambda device, graph: HostLost(reason="gone") if graph == "y" and next(losses, False) else None
    )
    events = run(fleet, unit("t", "x", "y", "z"))
    assert judged(events) == ["x", "y", "z"]
    assert [graph for _, _, graph in fleet.judged] == ["x", "y", "z"]
    (again,) = (event for event in events if isinstance(event, TriedAgain))
    assert (again.graph, again.attempt, again.reason, again.device) == ("y", 1, "gone", "a")
    assert fleet.starts == ["a", "a"]


def test_a_process_that_refuses_in_the_middle_of_a_unit_loses_none_of_it():
    """An error of the system ends the process with a refusal. The unit must not wait for ever on that device."""
    losses = iter([True])
    fleet = FakeFleet(
        ["a"], lambda device, graph: HostRefused(reason="no thread") if graph == "y" and next(losses, False) else None
    )
    events = run(fleet, unit("t", "x", "y", "z"), unit("u", "v"))
    assert judged(events) == ["v", "x", "y", "z"]
    (again,) = (event for event in events if isinstance(event, TriedAgain))
    assert (again.graph, again.reason) == ("y", "no thread")


def test_a_unit_that_makes_every_process_refuse_is_given_up():
    fleet = FakeFleet(["a"], lambda device, graph: HostRefused(reason="no thread") if graph == "y" else None)
    events = run(fleet, unit("t", "y"), unit("u", "v"))
    assert judged(events) == ["v"]
    assert [(event.graph, event.reason) for event in events if isinstance(event, Unjudged)] == [("y", "no thread")]


def test_a_poisoned_task_is_given_up_and_the_others_go_on():
    fleet = FakeFleet(["a"], lambda device, graph: HostLost(reason="killed") if graph.startswith("p") else None)
    events = run(fleet, unit("bad", "p1", "p2", "p3"), unit("good", "x"), unit("better", "y"))
    assert judged(events) == ["x", "y"]
    lost = [event for event in events if isinstance(event, Unjudged)]
    assert [(event.task, event.graph, event.reason) for event in lost] == [
        ("bad", f"p{n}", "killed") for n in (1, 2, 3)
    ]
    tries = [event.graph for event in events if isinstance(event, TriedAgain)]
    assert tries == ["p1"] * TRIES + ["p2", "p3"], "what follows a graph that killed every time is tried once"


def test_a_second_device_tries_what_the_first_lost():
    fleet = FakeFleet(
        ["a", "b"], lambda device, graph: HostLost(reason="ecc") if (device, graph) == ("a", "x") else None
    )
    events = run(fleet, unit("t", "x"), unit("u", "y"))
    assert judged(events) == ["x", "y"]
    assert ("b", "t", "x") in fleet.judged


def test_a_device_that_never_starts_is_given_up_and_the_other_does_all():
    fleet = FakeFleet(["a", "b"])
    fleet.on_start = lambda device: HostRefused(reason="no GPU") if device == "a" else HostReady(machine=MACHINE)
    events = run(fleet, *(unit(f"t{n}", f"g{n}") for n in range(4)))
    assert len(judged(events)) == 4
    assert fleet.starts.count("a") == 2


def test_no_device_is_left():
    fleet = FakeFleet(["a"])
    fleet.on_start = lambda device: HostLost(reason="driver gone")
    with pytest.raises(InfrastructureError, match="no device is left to judge on: driver gone"):
        run(fleet, unit("t", "x"))


def test_without_stopping_a_unit_on_no_device_is_unjudged():
    fleet = FakeFleet(["a"])
    fleet.on_start = lambda device: HostLost(reason="driver gone")
    events = run(fleet, unit("t", "x"), stops=False)
    assert [type(event) for event in events] == [Unjudged, UnitFinished]


def test_a_device_of_another_machine_is_not_used():
    fleet = FakeFleet(["a", "b"])
    fleet.on_start = lambda device: HostReady(machine=MACHINE | ({"torch": "3"} if device == "b" else {}))
    run(fleet, *(unit(f"t{n}", "x") for n in range(4)), same=MACHINE)
    assert {device for device, _, _ in fleet.judged} == {"a"}


def test_failures_of_three_tasks_in_a_row_end_the_run():
    fleet = FakeFleet(["a"], lambda device, graph: UnitStopped(reason="no namespaces"))
    with pytest.raises(InfrastructureError, match=r"3 tasks failed in a row.*no namespaces"):
        run(fleet, *(unit(f"t{n}", "x") for n in range(5)))


def test_a_full_disk_ends_the_run_after_what_was_judged():
    full = UnitStopped(reason="disk full", storage=True)
    with Engine(FakeFleet(["a"], lambda _, graph: full if graph == "y" else None), lambda text: None) as engine:
        events = engine.run([unit("t", "x", "y")])
        assert judged([next(events), next(events)]) == ["x"]  # the second says that y failed
        with pytest.raises(StorageError, match="disk full"):
            next(events)


def test_only_a_waiting_unit_can_be_cancelled():
    engine = Engine(FakeFleet(["a"]), lambda text: None)
    engine.submit(unit("t", "x"))
    assert engine.cancel("t")
    assert not engine.cancel("t")
    assert engine.unfinished == 0
