"""Reads Thrift's compact form, in which Parquet states its sizes: a bounded number of values, each place once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Field number -> value. Lists and structures are nested; maps and real numbers are passed over and are None.
Struct = dict[int, Any]

_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
_SHORT, _INTEGER, _LONG = 4, 5, 6
_UUID = 13
_FIXED = {_BYTE: 1, _DOUBLE: 8, _UUID: 16}
_DEEPEST = 16
_LONGEST_VARINT = 10
_MOST_FIELDS = 1 << 15


class Long(int):
    """An integer that is written as one of 64 bits: a reader passes over one of another size in its place."""


class ThriftError(ValueError):
    """Bytes that are no such structure, or one with more values than are read."""


class Reader:
    """Reads structures of `data`, together at most `most` values. `at`: the next byte.

    A field that is there twice is refused: readers differ in which one counts.
    """

    def __init__(self, data: bytes | memoryview, most: int, at: int = 0) -> None:
        self._data, self._left, self.at = data, most, at
        self._readers: dict[int, Callable[[int], Any]] = {
            _LIST: self._list, _SET: self._list, _MAP: self._map, STRUCT: self.struct, _BINARY: self._binary,
        }  # fmt: skip

    def struct(self, depth: int = 0) -> Struct:
        """The structure that begins at `at`."""
        if depth > _DEEPEST:
            raise ThriftError(f"nested deeper than {_DEEPEST} levels")
        found: Struct = {}
        number = 0
        while (head := self._byte()) != 0:
            step, kind = head >> 4, head & 15
            number = number + step if step else self._integer()
            if number in found or not 0 < number < _MOST_FIELDS:
                raise ThriftError(f"field {number} is there twice, or is none")
            self._count(1)
            found[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (_SHORT, _INTEGER):
            return self._integer()
        if kind == _LONG:
            return Long(self._integer())
        if kind in _FIXED:
            self._skip(_FIXED[kind])
            return None
        if kind not in self._readers:
            raise ThriftError(f"no type has the number {kind}")
        return self._readers[kind](depth + 1)

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size, kind = head >> 4, head & 15
        size = self._varint() if size == 15 else size
        # A truth value in a list takes a byte.
        kind = _BYTE if kind in (_TRUE, _FALSE) else kind
        return [self._value(kind, depth) for _ in self._count(size)]

    def _map(self, depth: int) -> None:
        size = self._varint()
        kinds = self._byte() if size else 0
        for _ in self._count(size):
            for kind in (kinds >> 4, kinds & 15):
                self._value(_BYTE if kind in (_TRUE, _FALSE) else kind, depth)

    def _count(self, size: int) -> range:
        self._left -= size
        if self._left < 0:
            raise ThriftError("too many values")
        return range(size)

    def _binary(self, _depth: int) -> bytes:
        size = self._varint()
        start = self.at
        self._skip(size)
        return bytes(self._data[start : start + size])

    def _integer(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def _varint(self) -> int:
        value = 0
        for place in range(_LONGEST_VARINT):
            byte = self._byte()
            value |= (byte & 127) << (7 * place)
            if byte < 128:
                return value
        raise ThriftError("a number does not end")

    def _byte(self) -> int:
        if self.at >= len(self._data):
            raise ThriftError("the bytes end within a value")
        self.at += 1
        return self._data[self.at - 1]

    def _skip(self, count: int) -> None:
        if count > len(self._data) - self.at:
            raise ThriftError("the bytes end within a value")
        self.at += count
