"""The files that an episode may edit: one flat directory, plain names, bounded sizes, and no access outside it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from passnet import authored
from passnet.rewrite.passes.pass_set import MAX_FILE_BYTES, OUTPUT_MANIFEST
from passnet.writing import write_atomic

MAX_FILES = 100
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.(py|json|md|txt)")
_PREFIXES = ("./", "pass_dir/")
ROOTS = frozenset({"", ".", "./", "pass_dir", "pass_dir/"})


class FileError(Exception):
    """An edit that cannot be made. The message tells the author what to do instead."""


@dataclass(frozen=True)
class PassFolder:
    """The pass directory of an episode. Raises FileError for every request that cannot be done."""

    path: Path

    def names(self) -> list[str]:
        return sorted(entry.name for entry in self.path.iterdir() if entry.is_file() and not entry.is_symlink())

    def contents(self) -> dict[str, str]:
        return {name: self.read(name) for name in self.names()}

    def read(self, name: str) -> str:
        """The text of a file, unchanged. Line ends are not translated."""
        name = self._checked(name)
        try:
            return authored.read_bytes(self.path / name, MAX_FILE_BYTES).decode("utf-8", "replace")
        except FileNotFoundError:
            there = ", ".join(self.names()) or "the directory is empty"
            raise FileError(f"no file {name!r}; there are: {there}") from None
        except OSError as error:
            raise FileError(f"{name!r} cannot be read: {error.strerror}") from None

    def write(self, name: str, text: str) -> None:
        """Write a file all or nothing."""
        name = self._checked(name)
        data = _encoded(text, name)
        if len(data) > MAX_FILE_BYTES:
            raise FileError(f"{name}: {len(data)} bytes; at most {MAX_FILE_BYTES} are allowed")
        if name not in (known := self.names()) and len(known) >= MAX_FILES:
            raise FileError(f"{len(known)} files are there already, as many as are allowed; delete one first")
        write_atomic(self.path / name, data)

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
        name = self._checked(name)
        self.read(name)
        (self.path / name).unlink()

    def replace_all(self, files: Mapping[str, str]) -> None:
        """Make the directory hold exactly these files."""
        for name in set(self.names()) - set(files):
            (self.path / name).unlink()
        for name, text in files.items():
            self.write(name, text)

    def _checked(self, name: str) -> str:
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
        if (self.path / name).is_symlink() or (self.path / name).is_dir():
            raise FileError(f"{name!r} is not a plain file")
        return name


def _encoded(text: str, name: str) -> bytes:
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FileError(f"{name}: character {error.start} is not text") from None
    if b"\x00" in data:
        raise FileError(f"{name}: the text holds a NUL byte")
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
