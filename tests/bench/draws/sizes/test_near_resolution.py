"""Rows of a narrow dtype far from zero for their spread, where a graph takes a mean from its numbers."""

from __future__ import annotations

from random import Random

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.sizes.near_resolution import near_resolution
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

NORM = "y = torch.nn.functional.layer_norm(x, (256,), None, None, 1e-05)"


def normed(dtype: str, line: str = NORM, **fields: float) -> Graph:
    return graph_of([spec("x", 64, 256, dtype=dtype, **fields)], line, "return (y,)")


def far_rows(graph: Graph) -> list[torch.Tensor]:
    """The careful draws in which most rows are hundreds of deviations, or almost a dtype's resolution, from zero."""
    given = SecretInputs.draw(graph, "cpu", 5, ("normal", "small", "extreme", "offset"), hard=2)
    drawn = [given.values(given.key(draw))[0].double().clone() for draw in given.careful]
    eps = torch.finfo(getattr(torch, graph.specs[0].dtype)).eps
    return [x for x in drawn if float((x.mean(-1).abs() * eps / x.std(-1)).median()) > 0.15]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_deviation_is_a_few_steps_of_the_dtype(dtype: str) -> None:
    (x,) = far_rows(normed(dtype))
    sizes = x.abs().mean(-1)
    assert float(sizes.max() / sizes.min()) > 8 and float(sizes.max()) < 2048
    assert all(len(row.unique()) > 4 for row in x)


def test_mean_square_minus_squared_mean_cancels_there_in_float32() -> None:
    (x,) = far_rows(normed("float16"))
    x = x.float()
    mean = x.mean(-1, keepdim=True)
    naive = (x * x).mean(-1, keepdim=True) - mean * mean
    true = x.double().var(-1, correction=0, keepdim=True)
    assert float(((naive - true) / true).abs().mean()) > 2e-3
    two_walks = (x - mean).square().mean(-1, keepdim=True)
    assert float(((two_walks - true) / true).abs().mean()) < 1e-4


def test_where_no_mean_is_taken_and_in_wider_dtypes_there_is_no_such_draw() -> None:
    for graph in (normed("float32"), normed("float16", "y = torch.softmax(x, -1)"), normed("float16", max_val=1.0)):
        given = SecretInputs.draw(graph, "cpu", 5, ("normal", "small"), hard=0)
        made = near_resolution(graph, given.draws[0], Random(1)) + near_resolution(graph, given.draws[0], Random(2))
        assert len(made) <= (1 if graph.specs[0].max_val else 0)
