"""The careful draws in which a short input stands in a longer one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.relations.contained_inputs import contained_inputs
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.contained import Contained, contained_of
from tests.graph.graph_helpers import graph_of, spec

IDS: dict[str, Any] = {"dtype": "int64", "min_val": 0, "max_val": 31_999}
WINDOWS = ("w = p.unfold(-1, 8, {})", "s = q.unsqueeze(-2)", "e = w == s", "a = e.all(-1)", "return (a,)")


def looking(*rows: int, step: int = 1, needles: tuple[int, ...] | None = None) -> Graph:
    specs = [spec("p", *rows, 1024, **IDS), spec("q", *(rows if needles is None else needles), 8, **IDS)]
    return graph_of(specs, *(line.format(step) for line in WINDOWS))


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """The inputs in each of the draws."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += contained_inputs(graph, itertools.repeat(given.draws[0]), Random(seed))
    return [[each.clone() for each in given.values(given.key(n))] for n in range(first, len(given.draws))]


def equal(p: torch.Tensor, q: torch.Tensor, step: int = 1) -> torch.Tensor:
    """How many words of a text stand where they should, at the best place for all, row by row."""
    return (p.unfold(-1, 8, step) == q.unsqueeze(-2)).sum(-1).amax(-1)


def test_a_short_text_stands_in_a_long_one_as_a_whole_or_nearly() -> None:
    ((p, q), *_) = drawn(looking(64))
    found = equal(p, q)
    assert int((found == 8).sum()) == 16, "as a whole"
    assert int((found == 7).sum()) >= 20, "but for one word"
    assert int((found < 3).sum()) >= 8, "and not at all in some rows"
    begins = (p.unfold(-1, 8, 1)[..., :4] == q[:, None, :4]).all(-1) & (p.unfold(-1, 8, 1)[..., -1] != q[:, None, -1])
    assert int(begins.any(-1).sum()) >= 30, "a beginning does not tell"
    places = (p.unfold(-1, 8, 1) == q[:, None]).all(-1).nonzero()[:, 1]
    assert len(set(places.tolist())) > 8 and int(p.min()) >= 0 and int(p.max()) < 32_000


@pytest.mark.parametrize("rows", [(), (1,), (2,)])
def test_few_rows_have_more_draws(rows: tuple[int, ...]) -> None:
    made = drawn(looking(*rows))
    assert len(made) == (2 if rows == (2,) else 3)
    assert any(bool((equal(p, q) == 8).any()) for p, q in made)
    assert any(bool((equal(p, q) < 8).any()) for p, q in made)


def test_places_are_as_far_apart_as_windows() -> None:
    ((p, q), *_) = drawn(looking(64, step=16))
    assert int((equal(p, q, 16) == 8).sum()) == 16


def test_many_short_texts_stand_in_one_long_one() -> None:
    ((p, q), *_) = drawn(looking(needles=(16,)))
    assert 2 <= int((equal(p[None], q) == 8).sum()) <= 4


def test_blocks_of_several_dimensions_stand_in_larger_ones() -> None:
    lines = [
        "a = p.unfold(1, 5, 1)",
        "b = a.unfold(2, 4, 1)",
        "s = q[(slice(None, None, None), None, None)]",
        "d = b - s",
    ]
    graph = graph_of([spec("p", 32, 24, 20), spec("q", 32, 5, 4)], *lines, "return (d,)")
    assert contained_of(graph) == [Contained(1, 0, 2)]
    ((p, q), *_) = drawn(graph)
    windows = p.unfold(1, 5, 1).unfold(2, 4, 1)
    assert int((windows == q[:, None, None]).flatten(1, 2).flatten(2).all(-1).any(-1).sum()) == 8


def test_frames_stand_among_frames() -> None:
    lines = ["a = p.unfold(1, 5, 1)", "b = a.transpose(2, 3)", "s = q.unsqueeze(1)", "e = b == s", "return (e,)"]
    graph = graph_of([spec("p", 32, 64, 3, **IDS), spec("q", 32, 5, 3, **IDS)], *lines)
    assert contained_of(graph) == [Contained(1, 0, 2)]
    ((p, q), *_) = drawn(graph)
    assert int((p.unfold(1, 5, 1).transpose(2, 3) == q[:, None]).flatten(2).all(-1).any(-1).sum()) == 8


@pytest.mark.parametrize(
    ("shapes", "lines"),
    [
        (((8, 64), (8, 64)), ("e = p == q",)),
        (((8, 64), (8, 1)), ("e = p == q",)),
        (((8, 64), (64,)), ("e = p == q",)),
        (((8, 64), (8, 8)), ("s = p.sum(-1)", "t = q.sum(-1)", "e = s == t")),
        (((8, 64), (8, 8)), ("e = torch.cat([p, q], 1)",)),
    ],
)
def test_other_graphs_have_no_such_draw(shapes: Sequence[tuple[int, ...]], lines: Sequence[str]) -> None:
    specs = [spec(name, *shape, **IDS) for name, shape in zip("pq", shapes, strict=True)]
    assert drawn(graph_of(specs, *lines, "return (e,)")) == []
