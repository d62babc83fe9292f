"""What is stored in order is drawn in order: edges that are searched, the offsets of bags."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from passnet.bench.draws.content.input_source import InputSource
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.wire.generator import DrawnRow, OddRuns
from tests.graph.graph_helpers import graph_of, spec

EDGES = (-1.25, -0.5, 0.125, 0.75, 1.0, 1.5)
STARTS = tuple(range(0, 960, 16))


def drawn(**fields: object) -> SecretInputs:
    """Draws of a graph that searches edges and adds up bags. `fields`: of the spec of the edges."""
    data = fields.pop("data", EDGES)
    assert isinstance(data, tuple)
    specs = [
        spec("x", 64, 16),
        spec("e", len(data), data=data, **fields),  # type: ignore[arg-type]
        spec("ids", 960, dtype="int64", min_val=0, max_val=99),
        spec("w", 100, 8),
        spec("starts", 60, dtype="int64", data=STARTS),
    ]
    lines = ["a = torch.bucketize(x, e)", "b = torch.nn.functional.embedding_bag(ids, w, starts)"]
    return SecretInputs.draw(graph_of(specs, *lines, "return (a, b)"), "cpu", 3, ("normal", "extreme"), hard=1)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float64"])
@pytest.mark.parametrize("data", [EDGES, tuple(float(number) for number in range(8)), tuple(range(-900, 900, 3))])
def test_all_draws_of_edges_rise_and_hardly_any_are_the_stored_ones(data: tuple[float, ...], dtype: str) -> None:
    given = drawn(dtype=dtype, data=tuple(map(float, data)))
    content = torch.tensor(data).to(getattr(torch, dtype))
    as_stored = 0
    for draw in range(1, len(given.draws)):
        for _ in range(8):
            edges = given.values(given.key(draw))[1]
            assert (
                bool((edges[1:] >= edges[:-1]).all()) and edges.min() >= content.min() and edges.max() <= content.max()
            )
            as_stored += torch.equal(edges, content)
    assert as_stored < len(given.draws)


def test_altered_offsets_begin_at_zero_and_rise_by_steps_of_their_own() -> None:
    given = drawn()
    assert given.altered is not None
    for _ in range(8):
        starts = given.values(given.key(given.altered))[-1]
        steps = starts.diff()
        assert int(starts[0]) == 0 and int(starts[-1]) <= STARTS[-1] + 16 and int(steps.min()) >= 0
        assert len(steps.unique()) > 8


def test_what_is_in_no_order_is_drawn_in_none() -> None:
    given = drawn(data=EDGES[::-1])
    edges = [given.values(given.key(given.timed[0]))[1].clone() for _ in range(8)]
    assert any(bool((each[1:] < each[:-1]).any()) for each in edges)


def test_indices_are_drawn_in_any_order_in_one_draw() -> None:
    specs = [spec("x", 64, 8), spec("i", 32, dtype="int64", data=tuple(range(0, 64, 2)))]
    graph = graph_of(specs, "y = x[i]", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 3, ("normal", "extreme"), hard=1)
    rows = [given.values(given.key(draw))[1].clone() for draw in given.careful]
    assert any(bool((row[1:] < row[:-1]).any()) for row in rows)


def test_what_has_a_place_is_not_put_in_order() -> None:
    """Its odd elements, or its runs, would be among those that rise."""
    source = InputSource.of_values(torch.randn(4096))
    assert source.is_plain
    for more in ({"runs": OddRuns(8, 1, False)}, {"odd": source}, {"row": DrawnRow(8, 0, 0)}):
        assert not replace(source, **more).is_plain  # type: ignore[arg-type]
    assert not source.rising(8, from_first=False).is_plain
