"""Bar charts as inline SVG. The page's CSS gives colours and fonts. Every mark has its numbers as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH = 760
_ROW, _BAR = 24, 16
_CHARACTER = 7.2
_LABELS_MAX = 300
_NUMBERS = 110
_COLUMN_HEIGHT, _COLUMN_TOP, _COLUMN_BOTTOM = 180, 24, 28


@dataclass(frozen=True)
class Chart:
    """A drawing and what it shows: `svg` is complete markup, `title` its accessible name."""

    title: str
    svg: str


def bars(title: str, counts: Mapping[str, int], *, unit: str, key: str) -> Chart:
    """Horizontal bars in the given order, longest name to the left. `key` makes the ids in the page unique."""
    return stacked(title, {name: (count,) for name, count in counts.items()}, series=(unit,), key=key)


def stacked(title: str, counts: Mapping[str, Sequence[int]], *, series: Sequence[str], key: str) -> Chart:
    """Horizontal bars of one part per series. The number at the end is their sum (and the first part, if several)."""
    labels = min(_LABELS_MAX, max((len(name) for name in counts), default=0) * _CHARACTER + 8)
    room = _WIDTH - labels - _NUMBERS
    largest = max((sum(parts) for parts in counts.values()), default=0) or 1
    marks = []
    for place, (name, parts) in enumerate(counts.items()):
        marks += _bar_row(name, parts, series, place * _ROW + (28 if len(series) > 1 else 4), labels, room / largest)
    legend = _legend(series, labels) if len(series) > 1 else []
    height = len(counts) * _ROW + (28 if len(series) > 1 else 4) + 4
    return Chart(title, _svg(title, _described(counts, series), height, [*legend, *marks], key))


def _bar_row(
    name: str, parts: Sequence[int], series: Sequence[str], top: float, labels: float, scale: float
) -> list[str]:
    middle = top + _BAR / 2 + 4
    marks = [
        f'<text class="label" x="{labels - 8:.1f}" y="{middle:.1f}" text-anchor="end">{_short(name, labels)}</text>'
    ]
    left = labels
    for place, (part, word) in enumerate(zip(parts, series, strict=True)):
        width = part * scale
        tip = f"{escape(name)}: {part} {escape(word)}"
        marks.append(
            f'<rect class="s{place}" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{_BAR}">'
            f"<title>{tip}</title></rect>"
        )
        left += width
    shown = f"{parts[0]}" if len(parts) == 1 else f"{parts[0]} / {sum(parts)}"
    return [*marks, f'<text class="number" x="{left + 6:.1f}" y="{middle:.1f}">{shown}</text>']


def columns(title: str, counts: Mapping[str, int], *, unit: str, key: str) -> Chart:
    """A histogram: one column per bin in the given order, with the count above it and the bin below it."""
    largest = max(counts.values(), default=0) or 1
    step = min(90.0, _WIDTH / max(len(counts), 1))
    base = _COLUMN_TOP + _COLUMN_HEIGHT
    marks = [f'<line class="axis" x1="0" y1="{base}" x2="{step * len(counts):.1f}" y2="{base}"/>']
    for place, (name, count) in enumerate(counts.items()):
        height = count / largest * _COLUMN_HEIGHT
        left, centre = place * step + step * 0.12, place * step + step / 2
        marks += [
            f'<rect class="s0" x="{left:.1f}" y="{base - height:.1f}" width="{step * 0.76:.1f}" height="{height:.1f}">'
            f"<title>{escape(name)}: {count} {escape(unit)}</title></rect>",
            f'<text class="number" x="{centre:.1f}" y="{base - height - 6:.1f}" text-anchor="middle">{count}</text>',
            f'<text class="label" x="{centre:.1f}" y="{base + 18}" text-anchor="middle">{escape(name)}</text>',
        ]
    described = _described({name: (count,) for name, count in counts.items()}, (unit,))
    return Chart(title, _svg(title, described, base + _COLUMN_BOTTOM, marks, key))


def _legend(series: Sequence[str], left: float) -> list[str]:
    marks = []
    for place, word in enumerate(series):
        x = left + place * 130
        marks.append(f'<rect class="s{place}" x="{x:.1f}" y="4" width="12" height="12"/>')
        marks.append(f'<text class="label" x="{x + 18:.1f}" y="14">{escape(word)}</text>')
    return marks


def _described(counts: Mapping[str, Sequence[int]], series: Sequence[str]) -> str:
    rows = (f"{name} {', '.join(map(str, parts))}" for name, parts in counts.items())
    return f"{' and '.join(series)}: {'; '.join(rows)}"


def _short(name: str, width: float) -> str:
    """The name cut to the width of its column. A tooltip shows the whole name."""
    fits = int((width - 8) / _CHARACTER)
    return escape(name) if len(name) <= fits else f"{escape(name[: fits - 1])}…<title>{escape(name)}</title>"


def _svg(title: str, described: str, height: float, marks: Sequence[str], key: str) -> str:
    return (
        f'<svg class="chart" role="img" aria-labelledby="{key}-t {key}-d" viewBox="0 0 {_WIDTH} {height:.0f}" '
        f'xmlns="http://www.w3.org/2000/svg"><title id="{key}-t">{escape(title)}</title>'
        f'<desc id="{key}-d">{escape(described)}</desc>{"".join(marks)}</svg>'
    )
