"""Reads the symbol tables of a 64-bit little-endian shared object: what it calls, and what it can remember."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_HEADER, _SECTION, _SYMBOL = struct.Struct("<16sHHIQQQIHHHHHH"), struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ")
_SYMTAB, _DYNSYM = 2, 11
_OBJECT, _TLS = 1, 6
_WEAK = 2
_UNDEFINED, _RESERVED = 0, 0xFF00


class UnreadableObject(Exception):
    """Not a shared object of the kind that the compilers here make."""


@dataclass(frozen=True)
class Symbol:
    """A name, whether it is a variable and how large, and the section that holds it (None: undefined here).

    `weak`: may stay undefined where nobody has it.
    """

    name: str
    variable: bool
    size: int
    section: str | None
    weak: bool = False


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    offset: int
    size: int
    link: int


def symbols(path: Path) -> list[Symbol]:
    """Every symbol of the file, of both tables. UnreadableObject when the file is something else."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise UnreadableObject(f"{path.name} is no 64-bit little-endian ELF file")
    try:
        sections = _sections(data)
        return [
            symbol
            for section in sections
            if section.kind in (_SYMTAB, _DYNSYM)
            for symbol in _read(data, section, sections)
        ]
    except (struct.error, IndexError, ValueError, UnicodeDecodeError) as error:
        raise UnreadableObject(f"{path.name} cannot be read: {error}") from error


def _sections(data: bytes) -> list[_Section]:
    fields = _HEADER.unpack_from(data)
    start, size, count, names = fields[6], fields[11], fields[12], fields[13]
    rows = [_SECTION.unpack_from(data, start + index * size) for index in range(count)]
    texts = rows[names][4]
    return [_Section(_text(data, texts + row[0]), row[1], row[4], row[5], row[6]) for row in rows]


def _read(data: bytes, table: _Section, sections: list[_Section]) -> Iterator[Symbol]:
    texts = sections[table.link].offset
    for offset in range(table.offset, table.offset + table.size, _SYMBOL.size):
        name, info, _, index, _, size = _SYMBOL.unpack_from(data, offset)
        if not name:
            continue
        home = sections[index] if _UNDEFINED < index < _RESERVED else None
        undefined = index == _UNDEFINED
        yield Symbol(
            _text(data, texts + name),
            (info & 0xF) in (_OBJECT, _TLS),
            size,
            None if undefined else home.name if home else "",
            info >> 4 == _WEAK,
        )


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(0, at)].decode()
