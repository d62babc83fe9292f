"""Whatever becomes of an episode's files between two commands: it goes on, or one line says what is wrong and where."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passnet.agent.authors.replay import ReplayedCall, Say
from passnet.agent.env.redo import state_after
from passnet.agent.record.budget import Budget, Usage
from passnet.agent.record.journal import read_episode
from passnet.agent.record.names import ExitReason
from passnet.agent.run.progress import RunProgress
from passnet.agent.run.request import find_tasks
from passnet.agent.run.session import run_agent
from passnet.errors import UsageError
from tests.agent.agent_helpers import (
    EPISODE,
    MANIFEST,
    SUBMIT,
    FakeWorkbench,
    actions_file,
    request_for,
    rule,
    task_copy,
    trying,
    writing,
)
from tests.hostile_texts import HOSTILE, put

CALLS = [{"id": "a", "type": "function", "function": {"name": "view", "arguments": "{}"}}]
ACTIONS = [
    Say(say="look", usage=Usage(prompt_tokens=5, completion_tokens=2, cost_usd=0.1), extra={"calls": CALLS}),
    ReplayedCall(tool="view", arguments={}, call_id="a"),
    *EPISODE[:-1],
    ReplayedCall(tool="str_replace", arguments={"path": "A.py", "old": "speed", "new": "Speed"}),
    ReplayedCall(tool="insert", arguments={"path": "A.py", "line": 1, "text": "# x"}),
    ReplayedCall(tool="delete", arguments={"path": MANIFEST}),
    ReplayedCall(tool="evaluate", arguments={"quick": True}),
    SUBMIT,
]
PLACE = Path("run", "tasks", "bloom_gelu", "attempt-0", "episode.jsonl")
_VALUES: list[Any] = [
    None, True, False, 0, -1, 5, 1e300, float("nan"), float("inf"), 10**30, 2**53, "", "x", "../x", "\0", "9" * 5000,
    [], {}, [[]], {"a": 1}, ["a"], "end", "step", "start",
]  # fmt: skip


class Killed(KeyboardInterrupt):
    """Stands for the end of the process."""


class Recorded:
    """A run that was recorded once, in a directory that can be copied. `stop_at`: killed after so many records."""

    def __init__(self, root: Path, stop_at: int | None) -> None:
        self.root, self.bench = root, FakeWorkbench()
        task_copy(root)
        actions_file(root / "actions.json", ACTIONS)
        seen: list[RunProgress] = []

        def report(progress: RunProgress) -> None:
            seen.append(progress)
            if len(seen) == stop_at:
                raise Killed

        try:
            self.play(root, report)
        except Killed:
            assert stop_at is not None
        self.text = (root / PLACE).read_bytes()

    def play(self, root: Path, report: Callable[[RunProgress], None] = lambda progress: None) -> dict[str, Any]:
        request = request_for(root / "bloom_gelu", root, f"replay:{root / 'actions.json'}", budget=Budget(steps=0))
        return run_agent(request, report, lambda *_: self.bench)

    def resumed(self, change: Callable[[Path], object]) -> dict[str, Any]:
        """Go on in a copy of the run, after something was done to the episode's file."""
        with tempfile.TemporaryDirectory() as place:
            root = Path(place) / "copy"
            shutil.copytree(self.root, root, symlinks=True)
            # The path of the actions and of the task is among a run's settings.
            settings = root / "run" / "settings.json"
            settings.write_text(settings.read_text().replace(str(self.root), str(root)))
            change(root / PLACE)
            return self.play(root)


@pytest.fixture(scope="module", params=["finished", "open"])
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return Recorded(tmp_path_factory.mktemp(request.param), 14 if request.param == "open" else None)


def _goes_on_or_says_why(recorded: Recorded, change: Callable[[Path], object]) -> str | None:
    """The one line with which the command ends. None where it went on."""
    try:
        recorded.resumed(change)
    except UsageError as error:
        told = str(error)
        assert "episode.jsonl" in told or "are missing" in told or "holds no links" in told, told
        assert len(told) < 4000
        return told
    return None


def test_an_episode_that_nobody_touched_goes_on(recorded: Recorded) -> None:
    assert _goes_on_or_says_why(recorded, lambda path: None) is None
    (target,) = find_tasks(request_for(recorded.root / "bloom_gelu", recorded.root, "replay"))
    state = state_after(read_episode(recorded.root / PLACE), (recorded.root / PLACE).parent, target, "cpu")
    assert state.best is not None and state.best.score == pytest.approx(1.5)
    assert state.best.files["A.py"] == rule(1.5)


@pytest.mark.parametrize("name", HOSTILE)
def test_any_file_in_place_of_an_episode(recorded: Recorded, name: str) -> None:
    def change(path: Path) -> None:
        path.unlink()
        put(name, path)

    told = _goes_on_or_says_why(recorded, change)
    # The beginning of a first record is what a crash leaves, and the episode has not begun.
    assert (told is None) == (name == "empty")


@st.composite
def _tampered(draw: st.DrawFn) -> Callable[[list[Any]], None]:
    """One value of one record is another, or is gone; or a record is gone, there twice, or elsewhere."""
    line, how, path, value = draw(
        st.tuples(
            st.integers(0, 10**6), st.sampled_from(["set", "remove", "drop", "twice", "move"]),
            st.lists(st.integers(0, 10**6), min_size=1, max_size=5), st.sampled_from(_VALUES),
        )
    )  # fmt: skip

    def change(rows: list[Any]) -> None:
        at = line % len(rows)
        if how in {"drop", "twice", "move"}:
            row = rows[at] if how == "twice" else rows.pop(at)
            if how != "drop":
                rows.insert(path[0] % (len(rows) + 1), row)
            return
        inner: Any = rows[at]
        for number in path[:-1]:
            keys = [key for key in (inner if isinstance(inner, dict) else range(len(inner))) if _holds(inner[key])]
            if not keys:
                break
            inner = inner[keys[number % len(keys)]]
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        key = keys[path[-1] % len(keys)]
        if how == "remove":
            del inner[key]
        else:
            inner[key] = value

    return change


def _holds(value: object) -> bool:
    return isinstance(value, dict | list) and bool(value)


@given(_tampered())
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_value_that_was_changed_is_noticed_or_changes_nothing(recorded: Recorded, tamper: Callable) -> None:
    rows = [json.loads(line) for line in recorded.text.splitlines()]
    tamper(rows)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    told = _goes_on_or_says_why(recorded, lambda path: path.write_text(text))
    assert told is None or "line " in told or "another schema version" in told or "not of this task" in told


@given(st.integers(0, 10**6), st.binary(max_size=4), st.integers(0, 3))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bytes_that_were_changed_are_noticed_or_change_nothing(
    recorded: Recorded, at: int, data: bytes, gone: int
) -> None:
    at %= len(recorded.text)
    text = recorded.text[:at] + data + recorded.text[at + gone :]
    _goes_on_or_says_why(recorded, lambda path: path.write_bytes(text))


def _set(rows: list[Any], number: int, value: object, *path: str) -> None:
    step = next(row for row in rows if row.get("number") == number)
    *inner, last = path
    for key in inner:
        step = step[key]
    step[last] = value


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (lambda rows: _set(rows, 4, "../../x.py", "arguments", "path"), "line 6: the call cannot be made"),
        (lambda rows: _set(rows, 4, 5, "arguments", "text"), "found bad arguments of create: text"),
        (lambda rows: _set(rows, 4, 1, "arguments", "evil"), "found bad arguments of create: evil"),
        (lambda rows: _set(rows, 4, rule(9), "arguments", "text"), "line 6: hash of the files"),
        (lambda rows: _set(rows, 4, "9" * 5000, "tool"), "tool of the observation; expected 999"),
        (lambda rows: _set(rows, 4, True, "observation", "done"), "whether the episode is over; expected False"),
        (lambda rows: _set(rows, 6, 9.0, "observation", "data", "AS"), "line 8: score of its variants"),
        (lambda rows: _set(rows, 6, False, "observation", "data", "best"), "line 8: best; expected True"),
        (lambda rows: _set(rows, 6, [], "observation", "data", "graphs"), "line 8: score of its variants"),
        (lambda rows: _set(rows, 6, 7, "used", "evaluations"), "line 8: evaluations used; expected 1, found 7"),
        (lambda rows: rows[0].update(seed_files={"../x": "y"}), "line 1: the call cannot be made"),
        (lambda rows: rows[0].update(seed_files={"x.py": "\0"}), "the text holds a NUL byte"),
        (lambda rows: rows[1]["extra"].update(calls=[5]), "line 2: extra.calls.0"),
        (lambda rows: rows[1].update(at=1e300), "line 2 is no record of an episode"),
        (lambda rows: rows.insert(1, rows[0]), "line 2: the record has no place here"),
    ],
)
def test_what_was_changed_is_said(recorded: Recorded, tamper: Callable, words: str) -> None:
    rows = [json.loads(line) for line in recorded.text.splitlines()]
    tamper(rows)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    told = _goes_on_or_says_why(recorded, lambda path: path.write_text(text))
    assert told is not None and words in told, told
    assert "put the file back as it was written, or begin another run" in told


def test_an_end_that_no_measurement_led_to_is_no_result(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path, None)
    rows = [json.loads(line) for line in recorded.text.splitlines()]
    for name in ("score", "best_score"):
        changed = [*rows[:-1], {**rows[-1], name: 9.0}]
        text = "".join(json.dumps(row) + "\n" for row in changed)
        told = _goes_on_or_says_why(recorded, lambda path, text=text: path.write_text(text))
        assert told is not None and f"line {len(rows)}: {name}; expected 1.5" in told
    end = {**rows[-1], "best_step": 1, "best_score": 9.0, "score": 9.0, "confirmed": None}
    text = "".join(json.dumps(row) + "\n" for row in (rows[0], end))
    told = _goes_on_or_says_why(recorded, lambda path: path.write_text(text))
    assert told is not None and "line 2: best_step; expected nothing, found 1" in told


@pytest.mark.parametrize("name", ["messages.jsonl", "trajectory.json"])
@pytest.mark.parametrize("hostile", ["no UTF-8", "pipe", "directory", "link out", "a long line"])
def test_exports_are_made_of_the_records_and_never_read(tmp_path: Path, name: str, hostile: str) -> None:
    recorded = Recorded(tmp_path, None)
    before = (tmp_path / "run" / "messages.jsonl").read_bytes()

    def change(episode: Path) -> None:
        file = episode.with_name(name)
        file.unlink()
        put(hostile, file)

    if hostile == "link out":  # a run directory holds no links
        with pytest.raises(UsageError, match="holds no links"):
            recorded.resumed(change)
        return
    assert recorded.resumed(change)["AS"] == pytest.approx(1.5)
    change(tmp_path / PLACE)
    recorded.play(tmp_path)
    assert (tmp_path / "run" / "messages.jsonl").read_bytes() == before


def test_measurements_that_are_gone_are_no_failure_of_the_author(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path, None)
    recorded.bench = FakeWorkbench()
    assert recorded.play(tmp_path)["AS"] == pytest.approx(1.5)  # the run has its own copy
    (tmp_path / "run" / "records.jsonl").write_bytes(b"")
    with pytest.raises(UsageError, match="the records of the best pass set of bloom_gelu are missing"):
        recorded.play(tmp_path)


def test_the_best_passes_are_those_of_the_records(tmp_path: Path) -> None:
    """What others write into an attempt's directories is no result of a run."""
    recorded = Recorded(tmp_path, None)
    (tmp_path / PLACE).with_name("passes").joinpath("A.py").write_text(rule(0.1))
    assert recorded.play(tmp_path)["AS"] == pytest.approx(1.5)
    assert (tmp_path / "run" / "tasks" / "bloom_gelu" / "passes" / "A.py").read_text() == rule(1.5)


@pytest.mark.parametrize("hostile", ["no UTF-8", "pipe", "directory", "NUL", "numbers"])
def test_the_command_line_answers_with_one_line(tmp_path: Path, hostile: str) -> None:
    from tests.cli.cli_runner import run

    task_copy(tmp_path)
    file = actions_file(tmp_path / "actions.json", writing(1.5))
    words = ("agent", tmp_path / "bloom_gelu", "--author", f"replay:{file}", "--runs", tmp_path, "--run", "run")
    assert run(*words).code == 0
    (tmp_path / PLACE).unlink()
    put(hostile, tmp_path / PLACE)
    done = run(*words)
    assert done.code == 2, done
    last = done.err.rstrip("\n").splitlines()[-1]
    assert last.startswith("passnet: ") and "episode.jsonl" in last
    assert "Traceback" not in done.err


def test_passes_that_no_episode_can_hold_are_refused_before_a_run_is_begun(tmp_path: Path) -> None:
    path = task_copy(tmp_path)
    (path / "pass_dir" / "A.py").write_text(rule(1.5))
    (path / "pass_dir" / MANIFEST).write_text('["A"]')
    (path / "pass_dir" / "my notes.py").write_text("x = 1\n")
    file = actions_file(tmp_path / "actions.json", trying(1.5))
    request = request_for(path, tmp_path, f"replay:{file}", seed_from="task")
    with pytest.raises(UsageError, match=r"pass_dir, --seed-from: .*'my notes\.py' is no name for a file here.*rename"):
        run_agent(request, lambda progress: None, lambda *_: FakeWorkbench())
    assert not (tmp_path / "run").exists()


def test_a_finished_episode_of_another_task_is_no_result(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path / "a", None)
    start = json.loads(recorded.text.splitlines()[0])
    rows = recorded.text.splitlines(keepends=True)
    text = (json.dumps({**start, "task_hash": "0" * 64}) + "\n").encode() + b"".join(rows[1:])
    told = _goes_on_or_says_why(recorded, lambda path: path.write_bytes(text))
    assert told is not None and "not of this task" in told
    assert ExitReason.SUBMITTED.final
