"""Drawings show their numbers in the right places, stay on their canvas, and say them in words."""

from __future__ import annotations

import re

import pytest

from passnet.report.marks import Drawing, Mark, text
from passnet.report.plots import Axis, lines, ranked, shares, violins


def of(drawing: Drawing, tag: str, kind: str) -> list[Mark]:
    return [mark for mark in drawing.marks if mark.tag == tag and kind in str(mark.at["class"]).split()]


def points(mark: Mark) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", str(mark.at["d"]))]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def test_a_logarithmic_axis_makes_equal_steps_of_equal_factors() -> None:
    axis = Axis(0.5, 4, 0, 300, log=True)
    assert [round(axis.at(value)) for value in (0.5, 1, 2, 4)] == [0, 100, 200, 300]
    assert axis.ticks() == [0.5, 1, 2, 4]
    assert Axis(0.96, 1.06, 0, 1, log=True).ticks() == [1.0, 1.05]


def test_an_axis_of_one_value_has_room() -> None:
    axis = Axis.over([3.0, 3.0], 0, 100)
    assert axis.at(3.0) == 50


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-10, 4), (0, 31_234), (0.001, 0.0012)])
def test_ticks_of_a_linear_axis_lie_on_it_and_are_few(low: float, high: float) -> None:
    ticks = Axis(low, high, 0, 100).ticks()
    assert 2 <= len(ticks) <= 12
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in ticks)


def test_curves_go_through_their_points() -> None:
    drawing = lines("t", {"a": [(0, 1), (1, 2), (2, 4)], "b": [(0, 4), (2, 4)], "none": []}, x="t", y="S", log=True)
    first, second = (points(mark) for mark in of(drawing, "path", "curve"))
    steps = [first[n][1] - first[n + 1][1] for n in range(2)]
    assert steps[0] == pytest.approx(steps[1], abs=0.2) and steps[0] > 50
    assert second[0][1] == second[1][1] == pytest.approx(first[2][1])
    assert "a: 0 1, 1 2, 2 4" in drawing.described
    assert all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in first)


def test_steps_hold_until_the_next_value() -> None:
    drawing = lines("t", {"a": [(0, 1), (5, 2)]}, x="step", y="AS", steps=True)
    found = points(of(drawing, "path", "curve")[0])
    assert found[1] == (found[2][0], found[0][1])


def test_a_series_keeps_its_colour_when_another_is_left_out() -> None:
    drawing = lines("t", {"b": [(0, 1)]}, x="x", y="y", colours={"a": 0, "b": 1})
    assert of(drawing, "path", "c1")


def test_ranked_bars_are_in_order_and_counted_by_class() -> None:
    drawing = ranked("t", [(0.5, "slower"), (4.0, "faster"), (1.0, "tie"), (2.0, "faster")])
    faster = str(of(drawing, "path", "rank0")[0].at["d"])
    assert faster.count("M") == 2
    tops = [float(top) for top in re.findall(r"V([\d.]+)H", faster)]
    assert tops[0] < tops[1]
    assert "surely faster 2, interval holds 1 1, surely slower 1" in drawing.described
    assert "from 4 to 0.5" in drawing.described


def test_violins_of_many_values_and_dots_of_few() -> None:
    drawing = violins("t", {"many": [1 + n / 50 for n in range(50)], "few": [1.0, 2.0], "none": []})
    assert len(of(drawing, "path", "violin")) == 1
    assert len(of(drawing, "circle", "dot")) == 2
    assert len(of(drawing, "circle", "median")) == 1
    assert "many (50): median 1.49" in drawing.described and "none" not in drawing.described


def test_the_widest_place_of_a_violin_is_where_most_values_are() -> None:
    drawing = violins("t", {"a": [1.0] * 3 + [2.0] * 40 + [4.0] * 3})
    outline = points(of(drawing, "path", "violin")[0])
    middle = outline[0][1]
    widest = max(outline, key=lambda point: abs(point[1] - middle))
    assert widest[0] == pytest.approx(float(of(drawing, "circle", "median")[0].at["cx"]), abs=25)


def test_shares_fill_their_row() -> None:
    drawing = shares(
        "t", {"run": {"right": 3, "wrong": 1}, "other": {"right": 2}}, {"right": "a", "wrong": "b"}, "graphs"
    )
    first, second = (float(mark.at["width"]) for mark in of(drawing, "rect", "a") if "key" not in str(mark.at["class"]))
    wrong = next(float(m.at["width"]) for m in of(drawing, "rect", "b") if "key" not in str(m.at["class"]))
    assert first == pytest.approx(3 * wrong) and first + wrong == pytest.approx(second)
    assert drawing.described == "run: 3 right, 1 wrong; other: 2 right"


@pytest.mark.parametrize("drawing", [lines("t", {}, x="x", y="y"), ranked("t", []), violins("t", {})])
def test_without_data_a_drawing_says_so(drawing: Drawing) -> None:
    assert any(mark.tag == "text" and mark.text.startswith("no ") for mark in drawing.marks)


def test_marks_are_escaped_in_markup_and_plain_in_json() -> None:
    mark = text("label", 1.25, 2, '<b>"&', tip="</text>")
    assert mark.markup() == (
        '<text class="label" x="1.2" y="2" text-anchor="start">&lt;b&gt;&quot;&amp;<title>&lt;/text&gt;</title></text>'
    )
    assert mark.to_json() == ["text", {"class": "label", "x": 1.2, "y": 2, "text-anchor": "start"}, '<b>"&', "</text>"]
