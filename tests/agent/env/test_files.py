"""Edits stay inside one flat directory, whatever an author asks for."""

from __future__ import annotations

import tempfile
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


def test_replace_all_leaves_exactly_the_files_given(folder: PassFolder) -> None:
    folder.write("A.py", "a\r\n")
    folder.write("B.py", "b")
    folder.replace_all({"A.py": "new\r\n", "C.md": "c"})
    assert folder.contents() == {"A.py": "new\r\n", "C.md": "c"}
