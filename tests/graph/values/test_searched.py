"""Which inputs a graph searches as sorted sequences, and in which order they must be."""

from __future__ import annotations

import pytest
import torch

from passnet.graph.values.searched import SearchedLines, searched
from tests.graph.graph_helpers import graph_of, spec


@pytest.mark.parametrize(
    ("shape", "lines", "wanted"),
    [
        ((64,), ["p = torch.searchsorted(e, x)"], SearchedLines(64)),
        ((64,), ["p = torch.bucketize(x, e, right = True)"], SearchedLines(64)),
        ((64,), ["p = torch.bucketize(input = x, boundaries = e)"], SearchedLines(64)),
        ((64,), ["p = torch.ops.aten.searchsorted.Tensor(e, x, side = 'right')"], SearchedLines(64)),
        ((4, 16), ["f = e.view(64)", "p = torch.bucketize(x, f)"], SearchedLines(64)),
        ((4, 64), ["f = e[2]", "p = torch.bucketize(x, f)"], SearchedLines(64)),
        ((64, 4), ["f = e[(slice(None, None, None), 2)]", "p = torch.bucketize(x, f)"], SearchedLines(64, 4)),
        ((64,), ["f = e[slice(1, -1, None)]", "p = torch.bucketize(x, f)"], SearchedLines(64)),
        ((64, 4), ["f = e.t()", "g = f.contiguous()", "p = torch.searchsorted(g, y)"], SearchedLines(64, 4)),
        ((2, 8, 3), ["f = e.permute(0, 2, 1)", "g = f[0]", "p = torch.searchsorted(g, z)"], SearchedLines(8, 3)),
        ((2, 8, 3), ["f = torch.transpose(e, 1, 2)", "g = f.select(0, 1)", "p = torch.searchsorted(g, z)"],
         SearchedLines(8, 3)),
        ((64,), ["f = e.unsqueeze(0)", "g = f.expand(4, 64)", "p = torch.searchsorted(g, y)"], SearchedLines(64)),
        ((64,), ["f = e.half()", "g = f * 2.0", "h = 1.0 + g", "p = torch.bucketize(x, h)"], SearchedLines(64)),
        ((64,), ["f = e.flip(0)", "p = torch.bucketize(x, f)"], SearchedLines(64, falls=True)),
        ((64,), ["f = 1.0 - e", "p = torch.bucketize(x, f)"], SearchedLines(64, falls=True)),
        ((64,), ["f = -e", "g = torch.flip(f, [-1])", "p = torch.bucketize(x, g)"], SearchedLines(64)),
        ((64,), ["f = e / -3.0", "p = torch.bucketize(x, f)"], SearchedLines(64, falls=True)),
        ((64,), ["c = torch.full((1,), 9.0)", "f = torch.cat([e, c])", "p = torch.bucketize(x, f)"],
         SearchedLines(64)),
        ((64,), ["f = torch.sigmoid(e)", "p = torch.bucketize(x, f)"], SearchedLines(64)),
        ((64,), ["f = e + s", "p = torch.bucketize(x, f)"], SearchedLines(64)),
    ],
)  # fmt: skip
def test_what_is_searched(shape: tuple[int, ...], lines: list[str], wanted: SearchedLines) -> None:
    specs = [spec("e", *shape), spec("x", 5, 7), spec("y", 4, 5), spec("z", 3, 5), spec("s", 1)]
    assert searched(graph_of(specs, *lines, "return (p,)")) == {0: wanted}


@pytest.mark.parametrize(
    "lines",
    [
        ["t = torch.sort(e)", "f = t[0]", "p = torch.bucketize(x, f)"],
        ["f = torch.cumsum(e, 0)", "p = torch.bucketize(x, f)"],
        ["o = torch.argsort(e)", "p = torch.searchsorted(e, x, sorter = o)"],
        ["s = x[(0, 0)]", "f = e * s", "p = torch.bucketize(x, f)"],
        ["f = torch.square(e)", "p = torch.bucketize(x, f)"],
        ["p = torch.isin(x, e)"],
    ],
)
def test_what_is_left(lines: list[str]) -> None:
    assert searched(graph_of([spec("e", 64), spec("x", 5, 7)], *lines, "return (p,)")) == {}


@pytest.mark.parametrize(("data", "found"), [((3.0, 1.0, 2.0), False), ((3.0, 2.0, 1.0), True)])
def test_stored_content_says_its_order(data: tuple[float, ...], found: bool) -> None:
    graph = graph_of([spec("e", 3, data=data), spec("x", 5)], "f = e.flip(0)", "p = torch.bucketize(x, f)", "return p")
    assert (0 in searched(graph)) is found


def test_made_inputs_are_in_order() -> None:
    specs = [spec("e", 8, 3), spec("x", 3, 5)]
    graph = graph_of(specs, "f = e.t()", "g = -f", "h = g.contiguous()", "p = torch.searchsorted(h, x)", "return (p,)")
    for made in (graph.inputs(3), graph.examples(3)):
        assert bool((made[0].diff(dim=0) <= 0).all()) and len(made[0].unique()) == 24
    assert not torch.equal(graph.inputs(3)[0], graph.inputs(4)[0])
