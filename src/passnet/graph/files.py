"""Bounded reading of untrusted text files, with errors that name the place."""

from __future__ import annotations

import json
from pathlib import Path

from passnet import authored
from passnet.graph.errors import GraphError

# Far larger than every published file. A syntax tree takes some hundred times the bytes of its text.
MAX_BYTES = 16 * 1024 * 1024


def read_text(path: Path, *, links: bool = False) -> str:
    """The text of a file. `links`: the user named this very file, so it may be a link to any other.

    Errors: `GraphError` when it is missing, no plain file, larger than `MAX_BYTES` or not UTF-8. Unless `links`, also
    for a link that leads out of the file's directory.
    """
    try:
        raw = authored.read_bytes(path, MAX_BYTES) if links else authored.read_inside(path, limit=MAX_BYTES)
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
