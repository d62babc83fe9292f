"""The careful draws in which rows lie in a few directions."""

from __future__ import annotations

from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.relations.few_directions import few_directions
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.whole_matrices import whole_matrices
from tests.graph.graph_helpers import graph_of, spec

_NORM = ("n = torch.linalg.matrix_norm(x, ord = 'nuc')", "return (n,)")


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """One call of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual = len(given.draws)
    given.draws += few_directions(graph, repeat(given.draws[0]), Random(seed))
    return [[each.clone() for each in given.values(given.key(draw))] for draw in range(usual, len(given.draws))]


def part(x: torch.Tensor) -> float:
    """The sum of singular values, as a part of that of a random matrix of as large numbers."""
    usual = torch.randn(x.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    norms = [torch.linalg.matrix_norm(each.double(), ord="nuc") / each.double().norm() for each in (x, usual)]
    return float(norms[0] / norms[1])


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
def test_the_sum_of_singular_values_is_less_and_sizes_are_as_usual(dtype: str) -> None:
    specs, lines = [spec("x", 768, 96, dtype=dtype)], ("a = x.double()", _NORM[0].replace("(x,", "(a,"), _NORM[1])
    for seed in range(3):
        made = [x for (x,) in drawn(graph_of(specs, *lines), seed)]
        parts = [part(x) for x in made]
        assert len(parts) == 7
        assert parts[0] < 0.9 and max(parts[1::3] + parts[3::3]) < 0.97 and max(parts[2::3]) < 0.998, parts
        for x in made:
            wide = x.double()
            assert 0.9 < float(wide.std()) < 1.1
            assert float(wide.mean(0).square().sum()) < 4 * 96 / 768, "no mean tells of it"
            rows, columns = wide.square().mean(1), wide.square().mean(0)
            assert float(rows.min()) > 0.4 and float(rows.max()) < 2
            assert float(columns.min()) > 0.6 and float(columns.max()) < 1.6


def test_rows_of_two_inputs_have_the_same_directions() -> None:
    graph = graph_of([spec("x", 256, 64), spec("y", 128, 64)], "a = y.t()", "z = x @ a", "return (z,)")
    x, y = drawn(graph)[0]
    one, other = (torch.linalg.svd(each.double(), full_matrices=False).Vh[:2] for each in (x, y))
    assert float((one @ torch.linalg.svd(y.double()).Vh[:32].T).norm(dim=1).min()) > 0.9
    assert one.shape == other.shape


def test_columns_lie_in_few_directions_where_columns_meet() -> None:
    graph = graph_of([spec("x", 4, 256, 48), spec("y", 4, 48, 256)], "z = x @ y", "return (z,)")
    x, y = drawn(graph)[0]
    assert part(x.flatten(0, 1)) < 0.9 and part(y.mT.flatten(0, 1)) < 0.9


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (_NORM, [0]),
        (("a = x.t()", "b = a @ x", "n = torch.logdet(b)", "return (n,)"), [0]),
        (("a = torch.ops.aten.linalg_qr.default(x)", "n = a[1]", "return (n,)"), [0]),
        (("n = torch.linalg.svdvals(y)", "return (n,)"), [1]),
        (("n = x.sum()", "return (n,)"), []),
    ],
)
def test_inputs_behind_whole_matrices_are_found(lines: tuple[str, ...], expected: list[int]) -> None:
    assert whole_matrices(graph_of([spec("x", 32, 16), spec("y", 32, 16)], *lines)) == expected


def test_no_draw_without_matrices() -> None:
    assert drawn(graph_of([spec("x", 32, 16)], "z = x * 2.0", "return (z,)")) == []
