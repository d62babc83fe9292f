"""A full disk: the machine's failure, and the candidate's where it filled the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from passnet.bench.outcome.full_disk import LEAST_BYTES, blame
from passnet.score import Outcome
from passnet.writing import StorageError


def written(scratch: Path, nbytes: int) -> Path:
    """A candidate's directory with a file of that size, which takes no room."""
    (scratch / "work-0-ab").mkdir(parents=True)
    with (scratch / "work-0-ab" / "file").open("wb") as file:
        file.truncate(nbytes)
    return scratch


@pytest.mark.parametrize("outcome", [Outcome.COMPILE_ERROR, Outcome.RUNTIME_ERROR, Outcome.TIMEOUT])
def test_a_compiler_without_room_is_no_failure_of_the_pass(outcome: Outcome, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="the disk is full"):
        blame(outcome, written(tmp_path, 1000), free=1000)


def test_passes_that_fill_the_disk_answer_for_it(tmp_path: Path) -> None:
    """Otherwise whoever loses would rather fill the disk: a run that stops scores nothing."""
    blame(Outcome.COMPILE_ERROR, written(tmp_path, 1 << 30), free=0)


def test_what_has_room_or_another_cause_is_judged(tmp_path: Path) -> None:
    blame(Outcome.COMPILE_ERROR, written(tmp_path, 0), free=LEAST_BYTES)
    blame(Outcome.ACCURACY, tmp_path, free=0)
    blame(Outcome.RUNTIME_ERROR, tmp_path)
