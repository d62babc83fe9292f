"""Edits stay inside one flat directory, whatever an author asks for."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from passnet.agent.env.files import MAX_FILES, FileError, PassFolder
from passnet.rewrite.passes.pass_set import MAX_FILE_BYTES


@pytest.fixture
def folder(tmp_path: Path) -> PassFolder:
    (tmp_path / "secret.py").write_text("secret")
    (tmp_path / "pass_dir").mkdir()
    return PassFolder(tmp_path / "pass_dir")


@given(name=st.text(st.sampled_from("ab./\\~-_ \x00é\npy"), max_size=14), text=st.text(max_size=20))
@example(name="../secret.py", text="x")
@example(name="/etc/passwd.py", text="x")
@example(name="pass_dir/../secret.py", text="x")
@example(name="./pass_dir/A.py", text="x")
@example(name="..py", text="x")
@example(name="\ud800.py", text="x")
def test_whatever_is_written_lies_directly_in_the_directory(name: str, text: str) -> None:
    with tempfile.TemporaryDirectory() as root:
        folder = PassFolder(Path(root) / "inside")
        folder.path.mkdir()
        try:
            folder.write(name, text)
        except FileError:
            assert list(folder.path.iterdir()) == []
        else:
            assert [path.parent for path in folder.path.iterdir()] == [folder.path]
            assert list(folder.contents().values()) == [text]
        assert [path.name for path in Path(root).iterdir()] == ["inside"]


def test_links_are_not_followed(folder: PassFolder) -> None:
    (folder.path / "A.py").symlink_to(folder.path.parent / "secret.py")
    for attempt in (lambda: folder.read("A.py"), lambda: folder.write("A.py", "x"), lambda: folder.delete("A.py")):
        with pytest.raises(FileError):
            attempt()
    assert (folder.path.parent / "secret.py").read_text() == "secret"
    assert folder.names() == []


def test_a_file_that_is_not_there_is_told_with_those_that_are(folder: PassFolder) -> None:
    folder.write("B.py", "")
    with pytest.raises(FileError, match=r"no file 'A.py'; there are: B.py"):
        folder.read("A.py")


def test_sizes_and_numbers_are_bounded(folder: PassFolder) -> None:
    with pytest.raises(FileError, match="bytes; at most"):
        folder.write("A.py", "x" * (MAX_FILE_BYTES + 1))
    for number in range(MAX_FILES):
        folder.write(f"A{number}.py", "")
    with pytest.raises(FileError, match="delete one first"):
        folder.write("B.py", "")
    folder.write("A0.py", "still")
    assert folder.read("A0.py") == "still"


def test_an_episode_begins_with_exactly_its_files_and_removes_nothing_of_others(folder: PassFolder) -> None:
    folder.write("A.py", "a\r\n")
    folder.write("B.py", "b")
    folder.begin({"A.py": "new\r\n", "C.md": "c"})
    assert folder.contents() == folder.found() == {"A.py": "new\r\n", "C.md": "c"}
    (folder.path / "theirs.py").write_text("an hour of work")
    again = PassFolder(folder.path)
    again.begin({"D.py": "d"})
    assert again.contents() == again.found() == {"D.py": "d"}
    assert (folder.path.parent / "pass_dir-1" / "theirs.py").read_text() == "an hour of work"


def test_only_what_nobody_else_changed_is_replaced_at_the_end(folder: PassFolder) -> None:
    folder.begin({"A.py": "a", "B.py": "b", "C.py": "c", "D.py": "d"})
    (folder.path / "A.py").write_text("theirs")
    (folder.path / "D.py").unlink()
    os.mkfifo(folder.path / "E.py")
    folder.end_with({"A.py": "best", "B.py": "best", "D.py": "best", "E.py": "best", "F.py": "best"})
    assert folder.read("A.py") == "best"
    there = {path.name: path.is_fifo() or path.read_text() for path in folder.path.iterdir()}
    assert there == {"A.py": "theirs", "B.py": "best", "E.py": True, "F.py": "best"}


FOREIGN = {
    "A.py~": b"\xff", ".A.py.swp": b"\0", "#A.py#": b"x", "4913": b"", "A.py.orig": b"\xff", "run me.sh": b"x",
    "A.py.tmp.12.34": b"x", "._A.py": b"\0\xff", ".hidden.py": b"\xff",
}  # fmt: skip


def test_backups_and_hidden_files_are_no_part_of_a_pass_set(folder: PassFolder) -> None:
    folder.write("A.py", "a")
    for name, data in FOREIGN.items():
        (folder.path / name).write_bytes(data)
    (folder.path / "__pycache__").mkdir()
    (folder.path / ".#A.py").symlink_to("me@host.1:2")
    assert folder.found() == {"A.py": "a"}
    folder.write("A.py", "b")
    assert {name: (folder.path / name).read_bytes() for name in FOREIGN} == FOREIGN


@pytest.mark.parametrize(
    ("put", "words"),
    [
        (
            lambda path: (path / "B.py").write_bytes(b"# caf\xe9\n"),
            r"B\.py: byte 5 is no UTF-8; save the file as UTF-8",
        ),
        (lambda path: (path / "B.py").write_bytes(b"x\0"), r"B\.py: the text holds a NUL byte"),
        (lambda path: (path / "B.py").write_bytes(b"x" * (MAX_FILE_BYTES + 1)), r"'B\.py' cannot be read: too large"),
        (lambda path: (path / "B.py").symlink_to("../secret.py"), r"'B\.py' .* is not a plain file"),
        (lambda path: (path / "B.py").symlink_to("nowhere"), r"'B\.py' .* is not a plain file"),
        (lambda path: (path / "B.py").mkdir(), r"'B\.py' .* is not a plain file"),
        (lambda path: os.mkfifo(path / "B.py"), r"'B\.py' .* is not a plain file"),
        (lambda path: (path / "my notes.py").write_text("x"), r"'my notes\.py' is no name for a file here"),
        (lambda path: (path / "a..b.py").write_text("x"), r"'a\.\.b\.py' leaves the pass directory"),
        (lambda path: open(os.fsencode(path) + b"/\xff.py", "w").close(), r"'\\udcff\.py' is no name"),
        (lambda path: [(path / f"x{n}.py").touch() for n in range(MAX_FILES)], r"holds 101 files; at most 100"),
    ],
)
def test_what_no_pass_set_may_have_is_told_and_left(folder: PassFolder, put: Callable, words: str) -> None:
    folder.write("A.py", "a")
    put(folder.path)
    before = sorted(os.listdir(os.fsencode(folder.path)))
    with pytest.raises(FileError, match=words) as failed:
        folder.found()
    assert str(failed.value).isprintable()
    assert sorted(os.listdir(os.fsencode(folder.path))) == before
    assert folder.contents() == {"A.py": "a"}


def test_a_directory_that_was_replaced_by_a_link_is_not_followed(folder: PassFolder, tmp_path: Path) -> None:
    folder.write("A.py", "a")
    home = tmp_path / "home"
    home.mkdir()
    (home / "A.py").write_text("a")
    (home / "precious.py").write_text("precious")
    folder.path.rename(tmp_path / "away")
    folder.path.symlink_to(home)
    edits = (
        folder.found,
        lambda: folder.write("B.py", "x"),
        lambda: folder.write("A.py", "x"),
        lambda: folder.delete("A.py"),
    )
    for edit in edits:
        with pytest.raises(FileError, match="not followed; expected a directory"):
            edit()
    folder.end_with({"B.py": "best"})
    assert folder.contents() == {"B.py": "best"}
    folder.begin({"C.py": "c"})
    assert folder.found() == {"C.py": "c"} and not folder.path.is_symlink()
    assert {path.name: path.read_text() for path in home.iterdir()} == {"A.py": "a", "precious.py": "precious"}
