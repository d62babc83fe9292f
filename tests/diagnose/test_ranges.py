"""Ranges of a graph as graphs of their own: the same values, the values' statistics, and reasons for none."""

from __future__ import annotations

import pytest
import torch

from passnet.diagnose.ranges import RangePiece, Ranges
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec


def chain(sources=None):
    graph = graph_of(
        [spec("x", 4, 6), spec("y", 6, mean=50.0)],
        "a = x * y",
        "b = torch.tanh(a)",
        "parts = torch.chunk(b, 2, dim=-1)",
        "c = parts[0]",
        "d = parts[1]",
        "e = c + d",
        "return (e,)",
    )
    return Graph(graph.name, graph.source, graph.specs, graph.meta, sources=sources)


def test_the_whole_range_is_the_graph_itself():
    ranges = Ranges(chain())
    piece = ranges.piece(ranges.whole)
    assert isinstance(piece, RangePiece)
    assert piece.graph is ranges.graph and piece.verified is None and len(piece.ops) == 6


def test_a_piece_computes_what_its_operators_compute():
    piece = Ranges(chain()).piece((1, 2))
    assert isinstance(piece, RangePiece)
    assert piece.ops == ("tanh",) and piece.place == (1, 2) and piece.verified == "values"
    value = piece.graph.inputs(3)[0]
    assert torch.equal(piece.graph.module("cpu").forward(value)[0], torch.tanh(value))


def test_the_inputs_of_a_piece_are_as_inside_the_graph():
    """The product with values about 50 has far more spread than the graph's own first input."""
    piece = Ranges(chain()).piece((1, 2))
    assert isinstance(piece, RangePiece)
    assert piece.graph.specs[0].std > 20


def test_a_range_that_a_tuple_would_leave_is_widened():
    piece = Ranges(chain()).piece((2, 3))
    assert isinstance(piece, RangePiece)
    assert piece.place == (2, 5)


def test_a_range_without_a_graph_says_why():
    graph = graph_of([spec("x", 4)], "a = torch.relu(x)", "b = torch.ones(4)", "c = a + b", "return (c,)")
    assert Ranges(graph).piece((1, 2)) == "no inputs"


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ({"samples/timm/a": [[40, 46]]}, {"samples/timm/a": [[41, 42]]}),
        ({"samples/timm/a": [[0, 6], [6, 12]]}, None),
        ({"samples/timm/a": "nonsense"}, None),
        (None, None),
    ],
)
def test_places_in_models_move_with_the_range(sources, expected):
    piece = Ranges(chain(sources)).piece((1, 2))
    assert isinstance(piece, RangePiece)
    assert piece.graph.sources == expected


def test_a_piece_is_cut_once():
    ranges = Ranges(chain())
    assert ranges.piece((1, 3)) is ranges.piece((1, 3))
