"""Other hands at work in the pass directory: what is measured is what is kept, and every answer is of its own call."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from passnet.agent.env.files import FileError, PassFolder
from passnet.agent.record.budget import Budget
from passnet.agent.record.records import End, EpisodeStep
from passnet.bench.record.run import read_records
from passnet.errors import UsageError
from passnet.graph.targets import Target
from tests.agent.agent_helpers import FakeWorkbench, rule
from tests.hostile_texts import put
from tests.mcp.mcp_helpers import EVALUATE, OPEN, SUBMIT, episode, pass_dir, write


class Interrupted(FakeWorkbench):
    """A workbench during whose next evaluation something happens, before or after it reads the passes."""

    before: Callable[[], object] = staticmethod(lambda: None)
    after: Callable[[], object] = staticmethod(lambda: None)

    def evaluate(self, target: Target, *args: Any, **kwargs: Any) -> Any:
        self.before()
        found = super().evaluate(target, *args, **kwargs)
        self.after()
        self.before = self.after = lambda: None
        return found


@pytest.fixture
def bench() -> Interrupted:
    return Interrupted()


def steps(tmp_path: Path) -> list[tuple[str, object]]:
    found = [record for record in episode(tmp_path) if isinstance(record, EpisodeStep)]
    return [(step.tool, step.arguments.get("path")) for step in found]


@pytest.mark.parametrize("when", ["before", "after"])
def test_what_is_measured_is_what_is_kept_and_submitted(
    serve: Callable, tmp_path: Path, bench: Interrupted, when: str
) -> None:
    setattr(bench, when, lambda: (pass_dir(tmp_path) / "A.py").write_text(rule(0.2)))
    replies, found = serve(*write(1.5), EVALUATE, SUBMIT)
    assert [reply.ok for reply in replies] == [True] * 4
    assert replies[2].text.startswith("AS 1.500")
    assert found["AS"] == pytest.approx(1.5)
    run = tmp_path / "run"
    for place in (run / "tasks" / "bloom_gelu" / "passes", pass_dir(tmp_path).parent / "passes"):
        assert (place / "A.py").read_text() == rule(1.5)
    assert [record.timing.speedup for record in read_records(run)] == [1.5, 1.5]
    assert steps(tmp_path)[2:] == [("evaluate", None), ("create", "A.py"), ("submit", None)]


def test_an_edit_during_an_evaluation_is_found_on_resumption(
    serve: Callable, tmp_path: Path, bench: Interrupted
) -> None:
    bench.after = lambda: (pass_dir(tmp_path) / "A.py").write_text(rule(0.2))
    serve(*write(1.5), EVALUATE)
    replies, _ = serve(OPEN, ("view", {"path": "A.py"}))
    assert "best AS 1.500" in replies[0].text
    assert "speed 0.2" in replies[1].text
    replies, found = serve(SUBMIT)
    assert replies[0].ok and found["AS"] == pytest.approx(1.5)


@pytest.mark.parametrize("place", ["passes", "judged"])
def test_what_is_kept_does_not_hang_on_the_copies_on_disk(
    serve: Callable, tmp_path: Path, bench: Interrupted, place: str
) -> None:
    directory = pass_dir(tmp_path).parent
    home = tmp_path / "home"
    home.mkdir()
    (home / "A.py").write_text("precious")

    def meddle() -> None:
        if (directory / place).is_symlink():
            (directory / place).unlink()
        shutil.rmtree(directory / place, ignore_errors=True)
        (directory / place).symlink_to(home)

    bench.after = meddle
    replies, found = serve(*write(1.5), EVALUATE, meddle, *write(1.7), EVALUATE, SUBMIT)
    assert all(reply.ok for reply in replies)
    assert found["AS"] == pytest.approx(1.7)
    assert (tmp_path / "run" / "tasks" / "bloom_gelu" / "passes" / "A.py").read_text() == rule(1.7)
    assert (home / "A.py").read_text() == "precious" and len(list(home.iterdir())) == 1


@pytest.mark.parametrize(
    "put",
    [
        lambda path: (path / ".A.py.swp").write_bytes(b"\0\xff"),
        lambda path: (path / "A.py~").write_text("x"),
        lambda path: (path / ".#A.py").symlink_to("me@host.1:2"),
        lambda path: (path / "__pycache__").mkdir(),
        shutil.rmtree,
    ],
)
@pytest.mark.parametrize("during", [True, False])
def test_foreign_files_cost_no_measurement(
    serve: Callable, tmp_path: Path, bench: Interrupted, put: Callable, during: bool
) -> None:
    if during:
        bench.after = lambda: put(pass_dir(tmp_path))
        calls = [*write(1.5), EVALUATE, SUBMIT]
    else:
        calls = [*write(1.5), lambda: put(pass_dir(tmp_path)), EVALUATE, SUBMIT]
    replies, found = serve(*calls)
    assert [reply.ok for reply in replies] == [True] * 4
    assert replies[2].text.startswith("AS 1.500")
    assert found["AS"] == pytest.approx(1.5)
    assert len(steps(tmp_path)) == 4


def test_an_edit_that_cannot_be_recorded_is_told_and_nothing_on_disk_is_touched(
    serve: Callable, tmp_path: Path, bench: Interrupted
) -> None:
    def edit() -> None:
        (pass_dir(tmp_path) / "A.py").write_text(rule(1.7))
        (pass_dir(tmp_path) / "B.py").write_bytes(b"# caf\xe9\n")
        (pass_dir(tmp_path) / "C.py").write_bytes(b"x = 1 \0\n")
        (pass_dir(tmp_path) / "D.py").write_text("y = 2\n")

    replies, _ = serve(*write(1.5), edit, EVALUATE, ("view", {}), SUBMIT, OPEN)
    for reply in replies[2:5]:
        assert not reply.ok
        assert "B.py: byte 5 is no UTF-8; save the file as UTF-8" in reply.text
        assert str(pass_dir(tmp_path)) in reply.text
        assert "\n" not in reply.text
    assert replies[5].ok
    assert bench.asked.count("evaluate") == 0
    assert len(steps(tmp_path)) == 2
    assert (pass_dir(tmp_path) / "B.py").read_bytes() == b"# caf\xe9\n"
    assert (pass_dir(tmp_path) / "C.py").read_bytes() == b"x = 1 \0\n"
    assert (pass_dir(tmp_path) / "D.py").read_text() == "y = 2\n"
    (pass_dir(tmp_path) / "B.py").write_text("# café\n")
    (pass_dir(tmp_path) / "C.py").unlink()
    replies, _ = serve(EVALUATE, SUBMIT)
    assert [reply.ok for reply in replies] == [True, True]
    assert steps(tmp_path)[2:] == [
        ("create", "A.py"), ("create", "B.py"), ("create", "D.py"), ("evaluate", None), ("submit", None),
    ]  # fmt: skip


def test_what_is_recorded_of_an_edit_is_not_written_again(serve: Callable, tmp_path: Path) -> None:
    """An editor that has the file open would be told that it changed, and a newer edit would be lost."""
    file = pass_dir(tmp_path) / "A.py"
    found: list[int] = []

    def edit() -> None:
        file.write_text(rule(1.6))
        found.append(file.stat().st_ino)

    serve(*write(1.5), edit, EVALUATE)
    assert file.stat().st_ino == found[0]


def test_a_pass_directory_that_is_a_link_is_refused_and_not_followed(
    serve: Callable, tmp_path: Path, bench: Interrupted
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name in ("A.py", "precious.py", "notes.md"):
        (home / name).write_text(rule(1.5))

    def link() -> None:
        shutil.rmtree(pass_dir(tmp_path))
        pass_dir(tmp_path).symlink_to(home)

    calls = [
        ("view", {}),
        ("view", {"path": "precious.py"}),
        *write(1.6),
        ("delete", {"path": "A.py"}),
        EVALUATE,
        SUBMIT,
    ]
    replies, _ = serve(*write(1.5), EVALUATE, link, *calls)
    assert [reply.ok for reply in replies] == [True] * 3 + [False] * len(calls)
    assert all("not followed; expected a directory" in reply.text for reply in replies[3:])
    assert {path.read_text() for path in home.iterdir()} == {rule(1.5)} and len(list(home.iterdir())) == 3
    with pytest.raises(UsageError, match="holds no links"):
        serve(OPEN)
    pass_dir(tmp_path).unlink()
    replies, found = serve(("view", {"path": "A.py"}), SUBMIT)
    assert "speed 1.5" in replies[0].text
    assert found["AS"] == pytest.approx(1.5)


def test_a_link_when_a_limit_ends_the_episode_is_not_followed(
    serve: Callable, tmp_path: Path, bench: Interrupted
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "precious.py").write_text("x")

    def link() -> None:
        shutil.rmtree(pass_dir(tmp_path))
        pass_dir(tmp_path).symlink_to(home)

    bench.after = link
    replies, found = serve(*write(1.5), EVALUATE, budget=Budget(steps=3))
    assert replies[2].ok and "is over (steps_exhausted): AS 1.500" in replies[2].text
    assert found["AS"] == pytest.approx(1.5)
    assert os.listdir(home) == ["precious.py"]


def test_an_answer_is_of_its_own_call(serve: Callable, tmp_path: Path) -> None:
    edit = pass_dir(tmp_path) / "B.py"
    replies, _ = serve(*write(1.5), lambda: edit.write_text("x = 1\n"), EVALUATE, budget=Budget(steps=3))
    assert not replies[2].ok
    assert replies[2].text.startswith(
        "your edit of B.py in the pass directory was the last step; the call was not made"
    )
    assert "wrote" not in replies[2].text
    assert "is over (steps_exhausted): no pass set was evaluated" in replies[2].text


def test_a_call_after_the_time_is_not_answered_by_the_one_before(
    serve: Callable, tmp_path: Path, bench: Interrupted
) -> None:
    def late() -> None:
        bench.waited_s -= 3600.0  # an hour has passed

    replies, _ = serve(*write(1.5), late, EVALUATE, budget=Budget(steps=0, wall_s=1800.0))
    assert not replies[2].ok
    assert replies[2].text.startswith("the call was not made: time_exhausted")
    end = episode(tmp_path)[-1]
    assert isinstance(end, End) and end.exit_reason == "time_exhausted"


@pytest.mark.parametrize("hostile", ["no UTF-8", "directory", "NUL", "pipe"])
def test_an_episode_file_that_is_broken_meanwhile_is_told_at_the_call(
    serve: Callable, tmp_path: Path, hostile: str
) -> None:
    file = pass_dir(tmp_path).parent / "episode.jsonl"

    def breaks() -> None:
        file.rename(tmp_path / "kept")
        put(hostile, file)

    def mends() -> None:
        file.rename(tmp_path / "broken")
        (tmp_path / "kept").rename(file)

    replies, found = serve(*write(1.5), EVALUATE, breaks, OPEN, mends, SUBMIT)
    assert not replies[3].ok and "episode.jsonl" in replies[3].text
    assert replies[4].ok and found["AS"] == pytest.approx(1.5)


@pytest.mark.parametrize("hostile", ["pipe", "link", "directory"])
def test_a_record_is_not_written_elsewhere(serve: Callable, tmp_path: Path, hostile: str) -> None:
    file = pass_dir(tmp_path).parent / "episode.jsonl"

    def breaks() -> None:
        file.rename(tmp_path / "kept")
        if hostile == "link":
            (tmp_path / "notes").write_text("mine")
            file.symlink_to(tmp_path / "notes")
        else:
            put(hostile, file)

    with pytest.raises(UsageError, match=r"episode\.jsonl: "):
        serve(*write(1.5), EVALUATE, breaks, ("view", {}))
    (reply,) = serve.replies[3:]  # type: ignore[attr-defined]
    assert not reply.ok and "episode.jsonl" in reply.text and "The server stops" in reply.text
    assert hostile != "link" or (tmp_path / "notes").read_text() == "mine"
    file.rename(tmp_path / "broken")
    (tmp_path / "kept").rename(file)
    replies, found = serve(SUBMIT)
    assert replies[0].ok and found["AS"] == pytest.approx(1.5)


def test_a_copy_that_cannot_be_written_costs_no_measurement(
    serve: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise FileError("another hand is in the way")

    replies, found = serve(*write(1.5), EVALUATE, lambda: monkeypatch.setattr(PassFolder, "end_with", refused), SUBMIT)
    assert replies[3].ok and replies[3].text.startswith("submitted the pass set of step 3")
    assert found["AS"] == pytest.approx(1.5)
