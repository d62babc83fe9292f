"""Masks that were of one number in the recorded call are open, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph.values.inputs import hard_distributions
from passnet.graph.values.open_marks import with_open_marks
from tests.graph.graph_helpers import graph_of, spec

ONES: dict[str, Any] = {"dtype": "int64", "min_val": 1, "max_val": 1}


@pytest.mark.parametrize(
    ("fields", "lines", "opened"),
    [
        ({}, ("b = m.bool()", "h = ~b", "y = x.masked_fill(h, -1e9)"), True),
        ({"min_val": 0, "max_val": 0}, ("b = m == 0", "y = x.masked_fill(b, 0.0)"), True),
        ({}, ("f = m.float()", "s = f.sum(-1, keepdim = True)", "a = x * f", "y = a / s"), True),
        ({}, ("f = m.float()", "y = x / f"), False),
        ({}, ("f = m.float()", "r = torch.rsqrt(f)", "y = x * r"), False),
        ({}, ("c = m.cumsum(-1)", "e = torch.nn.functional.embedding(c, w)", "y = e + 1.0"), True),
        ({}, ("c = m.cumsum(-1)", "p = c * m", "e = torch.nn.functional.embedding(p, w)", "y = e + 1.0"), True),
        ({}, ("c = m.cumsum(-1)", "p = c - 1", "e = torch.nn.functional.embedding(p, w)", "y = e + 1.0"), False),
        ({}, ("e = torch.nn.functional.embedding(m, w)", "y = e + 1.0"), False),
        ({}, ("c = m == 0", "d = torch.where(c, 1, m)", "y = x / d"), True),
        ({"min_val": 2, "max_val": 2}, ("b = m == 0", "y = x.masked_fill(b, 0.0)"), False),
        ({"data": (1,) * 1024}, ("b = m == 0", "y = x.masked_fill(b, 0.0)"), False),
    ],
)
def test_which_masks_are_open(fields: dict[str, Any], lines: tuple[str, ...], opened: bool) -> None:
    graph = graph_of([spec("x", 16, 64), spec("m", 16, 64, **ONES | fields), spec("w", 65, 8)], *lines, "return (y,)")
    made = with_open_marks(graph)
    assert (made is not graph) is opened
    assert not opened or (made.specs[1].min_val, made.specs[1].max_val) == (0, 1)


def test_no_sample_of_an_open_mask_tells_the_rest() -> None:
    specs = [spec("x", 8, 1, 64, 64), spec("m", 8, 1, 64, 64, **ONES)]
    graph = graph_of(specs, "b = m.bool()", "h = ~b", "y = x.masked_fill(h, -1e9)", "return (y,)")
    hard = hard_distributions(graph)
    given = SecretInputs.draw(graph, "cpu", 3, ("normal", "small", *hard), hard=len(hard))
    for _ in range(8):
        mask = given.values(given.key())[1]
        assert set(mask.unique().tolist()) == {0, 1} and not bool(mask[0].all())
    masks = [given.values(given.key(draw))[1].clone() for draw in range(len(given.draws))]
    first = [mask for mask in masks for row in (mask.flatten(1)) if bool(row[:32].all()) and not bool(row.all())]
    assert len(first) >= 3
    assert torch.int64 is masks[0].dtype
