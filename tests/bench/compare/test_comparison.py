"""What is kept of two comparisons of one call."""

from __future__ import annotations

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.comparison import Comparison, no_farther
from passnet.bench.compare.levels import Part


def part(farthest: float, own: float = 0.02, output: int = 0) -> Part:
    return Part(output, "bfloat16", None, 0, Errors(own, 0.03, farthest, 0.5))


def test_the_farthest_element_alone_is_nearer() -> None:
    found = no_farther(Comparison((part(0.6),), max_abs=3.0), Comparison((part(0.1, own=0.001),)))
    assert found.max_abs == 3.0
    assert found.parts == (part(0.1),)
    assert no_farther(Comparison((part(0.1),)), Comparison((part(0.6),))).parts == (part(0.1),)


def test_what_has_no_errors_or_no_counterpart_stays() -> None:
    exact = Comparison((Part(0, "int64", None, None),))
    assert no_farther(exact, Comparison((part(0.1),))) == exact
    other = Comparison((part(0.6),))
    assert no_farther(other, Comparison((part(0.1), part(0.1, output=1)))) == other
