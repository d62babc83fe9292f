"""A disk that is full: one line with the path, nothing half written, and the same command goes on afterwards."""

from __future__ import annotations

import contextlib
import errno
import json
import multiprocessing
import os
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from passnet.agent.record.journal import Journal, read_episode
from passnet.agent.run.session import run_agent
from passnet.bench.record.run import RECORDS, Run, read_records
from passnet.dataset.forks import Bounds, ForkUnit, run_units
from passnet.errors import InfrastructureError, UsageError
from passnet.report.page import Page, write
from passnet.use.library.store import write_index
from passnet.writing import (
    StorageError,
    append_line,
    copy_tree,
    inside,
    make_new,
    new_directory,
    new_file,
    unwritable,
    write_atomic,
    write_json,
    write_new,
)
from tests.agent.agent_helpers import EPISODE, FakeWorkbench, actions_file, request_for, substance, task_copy
from tests.bench.bench_helpers import record
from tests.child import ROOT, environment


@contextlib.contextmanager
def files_of_at_most(nbytes: int) -> Iterator[None]:
    """No file may grow beyond so many bytes; the system then answers as it does for a full disk, file by file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (nbytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with 64 KiB."""
    path = tmp_path / "disk"
    path.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(path)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    yield path
    subprocess.run(["umount", str(path)], check=True)


def fill(disk: Path, left: int = 0) -> Path:
    """Take all but some pages of it."""
    ballast = disk / "ballast"
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    ballast.write_bytes(b"x" * max(0, free - left))
    return ballast


def test_a_file_is_the_old_one_or_the_new_one(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    write_json(file, {"a": 1})
    with files_of_at_most(100), pytest.raises(StorageError, match=r"x\.json: cannot be written: the limit of file siz"):
        write_json(file, {"a": "b" * 1000})
    assert json.loads(file.read_text()) == {"a": 1}
    assert os.listdir(tmp_path) == ["x.json"]
    with pytest.raises(TypeError):
        write_json(file, {"a": object()})
    assert json.loads(file.read_text()) == {"a": 1}


def test_a_line_is_whole_or_not_there(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    append_line(file, "one")
    with files_of_at_most(100), pytest.raises(StorageError):
        append_line(file, "two" * 100)
    assert file.read_text() == "one\n"
    append_line(file, "three")
    assert file.read_text() == "one\nthree\n"


def test_a_directory_is_the_old_one_or_the_new_one(tmp_path: Path) -> None:
    with new_directory(tmp_path / "d") as directory:
        (directory / "old").write_text("old")
    with files_of_at_most(100), pytest.raises(StorageError, match="/d: cannot be written"):  # noqa: PT012, SIM117
        with new_directory(tmp_path / "d", overwrite=True) as directory:
            (directory / "small").write_text("new")
            (directory / "large").write_text("new" * 1000)
    with files_of_at_most(100), pytest.raises(StorageError, match=f"^{tmp_path}/e/inner: "):  # noqa: SIM117
        with new_directory(tmp_path / "e") as directory:
            write_atomic(directory / "inner", "new" * 1000)
    assert os.listdir(tmp_path) == ["d"]
    assert (tmp_path / "d" / "old").read_text() == "old"


def test_a_copy_that_finds_no_room_says_so(tmp_path: Path) -> None:
    """`shutil` collects such errors in one that has no number."""
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "large").write_text("x" * 1000)
    with files_of_at_most(100), pytest.raises(StorageError, match=f"^{tmp_path}/to: cannot be written"):  # noqa: SIM117
        with new_directory(tmp_path / "to") as directory:
            copy_tree(tmp_path / "from", directory)
    assert os.listdir(tmp_path) == ["from"]


def test_a_signal_between_two_moves_leaves_the_old_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "mine").write_text("old")
    move = Path.replace

    def interrupted(self: Path, target: Path) -> Path:
        moved = move(self, target)
        if target.name == "old":
            raise KeyboardInterrupt
        return moved

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt), new_directory(tmp_path / "d", overwrite=True) as directory:
        (directory / "new").write_text("new")
    assert os.listdir(tmp_path) == ["d"]
    assert (tmp_path / "d" / "mine").read_text() == "old"


def test_what_the_disk_is_not_to_blame_for_is_the_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written: a file is where a directory should be"):
        write_atomic(tmp_path / "file" / "x", "text")
    assert unwritable(OSError(errno.EACCES, "Permission denied"), "x").exit_code == 2
    for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        assert unwritable(OSError(number, os.strerror(number)), "x").exit_code == 3


def test_a_link_in_the_way_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("secret")
    (tmp_path / ".x.json.partial").symlink_to(tmp_path / "mine")
    write_json(tmp_path / "x.json", {})
    assert (tmp_path / "mine").read_text() == "secret"


def _write_often(path: Path, text: str, times: int) -> None:
    for _ in range(times):
        write_atomic(path, text)


def test_several_writers_of_one_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    file, texts = tmp_path / "x.html", [letter * 100_000 for letter in "abc"]
    writers = [multiprocessing.Process(target=_write_often, args=(file, text, 200)) for text in texts]
    for writer in writers:
        writer.start()
    seen = set()
    while any(writer.is_alive() for writer in writers):
        with contextlib.suppress(FileNotFoundError):
            seen.add(file.read_text())
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    assert seen <= set(texts) and os.listdir(tmp_path) == ["x.html"]


def test_a_second_writer_has_a_file_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "x"
    with new_file(file) as first, new_file(file) as second:
        assert first != second
        second.write_text("second")
        first.write_text("first")
    assert file.read_text() == "first" and os.listdir(tmp_path) == ["x"]


def test_what_killed_writers_left_is_removed_by_the_next(tmp_path: Path) -> None:
    script = (
        "import os, sys, pathlib; from passnet.writing import new_file\n"
        "with new_file(pathlib.Path(sys.argv[1])) as new: new.write_text('half'); os._exit(1)"
    )
    for _ in range(2):
        subprocess.run([sys.executable, "-c", script, str(tmp_path / "x")], env=environment(), check=False)
        assert len(os.listdir(tmp_path)) == 1 and not (tmp_path / "x").exists()
    write_atomic(tmp_path / "x", "whole")
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("number", [errno.EBADF, errno.ENOLCK])
def test_directories_without_locks_are_written_to_as_well(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", fail)
    with new_file(tmp_path / "x") as first, new_file(tmp_path / "x") as second:
        assert first != second
        first.write_text("first")
        second.write_text("second")
    assert (tmp_path / "x").read_text() == "first" and os.listdir(tmp_path) == ["x"]


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    write_atomic(tmp_path / ("\u00e9" * 127), "text")
    assert os.listdir(tmp_path) == ["\u00e9" * 127]


def test_records_of_a_run_on_a_full_disk(disk: Path) -> None:
    run = Run.open(disk / "run", {}, {})
    run.append(record(graph="one"))
    ballast = fill(disk)
    said = f"{RECORDS}: cannot be written: the disk is full, 0 bytes are free; make room"
    with pytest.raises(StorageError, match=said):  # noqa: PT012
        for number in range(100):
            run.append(record(graph=f"more-{number}"))
    kept = list(run.records.values())
    run.close()
    assert (disk / "run" / RECORDS).read_bytes().endswith(b"\n")
    assert read_records(disk / "run") == kept
    with pytest.raises(StorageError):
        Run.open(disk / "another", {}, {})
    ballast.unlink()
    again = Run.open(disk / "run", {}, {})
    again.append(record(graph="two"))
    again.close()
    assert len(read_records(disk / "run")) == len(kept) + 1
    Run.open(disk / "another", {}, {}).close()


@pytest.mark.parametrize("most", [1500, 4000, 9000, 12000])
def test_an_episode_goes_on_after_a_full_disk_as_if_nothing_had_been(tmp_path: Path, most: int) -> None:
    for name in ("tasks", "whole"):
        task_copy(tmp_path / name)
    spec = f"replay:{actions_file(tmp_path / 'actions.json', EPISODE)}"
    (tmp_path / "a").mkdir()
    whole = run_agent(request_for(tmp_path / "whole", tmp_path / "a", spec), lambda progress: None, opened)
    request = request_for(tmp_path / "tasks", tmp_path, spec)
    with files_of_at_most(most), pytest.raises(InfrastructureError, match="cannot be written") as caught:
        run_agent(request, lambda progress: None, opened)
    assert caught.value.exit_code == 3
    left = [path for path in (tmp_path / "run").rglob("*") if ".partial" in path.name]
    assert left == []
    found = run_agent(request, lambda progress: None, opened)
    assert found["AS"] == whole["AS"]
    place = Path("run") / "tasks" / "bloom_gelu" / "attempt-0" / "episode.jsonl"
    steps = [substance([r for r in read_episode(tmp_path / at / place) if r.kind == "step"]) for at in ("", "a")]
    assert steps[0] == steps[1]


def opened(*_: object) -> FakeWorkbench:
    return FakeWorkbench()


def test_a_journal_on_a_full_disk_ends_with_a_whole_line(disk: Path) -> None:
    from passnet.agent.record.names import ExitReason
    from passnet.agent.record.records import End, Used

    (disk / "episode").mkdir()
    journal = Journal(disk / "episode")
    fill(disk, left=4096)
    end = End(at=0.0, exit_reason=ExitReason.INTERRUPTED, used=Used())
    with pytest.raises(StorageError):  # noqa: PT012
        for _ in range(100):
            journal.append(end)
    assert journal.path.read_bytes().endswith(b"}\n")


def test_a_page_and_an_index_are_the_old_ones_or_the_new_ones(tmp_path: Path) -> None:
    for save in (lambda: write(Page("title", ()), tmp_path / "page.html"), lambda: write_index(tmp_path, ())):
        save()
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        with files_of_at_most(4), pytest.raises(StorageError):
            save()
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_unit_of_a_build_that_finds_no_room_is_no_failure_of_the_unit(tmp_path: Path) -> None:
    unit = ForkUnit("key", lambda: b"x" * 10_000, tmp_path / "unit")
    with files_of_at_most(1000), pytest.raises(InfrastructureError, match="unit: cannot be written"):
        list(run_units([unit], 1, Bounds()))
    assert os.listdir(tmp_path) == []
    assert [ended.failure for ended in run_units([unit], 1, Bounds())] == [None]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_standard_output_that_takes_nothing_is_one_line_and_exit_code_3() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "passnet.cli.main", "--help"], stdout=full, stderr=subprocess.PIPE, text=True,
            check=False, cwd=ROOT, env=environment(),
        )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr.startswith("passnet: standard output")
    assert done.stderr.count("\n") == 1


def test_names_of_others_lead_nowhere_else(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for make in (inside, make_new, lambda directory, name: write_new(directory, name, "x")):
        for name in ("../a", "a/../../b", str(tmp_path / "a"), "", "a\nb"):
            with pytest.raises(UsageError, match="cannot be the place of a file"):
                make(home, name)
    assert list(tmp_path.iterdir()) == [home] and list(home.iterdir()) == []


def test_what_is_new_replaces_nothing(tmp_path: Path) -> None:
    assert write_new(tmp_path, "a/b", "one\r\n").read_bytes() == b"one\r\n"
    assert make_new(tmp_path, "a/c/d").is_dir()
    (tmp_path / "link").symlink_to(tmp_path / "away")
    for name in ("a/b", "a/c", "link", "a/b/e"):
        with pytest.raises(UsageError, match="two things would have this place"):
            write_new(tmp_path, name, "two")
        with pytest.raises(UsageError, match="two things would have this place"):
            make_new(tmp_path, name)
    assert (tmp_path / "a" / "b").read_bytes() == b"one\r\n" and not (tmp_path / "away").exists()


@pytest.mark.parametrize("kind", ["pipe", "directory", "device"])
def test_a_file_takes_the_place_of_files_only(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    if kind == "directory":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        try:
            os.mknod(place, stat.S_IFCHR | 0o600, os.makedev(1, 3))
        except PermissionError:
            pytest.skip("no device can be made here")
    before = place.lstat()
    with pytest.raises(UsageError, match="expected the name of a file"):
        write_atomic(place, "text")
    assert os.path.samestat(place.lstat(), before)
    assert [entry.name for entry in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize("out", [".", "read", "read/..", "link", "read/part"])
def test_a_directory_never_takes_the_place_of_what_is_read(
    out: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "read" / "part").mkdir(parents=True)
    (tmp_path / "home" / "read" / "mine").write_text("x")
    (tmp_path / "home" / "read" / "part" / "mine").write_text("x")
    (tmp_path / "home" / "link").symlink_to(tmp_path / "home")
    monkeypatch.chdir(tmp_path / "home")
    with (
        pytest.raises(UsageError, match="--overwrite would remove"),
        new_directory(Path(out), overwrite=True, read=[Path("read")]),
    ):
        pytest.fail("nothing may be written")
    assert (tmp_path / "home" / "read" / "mine").read_text() == "x"
    assert (tmp_path / "home" / "read" / "part" / "mine").read_text() == "x"


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_directory_takes_no_place_of_a_file_or_a_pipe(tmp_path: Path, overwrite: bool) -> None:
    """As root, the null device of the whole machine would become a directory."""
    (tmp_path / "file").write_text("kept")
    os.mkfifo(tmp_path / "pipe")
    for name in ("file", "pipe"):
        refused = pytest.raises(UsageError, match="the name of a directory")
        with refused, new_directory(tmp_path / name, overwrite=overwrite):
            raise AssertionError("nothing is begun")
    assert (tmp_path / "file").read_text() == "kept"
    assert (tmp_path / "pipe").is_fifo()


def test_a_directory_beside_what_is_read_is_replaced(tmp_path: Path) -> None:
    for name in ("out", "read"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    with new_directory(tmp_path / "out", overwrite=True, read=[tmp_path / "read"]) as directory:
        (directory / "new").write_text("x")
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["new"]
    assert (tmp_path / "read" / "file").exists()
