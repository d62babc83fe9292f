"""Bar charts as drawings. The page's CSS gives colours and fonts. Every mark has its numbers as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from passnet.report.marks import Drawing, Mark, line, rect, text

WIDTH = 760
CHARACTER = 7.8
_ROW, _BAR = 24, 16
_LABELS_MAX = 300
_NUMBERS = 110
_COLUMN_HEIGHT, _COLUMN_TOP, _COLUMN_BOTTOM = 180, 24, 28


@dataclass(frozen=True)
class Chart:
    """A drawing and its place in a page: `svg` is complete markup, `title` its accessible name."""

    title: str
    svg: str

    @classmethod
    def of(cls, drawing: Drawing, key: str) -> Chart:
        return cls(drawing.title, drawing.svg(key))


def bars(title: str, counts: Mapping[str, int], *, unit: str, key: str) -> Chart:
    """Horizontal bars in the given order, longest name to the left. `key` makes the ids in the page unique."""
    return stacked(title, {name: (count,) for name, count in counts.items()}, series=(unit,), key=key)


def stacked(title: str, counts: Mapping[str, Sequence[int]], *, series: Sequence[str], key: str) -> Chart:
    """Horizontal bars of one part per series. The number at the end is their sum (and the first part, if several)."""
    labels = label_width(counts)
    room = WIDTH - labels - _NUMBERS
    largest = max((sum(parts) for parts in counts.values()), default=0) or 1
    marks: list[Mark] = []
    for place, (name, parts) in enumerate(counts.items()):
        marks += _bar_row(name, parts, series, place * _ROW + (28 if len(series) > 1 else 4), labels, room / largest)
    legend = _legend(series, labels) if len(series) > 1 else []
    height = len(counts) * _ROW + (28 if len(series) > 1 else 4) + 4
    return Chart.of(Drawing(title, _described(counts, series), WIDTH, height, [*legend, *marks]), key)


def label_width(names: Mapping[str, object]) -> float:
    """The width of the column of names."""
    return min(_LABELS_MAX, max((len(name) for name in names), default=0) * CHARACTER + 8)


def _bar_row(
    name: str, parts: Sequence[int], series: Sequence[str], top: float, labels: float, scale: float
) -> list[Mark]:
    middle = top + _BAR / 2 + 4
    marks = [label(name, labels, middle)]
    left = labels
    for place, (part, word) in enumerate(zip(parts, series, strict=True)):
        width = part * scale
        marks.append(rect(f"s{place}", left, top, width, _BAR, f"{name}: {part} {word}"))
        left += width
    shown = f"{parts[0]}" if len(parts) == 1 else f"{parts[0]} / {sum(parts)}"
    return [*marks, text("number", left + 6, middle, shown)]


def columns(title: str, counts: Mapping[str, int], *, unit: str, key: str) -> Chart:
    """A histogram: one column per bin in the given order, with the count above it and the bin below it."""
    largest = max(counts.values(), default=0) or 1
    step = min(90.0, WIDTH / max(len(counts), 1))
    base = _COLUMN_TOP + _COLUMN_HEIGHT
    marks = [line("axis", 0, base, step * len(counts), base)]
    for place, (name, count) in enumerate(counts.items()):
        height = count / largest * _COLUMN_HEIGHT
        left, centre = place * step + step * 0.12, place * step + step / 2
        marks += [
            rect("s0", left, base - height, step * 0.76, height, f"{name}: {count} {unit}"),
            text("number", centre, base - height - 6, f"{count}", anchor="middle"),
            text("label", centre, base + 18, name, anchor="middle"),
        ]
    described = _described({name: (count,) for name, count in counts.items()}, (unit,))
    return Chart.of(Drawing(title, described, WIDTH, base + _COLUMN_BOTTOM, marks), key)


def label(name: str, width: float, y: float) -> Mark:
    """The name cut to the width of its column. A tooltip shows the whole name."""
    fits = max(int((width - 8) / CHARACTER + 1e-6), 2)
    whole = len(name) <= fits
    return text(
        "label", width - 8, y, name if whole else f"{name[: fits - 1]}…", anchor="end", tip="" if whole else name
    )


def _legend(series: Sequence[str], left: float) -> list[Mark]:
    marks: list[Mark] = []
    for place, word in enumerate(series):
        x = left + place * 130
        marks += [rect(f"s{place}", x, 4, 12, 12), text("label", x + 18, 14, word)]
    return marks


def _described(counts: Mapping[str, Sequence[int]], series: Sequence[str]) -> str:
    rows = (f"{name} {', '.join(map(str, parts))}" for name, parts in counts.items())
    return f"{' and '.join(series)}: {'; '.join(rows)}"
