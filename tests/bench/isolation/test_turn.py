"""Lanes of one device: one at a time uses it, and each gets its turn."""

from __future__ import annotations

import fcntl
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from passnet.bench.isolation import limits
from passnet.bench.isolation.cores import Cores
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.isolation.turn import DeviceTurn
from passnet.bench.isolation.worker_pair import ROLES, WorkerPair
from passnet.bench.wire.orders import Standing
from tests.bench.conftest import SHORT
from tests.child import environment

NO_CORES = Cores((), ())
# So long a test waits for what must happen at some time; and so long it looks whether something happens too early.
LIVES_S, EARLY_S = 60.0, 0.3
LANES, ROUNDS = 3, 25
# What a lane writes down in one turn.
TURN = [f"{phase} {what}" for phase in ("prepares", "measures") * 2 for what in ("begins", "ends")]


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "cuda:0"


def lane(lock: Path) -> DeviceTurn:
    return DeviceTurn(NO_CORES, lock)


def in_thread(act: Callable[[], None]) -> threading.Event:
    """Do something that may have to wait. The event: it is done."""
    done = threading.Event()

    def run() -> None:
        act()
        done.set()

    threading.Thread(target=run, daemon=True).start()
    return done


def until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LIVES_S
    while not what():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)


def taken(file: Path) -> bool:
    """Whether somebody holds a lock file."""
    fd = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False


def pair(scratch: Path, index: int) -> WorkerPair:
    """A pair whose workers were not started."""
    return WorkerPair(index, cast(ForkServer, None), SHORT, "cpu", scratch, scratch, cpus=(3,))


@pytest.mark.parametrize("first", ["prepare", "measure"])
@pytest.mark.parametrize("second", ["prepare", "measure"])
def test_who_uses_the_device_is_alone(lock: Path, first: str, second: str) -> None:
    one, other = lane(lock), lane(lock)
    getattr(one, first)([])
    entered = in_thread(lambda: getattr(other, second)([]))
    assert not entered.wait(EARLY_S)
    one.leave()
    assert entered.wait(LIVES_S)
    assert other.waited_s > 0


def test_who_goes_from_one_phase_to_the_next_keeps_the_device(lock: Path) -> None:
    """Others must not come between what was verified and what is measured."""
    one, other = lane(lock), lane(lock)
    one.prepare([])
    entered = in_thread(lambda: other.measure([]))
    for take in (one.measure, one.measure, one.prepare, one.measure):
        take([])
        assert not entered.wait(EARLY_S / 4)
    one.close()
    assert entered.wait(LIVES_S)


def test_who_has_left_keeps_nobody_out(lock: Path) -> None:
    one, other = lane(lock), lane(lock)
    one.leave()
    one.prepare([])
    one.leave()
    one.leave()
    assert in_thread(lambda: other.measure([])).wait(LIVES_S)


def test_lanes_that_want_the_device_at_once_all_get_it(lock: Path) -> None:
    lanes = [lane(lock), lane(lock), lane(lock)]
    inside: list[DeviceTurn] = []
    most: list[int] = []
    together, rounds = threading.Barrier(len(lanes), timeout=LIVES_S), 50

    def work(turn: DeviceTurn) -> None:
        for _ in range(rounds):
            together.wait()
            turn.prepare([])
            turn.measure([])
            inside.append(turn)
            most.append(len(inside))
            inside.remove(turn)
            turn.leave()

    done = [in_thread(partial(work, turn)) for turn in lanes]
    assert all(event.wait(LIVES_S) for event in done)
    assert most == [1] * (len(lanes) * rounds)


def test_who_waits_is_not_passed_over_for_ever(lock: Path) -> None:
    """Another lane takes the device again as soon as it has left it."""
    busy, waiting = lane(lock), lane(lock)
    enough = threading.Event()

    def take_again_and_again() -> None:
        while not enough.is_set():
            busy.prepare([])
            time.sleep(0.002)
            busy.leave()

    stopped = in_thread(take_again_and_again)
    for _ in range(10):
        assert in_thread(lambda: waiting.measure([])).wait(LIVES_S)
        waiting.leave()
    enough.set()
    assert stopped.wait(LIVES_S)


def test_one_lane_alone_never_waits() -> None:
    turn = DeviceTurn(NO_CORES)
    turn.prepare([])
    turn.measure([])
    turn.leave()
    turn.close()
    assert turn.waited_s == 0.0


def test_who_measures_goes_to_cores_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its controller and its workers; when it prepares or builds, they are on the other cores again."""
    on: list[set[int]] = []
    firsts: list[bool] = []
    monkeypatch.setattr(os, "sched_setaffinity", lambda pid, cores: on.append(set(cores)))
    monkeypatch.setattr(limits, "prefer", lambda thread, *, first: firsts.append(first))
    turn = DeviceTurn(Cores((2,), (3,), (0, 1)))
    pairs = [pair(tmp_path, index) for index in range(2)]
    for take, controller, workers in (
        (turn.prepare, {0, 1}, [(0,), (1,), (0,), (1,)]),
        (turn.measure, {2}, [(3,)] * 4),
        (turn.leave, {0, 1}, [(0,), (1,), (0,), (1,)]),
    ):
        take(pairs)
        assert on[-1] == controller
        measures = controller == {2}
        assert firsts[-1] is measures
        assert [each.places[role] for each in pairs for role in ROLES] == [(cores, measures) for cores in workers]


class Machine:
    """Cores of which some are slow. `looks` notes where was looked, `homes` where the controller was put."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, slow: set[int]) -> None:
        self.slow, self.at = slow, -1
        self.draws = False
        self.looks: list[int] = []
        self.homes: list[set[int]] = []
        monkeypatch.setattr(os, "sched_setaffinity", lambda pid, cores: self.homes.append(set(cores)))
        monkeypatch.setattr(limits, "prefer", lambda thread, *, first: None)

    def core_ns(self, core: int | None) -> float:
        self.at = core if core is not None else self.at
        self.looks.append(self.at)
        return 1500.0 if self.at in self.slow else 1000.0

    def turn(self, cores: Cores) -> DeviceTurn:
        return DeviceTurn(cores, drawer=cast("Any", self))


def test_the_workers_move_where_it_is_quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machine = Machine(monkeypatch, set())
    turn, pairs = machine.turn(Cores((2,), (3,), (0, 1), (4, 5))), [pair(tmp_path, index) for index in range(2)]
    turn.measure(pairs)
    assert not turn.slow()
    machine.slow |= {3, 4}
    assert turn.slow()
    assert turn.quieten(pairs, 9.0) < 9.0
    assert not turn.slow()
    assert {each.places[role] for each in pairs for role in ROLES} == {((5,), True)}
    assert machine.homes[-1] == {2}
    assert machine.at == 5, "who looks stays with the workers"
    turn.leave(pairs)
    turn.measure(pairs)
    assert {each.places[role] for each in pairs for role in ROLES} == {((5,), True)}, "and so it is the next time"


def test_controller_and_workers_change_places_where_there_are_only_two_cores(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine = Machine(monkeypatch, set())
    turn, pairs = machine.turn(Cores((0,), (1,), (0, 1))), [pair(tmp_path, 0)]
    turn.measure(pairs)
    assert not turn.slow()
    machine.slow = {1}
    turn.quieten(pairs, 9.0)
    assert (machine.homes[-1], machine.at) == ({1}, 0)
    assert pairs[0].places["candidate"] == ((0,), True)
    machine.slow = {0, 1}
    turn.quieten(pairs, 0.05)
    assert machine.homes[-1] == {1}, "nowhere is it quiet: all stay where they are"
    assert pairs[0].places["candidate"] == ((0,), True)
    machine.slow = {0}
    turn.quieten(pairs, 9.0)
    assert (machine.homes[-1], machine.at) == ({0}, 1)


def test_workers_of_several_cores_wait_and_do_not_move(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machine = Machine(monkeypatch, set())
    turn, pairs = machine.turn(Cores((1,), (2, 3), (0,))), [pair(tmp_path, 0)]
    turn.measure(pairs)
    machine.at = 2
    assert not turn.slow()
    machine.slow = {2}
    assert 0.05 <= turn.quieten(pairs, 0.05) < 5.0
    assert turn.slow()
    assert pairs[0].places["candidate"] == ((2, 3), True)
    assert set(machine.looks) == {2}


def test_who_has_nobody_to_look_takes_every_core_for_quiet(tmp_path: Path) -> None:
    turn = DeviceTurn(NO_CORES)
    assert not turn.slow()
    assert turn.quieten([pair(tmp_path, 0)], 5.0) < 1.0


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_no_candidate_prepares_on_the_core_of_a_reference(
    count: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "sched_setaffinity", lambda pid, cores: None)
    monkeypatch.setattr(limits, "prefer", lambda thread, *, first: None)
    pairs = [pair(tmp_path, index) for index in range(3)]
    DeviceTurn(Cores((8,), (9,), tuple(range(count)))).prepare(pairs)
    references, candidates = ({core for each in pairs for core in each.places[role][0]} for role in ROLES)
    assert references and candidates and not references & candidates


# --- as processes --------------------------------------------------------------------------------------------------


def start(lock: Path, log: Path, number: int, *, rounds: int, lanes: int) -> subprocess.Popen[bytes]:
    words = map(str, (lock, log, number, rounds, lanes))
    return subprocess.Popen([sys.executable, "-m", "tests.bench.isolation.lane", *words], env=environment())


def seen(log: Path) -> list[list[str]]:
    return [line.split() for line in log.read_text().splitlines()] if log.exists() else []


def test_processes_take_turns(lock: Path, tmp_path: Path) -> None:
    """Each is alone from its first phase to its last one."""
    log = tmp_path / "log"
    lanes = [start(lock, log, number, rounds=ROUNDS, lanes=LANES) for number in range(LANES)]
    assert [process.wait(LIVES_S) for process in lanes] == [0] * LANES
    events = seen(log)
    assert len(events) == LANES * ROUNDS * len(TURN)
    turns = [events[first : first + len(TURN)] for first in range(0, len(events), len(TURN))]
    for turn in turns:
        assert [" ".join(rest) for _, *rest in turn] == TURN
        assert len({number for number, *_ in turn}) == 1
    others = sum(before[0][0] != after[0][0] for before, after in itertools.pairwise(turns))
    assert others >= LANES, "they did not run one after another only"


def test_a_lane_that_is_killed_keeps_nobody_out(lock: Path, tmp_path: Path) -> None:
    doomed = start(lock, tmp_path / "log", 0, rounds=1 << 30, lanes=1)

    def stopped_inside() -> bool:
        doomed.send_signal(signal.SIGCONT)
        time.sleep(0.01)
        doomed.send_signal(signal.SIGSTOP)
        return taken(lock)

    try:
        until(stopped_inside)
        entered = in_thread(lambda: lane(lock).measure([]))
        assert not entered.wait(EARLY_S)
    finally:
        doomed.kill()
        doomed.wait()
    assert entered.wait(LIVES_S)


@pytest.mark.parametrize(
    ("standing", "draws", "first"),
    [
        (Standing.ALONE, True, True),
        (Standing.PREFERRED, True, False),
        (Standing.PREFERRED, False, True),
        (Standing.ALIKE, False, True),
    ],
)
def test_workers_never_go_as_far_before_others_as_a_drawer_by_weight(
    standing: Standing, draws: bool, first: bool
) -> None:
    placed = []

    class Pair:
        def place(self, role: str, cores: tuple[int, ...], *, first: bool = False) -> None:
            placed.append(first)

    drawer = cast(Any, SimpleNamespace(standing=standing, draws=draws, core_ns=lambda _: 0))
    turn = DeviceTurn(Cores((), ()), drawer=drawer)
    turn._sit([cast(Any, Pair())])
    assert placed == [first, first]
