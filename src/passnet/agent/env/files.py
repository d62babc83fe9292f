"""The files that an episode may edit: one flat set, plain names, bounded sizes, and no access outside its directory."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from passnet import authored
from passnet.errors import blaming_machine, shortened
from passnet.rewrite.passes.pass_set import MAX_FILE_BYTES, OUTPUT_MANIFEST
from passnet.writing import put_aside, write_atomic, writing

MAX_FILES = 100
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.(py|json|md|txt)")
_PREFIXES = ("./", "pass_dir/")
ROOTS = frozenset({"", ".", "./", "pass_dir", "pass_dir/"})


class FileError(Exception):
    """An edit that cannot be made. The message tells the author what to do instead."""


class PassFolder:
    """The files of an episode, by name, and the directory that shows them. The texts here count, not the directory.

    So another hand in the directory changes nothing that was measured or recorded. `found` says what it left there.
    Raises FileError for every request that cannot be done. A request that fails changes neither texts nor directory.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._texts: dict[str, str] = {}
        self._shown = True

    def names(self) -> list[str]:
        return sorted(self._texts)

    def contents(self) -> dict[str, str]:
        return {name: self._texts[name] for name in self.names()}

    def read(self, name: str) -> str:
        """The text of a file, unchanged. Line ends are not translated."""
        name = _checked(name)
        if name not in self._texts:
            there = ", ".join(self.names()) or "the directory is empty"
            raise FileError(f"no file {name!r}; there are: {there}")
        return self._texts[name]

    def write(self, name: str, text: str) -> None:
        """Write a file all or nothing."""
        name = _checked(name)
        data = _encoded(text, name)
        if name not in self._texts and len(self._texts) >= MAX_FILES:
            raise FileError(f"{len(self._texts)} files are there already, as many as are allowed; delete one first")
        if self._shown:
            self._show(name, data)
        self._texts[name] = text

    def replace(self, name: str, old: str, new: str) -> str:
        """Replace a piece that occurs exactly once by `new`. Returns the whole text afterwards."""
        text = self.read(name)
        if not old:
            raise FileError("the piece to replace is empty")
        if (count := text.count(old)) != 1:
            raise FileError(f"{name}: the piece occurs {count} times; give one that occurs once")
        text = text.replace(old, new)
        self.write(name, text)
        return text

    def insert(self, name: str, line: int, text: str) -> str:
        """Put lines after the line of this number, 0 for the beginning. Returns the whole text afterwards."""
        lines = self.read(name).splitlines(keepends=True)
        if not 0 <= line <= len(lines):
            raise FileError(f"{name} has {len(lines)} lines; line must be between 0 and that")
        if line and not lines[line - 1].endswith("\n"):
            lines[line - 1] += "\n"
        whole = "".join([*lines[:line], text if text.endswith("\n") else text + "\n", *lines[line:]])
        self.write(name, whole)
        return whole

    def delete(self, name: str) -> None:
        name = _checked(name)
        self.read(name)
        if self._shown:
            self._hide(name)
        del self._texts[name]

    def begin(self, files: Mapping[str, str]) -> None:
        """Hold exactly these files, in a directory that holds nothing else.

        What others left at its place is kept under another name.
        """
        check_files(files)
        if self._shown:
            self._clear()
        self._texts = dict(files)
        if self._shown:
            self.show()

    def end_with(self, files: Mapping[str, str]) -> None:
        """Hold these files and no others. In the directory, what another hand changed last stays as it is."""
        before, self._texts = self._texts, dict(files)
        if not self._shown or not is_directory(self.path):
            return
        for name in sorted(before.keys() | files.keys()):
            if before.get(name) == files.get(name) or not self._holds(name, before.get(name)):
                continue
            if name in files:
                self._show(name, files[name].encode())
            else:
                self._hide(name)

    def show(self) -> None:
        """Write all texts into the directory. Files of other names stay as they are."""
        with writing(self.path):
            if os.path.lexists(self.path) and not is_directory(self.path):
                put_aside(self.path)
            self.path.mkdir(parents=True, exist_ok=True)
        for name, text in self._texts.items():
            self._show(name, text.encode())

    @contextmanager
    def texts_alone(self) -> Iterator[None]:
        """Edits inside this context change no file: the directory has them already, or will be shown later."""
        before, self._shown = self._shown, False
        try:
            yield
        finally:
            self._shown = before

    def found(self) -> dict[str, str]:
        """The files that are in the directory now, whoever wrote them. No link is followed.

        Hidden files, directories, and files of other endings (backups, swap files) are no part of a pass set and are
        left out. Raises FileError with the reason for anything else that no pass set may have.
        """
        self._check_directory()
        found = {}
        try:
            with blaming_machine(self.path), os.scandir(self.path) as entries:
                kinds = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
        except OSError as error:
            raise FileError(f"the pass directory cannot be read: {error.strerror}") from None
        for name in sorted(kinds):
            if _NAME.fullmatch(name) or (name.endswith(".py") and name[0] != "." and not kinds[name]):
                found[name] = self._found(_checked(name))
        if len(found) > MAX_FILES:
            raise FileError(f"the pass directory holds {len(found)} files; at most {MAX_FILES} are allowed")
        return found

    # --- the directory -----------------------------------------------------------------------------------------

    def _found(self, name: str) -> str:
        self._check_plain(name)
        try:
            data = authored.read_bytes(self.path / name, MAX_FILE_BYTES)
            text = data.decode()
        except OSError as error:
            raise FileError(f"{name!r} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise FileError(f"{name}: byte {error.start} is no UTF-8; save the file as UTF-8") from None
        _encoded(text, name)
        return text

    def _holds(self, name: str, text: str | None) -> bool:
        """Whether the directory has this text under a name. None: nothing is there."""
        if text is None:
            return not os.path.lexists(self.path / name)
        try:
            return self._found(name) == text
        except FileError:
            return False

    def _show(self, name: str, data: bytes) -> None:
        self._check_directory()
        self._check_plain(name)
        with writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        write_atomic(self.path / name, data)

    def _hide(self, name: str) -> None:
        self._check_directory()
        self._check_plain(name)
        with writing(self.path / name):
            (self.path / name).unlink(missing_ok=True)

    def _clear(self) -> None:
        """Remove the files that are shown. What else lies there is put aside with the directory."""
        with writing(self.path):
            for name in self._texts if is_directory(self.path) else ():
                if (self.path / name).is_file() and not (self.path / name).is_symlink():
                    (self.path / name).unlink()
            if os.path.lexists(self.path) and (not is_directory(self.path) or any(self.path.iterdir())):
                put_aside(self.path)

    def _check_directory(self) -> None:
        if os.path.lexists(self.path) and not is_directory(self.path):
            raise FileError(
                f"{self.path} was replaced by a link or a file, which is not followed; expected a directory; "
                "move it away, and the directory is written again"
            )

    def _check_plain(self, name: str) -> None:
        try:
            kind = os.lstat(self.path / name).st_mode
        except OSError:
            return
        if not stat.S_ISREG(kind):
            raise FileError(f"{name!r} in the pass directory is not a plain file; move it away")


def is_directory(path: Path) -> bool:
    """Whether a directory is there itself, not a link to one."""
    return path.is_dir() and not path.is_symlink()


def check_files(files: Mapping[str, str]) -> None:
    """Raises FileError for files that no episode can hold."""
    for name, text in files.items():
        if _checked(name) != name:
            raise FileError(f"{shortened(name)!r} is no bare file name")
        _encoded(text, name)
    if len(files) > MAX_FILES:
        raise FileError(f"{len(files)} files; at most {MAX_FILES} are allowed")


def _checked(name: str) -> str:
    """The bare name of a file directly in the directory."""
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    if "/" in name or "\\" in name or ".." in name:
        raise FileError(f"{name!r} leaves the pass directory; give a bare file name such as FuseGelu.py")
    if not _NAME.fullmatch(name):
        raise FileError(
            f"{name!r} is no name for a file here; use letters, digits, _ - . and one of .py .json .md .txt, "
            f"for example FuseGelu.py or {OUTPUT_MANIFEST}"
        )
    return name


def _encoded(text: str, name: str) -> bytes:
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FileError(f"{name}: character {error.start} is not text") from None
    if b"\x00" in data:
        raise FileError(f"{name}: the text holds a NUL byte")
    if len(data) > MAX_FILE_BYTES:
        raise FileError(f"{name}: {len(data)} bytes; at most {MAX_FILE_BYTES} are allowed")
    return data


def files_hash(files: Mapping[str, str]) -> str:
    """SHA-256 over names and texts of files."""
    digest = hashlib.sha256()
    for name, text in sorted(files.items()):
        digest.update(f"{name}\0{len(text)}\0{text}\0".encode())
    return digest.hexdigest()


def syntax_problem(name: str, text: str) -> str | None:
    """The problem in the text of a Python file or a manifest, as far as reading it shows. None if there is none."""
    try:
        if name.endswith(".py"):
            authored.parse_python(text)
        elif name.endswith(OUTPUT_MANIFEST):
            authored.parse_json(text)
    except (SyntaxError, ValueError) as error:
        line = f"line {error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
        return f"{line}{getattr(error, 'msg', error)}"
    return None
