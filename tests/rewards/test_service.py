"""`passnet serve` over a device that a test controls: every answer has its status, and the queue is bounded."""

from __future__ import annotations

import json
import resource
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from passnet.bench.engine.engine import Engine
from passnet.bench.engine.messages import GraphJudged, HostLost, HostReady, HostReports, UnitDone
from passnet.errors import InfrastructureError, MachineError, UsageError
from passnet.rewards import connection
from passnet.rewards.app import MAX_BODY_BYTES, application, bound, serve
from passnet.rewards.catalogue import TaskCatalogue
from passnet.rewards.definition import NoReward
from passnet.rewards.reading import Passes, ReadsPasses, read_passes
from passnet.rewards.request import RewardJob, read_task
from passnet.rewards.service import QueueFull, RewardService, Ticket, UnknownTask
from passnet.rewards.session import RewardSession
from passnet.score import Outcome
from tests.bench.conftest import SHORT
from tests.rewards.test_definition import record
from tests.test_machine_errors import no_more_files

TASKS = Path(__file__).parents[2] / "data" / "tasks"
TASK = "bloom_gelu"
FILES = {file.name: file.read_text() for file in (TASKS / TASK / "pass_dir").iterdir() if file.is_file()}


class HeldFleet:
    """One device whose verdicts come when the test says so. `lost`: it dies at every unit instead."""

    devices = ("d",)

    def __init__(self) -> None:
        self.go, self.lost = threading.Event(), False
        self.stopped: list[str] = []
        self._reports: list[HostReports] = []
        self._unit: Any = None

    def start(self, device: str) -> None:
        self._reports.append(HostReady(machine={}))

    def send(self, device: str, unit: Any) -> None:
        self._unit = unit

    def wait(self, timeout_s: float) -> list[tuple[str, HostReports]]:
        if self._unit is not None and self.go.wait(timeout_s):
            unit, self._unit = self._unit, None
            if self.lost:
                self._reports.append(HostLost(reason="the device is gone"))
            else:
                judged = [GraphJudged(record=record(Outcome.CORRECT, 2.0, graph)) for graph in unit.wanted]
                self._reports += [*judged, UnitDone()]
        reports, self._reports = self._reports, []
        return [("d", report) for report in reports]

    def stop(self, device: str) -> None:
        self.stopped.append(device)
        self._unit = None

    def close(self) -> None: ...


class HeldSession:
    limit_s = 600.0

    def __init__(self, fleet: HeldFleet) -> None:
        self.engine = Engine(fleet, lambda text: None, stops=False)
        self._count = 0

    def prepare(self, task: Path, passes: Passes, read: ReadsPasses = read_passes) -> RewardJob:
        self._count += 1
        return RewardJob.prepare(str(self._count), read_task(task), passes, "cpu", SHORT, read=read)

    def __enter__(self) -> HeldSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.engine.close()


@pytest.fixture
def fleet() -> HeldFleet:
    return HeldFleet()


@pytest.fixture
def service(fleet) -> Iterator[RewardService]:
    service = RewardService(lambda: HeldSession(fleet), most=1, tasks=TaskCatalogue([TASKS]), paths=False)
    service.start()
    yield service
    fleet.go.set()
    service.close()


def read(service: RewardService) -> Ticket:
    """A request whose passes were read, so that it is in the queue before any other."""
    ticket = service.submit(TASK, FILES)
    until(lambda: ticket.unit is not None)
    return ticket


def until(done: Callable[[], bool]) -> None:
    for _ in range(6000):
        if done():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come")


def ask(
    service: RewardService, method: str, path: str, body: bytes = b"", headers: Sequence[tuple[bytes, bytes]] = ()
) -> SimpleNamespace:
    """One request to the application, without a socket."""
    import asyncio

    sent: list[dict[str, Any]] = []
    left = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if left:
            return left.pop(0)
        await asyncio.sleep(3600)
        raise AssertionError("nobody waits so long")

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": list(headers), "http_version": "1.1", "scheme": "http", "server": ("127.0.0.1", 1),
        "client": None, "root_path": "",
    }  # fmt: skip
    asyncio.run(application(service)(scope, receive, send))
    text = b"".join(message.get("body", b"") for message in sent).decode()
    return SimpleNamespace(status=sent[0]["status"], text=text, headers=dict(sent[0]["headers"]))


def body(**changes: object) -> bytes:
    return json.dumps({"task": TASK, "passes": FILES} | changes).encode()


def test_a_reward(service, fleet):
    fleet.go.set()
    found = ask(service, "POST", "/reward", body())
    assert found.status == 200
    document = json.loads(found.text)
    assert document["outcome"] == "correct"
    assert document["reward"] > 1.5
    assert {"reward", "outcome", "speedup", "ci", "seconds"} <= document.keys()


def test_a_lost_device_is_no_reward(service, fleet):
    fleet.lost = True
    fleet.go.set()
    found = ask(service, "POST", "/reward", body())
    assert (found.status, "the device is gone" in found.text) == (503, True)
    assert 'passnet_rewards_total{outcome="no_reward"} 1' in ask(service, "GET", "/metrics").text


@pytest.mark.parametrize(
    ("content", "status", "words"),
    [
        (b"{", 400, "Invalid JSON"),
        (b'{"task": "x"}', 400, "passes: Field required"),
        (body(task=7), 400, "task:"),
        (body(more=1), 400, "more:"),
        (body(passes={}), 400, "1 to 100"),
        (body(passes={"../x.py": ""}), 400, "not the name of a pass file"),
        (body(task="nothing"), 404, "unknown task"),
        (body(task="../tasks/bloom_gelu"), 404, "unknown task"),
        (body(task=".."), 404, "unknown task"),
        (b" " * (MAX_BODY_BYTES + 1), 413, "too large"),
    ],
)
def test_what_is_refused(service, content, status, words):
    found = ask(service, "POST", "/reward", content)
    assert found.status == status
    assert words in json.loads(found.text)["error"]
    assert service.unfinished == 0


def test_a_pass_set_that_cannot_be_read_is_a_reward_of_nothing(service):
    found = ask(service, "POST", "/reward", body(passes={"a.py": "x"}))
    assert (found.status, json.loads(found.text)["reward"]) == (200, 0.0)


@pytest.mark.parametrize("devices", ["(0x" + "f" * 6000 + ",)", "f\"{'<\1>'}\""])
def test_a_pass_with_what_python_cannot_write_is_a_reward_of_nothing(service, devices):
    files = {name: f"DEVICES = {devices}\n{text}" if name.endswith(".py") else text for name, text in FILES.items()}
    found = ask(service, "POST", "/reward", body(passes=files))
    assert (found.status, json.loads(found.text)["reward"]) == (200, 0.0)


def test_a_machine_without_files_is_no_reward_and_no_mistake_of_the_client(service, monkeypatch):
    prepare = HeldSession.prepare

    def without_files(self: HeldSession, task: Path, passes: dict[str, str], reads: ReadsPasses) -> RewardJob:
        with no_more_files():
            return prepare(self, task, passes, reads)

    monkeypatch.setattr(HeldSession, "prepare", without_files)
    found = ask(service, "POST", "/reward", body())
    assert (found.status, found.headers[b"retry-after"]) == (503, b"5")
    assert "Too many open files" in json.loads(found.text)["error"]
    assert service.unfinished == 0


def test_a_session_without_files_has_no_reward_for_what_it_cannot_read():
    with RewardSession("cpu", graphs=1) as session, no_more_files():
        first, second = session.rewards([(TASKS / TASK, FILES), (TASKS / TASK, {"a.py": "x"})])
    assert isinstance(first, NoReward) and isinstance(second, NoReward)


def test_texts_are_the_pass_set_that_their_files_would_be(tmp_path, monkeypatch):
    task = read_task(TASKS / TASK, 1)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    written = RewardJob.prepare("1", task, tmp_path, "cpu", SHORT)
    monkeypatch.setattr("tempfile.mkdtemp", None)
    given = RewardJob.prepare("1", task, FILES, "cpu", SHORT)
    assert given.unit == written.unit and given.unit is not None


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"a.py": "x"}, "passes: the directory has no manifest"),
        ({"sorted_output_pass_rule_names.json": '["a"]'}, "sorted_output_pass_rule_names.json: the manifest names 'a'"),
        ({"a.py": "x" * 300_000, "sorted_output_pass_rule_names.json": '["a"]'}, "a.py: cannot be read: too large"),
        ({"a.py": "\ud800", "sorted_output_pass_rule_names.json": '["a"]'}, "a.py, line 1: syntax error"),
    ],
)
def test_texts_that_are_no_pass_set_are_named_as_files_are(files, told):
    found = RewardJob.prepare("1", read_task(TASKS / TASK, 1), files, "cpu", SHORT).known
    assert found is not None and found.detail is not None and found.reward == 0.0
    assert found.detail.startswith(told)


def test_the_queue_is_bounded_and_a_client_that_leaves_makes_room(service):
    judged, waits = read(service), read(service)
    with pytest.raises(QueueFull, match="2 requests are waiting or being judged; at most 2 may"):
        service.submit(TASK, FILES)
    assert ask(service, "POST", "/reward", body()).status == 503
    service.cancel(waits)
    with pytest.raises(CancelledError):
        waits.answer.result(60)
    assert read(service).unit != judged.unit


def test_who_waits_too_long_is_told_and_the_service_goes_on(service, fleet):
    session = service._session
    session.limit_s = 0.5
    judged, waiting = (read(service) for _ in range(2))
    with pytest.raises(NoReward, match=r"no device was free for 0.5 s; ask again"):
        waiting.answer.result(30)
    assert not judged.answer.done() and service.unfinished == 1
    assert service.figures.answers["no_reward"] == 1
    fleet.go.set()
    assert judged.answer.result(30).outcome == "correct"  # who is judged already is not told so
    assert service.submit(TASK, FILES).answer.result(30).outcome == "correct"


def test_a_device_that_never_ends_is_stopped_and_used_again(service, fleet, monkeypatch):
    """What holds it up may be the machine: that is no reward, and no reward of zero."""
    monkeypatch.setattr("passnet.bench.engine.engine._LEAST_S", 0.5)
    monkeypatch.setattr("passnet.bench.engine.engine._TIMES_AS_LONG", 0.0)
    held = service.submit(TASK, FILES)
    with pytest.raises(NoReward, match=r"judging took \d+ s, and its passes may take 600 s of it"):
        held.answer.result(30)
    assert fleet.stopped == ["d"] and service.unfinished == 0
    fleet.go.set()
    assert service.submit(TASK, FILES).answer.result(30).outcome == "correct"


def test_a_service_whose_thread_ends_says_so_and_is_left(service, fleet, monkeypatch):
    assert ask(service, "GET", "/health").status == 200

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fleet, "wait", fail)
    with bound("127.0.0.1", 0, public=False) as sock:
        ticket: list[Ticket] = []
        with pytest.raises(InfrastructureError, match=r"^the service ended: OSError: .*No space left on device$"):
            serve(service, sock, lambda: ticket.append(service.submit(TASK, FILES)))
    assert "stopping" in str(ticket[0].answer.exception(60))
    found = ask(service, "GET", "/health")
    assert (found.status, json.loads(found.text)["ok"]) == (503, False)
    assert 'passnet_device_up{device="d"} 0' in ask(service, "GET", "/metrics").text


def test_a_service_that_stops_is_not_well(service):
    service.stop()
    assert ask(service, "GET", "/health").status == 503


def test_a_device_that_cannot_be_started_for_a_moment_is_started_later(service, fleet, monkeypatch):
    monkeypatch.setattr("passnet.bench.engine.engine._FIRST_REST_S", 0.2)
    start = fleet.start

    def fail(device: str) -> None:
        raise MachineError("the process of d cannot be started: No space left on device")

    fleet.go.set()
    monkeypatch.setattr(fleet, "start", fail)
    for _ in range(2):
        with pytest.raises(NoReward, match="No space left"):
            service.submit(TASK, FILES).answer.result(30)
        assert ask(service, "GET", "/health").status == 503
    monkeypatch.setattr(fleet, "start", start)
    time.sleep(0.5)
    assert service.submit(TASK, FILES).answer.result(30).outcome == "correct"
    assert ask(service, "GET", "/health").status == 200


def test_a_queue_that_is_longer_than_there_are_files_is_refused():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (700, hard))
        connection.make_room(150)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (700, hard)
        connection.make_room(300)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 900
        with pytest.raises(UsageError, match=r"--queue: is more than this process may have open files for"):
            connection.make_room(hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_who_waits_when_the_service_stops_is_told(service):
    ticket = service.submit(TASK, FILES)
    service.stop()
    assert "stopping" in str(ticket.answer.exception(60))


def test_ports_and_addresses():
    with bound("127.0.0.1", 0, public=False) as sock:
        port = sock.getsockname()[1]
        with pytest.raises(UsageError, match=f"--port: is in use; found {port}"):
            bound("127.0.0.1", port, public=False)
    with pytest.raises(UsageError, match=r"--host: .*can be reached from other machines"):
        bound("0.0.0.0", 0, public=False)
    bound("0.0.0.0", 0, public=True).close()


def test_a_page_in_a_browser_is_not_answered(service):
    """Any page can have the browser of this machine send a request to it. Browsers say where it comes from."""
    found = ask(service, "POST", "/reward", body(), [(b"origin", b"http://localhost:8421")])
    assert found.status == 403
    assert "browsers" in json.loads(found.text)["error"]
    assert service.unfinished == 0


@pytest.mark.parametrize("paths", [True, False])
@pytest.mark.parametrize("task", ["a" * 300, "a" * 4000, "b/" * 2000, "/root/\0", "\0"])
def test_whatever_a_task_is_called_it_is_unknown(fleet, task, paths):
    service = RewardService(lambda: HeldSession(fleet), most=1, tasks=TaskCatalogue([TASKS]), paths=paths)
    with pytest.raises(UnknownTask):
        service.place_of(task)


def test_a_session_that_cannot_be_opened_is_told_to_who_starts_it():
    def fail() -> HeldSession:
        raise FileNotFoundError("no place for temporary files")

    service = RewardService(fail, most=1, tasks=TaskCatalogue(), paths=False)
    with pytest.raises(FileNotFoundError, match="no place"):
        service.start()
