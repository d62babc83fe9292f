"""Pieces that compute anything else than their parent are refused, and ranges that give none say why."""

from __future__ import annotations

from dataclasses import fields

import pytest
import torch

from passnet.dataset.cut.parent import Parent, Span
from passnet.dataset.cut.pieces import Cut, cut_all
from passnet.graph import Graph
from tests.dataset.cut_parents import normal, spans_of, written

X = normal(4, 6)


def wrong(span: Span, change) -> Span:
    """The span, but with a module that computes something else."""

    class Wrong(Span):
        def module(self):
            module = super().module()
            change({node.name: node for node in module.graph.nodes})
            module.recompile()
            return module

    return Wrong(**{field.name: getattr(span, field.name) for field in fields(span)})


def other_operator(nodes):
    nodes["b"].target = torch.nn.functional.silu


def other_constant(nodes):
    nodes["c"].args = (nodes["b"], 1.0000001)


def swapped_operands(nodes):
    nodes["d"].args = (nodes["c"], nodes["y"])


def swapped_outputs(nodes):
    output = nodes["output"]
    output.args = (tuple(reversed(output.args[0])),)


def dropped_output(nodes):
    output = nodes["output"]
    output.args = (output.args[0][:1],)


def other_dtype(nodes):
    output, first = nodes["output"], nodes["d"]
    with first.graph.inserting_after(first):
        half = first.graph.call_method("half", (first,))
    output.args = ((half, *output.args[0][1:]),)


WRONG = (other_operator, other_constant, swapped_operands, swapped_outputs, dropped_output, other_dtype)


def right_graph(method: str) -> Graph:
    body = "b = torch.nn.functional.gelu(x)\nc = b * 1.5\nd = y - c\ne = c @ x.t()\nf = d.sum() + e"
    body = body.replace("c @ x.t()", "torch.matmul(c, w)")
    return written(body.replace("f = d.sum() + e", "f = d.sum()\ng = f + e"), "g, d", method=method,
                   x=X, y=normal(4, 6), w=normal(6, 3))  # fmt: skip


@pytest.mark.parametrize("change", WRONG)
def test_a_piece_that_computes_anything_else_is_refused(change):
    parent = Parent(right_graph("real"))
    span = parent.snapped(0, 4, growth=0)
    place = span.start, span.end
    assert isinstance(cut_all(parent, [span])[place], Cut)
    assert cut_all(parent, [wrong(span, change)]) == {place: "other values than in the parent"}


@pytest.mark.parametrize("change", [swapped_outputs, dropped_output, other_dtype])
def test_where_values_are_unknown_other_shapes_are_refused(change):
    parent = Parent(right_graph("fake"))
    span = parent.snapped(0, 4, growth=0)
    piece = cut_all(parent, [span])[span.start, span.end]
    assert isinstance(piece, Cut) and piece.verified == "metadata"
    refused = cut_all(parent, [wrong(span, change)])[span.start, span.end]
    assert refused == "other shapes than in the parent"


@pytest.mark.parametrize(
    ("body", "place", "reason"),
    [
        ("a = torch.nn.functional.dropout(x, 0.5, True)\nb = a + 1", (0, 1), "not deterministic"),
        ("a = torch.rand_like(x)\nb = a + x", (0, 2), "not deterministic"),
        ("a = torch.zeros_like(x)\nb = a + x", (0, 1), "outputs are constant"),
        ("a = x.new_ones(4, 6)\nc = a.cumsum(0)\nb = c + x", (0, 2), "outputs do not follow the inputs"),
        ("a = x.abs()\nc = a.neg()\nd = c.log()\nb = d + 1", (1, 3), "outputs are no finite value"),
        ("a = x.abs()\nc = a.sqrt()\nb = c + 1", (1, 2), None),
        ("a = x.nonzero()\nb = a * 2", (1, 2), None),
        ("a = x.exponential_()\nb = a + 1", (0, 1), "not deterministic"),
    ],
)
def test_why_a_range_is_dropped(body, place, reason):
    parent = Parent(written(body, "b", x=X))
    (answer,) = cut_all(parent, spans_of(parent, [place])).values()
    assert (answer if isinstance(answer, str) else None) == reason
