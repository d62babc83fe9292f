"""A full disk: the machine's failure, and the candidate's where it filled it; whatever candidates leave there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from passnet.bench.outcome.full_disk import LEAST_BYTES, LEAST_FILES, Free, blame, make_room, remove
from passnet.score import Outcome
from passnet.writing import StorageError

MANY = 1 << 40


def measured(*found: Free) -> Callable[[Path], Free]:
    """A disk with this room, each time that it is asked."""
    rows: Iterator[Free] = iter(found)
    return lambda path: next(rows)


def nobody() -> None:
    """There is no candidate to be ended."""


@pytest.mark.parametrize("outcome", [Outcome.COMPILE_ERROR, Outcome.RUNTIME_ERROR, Outcome.TIMEOUT])
def test_a_compiler_without_room_is_no_failure_of_the_pass(outcome: Outcome, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="the disk is full"):
        blame(outcome, tmp_path, nobody, measured((1000, MANY), (2000, MANY)))


@pytest.mark.parametrize("before", [(0, MANY), (MANY, 0)], ids=["bytes", "files"])
def test_passes_that_fill_the_disk_answer_for_it(before: Free, tmp_path: Path) -> None:
    """Otherwise whoever loses would rather fill the disk: a run that stops scores nothing."""
    blame(Outcome.COMPILE_ERROR, tmp_path, nobody, measured(before, (MANY, MANY)))


def test_a_file_without_a_name_counts_too(tmp_path: Path) -> None:
    """It is there until the process that has it open is ended, and no directory lists it."""
    file = (tmp_path / "file").open("wb")
    file.truncate(1)
    (tmp_path / "file").unlink()

    def free(path: Path) -> Free:
        return (1 << 30 if file.closed else 0), MANY

    blame(Outcome.RUNTIME_ERROR, tmp_path, file.close, free)
    assert file.closed


def test_a_record_finds_room_whatever_its_outcome(tmp_path: Path) -> None:
    (tmp_path / "work-0-ab").mkdir()
    (tmp_path / "work-0-ab" / "file").write_bytes(b"x")
    (tmp_path / "graphs").mkdir()
    assert make_room(tmp_path, nobody, measured((0, MANY), (MANY, MANY))) is True
    assert [place.name for place in tmp_path.iterdir()] == ["graphs"]


def test_what_has_room_or_another_cause_is_judged(tmp_path: Path) -> None:
    blame(Outcome.COMPILE_ERROR, tmp_path, nobody, measured((LEAST_BYTES, LEAST_FILES)))
    blame(Outcome.ACCURACY, tmp_path, nobody, measured())
    blame(Outcome.RUNTIME_ERROR, tmp_path, nobody)


def test_directories_as_deep_as_one_likes_are_removed(tmp_path: Path) -> None:
    """Deeper than Python calls itself, and than a path may be long."""
    left, before = tmp_path / "left", os.getcwd()
    left.mkdir()
    os.chdir(left)
    try:
        for _ in range(3000):
            os.mkdir("deep")
            os.chdir("deep")
    finally:
        os.chdir(before)
    remove(left)
    assert not any(tmp_path.iterdir())


def test_what_may_not_be_read_is_removed_and_links_are_not_followed(tmp_path: Path) -> None:
    outside, left = tmp_path / "outside", tmp_path / "left"
    (outside / "kept").mkdir(parents=True)
    (left / "closed" / "inside").mkdir(parents=True)
    (left / "link").symlink_to(outside)
    (left / "closed" / "inside" / "file").write_bytes(b"")
    (left / "closed").chmod(0)
    remove(left)
    remove(tmp_path / "nothing")
    assert [place.name for place in tmp_path.rglob("*")] == ["outside", "kept"]
