"""Indices that meet what lies along them, in the spellings of groups, labels and edges."""

from __future__ import annotations

import pytest

from passnet.graph import Graph
from passnet.graph.values.met_indices import MetIndices, along, met_indices
from passnet.graph.values.origins import InputPart
from tests.graph.graph_helpers import graph_of, spec

KINDS = spec("kinds", 64, dtype="int64", min_val=0, max_val=7)
OTHERS = spec("others", 64, dtype="int64", min_val=0, max_val=7)
ENDS = spec("ends", 2, 64, dtype="int64", min_val=0, max_val=31)


@pytest.mark.parametrize(
    ("rows", "shape", "found"),
    [
        ((64,), (64,), (1, 1)),
        ((64,), (64, 8), (1, 8)),
        ((64,), (4, 64), (4, 1)),
        ((64, 1), (64, 8), (1, 8)),
        ((4, 64), (4, 64, 8), (1, 8)),
        ((64,), (32, 8), None),
        ((4, 64), (64, 4), None),
    ],
)
def test_shapes_that_hold_all_rows(
    rows: tuple[int, ...], shape: tuple[int, ...], found: tuple[int, int] | None
) -> None:
    assert along(rows, shape) == found


@pytest.mark.parametrize(
    "line",
    [
        "s = z.index_add(0, kinds, x)",
        "u = kinds.unsqueeze(-1); k = u.expand(64, 4); s = z.scatter_add(0, k, x)",
        "u = kinds.unsqueeze(-1); k = u.expand(64, 4); s = z.scatter_reduce(0, k, x, 'mean')",
        "h = torch.nn.functional.one_hot(kinds, 8); f = h.float(); t = f.t(); s = torch.matmul(t, x)",
    ],
)
def test_values_lie_along_their_groups(line: str) -> None:
    graph = graph_of([KINDS, spec("x", 64, 4)], "z = torch.zeros(8, 4)", *line.split("; "), "return (s,)")
    assert met_indices(graph) == [MetIndices((InputPart(0),), ((1, 0),))]


def test_two_labels_and_their_table() -> None:
    specs = [KINDS, OTHERS, spec("cost", 8, 8)]
    graph = graph_of(specs, "c = cost[(kinds, others)]", "out = c.mean()", "return (out,)")
    assert met_indices(graph) == [MetIndices((InputPart(0), InputPart(1)), (), ((2, 0),))]


def test_both_ends_of_edges_and_their_rows() -> None:
    lines = ("i = ends[0]", "j = ends[1]", "a = z[i]", "b = z[j]", "p = a * b", "out = p.sum(-1)", "return (out,)")
    graph = graph_of([ENDS, spec("z", 32, 4)], *lines)
    assert met_indices(graph) == [MetIndices((InputPart(0, 0, 0), InputPart(0, 0, 1)), (), ((1, 0),))]


@pytest.mark.parametrize(
    "lines",
    [
        ("k = kinds.float()", "a = k * 2.0", "out = x * 3.0", "return (a, out)"),
        ("k = kinds.float()", "u = k.unsqueeze(-1)", "out = x * u", "return (out,)"),
    ],
)
def test_nothing_is_put_together(lines: tuple[str, ...]) -> None:
    graph: Graph = graph_of([KINDS, spec("x", 64, 4)], *lines)
    assert met_indices(graph) == []


def test_an_index_at_which_is_written_is_left_out() -> None:
    lines = ("z = torch.zeros(8, 4)", "z[kinds] = x", "out = z.sum()", "return (out,)")
    assert met_indices(graph_of([KINDS, spec("x", 64, 4)], *lines)) == []
