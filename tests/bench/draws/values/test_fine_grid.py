"""The careful draw in which inputs are whole numbers once a program has multiplied them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.values.fine_grid import fine_grid
from passnet.graph import TensorSpec
from tests.graph.graph_helpers import graph_of, spec

IMAGE = spec("p", 64, 512, mean=0.5, std=0.25, min_val=0.0, max_val=1.0)


def drawn(given: TensorSpec, *lines: str) -> list[torch.Tensor]:
    """The input in each of the draws."""
    graph = graph_of([given], *lines)
    inputs = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    first = len(inputs.draws)
    inputs.draws += fine_grid(graph, itertools.repeat(inputs.draws[0]), Random(3))
    return [inputs.values(inputs.key(draw))[0].clone() for draw in range(first, len(inputs.draws))]


def whole(values: torch.Tensor) -> list[float]:
    return ((values - values.round()).abs() < 0.001).float().mean(-1).tolist()


def test_images_are_of_eight_bits_in_rows_in_runs_and_but_for_one() -> None:
    (p,) = drawn(IMAGE, "s = p * 255.0", "q = torch.round(s)", "return (q,)")
    found = whole(p * 255.0)
    assert sum(each == 1.0 for each in found) >= 16
    assert sum(0.99 < each < 1.0 for each in found) >= 12
    assert sum(0.4 < each < 0.99 for each in found) >= 10
    assert sum(each < 0.1 for each in found) >= 12
    assert float(p.min()) >= 0.0 and float(p.max()) <= 1.0
    assert max(len(set(row.tolist())) for row in p) > 150


@pytest.mark.parametrize(
    ("lines", "factor", "shift"),
    [
        (("s = p / 0.125", "a = s + 3.0", "q = torch.floor(a)"), 8.0, 3.0),
        (("s = p * 127.0", "q = s.to(torch.int8)"), 127.0, 0.5),
        (("s = p * 100.0", "q = s.int()"), 100.0, 0.5),
        (("s = p * 64.0", "q = torch.trunc(s)"), 64.0, 0.0),
    ],
)
def test_what_a_product_rounds_decides_no_floor(lines: Sequence[str], factor: float, shift: float) -> None:
    given = spec("p", 64, 512, mean=0.0, std=1.0)
    (p,) = drawn(given, *lines, "return (q,)")
    assert sum(each == 1.0 for each in whole(p * factor + (0.5 if shift == 3.0 else shift))) >= 16


def test_one_row_is_on_the_grid_in_more_draws() -> None:
    made = drawn(spec("p", 512), "s = p * 255.0", "q = torch.round(s)", "return (q,)")
    assert len(made) == 3 and any(each == 1.0 for each in (float(torch.tensor(whole(p * 255.0))) for p in made))


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        (IMAGE, ("q = torch.round(p)", "return (q,)")),
        (IMAGE, ("s = p * 255.0", "return (s,)")),
        (spec("p", 64, 512), ("s = p * 0.5", "q = torch.round(s)", "return (q,)")),
    ],
)
def test_other_graphs_have_no_such_draw(given: TensorSpec, lines: Sequence[str]) -> None:
    assert drawn(given, *lines) == []
