"""Drawings as data: marks with classes, which pages colour. They become SVG, or JSON that a script draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from passnet.errors import visible

TAGS: Final = frozenset({"rect", "line", "path", "circle", "text"})


@dataclass(frozen=True, slots=True)
class Mark:
    """One element of a drawing. `text` is the content of a text, `tip` what shows when a pointer rests on it."""

    tag: str
    at: Mapping[str, float | str]
    text: str = ""
    tip: str = ""

    def markup(self) -> str:
        attributes = "".join(f' {name}="{_text(shown(value))}"' for name, value in self.at.items())
        tip = f"<title>{_text(self.tip)}</title>" if self.tip else ""
        inside = _text(self.text) + tip
        return f"<{self.tag}{attributes}>{inside}</{self.tag}>" if inside else f"<{self.tag}{attributes}/>"

    def to_json(self) -> list[object]:
        values = {name: value if isinstance(value, str) else round(value, 1) for name, value in self.at.items()}
        return [self.tag, values, visible(self.text), visible(self.tip)]


@dataclass(frozen=True)
class Drawing:
    """Marks on a canvas of so many units. `described`: its numbers in words, for whoever cannot see it."""

    title: str
    described: str
    width: float
    height: float
    marks: Sequence[Mark] = field(default_factory=tuple)

    def svg(self, key: str) -> str:
        """Complete markup. `key` makes its ids unique in the page."""
        return (
            f'<svg class="chart" role="img" aria-labelledby="{key}-t {key}-d" '
            f'viewBox="0 0 {self.width:.0f} {self.height:.0f}" xmlns="http://www.w3.org/2000/svg">'
            f'<title id="{key}-t">{_text(self.title)}</title><desc id="{key}-d">{_text(self.described)}</desc>'
            f"{''.join(mark.markup() for mark in self.marks)}</svg>"
        )

    def to_json(self) -> dict[str, object]:
        return {
            "title": visible(self.title),
            "described": visible(self.described),
            "size": [round(self.width), round(self.height)],
            "marks": [mark.to_json() for mark in self.marks],
        }


def _text(text: str) -> str:
    return escape(visible(text))


def shown(value: float | str) -> str:
    """A coordinate with one digit behind the point; a text as it is."""
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def rect(kind: str, x: float, y: float, width: float, height: float, tip: str = "") -> Mark:
    return Mark("rect", {"class": kind, "x": x, "y": y, "width": max(width, 0.0), "height": max(height, 0.0)}, tip=tip)


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> Mark:
    return Mark("line", {"class": kind, "x1": x1, "y1": y1, "x2": x2, "y2": y2})


def text(kind: str, x: float, y: float, words: str, *, anchor: str = "start", tip: str = "") -> Mark:
    return Mark("text", {"class": kind, "x": x, "y": y, "text-anchor": anchor}, words, tip)


def path(kind: str, commands: str, tip: str = "") -> Mark:
    return Mark("path", {"class": kind, "d": commands}, tip=tip)


def circle(kind: str, x: float, y: float, radius: float, tip: str = "") -> Mark:
    return Mark("circle", {"class": kind, "cx": x, "cy": y, "r": radius}, tip=tip)


def polyline(points: Sequence[tuple[float, float]]) -> str:
    """The commands of a path through points."""
    return "M" + "L".join(f"{shown(x)} {shown(y)}" for x, y in points) if points else ""
