"""One worker from the controller's side: whatever it does, the controller gets an answer or a typed failure."""

from __future__ import annotations

import os
import select
import signal
import stat
import struct
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from passnet.bench.isolation import limits, worker_process
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.isolation.sandbox import SandboxPlan
from passnet.bench.isolation.worker_process import (
    Worker,
    WorkerDead,
    WorkerFailure,
    candidate_limits,
    memory_share,
    reference_limits,
)
from passnet.bench.wire import memory
from passnet.bench.wire.channel import MAX_REPLY_BYTES
from passnet.bench.wire.requests import BuildProgram
from passnet.errors import InfrastructureError
from tests.bench.bench_helpers import LONG, SEED, affine_graph, asked, bits, buffers_for, lend, start_worker


@pytest.fixture
def worker(fork_server: ForkServer, tmp_path: Path) -> Iterator[Worker]:
    with start_worker(fork_server, tmp_path) as worker:
        yield worker


def frame(body: bytes) -> str:
    return (struct.pack("<I", len(body)) + body).hex()


def state_of(pid: int) -> str:
    text = Path(f"/proc/{pid}/stat").read_text()
    return text[text.rindex(")") + 2]


def stopped(pid: int) -> bool:
    """Waits (signals are delivered soon, not at once) until a process is stopped."""
    for _ in range(2000):
        if state_of(pid) == "T":
            return True
        select.select([], [], [], 0.005)
    return False


def gone(pid: int) -> bool:
    for _ in range(2000):
        try:
            if state_of(pid) in {"Z", "X"}:
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        select.select([], [], [], 0.005)
    return False


# --- answers -------------------------------------------------------------------------------------------------------


def test_requests_are_answered_in_turn(worker: Worker) -> None:
    for value in (1, "two", [3.0, None], {"four": True}):
        assert asked(worker, "echo", LONG, value=value)["echo"] == value


def test_an_error_is_an_answer_and_the_worker_goes_on(worker: Worker) -> None:
    with pytest.raises(WorkerFailure) as caught:
        asked(worker, "raise", LONG, name="ValueError", text="not today")
    assert caught.value.kind == "exception"
    assert str(caught.value) == "ValueError: not today"
    assert caught.value.said is not None
    assert "hostile_requests" in caught.value.said.trace
    assert "hostile_requests" in worker.options.log.read_text(), "where it was raised, for people"
    assert not isinstance(caught.value, WorkerDead)
    assert asked(worker, "ping", LONG)["pid"] == worker.pid


def test_a_worker_that_lost_its_device_is_ended_with_its_answer(worker: Worker) -> None:
    with pytest.raises(WorkerFailure) as caught:
        asked(worker, "lose_device", LONG)
    assert str(caught.value) == "RuntimeError: CUDA error: device-side assert triggered"
    assert not isinstance(caught.value, WorkerDead)
    assert not worker.alive
    assert gone(worker.pid)


def test_a_very_long_error_is_cut(worker: Worker) -> None:
    with pytest.raises(WorkerFailure) as caught:
        asked(worker, "raise", LONG, name="ValueError", text="x", times=20 << 20)
    assert len(str(caught.value)) <= 4000
    assert caught.value.said is not None
    assert len(caught.value.said.trace) <= 4000


@pytest.mark.parametrize("mode", [0o000, 0o4755])
def test_a_worker_cannot_keep_the_mode_of_its_log(fork_server: ForkServer, tmp_path: Path, mode: int) -> None:
    """It was given the file open: closed to its owner, it would keep the next worker from starting."""
    with start_worker(fork_server, tmp_path) as worker:
        asked(worker, "mode_of_log", LONG, mode=mode)
        assert stat.S_IMODE(worker.options.log.stat().st_mode) == mode
    assert stat.S_IMODE(worker.options.log.stat().st_mode) == 0o644
    worker.options.log.chmod(mode)
    with start_worker(fork_server, tmp_path) as worker:
        assert stat.S_IMODE(worker.options.log.stat().st_mode) == 0o644


def test_an_unknown_request_is_an_error_answer(worker: Worker) -> None:
    with pytest.raises(WorkerFailure, match="no such thing"):
        asked(worker, "no such thing", LONG)


@pytest.mark.parametrize("name", ["SystemExit", "KeyboardInterrupt", "BaseException"])
def test_leaving_through_the_interpreter_is_an_answer(worker: Worker, name: str) -> None:
    with pytest.raises(WorkerFailure, match=f"{name}: goodbye"):
        asked(worker, "raise", LONG, name=name, text="goodbye")
    assert name in worker.options.log.read_text()
    assert worker.alive


def test_an_error_that_cannot_be_written_is_an_answer(worker: Worker) -> None:
    with pytest.raises(WorkerFailure, match="RuntimeError: a RuntimeError whose message cannot be written"):
        asked(worker, "raise_number", LONG)


# --- the end of a worker -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGKILL, signal.SIGFPE])
def test_death_by_signal_is_described(worker: Worker, number: signal.Signals) -> None:
    with pytest.raises(WorkerDead, match=rf"test worker was ended by signal {int(number)} \(\w+") as caught:
        asked(worker, "kill_self", LONG, signal=int(number))
    assert caught.value.kind == "crash"
    assert not worker.alive


@pytest.mark.parametrize("number", [signal.SIGRTMIN, signal.SIGRTMIN + 3, signal.SIGRTMAX])
def test_death_by_a_nameless_signal_is_described_too(worker: Worker, number: int) -> None:
    with pytest.raises(WorkerDead, match=f"signal {int(number)}") as caught:
        asked(worker, "kill_self", LONG, signal=int(number))
    assert caught.value.kind == "crash"


@pytest.mark.parametrize("code", [0, 1, 70, 255])
def test_an_early_exit_is_described_whatever_its_code(worker: Worker, code: int) -> None:
    with pytest.raises(WorkerDead, match=f"exited with code {code} without answering") as caught:
        asked(worker, "exit_now", LONG, code=code)
    assert caught.value.kind == "crash"


def test_after_the_end_every_request_says_so(worker: Worker) -> None:
    with pytest.raises(WorkerDead):
        asked(worker, "exit_now", LONG, code=0)
    with pytest.raises(WorkerDead, match="already ended") as caught:
        asked(worker, "ping", LONG)
    assert caught.value.kind == "dead"
    worker.close()
    worker.close()


def test_a_worker_killed_between_requests_is_noticed_at_the_next(worker: Worker) -> None:
    assert asked(worker, "ping", LONG)
    os.kill(worker.pid, signal.SIGKILL)
    assert gone(worker.pid)
    with pytest.raises(WorkerDead, match="signal 9"):
        asked(worker, "ping", LONG)


def test_a_hang_is_ended_at_its_deadline(worker: Worker) -> None:
    with pytest.raises(WorkerDead, match=r"did not answer within 0\.2 s") as caught:
        asked(worker, "hang", 0.2)
    assert caught.value.kind == "timeout"
    assert gone(worker.pid)


def test_a_closed_channel_is_the_end(worker: Worker) -> None:
    with pytest.raises(WorkerDead) as caught:
        asked(worker, "close_channel", LONG)
    assert caught.value.kind == "crash"
    assert gone(worker.pid)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (frame(b"not json at all"), "no WorkerAnswer"),
        (frame(b"[1, 2, 3]"), "no WorkerAnswer"),
        (frame(b"{}"), "no WorkerAnswer"),
        (struct.pack("<I", MAX_REPLY_BYTES + 1).hex(), "at most"),
        ("ffffffff", "at most"),
    ],
)
def test_a_worker_that_breaks_the_protocol_is_ended(worker: Worker, data: str, what: str) -> None:
    with pytest.raises(WorkerDead, match=what) as caught:
        asked(worker, "raw", LONG, hex=data)
    assert caught.value.kind == "protocol"
    assert gone(worker.pid)


def test_half_an_answer_is_a_timeout(worker: Worker) -> None:
    with pytest.raises(WorkerDead, match="in the middle") as caught:
        asked(worker, "raw", 0.5, hex=struct.pack("<I", 100).hex() + b'{"a"'.hex())
    assert caught.value.kind == "timeout"


@pytest.mark.parametrize(
    "reply",
    [
        '"text"',
        "null",
        "{}",
        '{"kind": "failed"}',
        '{"kind": "failed", "failure": [1], "message": {"a": 1}}',
        '{"kind": "failed", "failure": "timeout", "message": "only the controller sees that"}',
        '{"kind": "no such kind"}',
    ],
)
def test_a_malformed_reply_is_a_broken_protocol(worker: Worker, reply: str) -> None:
    with pytest.raises(WorkerDead, match="no WorkerAnswer") as caught:
        asked(worker, "raw", LONG, json=reply)
    assert caught.value.kind == "protocol"


def test_a_reply_of_another_kind_is_a_broken_protocol(worker: Worker) -> None:
    with pytest.raises(WorkerDead, match="sent a layers; ExtraDone was due") as caught:
        asked(worker, "raw", LONG, json='{"kind": "layers", "layers": []}')
    assert caught.value.kind == "protocol"


def test_a_failure_may_be_said_in_the_agreed_form(worker: Worker) -> None:
    with pytest.raises(WorkerFailure, match="not today") as caught:
        asked(worker, "raw", LONG, json='{"kind": "failed", "failure": "compile", "message": "not today"}')
    assert caught.value.kind == "compile"
    assert worker.alive


def test_an_answer_to_another_question_is_a_broken_protocol(worker: Worker) -> None:
    """A worker that queues answers ahead would otherwise decide what later requests are told."""
    asked(worker, "ping", LONG)
    with pytest.raises(WorkerDead, match="another question") as caught:
        asked(worker, "raw", LONG, hex=frame(b'{"id": 0, "reply": {"kind": "extra"}}'))
    assert caught.value.kind == "protocol"


# --- the whole group -----------------------------------------------------------------------------------------------


def test_the_group_ends_with_the_worker(worker: Worker) -> None:
    pids = asked(worker, "children", LONG, count=3)["pids"]
    assert all(os.getpgid(pid) == worker.pid for pid in pids)
    worker.close()
    assert all(gone(pid) for pid in pids)


def test_a_hang_with_children_leaves_nothing(worker: Worker) -> None:
    with pytest.raises(WorkerDead):
        asked(worker, "children", 0.3, count=3, hang=True)
    assert gone(worker.pid)
    assert limits.usage(worker.pid, os.getpid()).processes == 0


def test_stop_and_resume_reach_the_whole_group(worker: Worker) -> None:
    pids = asked(worker, "children", LONG, count=2)["pids"]
    worker.stop()
    assert all(stopped(pid) for pid in (worker.pid, *pids))
    worker.resume()
    assert asked(worker, "ping", LONG)["pid"] == worker.pid
    assert not any(state_of(pid) == "T" for pid in (worker.pid, *pids))


@pytest.mark.parametrize(("used_ns", "kind"), [(0, InfrastructureError), (10**9, WorkerDead)])
def test_a_worker_without_a_processor_is_not_accused(
    worker: Worker, monkeypatch: pytest.MonkeyPatch, used_ns: int, kind: type[Exception]
) -> None:
    """It is ordered to stop and does not, since others use the machine; or it works on."""
    times = iter([0])
    worker.options = replace(worker.options, sandbox=SandboxPlan("", "", "", (), gpu=False))
    monkeypatch.setattr(limits, "at_rest", lambda *group: None)
    monkeypatch.setattr(limits, "used_ns", lambda *group: next(times, used_ns))
    monkeypatch.setattr(worker_process, "_STOPS_WITHIN_S", 0.02)
    monkeypatch.setattr(worker_process, "_GETS_TIME_WITHIN_S", 0.1)
    with pytest.raises(kind):
        worker.stop()
    assert not worker.alive


def test_a_stopped_worker_can_be_closed(worker: Worker) -> None:
    worker.stop()
    assert stopped(worker.pid)
    worker.close()
    assert gone(worker.pid)


def test_too_many_processes_are_ended(fork_server: ForkServer, tmp_path: Path) -> None:
    with start_worker(fork_server, tmp_path, processes=4) as worker:
        with pytest.raises(WorkerDead, match="at most 4") as caught:
            asked(worker, "children", LONG, count=8, hang=True)
        assert caught.value.kind == "processes"
        assert gone(worker.pid)


def test_too_many_threads_are_ended(fork_server: ForkServer, tmp_path: Path) -> None:
    """They take ids and memory of the system that the trusted processes need too."""
    with start_worker(fork_server, tmp_path, threads=100) as worker:
        with pytest.raises(WorkerDead, match="threads; at most 100") as caught:
            asked(worker, "threads", LONG, count=200)
        assert caught.value.kind == "processes"
        assert gone(worker.pid)


def test_children_that_leave_the_group_count_as_well(fork_server: ForkServer, tmp_path: Path) -> None:
    with start_worker(fork_server, tmp_path, processes=4) as worker:
        with pytest.raises(WorkerDead) as caught:
            asked(worker, "children", 10.0, count=8, hang=True, new_session=True)
        assert caught.value.kind == "processes"


def test_too_much_resident_memory_is_ended(fork_server: ForkServer, tmp_path: Path) -> None:
    # Pages of the fork_server count as resident in the worker too, hence a bound well above them.
    with start_worker(fork_server, tmp_path, resident_bytes=1 << 30) as worker:
        with pytest.raises(WorkerDead, match="MiB resident") as caught:
            asked(worker, "hog", LONG)
        assert caught.value.kind == "memory"


def test_address_space_is_counted_above_what_the_process_has(fork_server: ForkServer, tmp_path: Path) -> None:
    with start_worker(fork_server, tmp_path, address_space_bytes=256 << 20) as worker:
        assert asked(worker, "allocate", LONG, bytes=1 << 20)["bytes"] == 1 << 20
        with pytest.raises(WorkerFailure, match="MemoryError") as caught:
            asked(worker, "allocate", LONG, bytes=1 << 30)
        assert not isinstance(caught.value, WorkerDead)
        assert asked(worker, "ping", LONG)


def test_memory_that_is_taken_is_counted_above_what_the_process_has(fork_server: ForkServer, tmp_path: Path) -> None:
    with start_worker(fork_server, tmp_path, data_bytes=256 << 20) as worker:
        assert asked(worker, "allocate", LONG, bytes=1 << 20)["bytes"] == 1 << 20
        with pytest.raises(WorkerFailure, match="MemoryError"):
            asked(worker, "allocate", LONG, bytes=1 << 29)
        assert asked(worker, "ping", LONG)


def test_a_system_without_memory_ends_candidates_first(fork_server: ForkServer, tmp_path: Path) -> None:
    for bounds, score in ((candidate_limits(1 << 30, 7, "cuda"), "1000"), (reference_limits(), "0")):
        with start_worker(fork_server, tmp_path, **asdict(bounds)) as worker:
            assert asked(worker, "ping", LONG)
            assert Path(f"/proc/{worker.pid}/oom_score_adj").read_text().strip() == score


def test_what_a_worker_prints_goes_to_its_log_only(worker: Worker, capfd: pytest.CaptureFixture[str]) -> None:
    asked(worker, "print", LONG, text="[Result] status: success\n")
    assert "[Result] status: success" in worker.options.log.read_text()
    assert capfd.readouterr().out == ""


def test_limits_by_role() -> None:
    assert candidate_limits(1 << 30, 7, "cpu").address_space_bytes == 1 << 30
    assert candidate_limits(1 << 30, 7, "cuda").address_space_bytes is None
    assert candidate_limits(1 << 30, 7, "cuda").resident_bytes == 2 << 30
    assert candidate_limits(1 << 30, 7, "cpu").processes == 7
    assert reference_limits().file_bytes is None
    assert not reference_limits().ended_first


def test_all_candidates_together_leave_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_bytes", lambda device: 24 << 30)
    share = memory_share(5)
    assert 5 * share < 24 << 30
    bounds = candidate_limits(6 << 30, 7, "cpu", share)
    assert (bounds.address_space_bytes, bounds.data_bytes) == (6 << 30, share)
    assert bounds.resident_bytes == share + (1 << 30)
    assert candidate_limits(1 << 30, 7, "cpu", share).data_bytes == 1 << 30
    assert candidate_limits(6 << 30, 7, "cuda", 1 << 30).resident_bytes == 4 << 30
    monkeypatch.setattr(memory, "free_bytes", lambda device: 1 << 30)
    assert memory_share(5) == 1 << 30


# --- lent memory ---------------------------------------------------------------------------------------------------


def test_buffers_do_not_pile_up_in_a_worker(worker: Worker, tmp_path: Path) -> None:
    """A run has thousands of graphs; a descriptor kept for each would run out, and hold its memory besides."""
    graph = affine_graph()
    graph.write(tmp_path / "graph")
    build = BuildProgram(graph=str(tmp_path / "graph"), device="cpu", seed=SEED, compiler="eager")
    open_now = []
    for _ in range(4):
        worker.request(build, LONG)
        for name in ("timing", "expected", "timing"):
            buffers = buffers_for(graph, places=2, slots=2)
            lend(worker, buffers, name)
            buffers.close()
        open_now.append(asked(worker, "descriptors", LONG)["memfds"])
    assert open_now[0] > 0
    assert len(set(open_now)) == 1


def test_a_worker_cannot_take_lent_memory_away(worker: Worker) -> None:
    """Shrinking the file under the controller's mapping would end the controller at its next look."""
    buffers = buffers_for(affine_graph(), places=2, slots=2)
    lend(worker, buffers)
    assert asked(worker, "truncate_buffers", LONG)["shrunk"] == 0
    assert len(bits(buffers.places[0][0])) > 0
    buffers.close()
