"""Lays a table out in a terminal's width. Names give way, figures never do: no figure and no outcome is cut."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# A name is not shortened below this, and only a cell longer than this goes on several lines.
_LEAST: Final = 24
# The same below a name, where there is no other way to keep columns.
_LEAST_BELOW: Final = 12
_GAP: Final = "  "
_INDENT: Final = "    "
# A line is folded at blanks, and after a slash.
_PIECE: Final = re.compile(r"\s*[^\s/]+/*|\s*/+")


@dataclass(frozen=True)
class Laid:
    """Lines of a table: those of the headings, and those of the rows."""

    head: list[str]
    body: list[str]


def lay_out(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int | None) -> Laid:
    """A table in `width` cells, None for any. The first column holds names, which are left-aligned.

    What does not fit gets shorter names and headings of several lines. Then names get a line of their own, above their
    figures. At last every figure follows its heading.
    """
    if width is None:
        return _side_by_side(columns, rows, [_longest(column) for column in _columns(columns, rows)])
    return _fitting(columns, rows, width) or _stacked(columns, rows, width) or _listed(columns, rows, width)


def shorter_names(names: Sequence[str], room: int) -> list[str] | None:
    """Names of at most `room` cells, as distinct as they were. None where that cannot be.

    The parts that all of them share go first, but for the first part and the dtype. Then their middles go.
    """
    if max(map(_cells, names), default=0) <= room:
        return list(names)
    short = _without_shared(names)
    cut = [_without_middle(name, room) for name in short]
    return cut if len(set(cut)) == len(set(names)) else None


def _without_shared(names: Sequence[str]) -> list[str]:
    """`task/float32/0` for `task/float32/0/samples/library/model/graph`, where that tells the names apart."""
    from passnet.report.run.names import short_names

    parts = [name.partition("/") for name in names]
    short = short_names(rest for _, slash, rest in parts if slash)
    return [f"{first}/{short[rest]}" if slash else first for first, slash, rest in parts]


def _without_middle(name: str, room: int) -> str:
    if _cells(name) <= room:
        return name
    if not name.isascii():  # Some characters take two cells.
        room = max(2, room * len(name) // _cells(name))
    return f"{name[: room // 2]}…{name[-((room - 1) // 2) :]}"


def _fitting(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Laid | None:
    """Each row on a line of its own, or None. The room beyond the least widths goes to short names first."""
    texts = _columns(columns, rows)
    names = [row[0] for row in rows]
    full = [_longest(column) for column in texts]
    least = [_least(column, _LEAST) for column in texts]
    least[0] = max(_longest_word(columns[0]), min(_longest(names), _LEAST))
    short = max([least[0], *map(_cells, _without_shared(names))])
    widths = _grown(least, [[short, *least[1:]], [short, *full[1:]], full], width - len(_GAP) * (len(columns) - 1))
    shown = None if widths is None else shorter_names(names, widths[0])
    if widths is None or shown is None:
        return None
    widths[0] = max(_longest(shown), min(widths[0], _longest(columns[:1])))
    return _side_by_side(columns, [(name, *row[1:]) for name, row in zip(shown, rows, strict=True)], widths)


def _stacked(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Laid | None:
    """Each name above its figures, or None where the figures alone do not fit."""
    texts = _columns(columns, rows)[1:]
    room = width - len(_INDENT) - len(_GAP) * (len(texts) - 1)
    widths = _grown([_least(column, _LEAST_BELOW) for column in texts], [[_longest(column) for column in texts]], room)
    if not texts or widths is None:
        return None
    lefts = [_folds(column, most) for column, most in zip(texts, widths, strict=True)]
    head = [*_wrapped(columns[0], width), *_indented(_row(columns[1:], widths, lefts))]
    body: list[str] = []
    for name, (_, *cells) in zip(_line_names(rows, width), rows, strict=True):
        body += [*_wrapped(name, width), *_indented(_row(cells, widths, lefts))]
    return Laid(head, body)


def _line_names(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """The names of rows, each for a line of its own. Those that would not be distinct are whole, and folded."""
    names = [row[0] for row in rows]
    return shorter_names(names, width) or names


def _listed(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Laid:
    """Each name above a list of its figures, each after its heading."""
    body: list[str] = []
    for name, (_, *cells) in zip(_line_names(rows, width), rows, strict=True):
        line = ""
        body += _wrapped(name, width)
        for column, cell in zip(columns[1:], cells, strict=True):
            item = " ".join(f"{column} {cell}".split())
            if line and len(_INDENT) + _cells(f"{line}, {item}") >= width:
                body += _indented(_wrapped(f"{line},", width - len(_INDENT)))
                line = item
            else:
                line = f"{line}, {item}" if line else item
        body += _indented(_wrapped(line, width - len(_INDENT)))
    return Laid(_wrapped(columns[0], width), body)


def _side_by_side(columns: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int]) -> Laid:
    texts = _columns(columns, rows)
    lefts = [index == 0 or _folds(column, widths[index]) for index, column in enumerate(texts)]
    return Laid(_row(columns, widths, lefts), [line for row in rows for line in _row(row, widths, lefts)])


def _row(cells: Sequence[str], widths: Sequence[int], lefts: Sequence[bool]) -> list[str]:
    """The lines of a row. A cell that is wider than its column is folded between words."""
    folded = [_wrapped(cell, most) for cell, most in zip(cells, widths, strict=True)]
    lines = []
    for index in range(max(map(len, folded))):
        texts = (lines_of[index] if index < len(lines_of) else "" for lines_of in folded)
        padded = (
            text + space if left else space + text
            for text, left, space in (
                (text, left, " " * (most - _cells(text))) for text, most, left in zip(texts, widths, lefts, strict=True)
            )
        )
        lines.append(_GAP.join(padded).rstrip())
    return lines


def _grown(least: Sequence[int], aims: Sequence[Sequence[int]], room: int) -> list[int] | None:
    """Widths from `least` towards each of `aims` in turn, from left to right, while room is left. None without room."""
    widths = list(least)
    left = room - sum(widths)
    for aim in aims if left >= 0 else ():
        for index, most in enumerate(aim):
            more = min(left, max(0, most - widths[index]))
            widths[index] += more
            left -= more
    return widths if left >= 0 else None


def _columns(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The heading and the cells of each column."""
    return [list(column) for column in zip(columns, *rows, strict=True)]


def _least(column: Sequence[str], text: int) -> int:
    """The width below which figures are lost: of the longest cell, but longer ones than `text` may be folded."""
    cells = [min(_longest([cell]), max(text, _longest_word(cell))) for cell in column[1:]]
    return max([_longest_word(column[0]), *cells])


def _folds(column: Sequence[str], width: int) -> bool:
    return _longest(column[1:]) > width


def _longest(texts: Sequence[str]) -> int:
    return max((_cells(line) for text in texts for line in text.splitlines()), default=0)


def _longest_word(text: str) -> int:
    return max((_cells(piece.strip()) for piece in _PIECE.findall(text)), default=0)


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of at most `width` cells, folded at blanks and slashes, and inside a word only where it is longer."""
    found: list[str] = []
    for line in text.splitlines() or [""]:
        if _cells(line) <= width:
            found.append(line)
            continue
        last = ""
        for piece in _PIECE.findall(line):
            if _cells(last + piece) <= width:
                last += piece
                continue
            found += [last] if last else []
            *whole, last = _chopped(piece.strip(), width)
            found += whole
        found.append(last)
    return found


def _chopped(word: str, width: int) -> list[str]:
    from rich.cells import chop_cells

    return chop_cells(word, width) or [""]


def _indented(lines: Sequence[str]) -> list[str]:
    return [_INDENT + line for line in lines]


def _cells(text: str) -> int:
    """How many cells of a terminal a text takes."""
    from rich.cells import cell_len

    return len(text) if text.isascii() else cell_len(text)
