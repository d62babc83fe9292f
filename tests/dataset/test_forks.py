"""Units in forked children: what they give, and every way in which they may go wrong, contained and told."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from passnet.dataset.forks import Bounds, Ended, ForkUnit, run_units

QUICK = Bounds(seconds=20.0, memory_bytes=2 << 30)


def run(tmp_path: Path, work: Callable[[], bytes], bounds: Bounds = QUICK) -> Ended:
    (ended,) = run_units([ForkUnit("one", work, tmp_path / "stage" / "one")], 1, bounds)
    return ended


def raises() -> bytes:
    raise ValueError("the model says no")


def hangs() -> bytes:
    while True:
        time.sleep(0.01)


def eats_memory() -> bytes:
    return b"".join(bytes(1 << 26) for _ in range(1000))


def crashes() -> bytes:
    ctypes.string_at(8)
    return b""


def leaves() -> bytes:
    os._exit(7)


def test_a_result_is_written_and_nothing_else(tmp_path: Path) -> None:
    ended = run(tmp_path, lambda: b"result")
    assert ended.failure is None and ended.key == "one" and ended.peak_memory_mb > 1
    assert (tmp_path / "stage" / "one").read_bytes() == b"result"
    assert [path.name for path in (tmp_path / "stage").iterdir()] == ["one"]


@pytest.mark.parametrize(
    ("work", "bounds", "words"),
    [
        (raises, QUICK, "ValueError: the model says no"),
        (hangs, Bounds(0.3, 1 << 30), "TimeLimit: not done after 1.8 s"),
        (eats_memory, Bounds(20.0, 1 << 28), "MemoryLimit: more than 256 MiB"),
        (crashes, QUICK, "ended by signal 11"),
        (leaves, QUICK, "left with code 7"),
    ],
)
def test_a_failure_is_told_and_leaves_no_file(
    tmp_path: Path, work: Callable[[], bytes], bounds: Bounds, words: str
) -> None:
    ended = run(tmp_path, work, bounds)
    assert ended.failure is not None and words in ended.failure
    assert list((tmp_path / "stage").iterdir()) == []


def test_what_a_unit_started_ends_with_it(tmp_path: Path) -> None:
    note = tmp_path / "pid"

    def starts_another() -> bytes:
        pid = os.fork()
        if pid == 0:
            time.sleep(600)
        note.write_text(str(pid))
        hangs()
        return b""

    assert "TimeLimit" in str(run(tmp_path, starts_another, Bounds(0.3, 1 << 30)).failure)
    deadline = time.monotonic() + 5
    while _runs(int(note.read_text())):
        assert time.monotonic() < deadline, "the grandchild is still there"
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_all_units_run_whatever_the_others_do(tmp_path: Path) -> None:
    works: list[Callable[[], bytes]] = [raises, lambda: b"a", crashes, lambda: b"b", leaves]
    units = [ForkUnit(str(i), work, tmp_path / str(i)) for i, work in enumerate(works)]
    ended = {one.key: one.failure for one in run_units(units, 2, QUICK)}
    assert [key for key in sorted(ended) if ended[key] is None] == ["1", "3"]
    assert (tmp_path / "3").read_bytes() == b"b"


def test_closing_the_iterator_ends_what_runs(tmp_path: Path) -> None:
    note = tmp_path / "pid"

    def work() -> bytes:
        note.write_text(str(os.getpid()))
        hangs()
        return b""

    iterator = run_units(
        [ForkUnit("quick", lambda: b"", tmp_path / "a"), ForkUnit("slow", work, tmp_path / "b")], 2, QUICK
    )
    next(iterator)
    while not note.exists() or not note.read_text():
        time.sleep(0.01)
    iterator.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), signal.SIGKILL)
