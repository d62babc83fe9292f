"""Reads 64-bit little-endian ELF files, host objects and CUDA binaries: their sections and symbols."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from pathlib import Path

_HEADER, _SECTION, _SYMBOL = struct.Struct("<16sHHIQQQIHHHHHH"), struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ")
_SYMTAB, _DYNSYM = 2, 11
_UNDEFINED, _RESERVED, _ABSOLUTE = 0, 0xFF00, 0xFFF1


class Flag(IntFlag):
    """Properties of a section's memory after loading."""

    WRITE = 1
    ALLOCATED = 2
    EXECUTABLE = 4
    THREAD_LOCAL = 1 << 10


class FileKind(IntEnum):
    """The kind of thing that a symbol names. Other numbers stay numbers."""

    ANY = 0
    VARIABLE = 1
    FUNCTION = 2
    SECTION = 3
    FILE = 4
    COMMON = 5
    THREAD_LOCAL = 6
    CHOSEN_WHEN_LOADED = 10


class Bind(IntEnum):
    """Who can see a symbol. `UNIQUE` means one for the whole process."""

    LOCAL = 0
    GLOBAL = 1
    WEAK = 2
    UNIQUE = 10


class UnreadableObject(Exception):
    """The file is not of a kind that the compilers here make."""


@dataclass(frozen=True)
class Section:
    """A named part of the file. `type` is the ELF number. `size` is in bytes after loading."""

    name: str
    type: int
    flags: int
    size: int
    offset: int
    link: int


@dataclass(frozen=True)
class ObjectSymbol:
    """A symbol: its name, its kind, its size, and its section.

    `section` is None when the symbol is undefined here or lies in no section. In the second case `common` means that
    the linker makes memory for it.
    """

    name: str
    kind: int
    bind: int
    size: int
    section: Section | None
    undefined: bool
    common: bool

    @property
    def leaves(self) -> bool:
        """Whether other objects that are linked with this one see it."""
        return self.bind != Bind.LOCAL


@dataclass(frozen=True)
class Elf:
    """The whole file. A name that is in both symbol tables appears twice."""

    sections: tuple[Section, ...]
    symbols: tuple[ObjectSymbol, ...]

    @property
    def undefined(self) -> tuple[ObjectSymbol, ...]:
        """Symbols that another file must define."""
        return tuple(symbol for symbol in self.symbols if symbol.undefined)


def read_elf(path: Path) -> Elf:
    """Sections and named symbols of a file. UnreadableObject for any other kind of file."""
    return parse_elf(path.read_bytes(), path.name)


def parse_elf(data: bytes, name: str) -> Elf:
    """The same for the bytes of a file. `name` is for messages."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise UnreadableObject(f"{name} is no 64-bit little-endian ELF file")
    try:
        sections = tuple(_sections(data))
        tables = [section for section in sections if section.type in (_SYMTAB, _DYNSYM)]
        return Elf(sections, tuple(symbol for table in tables for symbol in _symbols(data, table, sections)))
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise UnreadableObject(f"{name} cannot be read: {error}") from error


def _sections(data: bytes) -> Iterator[Section]:
    fields = _HEADER.unpack_from(data)
    start, width, count, names = fields[6], fields[11], fields[12], fields[13]
    if not count:
        raise ValueError("it has no sections, or too many to be counted")
    rows = [_SECTION.unpack_from(data, start + index * width) for index in range(count)]
    for name, kind, flags, _, offset, size, link, *_ in rows:
        yield Section(_text(data, rows[names][4] + name), kind, flags, size, offset, link)


def _symbols(data: bytes, table: Section, sections: tuple[Section, ...]) -> Iterator[ObjectSymbol]:
    texts = sections[table.link].offset
    for offset in range(table.offset, table.offset + table.size, _SYMBOL.size):
        name, info, _, index, _, size = _SYMBOL.unpack_from(data, offset)
        if not name:
            continue
        if index >= len(sections) and index < _RESERVED:
            raise ValueError(f"symbol in section {index} of {len(sections)}")
        home = sections[index] if _UNDEFINED < index < _RESERVED else None
        common = index >= _RESERVED and index != _ABSOLUTE
        text = _text(data, texts + name)
        yield ObjectSymbol(text, info & 0xF, info >> 4, size, home, index == _UNDEFINED, common)


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(0, at)].decode(errors="backslashreplace")
