"""Bounded reading of untrusted text files and all-or-nothing writing of directories."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from passnet import authored
from passnet.errors import UsageError
from passnet.graph.errors import GraphError
from passnet.writing import StorageError, storing, unwritable

# Far larger than every published file. A syntax tree takes some hundred times the bytes of its text.
MAX_BYTES = 16 * 1024 * 1024


def read_text(path: Path) -> str:
    """The text of a file.

    Errors: `GraphError` when it is missing, no plain file, larger than `MAX_BYTES` or not UTF-8.
    """
    try:
        raw = authored.read_bytes(path, MAX_BYTES)
    except FileNotFoundError:
        raise GraphError("file is missing", path=path, hint="is the directory complete?") from None
    except OSError as error:
        raise GraphError(f"cannot be read: {error.strerror}", path=path) from None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise GraphError("not UTF-8 text", path=path, field=f"byte {error.start}") from None
    if "\x00" in text:
        raise GraphError("not text: it holds a NUL byte", path=path, field=f"character {text.index(chr(0))}")
    return text


def read_optional(path: Path) -> str:
    """The text of a file, or "" when there is none."""
    return read_text(path) if path.exists() or path.is_symlink() else ""


def read_json_object(path: Path) -> dict[str, object]:
    """A JSON object.  Errors: `GraphError` with line and column when the file holds anything else."""
    text = read_text(path)
    try:
        value = authored.parse_json(text, key_twice=True)  # The published tools read it in the same way.
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise GraphError(
            f"not valid JSON: {error.msg}", path=path, field=place, hint="is the file truncated?"
        ) from None
    if not isinstance(value, dict):
        raise GraphError("not a JSON object", path=path, expected="{...}", found=type(value).__name__)
    return value


def json_text(value: object) -> str:
    """JSON as the published tools write it."""
    return json.dumps(value, indent=4, ensure_ascii=False)


@contextmanager
def new_directory(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """A temporary directory beside `path`. It takes the place of `path` when the block succeeds, else it is removed.

    Errors: `UsageError` when `path` exists and is not empty (unless `overwrite`) or cannot be written, `StorageError`
    when the disk is full.
    """
    if path.exists() and not overwrite and (not path.is_dir() or any(path.iterdir())):
        raise UsageError("already exists", path=path, hint="choose another path or overwrite")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{path.name[:60]}.", dir=path.parent))
    except OSError as error:
        raise unwritable(error, path) from None
    try:
        with storing(path):
            inside = staging / "new"
            inside.mkdir()
            yield inside
            _take_place(inside, path, staging / "old")
    except StorageError as error:  # It names a file in the temporary directory, unknown to the user.
        raise StorageError(str(error).replace(str(staging / "new"), str(path))) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _take_place(new: Path, path: Path, old: Path) -> None:
    """Moves `new` to `path`. If that fails, the old content of `path` is restored."""
    replaced = path.exists()
    if replaced:
        path.rename(old)
    try:
        os.replace(new, path)
    except OSError:
        if replaced:
            old.rename(path)
        raise
