"""Bounds what a Parquet file may make in memory, by what its pages state, before anything of them is made.

The sums in a file's footer may lie, so pages are read one by one. A page cannot lie: no more than it states is
unpacked. Three things are larger in memory than as pages: texts of a dictionary that rows repeat, values that are
counted and not written, and texts that are written as parts of others. The first are read as a dictionary. Of the
second a group has a number. The third are not read. Nothing is asked of Arrow's own view of a footer's columns: on
some damaged ones it ends the process.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

from passnet.authored import one_line
from passnet.dataset.tables.thrift import Long, Reader, Struct, ThriftError
from passnet.errors import UsageError

# What one group of rows may take unpacked. A group of ours has 64 MiB of texts, and its last row.
GROUP_BYTES = 256 * 1024 * 1024
# Values of one column in a group, and pages of one.
GROUP_VALUES = 16 * 1024 * 1024
_PAGES = 65_536
# A file of ours has a footer of some ten KiB for each group.
FOOTER_BYTES = 16 * 1024 * 1024
_FOOTER_VALUES = 400_000
_PAGE_VALUES = 64
# A row of ours has a hash and a name of its own, which no compression makes shorter than this.
_ROW_BYTES, FREE_ROWS = 16, 65_536
# An entry of a dictionary has its length, or is a number of as many bytes.
_LEAST_ENTRY = 4
_FARTHEST = 2**62
_MAGIC, _TAIL = b"PAR1", 8
_COLUMNS, _DEEPEST = 1000, 16
# The writer whose pages are known. Others may be followed by bytes that a reader takes for a page.
_WRITER = "parquet-cpp-arrow"
_HINT = "no table of passnet is like this: get the file again from who made it"

# The fields of Parquet's structures that are looked at, by their numbers.
_SCHEMA, _CHILDREN, _ALL_ROWS, _GROUPS, _WROTE = 2, 5, 3, 4, 6
_CHUNKS, _ROWS, _ABOUT = 1, 3, 3
_STATED, _LENGTH, _PLACE, _DICTIONARY_PLACE = 5, 7, 9, 11
_KIND, _UNPACKED_BYTES, _PACKED_BYTES, _VALUES = 1, 2, 3, 1
_DATA, _DICTIONARY, _DATA_2 = 0, 2, 3
_HEADERS = {_DATA: 5, _DICTIONARY: 7, _DATA_2: 8}
_ENCODINGS = {_DATA: 2, _DICTIONARY: 2, _DATA_2: 4}
# Plain, dictionary (older and newer name), and runs. Others write a text as a part of another one, or are not ours.
_KNOWN_ENCODINGS = frozenset({0, 2, 3, 8})
# What the lists and numbers of a footer are. Arrow takes the items of a list for these, whatever type the list states,
# and passes over a number of another size.
_Form = Mapping[int, Any]
_ANY: _Form = {}
_CHUNK: _Form = {
    2: [int], 3: [bytes], 8: [_ANY], 13: [_ANY], 16: {2: [int], 3: [int]}, 17: {2: [int]},
    **dict.fromkeys([_STATED, _LENGTH, _PLACE, _DICTIONARY_PLACE], Long),
}  # fmt: skip
_GROUP: _Form = {_CHUNKS: [{_ABOUT: _CHUNK}], _ROWS: Long, 4: [_ANY]}
_FOOTER: _Form = {_SCHEMA: [_ANY], _ALL_ROWS: Long, _GROUPS: [_GROUP], 5: [_ANY], _WROTE: bytes, 7: [_ANY]}


@dataclass
class _Sum:
    """What the pages of a column make: bytes unpacked, and values."""

    unpacked: int = 0
    values: int = 0


def refused(what: str, path: Path, expected: object, found: object) -> UsageError:
    """The error for a file that is no table of ours."""
    return UsageError(what, path=path, expected=expected, found=found, hint=_HINT)


@dataclass(frozen=True)
class Footer:
    """What a file states of itself: the groups of rows with their columns, as Parquet has them."""

    groups: Sequence[Struct]
    writer: str
    rows: int


def read_footer(file: BufferedReader, path: Path) -> Footer:
    """The footer. UsageError when it is none, or would take much memory."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != _MAGIC or length > size - _TAIL - len(_MAGIC):
        raise UsageError("not a readable Parquet file", path=path, expected="a footer, its length and PAR1 at the end")
    if length > FOOTER_BYTES:
        raise refused("its footer is too large", path, f"at most {FOOTER_BYTES} bytes", length)
    file.seek(size - _TAIL - length)
    try:
        footer = Reader(file.read(length), _FOOTER_VALUES).struct()
        _check_form(footer, _FOOTER)
        groups, rows = footer[_GROUPS], footer[_ALL_ROWS]
    except (ThriftError, KeyError) as error:
        raise refused("its footer cannot be read", path, f"at most {_FOOTER_VALUES} values", error) from None
    _check_schema(footer.get(_SCHEMA, []), path)
    return Footer(groups, footer.get(_WROTE, b"").decode("utf-8", "replace"), rows)


def _check_form(found: object, form: object) -> None:
    """ThriftError where a structure holds something else in the place of a list or a structure."""
    if isinstance(form, list):
        for item in found if isinstance(found, list) else [None]:
            _check_form(item, form[0])
    elif isinstance(form, Mapping):
        if not isinstance(found, dict):
            raise ThriftError("a structure is missing")
        for number in form.keys() & found.keys():
            _check_form(found[number], form[number])
    elif not isinstance(found, form):  # type: ignore[arg-type]
        raise ThriftError("a list holds something else")


def _check_schema(schema: list[Struct], path: Path) -> None:
    """A reader goes down the columns by calls of itself."""
    if len(schema) > _COLUMNS:
        raise refused("it has too many columns", path, f"at most {_COLUMNS}", len(schema))
    open_: list[int] = []
    for element in schema:
        children = element.get(_CHILDREN) or 0
        if open_:
            open_[-1] -= 1
        open_.append(children if isinstance(children, int) else 0)
        if len(open_) > _DEEPEST:
            raise refused("its columns are nested too deep", path, f"at most {_DEEPEST} levels", "more")
        while open_ and open_[-1] <= 0:
            open_.pop()


def check_rows(footer: Footer, size: int, path: Path) -> None:
    """UsageError for more rows than a file of `size` bytes can hold, and for the pages of another writer."""
    if not footer.writer.startswith(_WRITER):
        raise refused("it was written by another program", path, _WRITER, one_line(footer.writer) or "none")
    rows = sum(abs(group.get(_ROWS, 0)) for group in footer.groups)
    most = FREE_ROWS + size // _ROW_BYTES
    if rows > most or rows != footer.rows:
        raise refused("it has more rows than bytes for them", path, f"at most {most} in {size} bytes", rows)


def check_group(file: BufferedReader, group: Struct, columns: Mapping[int, str], path: Path) -> None:
    """UsageError when the pages of these columns of a group (number -> name) would take much memory."""
    chunks, rows = group.get(_CHUNKS, []), group.get(_ROWS)
    unpacked = 0
    for number, name in columns.items():
        try:
            found = _pages(file, chunks[number].get(_ABOUT, {}) if number < len(chunks) else {})
        except ThriftError as error:
            raise refused(f"the pages of column {name} cannot be read", path, "pages of Parquet", error) from None
        unpacked += found.unpacked
        if unpacked > GROUP_BYTES:
            raise refused("a group of rows is too large", path, f"at most {GROUP_BYTES} bytes", f"{unpacked} or more")
        if found.values > GROUP_VALUES:
            raise refused(f"column {name} is too long", path, f"at most {GROUP_VALUES} values a group", found.values)
        if "." not in name and found.values != rows:
            raise refused(f"column {name} is not of its length", path, f"{rows} rows", found.values)


def _pages(file: BufferedReader, chunk: Struct) -> _Sum:
    """What the pages of a column make. None is read for a column that states no values."""
    if _size(chunk.get(_STATED)) == 0:
        return _Sum()
    start, length = _size(chunk.get(_PLACE)), _size(chunk.get(_LENGTH))
    # A dictionary at 0, or after the rest, is none for Arrow.
    start = min(start, _size(chunk.get(_DICTIONARY_PLACE, 0)) or start)
    if length > GROUP_BYTES:
        raise ThriftError(f"{length} bytes at {start}")
    file.seek(start)
    pages = memoryview(file.read(length))
    found = _Sum()
    reader = Reader(pages, 0)
    for _ in range(_PAGES):
        if reader.at >= length:
            return found
        reader = Reader(pages, _PAGE_VALUES, reader.at)
        header = reader.struct()
        reader.at += _add_page(found, header)
    raise ThriftError(f"more than {_PAGES} pages")


def _add_page(found: _Sum, page: Struct) -> int:
    """Count a page. Returns its bytes in the file."""
    kind, packed, unpacked = page.get(_KIND), page.get(_PACKED_BYTES), page.get(_UNPACKED_BYTES)
    header = page.get(_HEADERS.get(kind, 0)) if isinstance(kind, int) else None
    if not isinstance(kind, int) or not isinstance(header, dict):
        raise ThriftError(f"a page of an unknown kind, {kind}")
    values, encoding = header.get(_VALUES), header.get(_ENCODINGS[kind])
    if not isinstance(encoding, int) or encoding not in _KNOWN_ENCODINGS:
        raise ThriftError(f"encoding {encoding}, which is neither plain nor a dictionary")
    packed, unpacked, count = _size(packed), _size(unpacked), _size(values)
    found.unpacked += max(packed, unpacked)
    if kind != _DICTIONARY:
        found.values += count
    elif count * _LEAST_ENTRY > unpacked:
        raise ThriftError(f"a dictionary of {count} values in {unpacked} bytes")
    return packed


def _size(stated: object) -> int:
    if not isinstance(stated, int) or not 0 <= stated <= _FARTHEST:
        raise ThriftError("a size is missing, below zero or too large")
    return stated
