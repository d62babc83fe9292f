"""The careful draws in which a share of rows is near one row, for graphs that multiply rows of data with each other."""

from __future__ import annotations

from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.content.input_source import InputSource
from passnet.bench.draws.relations.near_rows import near_rows
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.paired_rows import paired_rows
from tests.graph.graph_helpers import graph_of, spec

_SCORES = ("a = y.transpose(-2, -1)", "z = torch.matmul(x, a)", "return (z,)")


def drawn(graph: Graph, seed: int = 3, calls: int = 1) -> list[list[list[torch.Tensor]]]:
    """Some calls of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual = len(given.draws)
    given.draws += near_rows(graph, repeat(given.draws[0]), Random(seed))
    draws = range(usual, len(given.draws))
    return [[[each.clone() for each in given.values(given.key(draw))] for _ in range(calls)] for draw in draws]


def near(rows: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
    """Which rows have a cosine above 0.8 with several of the others."""
    one, other = (torch.nn.functional.normalize(each.double().flatten(0, -2), dim=-1) for each in (rows, others))
    return (one @ other.T > 0.8).sum(-1) > 3


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_a_share_of_rows_is_near_one_in_both(dtype: str) -> None:
    graph = graph_of([spec("x", 2048, 64, dtype=dtype), spec("y", 2048, 64, dtype=dtype)], *_SCORES)
    shares = [[float(near(*pair).double().mean()) for pair in ((x, y), (y, x))] for ((x, y),) in drawn(graph)]
    ends = [((0.01, 0.06), (0.06, 0.25)), ((0.03, 0.1), (0.01, 0.06)), ((0.03, 0.1), (0.03, 0.1))]
    ends += [((-1, 0.007), (-1, 0.007))]  # of some 2,000 rows a few
    for found, expected in zip(shares[:4], ends, strict=True):
        assert all(low < share < high for share, (low, high) in zip(found, expected, strict=True)), shares


def test_two_near_rows_have_any_cosine_and_any_part_in_common() -> None:
    """A screen by an eighth of the elements loses pairs, and so does one by cosines that are rough."""
    graph = graph_of([spec("x", 512, 768)], "a = x.t()", "z = x @ a", "return (z,)")
    cosines, lost, several = [], 0, 0
    for seed in range(8):
        for ((x,),) in drawn(graph, seed)[4:]:
            unit = torch.nn.functional.normalize(x.double(), dim=-1)
            whole, part = (unit @ unit.T).triu(1), (unit[:, :96] @ unit[:, :96].T).triu(1)
            cosines += whole[whole > 0.2].tolist()
            lost += bool(((whole > 0.5) & (part < 0.068)).any())
            several += len(set((whole > 0.7).nonzero()[:, 0].tolist())) > 1
            sizes = x.norm(dim=1)
            assert float(sizes.std() / sizes.mean()) < 0.04, "no near row is told by its size"
    found = torch.tensor(cosines)
    between = [float(((found >= low) & (found < low + 0.2)).double().mean()) for low in (0.2, 0.4, 0.6, 0.8)]
    assert all(share > 0.02 for share in between), between
    assert lost >= 8 and several >= 8, (lost, several)


def test_rows_have_partners_in_the_other_input_and_in_complex_ones() -> None:
    specs = [spec("x", 256, 96, dtype="complex64"), spec("y", 384, 96, dtype="complex64")]
    paired = 0
    for ((x, y),) in drawn(graph_of(specs, *_SCORES))[4:]:
        one, other = (torch.nn.functional.normalize(torch.view_as_real(each).flatten(1), dim=-1) for each in (x, y))
        paired += int((one @ other.T > 0.6).sum())
    assert paired > 3


def test_others_are_as_usual_and_places_are_scattered_or_neighbours() -> None:
    graph = graph_of([spec("x", 512, 64), spec("y", 2048, 64)], *_SCORES)
    runs = set()
    for x, y in drawn(graph, calls=8)[2]:
        found, rest = near(y, x), y[~near(y, x)]
        cosines = torch.nn.functional.normalize(rest.double(), dim=-1)
        assert float((cosines @ cosines.T).fill_diagonal_(0).abs().max()) < 0.8
        # Neighbours may go round the end.
        ends = int((found != found.roll(1)).sum())
        runs.add(ends == 2)
        assert ends == 2 or ends > 50
        assert 0.5 < float(rest.std()) < 2
    assert runs == {True, False}


def test_columns_are_near_where_columns_are_multiplied() -> None:
    graph = graph_of([spec("x", 4, 256, 48), spec("y", 4, 48, 256)], "z = x @ y", "return (z,)")
    assert paired_rows(graph) == {0: 1, 1: 2}
    ((x, y),) = drawn(graph)[2]
    assert 0.02 < float(near(x, y.mT).double().mean()) < 0.12


def test_what_may_be_near_is_so_among_few_rows_and_complex_ones() -> None:
    few = graph_of([spec("x", 8, 64), spec("y", 8, 64)], *_SCORES)
    made = near_rows(few, repeat(draw_of(few)), Random(1))
    assert {source.lines.share for row in made for source in row if source.lines is not None} == {0.25, 0.5}
    specs = [spec("x", 1024, 32, dtype="complex64"), spec("y", 1024, 32, dtype="complex64")]
    ((x, y),) = drawn(graph_of(specs, *_SCORES))[0]
    x, y = (torch.view_as_real(each).flatten(1) for each in (x, y))
    assert 0.06 < float(near(y, x).double().mean()) < 0.25


def draw_of(graph: Graph) -> list[InputSource]:
    return SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0).draws[0]


@pytest.mark.parametrize(
    ("shapes", "body", "expected"),
    [
        (((32, 16), (24, 16)), ("a = y.t()", "z = x @ a"), {0: 1, 1: 1}),
        (((32, 16), (16, 24)), ("z = torch.mm(x, y)",), {0: 1, 1: 2}),
        (((16, 32), (16, 24)), ("a = x.T", "z = torch.mm(a, y)",), {0: 2, 1: 2}),
        (((32, 16), (24, 16)), ("a = torch.nn.functional.normalize(x)", "z = torch.cdist(a, y)"), {0: 1, 1: 1}),
        (((2, 16, 8), (2, 16, 8)), ("z = torch.einsum('bdi,bdj->bij', x, y)",), {0: 2, 1: 2}),
        (((2, 8, 4, 16), (2, 8, 4, 16)),
         ("a = x.transpose(1, 2)", "b = y.permute(0, 2, 3, 1)", "z = torch.matmul(a, b)"), {0: 1, 1: 1}),
        (((4, 16, 8), (32, 16)), ("a = x.permute(0, 2, 1)", "b = a.reshape(-1, 16)", "c = y.t()", "z = b @ c"),
         {0: 2, 1: 1}),
        (((4, 8, 16), (4, 8, 16)), ("z = torch.nn.functional.scaled_dot_product_attention(x, y, y)",), {0: 1, 1: 1}),
        (((32, 16), (24, 16)), ("a = x.unsqueeze(1)", "b = y.unsqueeze(0)", "z = a - b"), {0: 1, 1: 1}),
        (((32, 16), (16, 16)), ("a = torch.nn.functional.linear(x, y)", "b = a.t()", "z = a @ b"), {0: 1}),
        (((32, 16), (24, 16)), ("z = torch.nn.functional.linear(x, y)",), {}),
        (((32, 16), (32, 16)), ("z = x * y",), {}),
        (((32, 16), ()), ("a = y.exp()", "b = a.reshape(1)", "z = x * b"), {}),
        (((32,), (32,)), ("z = torch.dot(x, y)",), {0: 1, 1: 1}),
        (((32, 16), (24, 16)), ("z = torch.tensordot(x, y, dims=([1], [1]))",), {0: 1, 1: 1}),
        (((32, 16), (32, 24)), ("z = torch.tensordot(x, y, dims=([0], [0]))",), {0: 2, 1: 2}),
        (((16, 16), (16, 16)), ("z = torch.tensordot(x, y, dims=([0], [1]))",), {0: 2, 1: 1}),
        (((32, 16), (16, 24)), ("z = torch.linalg.multi_dot([x, y])",), {0: 1, 1: 2}),
        (((32, 1, 16), (1, 24, 16)), ("z = torch.linalg.vecdot(x, y)",), {0: 1, 1: 1}),
        (((32, 16), (24, 16)), ("a = x.unsqueeze(1)", "z = torch.nn.functional.cosine_similarity(a, y, dim=-1)"),
         {0: 1, 1: 1}),
        (((32, 16), (24, 16)), ("a = x[:, None, :]", "b = y[None]", "z = torch.nn.functional.pairwise_distance(a, b)"),
         {0: 1, 1: 1}),
        (((32, 16), (24, 16)), ("a = x[:, None]", "b = torch.maximum(a, y)", "z = b.sum(-1)"), {0: 1, 1: 1}),
        (((32, 16), (24, 16)), ("a = x[:, None]", "b = torch.nn.functional.l1_loss(a, y, reduction='none')",
                                "z = b.mean(-1)"), {0: 1, 1: 1}),
        (((32, 16), (24, 16)), ("a = x.unsqueeze(1)", "b = a.expand(-1, 24, -1)", "c = y.unsqueeze(0)",
                                "d = c.expand(32, -1, -1)", "e = b * d", "z = e.sum(-1)"), {0: 1, 1: 1}),
        (((2, 3, 16), (2, 3, 24)), ("a = x.unsqueeze(3)", "b = y.unsqueeze(2)", "c = a - b", "d = c.pow(2)",
                                    "z = d.sum(1)"), {0: 2, 1: 2}),
        (((16, 32), (16, 24)), ("a = x[:, :, None]", "b = y[:, None, :]", "c = a + b", "d = c.abs()", "z = d.sum(0)"),
         {0: 2, 1: 2}),
        (((32, 16), (32, 16)), ("z = torch.corrcoef(x)",), {0: 1}),
        (((32, 16), (32, 16)), ("z = torch.cov(x)",), {0: 1}),
        (((32, 16), (32, 16)), ("z = torch.pdist(x)",), {0: 1}),
        (((32, 16), (32, 16)), ("z = torch.cdist(x, x)",), {0: 1}),
        # One row meets one row here, or there is no row that is added up.
        (((32, 16), (32, 16)), ("z = torch.linalg.vecdot(x, y)",), {}),
        (((32, 16), (32, 16)), ("z = torch.nn.functional.mse_loss(x, y)",), {}),
        (((32, 16), (32, 16)), ("z = torch.cat([x, y], 1)",), {}),
        (((2, 3, 1, 1), (2, 1, 8, 8)), ("z = x * y",), {}),
        (((32, 1), (1, 16)), ("z = x * y",), {}),
    ],
)  # fmt: skip
def test_products_of_data_are_found(
    shapes: tuple[tuple[int, ...], ...], body: tuple[str, ...], expected: dict[int, int]
) -> None:
    graph = graph_of([spec(name, *shape) for name, shape in zip("xy", shapes, strict=True)], *body, "return (z,)")
    assert paired_rows(graph) == expected
    assert len(near_rows(graph, repeat(draw_of(graph)), Random(3))) == (7 if expected else 0)


def test_rows_of_small_integers_are_one_row() -> None:
    graph = graph_of(
        [spec("x", 512, 64, dtype="int8", min_val=-127, max_val=127), spec("at", 4, 4, dtype="int64")],
        "a = x.float()", "b = a.t()", "z = a @ b", "c = at.t()", "d = at @ c", "return (z, d)",
    )  # fmt: skip
    assert paired_rows(graph) == {0: 1}
    about_one, about_some = drawn(graph)[:4], drawn(graph)[4:]
    for ((x, _),) in about_one:
        _, counts = torch.unique(x, dim=0, return_counts=True)
        assert sorted(counts.tolist())[-2:] in [[1, many] for many in range(2, 200)]
    for ((x, _),) in about_some:
        same = (x[:, None] == x[None]).sum(-1).fill_diagonal_(0)
        assert int(same.max()) > 6, "a few of 64 elements are alike by chance"


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_near_rows_are_near_behind_two_weights_that_are_one(dtype: str) -> None:
    """Two towers, as of images and of texts. Behind weights that are drawn apart no two rows are near."""
    specs = [spec("x", 512, 64, dtype=dtype), spec("y", 384, 64, dtype=dtype)]
    specs += [spec(name, 48, 64, dtype=dtype, std=0.1) for name in ("w_1", "w_2")]
    body = [f"{to} = torch.nn.functional.linear({of}, {by})" for to, of, by in (("a", "x", "w_1"), ("b", "y", "w_2"))]
    graph = graph_of(specs, *body, "c = b.t()", "z = a @ c", "out = z.logsumexp(-1)", "return (out,)")
    made = drawn(graph)
    assert len(made) == 9
    for number, ((x, y, u, v),) in enumerate(made):
        behind_one = number in (1, 3, 5, 7, 8)
        assert bool(torch.equal(u, v)) == (behind_one and number < 7)
        a, b = (torch.nn.functional.normalize(each.double() @ by.double().T, dim=-1) for each, by in ((x, u), (y, v)))
        assert bool((a @ b.T > 0.8).any()) == behind_one, number
        assert all(0.08 < float(each.double().std()) < 0.12 for each in (u, v)), "weights are as usual"
        best = (a @ b.T).max(-1)
        near_ones = best.values > 0.75
        if number == 7:
            assert 0.15 < float(near_ones.double().mean()) < 0.45
            assert len(best.indices[near_ones].unique()) > 0.6 * int(near_ones.sum()), "each has one of its own"
