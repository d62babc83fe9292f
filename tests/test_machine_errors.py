"""A machine that is short of open files or memory is to blame, and not the file that is read just then."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from passnet import authored
from passnet.errors import MachineError, UsageError, path_given
from passnet.graph import Graph, find_graphs
from passnet.graph.targets import find_targets
from passnet.rewrite import read_pass_set
from passnet.writing import StorageError, new_directory, reading, unwritable, write_atomic

TASK = Path(__file__).parents[1] / "data" / "tasks" / "bloom_gelu"
GRAPH = next(path.parent for path in sorted(TASK.rglob("graph_net.json")))
NUMBERS = (
    errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EAGAIN, errno.EIO, errno.ESTALE, errno.ENOSPC,
    errno.EDQUOT, errno.ETIMEDOUT,
)  # fmt: skip


@contextmanager
def no_more_files() -> Iterator[None]:
    """This process may open none."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


READERS: dict[str, Callable[[], object]] = {
    "bytes": lambda: authored.read_bytes(GRAPH / "model.py"),
    "text": lambda: authored.read_text(GRAPH / "model.py"),
    "inside": lambda: authored.read_inside(GRAPH / "model.py"),
    "graph": lambda: Graph.read(GRAPH),
    "task": lambda: find_targets([TASK]),
    "tasks": lambda: find_targets([TASK.parent]),
    "graphs": lambda: find_graphs(TASK),
    "passes": lambda: read_pass_set(TASK / "pass_dir"),
}


@pytest.mark.parametrize("name", READERS)
def test_no_reader_blames_the_file_when_there_are_no_more_files(name: str) -> None:
    READERS[name]()
    with no_more_files(), pytest.raises(MachineError, match="Too many open files"):
        READERS[name]()


def test_no_writer_blames_the_path_when_there_are_no_more_files(tmp_path: Path) -> None:
    with no_more_files(), pytest.raises(MachineError, match="x: cannot be used now: Too many open files"):
        write_atomic(tmp_path / "x", "text")
    assert not os.listdir(tmp_path)
    with new_directory(tmp_path / "y") as new, no_more_files(), pytest.raises(OSError, match="Too many open files"):
        (new / "file").write_text("text")
    with pytest.raises(MachineError, match="Too many open files"), new_directory(tmp_path / "z"):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    assert os.listdir(tmp_path) == ["y"]


@pytest.mark.parametrize("number", NUMBERS)
def test_every_error_of_the_machine_is_one(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    assert unwritable(OSError(number, os.strerror(number)), "x").exit_code == 3
    with pytest.raises(MachineError), reading("x"):
        fail()
    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(MachineError, match=os.strerror(number)):
        Graph.read(GRAPH)
    monkeypatch.setattr(os, "stat", fail)
    with pytest.raises(MachineError, match=os.strerror(number)):
        path_given("x", "task")


def test_what_is_of_the_disk_is_told_apart() -> None:
    found = {number: type(unwritable(OSError(number, os.strerror(number)), "x")) for number in NUMBERS}
    disk = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ESTALE}
    assert found == {number: StorageError if number in disk else MachineError for number in NUMBERS}


def test_a_file_that_this_user_may_not_read_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such directory"):
        read_pass_set(tmp_path / "x")
    with pytest.raises(UsageError), reading("x"):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
