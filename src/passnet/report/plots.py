"""Curves, ranked speedups, violins and shares as drawings. Colours come from the page: classes `c0` to `c7`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from passnet.errors import counted
from passnet.report.charts import CHARACTER, WIDTH, label, label_width
from passnet.report.marks import Drawing, Mark, circle, line, path, polyline, rect, shown, text

COLOURS: Final = 8
_LEFT, _RIGHT, _TOP, _BOTTOM, _HEIGHT = 56, 16, 12, 44, 240
_LEGEND_ROW = 20
_ROW = 34
_BINS = 48
# Of one bar of ranked speedups.
_WIDEST = 28
# Ticks of a logarithmic axis: powers of two, as many as fit.
_POWERS = tuple(range(-10, 11))


@dataclass(frozen=True)
class Axis:
    """From values to places. `log`: equal steps are equal factors. A constant axis gets some room."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float, *, log: bool = False) -> Axis:
        low, high = min(values), max(values)
        if log:
            low, high = min(low, 0.97), max(high, 1.03)
        elif low == high:
            low, high = low - 0.5, high + 0.5
        return cls(low, high, start, end, log)

    def at(self, value: float) -> float:
        low, high, value = (math.log(max(v, 1e-300)) if self.log else v for v in (self.low, self.high, value))
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        return _log_ticks(self.low, self.high) if self.log else _linear_ticks(self.low, self.high)


def _linear_ticks(low: float, high: float, wanted: int = 6) -> list[float]:
    rough = (high - low) / wanted
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next((unit * m for m in (1, 2, 5, 10) if unit * m >= rough), unit * 10)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    powers = [2.0**power for power in _POWERS if low <= 2.0**power <= high]
    if len(powers) >= 3:
        return powers
    fine = (0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.4, 1.6, 2.0, 3.0, 4.0)
    return [value for value in fine if low <= value <= high]


def number(value: float) -> str:
    """A tick in few characters."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def lines(
    title: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    *,
    x: str,
    y: str,
    log: bool = False,
    steps: bool = False,
    colours: Mapping[str, int] | None = None,
) -> Drawing:
    """A curve for each series over one x axis, with a legend. `log`: the y axis. `steps`: values hold until the next.

    `colours`: the number of the colour of each series, else its place. Empty series are left out.
    """
    series = {name: points for name, points in series.items() if points}
    kinds = {name: _colour((colours or {}).get(name, place)) for place, name in enumerate(series)}
    legend, top = _legend(kinds)
    xs = [point[0] for points in series.values() for point in points]
    ys = [point[1] for points in series.values() for point in points]
    if not xs:
        return Drawing(title, "no data", WIDTH, 40, [text("label", 8, 24, "no data")])
    across = Axis.over(xs, _LEFT, WIDTH - _RIGHT)
    up = Axis.over(ys, top + _HEIGHT, top, log=log)
    marks = [*legend, *_frame(across, up, x, y)]
    for name, points in series.items():
        places = [(across.at(a), up.at(b)) for a, b in points]
        last = f"{name}: {number(points[-1][1])} at {number(points[-1][0])}"
        marks.append(path(f"curve {kinds[name]}", polyline(_stepped(places) if steps else places), last))
        if len(points) <= 40 and not steps:
            marks += [
                circle(f"dot {kinds[name]}", a, b, 3, f"{name}: {number(value)} at {x} = {number(at)}")
                for (a, b), (at, value) in zip(places, points, strict=True)
            ]
    described = "; ".join(
        f"{name}: {', '.join(f'{number(a)} {number(b)}' for a, b in _thin(points))}" for name, points in series.items()
    )
    return Drawing(title, f"{y} by {x}. {described}", WIDTH, top + _HEIGHT + _BOTTOM, marks)


def _stepped(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for a, b in places:
        if found:
            found.append((a, found[-1][1]))
        found.append((a, b))
    return found


def _thin(points: Sequence[tuple[float, float]], most: int = 24) -> Sequence[tuple[float, float]]:
    step = max(1, math.ceil(len(points) / most))
    return points[::step]


def _frame(across: Axis, up: Axis, x: str, y: str) -> list[Mark]:
    """Grid, ticks and names of both axes."""
    bottom = up.start
    marks = [text("label", across.start, up.end - 7, y)]
    for value in up.ticks():
        place = up.at(value)
        marks += [
            line("base" if up.log and value == 1 else "grid", across.start, place, across.end, place),
            text("number", across.start - 6, place + 4, number(value), anchor="end"),
        ]
    for value in across.ticks():
        if abs(value - round(value)) > 1e-9:  # levels, steps, attempts and graphs are whole
            continue
        marks.append(text("number", across.at(value), bottom + 16, number(value), anchor="middle"))
    middle = (across.start + across.end) / 2
    return [
        *marks,
        line("axis", across.start, bottom, across.end, bottom),
        text("label", middle, bottom + 36, x, anchor="middle"),
    ]


def _legend(kinds: Mapping[str, str], left: float = _LEFT) -> tuple[list[Mark], float]:
    """Squares of the classes of names, in as many lines as needed, and where the drawing below may begin."""
    marks: list[Mark] = []
    x, y = left, 4.0
    for name, kind in kinds.items():
        short = name if len(name) <= 40 else f"{name[:39]}…"
        width = 24 + len(short) * CHARACTER + 14
        if x + width > WIDTH and x > left:
            x, y = left, y + _LEGEND_ROW
        marks += [rect(f"key {kind}", x, y, 12, 12), text("label", x + 18, y + 10, short)]
        x += width
    return marks, y + _LEGEND_ROW + 16


def _colour(place: int) -> str:
    return f"c{place % COLOURS}"


def ranked(title: str, rows: Sequence[tuple[float, str]]) -> Drawing:
    """Speedups as bars from 1, the largest first. Each row has a class: `faster`, `tie` or `slower`.

    Bars of a class are one path, so that thousands of them cost little.
    """
    ordered = sorted(rows, key=lambda row: -row[0])
    kinds = ("faster", "tie", "slower")
    counts = {kind: sum(row[1] == kind for row in ordered) for kind in kinds}
    words = {"faster": "surely faster", "tie": "interval holds 1", "slower": "surely slower"}
    legend, top = _legend({f"{words[kind]}: {counts[kind]}": f"rank{place}" for place, kind in enumerate(kinds)})
    if not ordered:
        return Drawing(title, "no graph was timed", WIDTH, 40, [text("label", 8, 24, "no graph was timed")])
    up = Axis.over([row[0] for row in ordered], top + _HEIGHT, top, log=True)
    across = Axis(0, len(ordered), _LEFT, min(WIDTH - _RIGHT, _LEFT + _WIDEST * len(ordered)))
    width, base = max((across.end - across.start) / len(ordered), 0.3), up.at(1)
    commands: dict[str, list[str]] = {kind: [] for kind in kinds}
    for place, (speedup, kind) in enumerate(ordered):
        x, y = across.at(place), up.at(speedup)
        commands[kind].append(f"M{shown(x)} {shown(base)}V{shown(y)}H{shown(x + width)}V{shown(base)}Z")
    marks = [*legend, *_frame(across, up, "graphs, fastest first", "speedup over eager")]
    marks += [path(f"rank{place}", "".join(commands[kind])) for place, kind in enumerate(kinds) if commands[kind]]
    marks.append(rect("hit", across.start, up.end, across.end - across.start, up.start - up.end))
    values = [row[0] for row in ordered]
    described = (
        f"{counted(len(values), 'graph')}, from {number(values[0])} to {number(values[-1])}, "
        f"median {number(_middle(values))}; " + ", ".join(f"{words[kind]} {counts[kind]}" for kind in kinds)
    )
    return Drawing(title, described, WIDTH, top + _HEIGHT + _BOTTOM, marks)


def violins(title: str, groups: Mapping[str, Sequence[float]], x: str = "speedup over eager") -> Drawing:
    """Speedups of groups on a common logarithmic axis: density, middle half, median. Few values are dots."""
    groups = {name: values for name, values in groups.items() if values}
    everything = [value for values in groups.values() for value in values]
    if not everything:
        return Drawing(title, "no graph was timed", WIDTH, 40, [text("label", 8, 24, "no graph was timed")])
    named = {f"{name} ({len(values)})": sorted(values) for name, values in groups.items()}
    labels = label_width(named)
    across = Axis.over(everything, labels + 8, WIDTH - _RIGHT, log=True)
    bottom = 8 + _ROW * len(named)
    marks: list[Mark] = []
    for value in across.ticks():
        place = across.at(value)
        marks += [
            line("base" if value == 1 else "grid", place, 4, place, bottom),
            text("number", place, bottom + 16, number(value), anchor="middle"),
        ]
    for row, (name, values) in enumerate(named.items()):
        marks += [label(name, labels, 8 + _ROW * (row + 0.5) + 4), *_violin(values, across, 8 + _ROW * (row + 0.5))]
    marks.append(text("label", (across.start + across.end) / 2, bottom + 36, x, anchor="middle"))
    described = "; ".join(
        f"{name}: median {number(_middle(v))}, middle half {number(_quantile(v, 0.25))} to {number(_quantile(v, 0.75))}"
        for name, v in named.items()
    )
    return Drawing(title, described, WIDTH, bottom + 44, marks)


def _violin(values: Sequence[float], across: Axis, y: float) -> list[Mark]:
    tip = f"median {number(_middle(values))}, {counted(len(values), 'graph')}"
    if len(values) < 8:
        return [circle("dot c0", across.at(value), y, 4, number(value)) for value in values]
    low, high = _quantile(values, 0.25), _quantile(values, 0.75)
    return [
        path("violin", _outline([across.at(value) for value in values], y), tip),
        rect("middle", across.at(low), y - 2.5, across.at(high) - across.at(low), 5, tip),
        circle("median", across.at(_middle(values)), y, 4, tip),
    ]


def _outline(places: Sequence[float], y: float) -> str:
    """The outline of a density: a histogram of places, smoothed, and its mirror image."""
    low, high = min(places), max(places)
    width = max((high - low) / _BINS, 0.5)
    counts = [0.0] * (_BINS + 1)
    for place in places:
        counts[min(int((place - low) / width), _BINS)] += 1
    kernel = [math.exp(-0.5 * (step / 2.0) ** 2) for step in range(-5, 6)]
    smooth = [
        sum(
            weight * counts[i + step]
            for step, weight in zip(range(-5, 6), kernel, strict=True)
            if 0 <= i + step <= _BINS
        )
        for i in range(_BINS + 1)
    ]
    scale = (_ROW / 2 - 3) / max(smooth)
    upper = [(low + (i + 0.5) * width, y - value * scale) for i, value in enumerate(smooth)]
    lower = [(x, 2 * y - top) for x, top in reversed(upper)]
    return polyline([(low, y), *upper, (low + (_BINS + 1) * width, y), *lower]) + "Z"


def shares(title: str, rows: Mapping[str, Mapping[str, int]], kinds: Mapping[str, str], unit: str) -> Drawing:
    """A bar of 100 % for each row, divided by kind. `kinds`: the kinds in order, and the class of each."""
    used = [kind for kind in kinds if any(row.get(kind) for row in rows.values())]
    labels = label_width(rows)
    marks, below = _legend({kind: kinds[kind] for kind in used}, 8.0)
    top, room = below - 8, WIDTH - labels - 90
    for place, (name, row) in enumerate(rows.items()):
        total, left, y = sum(row.values()) or 1, labels, top + place * 28
        marks.append(label(name, labels, y + 14))
        for kind in used:
            width = row.get(kind, 0) / total * room
            if width:
                marks.append(rect(kinds[kind], left, y, width, 20, f"{name}: {row[kind]} {kind}"))
            left += width
        marks.append(text("number", left + 6, y + 14, f"{sum(row.values())} {unit}"))
    described = "; ".join(
        f"{name}: {', '.join(f'{row[k]} {k}' for k in used if row.get(k))}" for name, row in rows.items()
    )
    return Drawing(title, described, WIDTH, top + len(rows) * 28 + 4, marks)


def _middle(values: Sequence[float]) -> float:
    return _quantile(sorted(values), 0.5)


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = ordered[math.floor(place)]
    return below + (place % 1) * (ordered[math.ceil(place)] - below)
