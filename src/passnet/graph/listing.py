"""Reads lists of tasks and graphs (txt, csv, tsv, jsonl) and finds the directories that their entries name."""

from __future__ import annotations

import csv
import itertools
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from passnet import authored
from passnet.graph import bundled
from passnet.graph.errors import GraphError
from passnet.graph.files import read_text

MAX_ENTRIES = 1_000_000
SUFFIXES = (".txt", ".csv", ".tsv", ".jsonl")
_PATH_COLUMNS = ("graph", "path", "graph_path", "sample_path", "model_path", "relative_model_path")
_UTF8 = "save the list as UTF-8"
_LONGEST_NAME = 200
# A published list of graphs counts from a directory below `graphs`, and the list's name says which one:
# `hf_typical_subgraphs_v2` counts from `graphs/hf_subgraphs_v2/typical_subgraphs`, `fusible_subgraphs` from `graphs` or
# `graphs/fusible_subgraphs`.
_GRAPH_LIST_NAME = re.compile(r"(hf_)?((?:sole_op|fusible|typical)_subgraphs)(_v\d+)?")


@dataclass(frozen=True)
class ListEntry:
    """One entry of a list: the path as written, the line number, and the other fields of the line.

    `uid` stands before a tab or in a column `uid`. `name` is the `instance_id` of a published task.
    """

    path: str
    line: int
    uid: str | None = None
    name: str | None = None


def read_entries(path: Path | str, *, links: bool = True) -> tuple[ListEntry, ...]:
    """The entries of a list file, in order. `links`: see `files.read_text`.

    - txt, tsv and any other suffix: one path a line, or a uid, a tab and a path.
    - csv: a header with a column `graph`, `path`, `graph_path`, ... (else the first column), and perhaps `uid`. It may
      be missing where the first line begins with a path that has a slash, or with a bundled name.
    - jsonl: one object a line with `sample_dir` and perhaps `instance_id`, as in published lists of tasks. Other fields
      are not read.

    Blank lines are skipped. So are lines that start with `#`, except in jsonl.

    Errors: `GraphError` with the line when a line is no entry or repeats a uid or name, or when the list has no
    entries.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    lines = [(number, line.strip(" \r")) for number, line in enumerate(_text(path, links).splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line.strip() and (suffix == ".jsonl" or line[0] != "#")]
    if len(lines) > MAX_ENTRIES:
        raise GraphError("the list is too long", path=path, expected=f"at most {MAX_ENTRIES}", found=len(lines))
    read: Callable[[list[tuple[int, str]], Path], Iterator[ListEntry]]
    read = {".csv": _csv_entries, ".jsonl": _json_entries}.get(suffix, _plain_entries)
    entries = tuple(read(lines, path))
    if not entries:
        if lines and suffix == ".csv":
            raise GraphError("the list has a header and no entry", path=path, expected="one entry a line below it",
                             found=f"line {lines[0][0]} alone, {lines[0][1][:80]!r}")  # fmt: skip
        raise GraphError("the list is empty", path=path, expected=_expected(suffix))
    for entry in entries:
        if not authored.is_path(entry.path):
            raise _bad("an entry cannot be a path", path, entry.line, _expected(suffix), entry.path)
    _refuse_repeated(((entry.uid, entry.line) for entry in entries), "uid", path)
    _refuse_repeated(((entry.name, entry.line) for entry in entries), "instance_id", path)
    return entries


def read_graph_list(path: Path | str, *, links: bool = True) -> tuple[str, ...]:
    """The paths in a list file (see `read_entries`).  Errors: as there."""
    return tuple(entry.path for entry in read_entries(path, links=links))


def places(listing: Path, entry: str) -> list[Path]:
    """Places where an entry may be, best first: beside the list, in the working directory, in a parent of the list.

    Published lists count from the root of their repository. Published lists of graphs count from a directory below its
    `graphs`. A directory in which everybody leaves files, as `/tmp`, is no part of a repository: nothing is looked for
    there, nor above it.
    """
    if os.path.isabs(entry):
        return [Path(entry)]
    home = Path(os.path.abspath(listing)).parent
    above = [listing.parent, Path.cwd(), *itertools.takewhile(_is_of_one_owner, home.parents)]
    inside = [parent / below for parent in above for below in _graph_homes(listing.stem)]
    return list(dict.fromkeys(place / entry for place in (*above, *inside)))


def _is_of_one_owner(directory: Path) -> bool:
    """Whether a directory is none that all users of the machine share (its sticky bit is not set)."""
    return not directory.stat().st_mode & stat.S_ISVTX


def find_entry(listing: Path, entry: ListEntry, *, hint: str | None = None) -> Path:
    """The path that an entry names: the first of its places that exists, else the bundled task or set of its name.

    Errors: `GraphError` that says where it was looked for, and `hint`.
    """
    tried = places(listing, entry.path)
    found = next((place for place in tried if os.path.exists(place)), None)
    if found is not None:
        return found
    if "/" not in entry.path:
        shipped = bundled.place_of(entry.path)
        if shipped is not None:
            return shipped
    # An absolute path already says where it was looked for.
    shown = [] if os.path.isabs(entry.path) else [_without(os.path.abspath(place), entry.path) for place in tried]
    hints = [f"tried below {', '.join(dict.fromkeys(shown))}"] if shown else []
    if "/" not in entry.path:
        hints += ["no bundled task has that name", *filter(None, [bundled.nearest(entry.path)])]
    raise GraphError(
        "names a path that does not exist", path=listing, field=f"line {entry.line}", found=entry.path,
        hint="; ".join([*hints, *([hint] if hint else [])]) or None,
    )  # fmt: skip


def _without(place: str, entry: str) -> str:
    """The directory that an entry was looked for in. If the entry leads out of it, the place itself."""
    below = os.path.normpath(entry)
    return place.removesuffix(below).rstrip("/") or "/"


def _graph_homes(stem: str) -> tuple[str, ...]:
    name = _GRAPH_LIST_NAME.fullmatch(stem)
    if name is None:
        return ()
    prefix, kind, version = name.groups()
    return (f"graphs/hf_subgraphs{version or ''}/{kind}",) if prefix else ("graphs", f"graphs/{kind}")


def _text(path: Path, links: bool) -> str:
    try:
        return read_text(path, links=links).removeprefix("\ufeff")
    except GraphError as error:
        if "not UTF-8" in str(error) or "NUL" in str(error):
            raise GraphError(f"{error} ({_UTF8})") from None
        raise


def _expected(suffix: str) -> str:
    return 'one object with "sample_dir" a line' if suffix == ".jsonl" else "one path a line"


def _bad(what: str, path: Path, line: int, expected: str, found: str) -> GraphError:
    return GraphError(what, path=path, field=f"line {line}", expected=expected, found=found[:80])


def _refuse_repeated(named: Iterable[tuple[str | None, int]], what: str, path: Path) -> None:
    first: dict[str, int] = {}
    for value, line in named:
        if value is not None and first.setdefault(value, line) != line:
            raise GraphError(
                f"the {what} {value[:80]!r} is also on line {first[value]}", path=path, field=f"line {line}",
                expected=f"every {what} once",
            )  # fmt: skip


def _checked_name(value: str, what: str, path: Path, line: int) -> str:
    """A uid or a name that can be used as a file name."""
    plain = value.isprintable() and authored.is_path(value) and len(value.encode()) <= _LONGEST_NAME
    if not value or not plain or "/" in value or value in {".", ".."} or value != value.strip():
        raise _bad(f"the {what} cannot name a directory", path, line, "a plain name without slashes", repr(value))
    return value


def _plain_entries(lines: list[tuple[int, str]], path: Path) -> Iterator[ListEntry]:
    for number, line in lines:
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) == 1:
            yield ListEntry(fields[0], number)
            continue
        if len(fields) != 2 or not all(fields):
            raise _bad("a line with a tab is a uid and a path", path, number, "UID<TAB>PATH", repr(line))
        yield ListEntry(fields[1], number, uid=_checked_name(fields[0], "uid", path, number))


def _csv_entries(lines: list[tuple[int, str]], path: Path) -> Iterator[ListEntry]:
    texts = [line for _, line in lines]
    reader = csv.reader(texts)
    rows: list[tuple[int, list[str]]] = []
    start = 0
    try:
        for row in reader:
            rows.append((lines[start][0], [cell.strip() for cell in row]))
            start = min(reader.line_num, len(lines) - 1)
    except csv.Error as error:
        raise GraphError(f"not a table: {error}", path=path) from None
    if not rows:
        return
    header = [cell.lower() for cell in rows[0][1]]
    named = next((header.index(name) for name in _PATH_COLUMNS if name in header), None)
    uid = header.index("uid") if "uid" in header else None
    body = rows if named is None and _is_entry(rows[0][1][0]) else rows[1:]
    at = named or 0
    for number, row in body:
        if len(row) > at:
            found = row[uid] if uid is not None and len(row) > uid else ""
            yield ListEntry(row[at], number, uid=_checked_name(found, "uid", path, number) if found else None)


def _is_entry(cell: str) -> bool:
    """Whether the first cell of a table is an entry already, and no heading."""
    return "/" in cell or bundled.place_of(cell) is not None


def _json_entries(lines: list[tuple[int, str]], path: Path) -> Iterator[ListEntry]:
    for number, line in lines:
        try:
            value = authored.parse_json(line, key_twice=True)
        except json.JSONDecodeError as error:
            what = f"not valid JSON: {error.msg}"
            raise _bad(what, path, number, _expected(".jsonl"), repr(line)) from None
        if not isinstance(value, dict):
            raise _bad("not a JSON object", path, number, _expected(".jsonl"), repr(line))
        place, name = value.get("sample_dir"), value.get("instance_id")
        if not isinstance(place, str) or not place.strip():
            raise _bad('no "sample_dir"', path, number, "the directory of a task as text", repr(line))
        if name is not None and not isinstance(name, str):
            raise _bad('"instance_id" is no text', path, number, "the name of the task", repr(name))
        checked = None if name is None else _checked_name(name, "instance_id", path, number)
        yield ListEntry(place.strip(), number, name=checked)
