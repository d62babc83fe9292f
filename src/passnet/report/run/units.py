"""Facts of a machine as a person reads them: bytes with a unit, and numbers of cores as ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passnet.errors import counted


def in_units(name: str, value: object) -> str:
    """The value of a fact in words. `name`: what ends in `bytes`, and all of `malloc`, counts bytes."""
    if value is None:
        return "-"
    if name == "allowed_cores" and isinstance(value, list) and value and all(type(core) is int for core in value):
        return f"{ranges(value)} ({counted(len(value), 'core')})"
    if name == "malloc" and isinstance(value, Mapping):
        return ", ".join(f"{key} {_bytes(size)}" for key, size in value.items())
    return _bytes(value) if name.endswith("bytes") else str(value)


# Longer numbers are no sizes.
_MOST_DIGITS = 20


def _bytes(value: object) -> str:
    """A number of bytes, also one that is written as a text, with the largest unit of which it has one."""
    text = str(value) if isinstance(value, str) or type(value) is int else ""
    if not (text.isascii() and text.isdecimal()) or len(text) > _MOST_DIGITS:
        return str(value)
    size, units = int(text), ("bytes", "KiB", "MiB", "GiB", "TiB")
    place = min(max(size.bit_length() - 1, 0) // 10, len(units) - 1)
    return f"{size / (1 << 10 * place):.4g} {units[place]}"


def ranges(numbers: Sequence[int]) -> str:
    """Numbers in order, neighbours as ranges: `0-3, 8`."""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)
