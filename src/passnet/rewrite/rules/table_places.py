"""Tells which places of a set's or a dictionary's table are taken, and by what is gone.

A member that is gone leaves a mark in the table. No text sees the mark itself, but later members lie elsewhere because
of it: the first of a set is another one, and an iterator that a dictionary outgrows ends sooner. So marks are memory.
Python shows them to nobody, and they are read where CPython has them.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import sys
from collections.abc import Mapping
from typing import Any

_WORD = ctypes.sizeof(ctypes.c_ssize_t)
_HEAD = object.__basicsize__
# Of a set: marks and members, members, the largest number of a place, the table, a hash, where `pop` goes on.
_SET_WORDS = 6
# Of a dictionary's keys: its references; the sizes of the table and of its indices in powers of two, their kind, and a
# version; how many more it takes; how many it has, those that are gone among them. Indices and entries follow.
_KEYS_BYTES, _KEYS_AT = 4 * _WORD, _HEAD + 2 * _WORD
# Words of an entry, by kind: a hash, a key and a value, or a key and a value. Values of the third kind lie elsewhere.
_ENTRY_WORDS = {0: 3, 1: 2}
# The versions of CPython whose tables were looked at. Others may have them elsewhere.
_KNOWN_VERSIONS = ((3, 11), (3, 13))
_fresh = itertools.count()


def places_of_set(value: set[Any]) -> bytes:
    """One byte for each place of the table: empty, of a member, or of one that is gone. Then where `pop` goes on."""
    if not _is_known():
        return b"?%d" % next(_fresh)
    fill, used, mask, table, _, finger = _words(id(value) + _HEAD, _SET_WORDS)
    found = _words(table, 2 * (mask + 1))
    marks = bytes(
        0 if not key else 1 if number != -1 else 2 for key, number in zip(found[::2], found[1::2], strict=True)
    )
    return b"%d %d %d %s" % (fill, used, finger, marks)


def places_of_dict(value: Mapping[Any, Any]) -> bytes:
    """One byte for each entry: of a key, or of one that is gone. Then how many more the table takes."""
    if not _is_known():
        return b"?%d" % next(_fresh)
    keys, _ = _words(id(value) + _KEYS_AT, 2)
    index_bytes, kind = ctypes.string_at(keys + _WORD + 1, 2)
    usable, count = _words(keys + 2 * _WORD, 2)
    width = _ENTRY_WORDS.get(kind)
    if width is None:  # one of an object's attributes, which shares its keys with others of its class
        return b"%d" % kind
    entries = _words(keys + _KEYS_BYTES + (1 << index_bytes), width * count)
    return b"%d %d %s" % (usable, count, bytes(1 if held else 2 for held in entries[width - 1 :: width]))


def _words(address: int, count: int) -> list[int]:
    return list((ctypes.c_ssize_t * count).from_address(address))


@functools.cache
def _is_known() -> bool:
    """Whether tables lie as they are read here: tried on some of which every mark is known."""
    if sys.implementation.name != "cpython" or not _KNOWN_VERSIONS[0] <= sys.version_info[:2] <= _KNOWN_VERSIONS[1]:
        return False
    few, gone = {8}, {8, 1}
    gone.discard(1)
    named, numbered = {"a": 1, "b": 2}, {1: 1, 2: 2}
    del named["a"], numbered[1]
    return _tried(few, gone, named, numbered)


def _tried(few: set[int], gone: set[int], named: dict[str, int], numbered: dict[int, int]) -> bool:
    sizes = set.__basicsize__ == _HEAD + (_SET_WORDS + 16 + 1) * _WORD and dict.__basicsize__ == _HEAD + 4 * _WORD
    if not sizes or _words(id(gone) + _HEAD, 3) != [2, 1, 7] or _words(id(few) + _HEAD, 3) != [1, 1, 7]:
        return False
    keys = [_words(id(each) + _KEYS_AT, 1)[0] for each in (named, numbered)]
    kinds = [ctypes.string_at(each + _WORD, 3) for each in keys]
    return kinds == [bytes((3, 3, 1)), bytes((3, 3, 0))] and all(_words(each + 2 * _WORD, 2) == [3, 2] for each in keys)
