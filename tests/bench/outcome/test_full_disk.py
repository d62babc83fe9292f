"""A full disk: the machine's failure, and the candidate's where it filled it; whatever candidates leave there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.isolation.leftovers import remove
from passnet.bench.outcome.full_disk import LEAST_BYTES, LEAST_FILES, Free, blame, holds_more, make_room
from passnet.score import Outcome
from passnet.writing import StorageError

MANY = 1 << 40


def measured(*found: Free) -> Callable[[Path], Free]:
    """A disk with this room, each time that it is asked."""
    rows: Iterator[Free] = iter(found)
    return lambda path: next(rows)


def deep(directory: Path) -> Path:
    """A directory with 3000 others, each in the one before: the path of the last one is too long to be used."""
    left, before = directory / "left", os.getcwd()
    left.mkdir()
    os.chdir(left)
    try:
        for _ in range(3000):
            os.mkdir("deep")
            os.chdir("deep")
    finally:
        os.chdir(before)
    return left


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


def test_kernels_that_are_kept_are_the_candidates_too(tmp_path: Path) -> None:
    """They lie outside the scratch directory, and what other pass sets have there stays."""
    scratch, own, other = tmp_path / "scratch", tmp_path / "judged" / "own", tmp_path / "judged" / "other"
    for place in (scratch, own, other):
        place.mkdir(parents=True)
    (own / "file").write_bytes(b"x")

    def free(path: Path) -> Free:
        return (MANY if path == scratch or not own.exists() else 0), MANY

    blame(Outcome.COMPILE_ERROR, scratch, nobody, free, kernels=[own])
    assert [place.name for place in (tmp_path / "judged").iterdir()] == ["other"]


def test_a_full_disk_of_kernels_is_the_machines_when_the_pass_did_not_fill_it(tmp_path: Path) -> None:
    scratch, own = tmp_path / "scratch", tmp_path / "judged" / "own"
    scratch.mkdir()
    own.mkdir(parents=True)
    with pytest.raises(StorageError, match="the disk is full"):
        blame(Outcome.COMPILE_ERROR, scratch, nobody, lambda path: (MANY * (path == scratch), MANY), kernels=[own])


def test_what_a_pass_set_leaves_behind_is_measured(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_bytes(b"x" * 100_000)
    assert not holds_more(tmp_path, 200_000, 2)
    assert holds_more(tmp_path, 50_000, 2)
    assert holds_more(tmp_path, 200_000, 1)
    (tmp_path / "in" / "link").symlink_to("/")
    assert not holds_more(tmp_path, 200_000, 3), "links are not followed"


def test_what_is_too_deep_to_be_looked_at_is_too_much(tmp_path: Path) -> None:
    left = deep(tmp_path)
    assert holds_more(left, 1 << 40, 1 << 20)
    remove(left)


def test_what_has_room_or_another_cause_is_judged(tmp_path: Path) -> None:
    blame(Outcome.COMPILE_ERROR, tmp_path, nobody, measured((LEAST_BYTES, LEAST_FILES)))
    blame(Outcome.ACCURACY, tmp_path, nobody, measured())
    blame(Outcome.RUNTIME_ERROR, tmp_path, nobody)


def test_directories_as_deep_as_one_likes_are_removed(tmp_path: Path) -> None:
    """Deeper than Python calls itself, and than a path may be long."""
    left = deep(tmp_path)
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


def test_a_link_that_takes_the_place_of_a_directory_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A candidate of another process may still run. It can swap what was looked at before it is moved."""
    outside, left = tmp_path / "outside", tmp_path / "left"
    (outside / "kept").mkdir(parents=True)
    outside.chmod(0o755)
    (left / "inside").mkdir(parents=True)
    rename = os.rename

    def swapped(*arguments: Any, **places: Any) -> None:
        (left / "inside").rmdir()
        (left / "inside").symlink_to(outside)
        rename(*arguments, **places)

    monkeypatch.setattr(os, "rename", swapped)
    remove(left)
    assert [place.name for place in tmp_path.rglob("*")] == ["outside", "kept"]
    assert outside.stat().st_mode & 0o777 == 0o755
