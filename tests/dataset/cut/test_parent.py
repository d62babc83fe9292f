"""Full graphs as ranges see them: borders that only tensors cross, equal ranges, names, specs, the price of a run."""

from __future__ import annotations

import pytest
import torch

from passnet.dataset.cut.parent import Parent, ParentUnfit, sole_ranges
from tests.dataset.cut_parents import model, normal, spans_of, written

X = normal(4, 6)


def chunked() -> Parent:
    body = """
        a = x.sin()
        b = a.chunk(2, dim=1)
        c = b[0]
        d = b[1]
        e = c * d
        f = e.cos()
        g = f + c
    """
    return Parent(written(body, "g", x=X))


def names(parent: Parent) -> list[str]:
    return [name for start, end in sole_ranges(parent) for name in parent.span(start, end).op_names]


@pytest.mark.parametrize(
    ("given", "expected"),
    [((0, 1), (0, 1)), ((0, 2), (0, 4)), ((1, 2), (1, 4)), ((2, 4), (1, 4)), ((3, 6), (1, 6)), ((4, 6), (4, 6))],
)
def test_a_tuple_never_crosses_a_border(given, expected):
    span = chunked().snapped(*given, growth=3)
    assert (span.start, span.end) == expected
    assert all(isinstance(node.meta["val"], torch.Tensor) for node in (*span.before, *span.after))


def test_a_range_grows_no_further_than_allowed():
    with pytest.raises(ParentUnfit, match="border is a tuple"):
        chunked().snapped(1, 2, growth=1)


def test_an_operator_alone_takes_its_items_and_nothing_else():
    assert chunked().snapped(1, 2, growth=2, items_only=True).op_names == ["Tensor.chunk", "getitem", "getitem"]
    between = Parent(written("a = x.chunk(2, dim=1)\nb = x.sin()\nc = a[0]\nd = a[1]\ne = c * d\nf = e @ b",
                             "f", x=X))  # fmt: skip
    with pytest.raises(ParentUnfit, match="border is a tuple"):
        between.snapped(0, 1, growth=8, items_only=True)
    assert between.snapped(0, 1, growth=8).end == 4


def test_a_tuple_that_the_graph_returns_cannot_be_taken_in():
    parent = Parent(written("a = x.chunk(2, dim=1)\nb = a[0]\nc = b + 1", "c, a", x=X))
    with pytest.raises(ParentUnfit, match="border is a tuple"):
        parent.snapped(0, 2, growth=8)


def test_a_size_that_is_computed_is_no_border():
    parent = Parent(written("a = x.size(0)\nb = x.sin()\nc = b.view(a, 3, 2)", "c", x=X))
    assert parent.snapped(2, 3, growth=8).start == 0
    with pytest.raises(ParentUnfit, match="border is a int"):
        parent.snapped(2, 3, growth=1)


def test_borders_come_in_the_order_of_the_graph():
    parent = Parent(written("a = x.sin()\nb = y + a\nc = b * x\nd = c - b", "d", x=X, y=X))
    span = parent.span(1, 3)
    assert [node.name for node in span.before] == ["x", "y", "a"]
    assert [node.name for node in span.after] == ["b", "c"]


@pytest.mark.parametrize(
    ("body", "start", "end", "reason"),
    [
        ("a = torch.ones(3)\nb = x + 1", 0, 1, "nothing is used after it"),
        ("a = torch.arange(6)\nb = x + a", 0, 1, "no inputs"),
        ("a = x.nonzero()\nc = a.view(3, -1)\nb = c * 2", 2, 3, "shapes are unknown"),
    ],
)
def test_why_a_range_is_unfit(body, start, end, reason):
    with pytest.raises(ParentUnfit, match=reason):
        Parent(written(body, "b", x=X)).snapped(start, end, growth=8)


def test_names_are_the_published_ones_without_what_is_of_no_use():
    parent = Parent(written("a = torch.nn.functional.relu(x)\nb = a.view(6, 4)\nc = a.cos()\nd = b * 2", "d", x=X))
    assert names(parent) == ["relu", "Tensor.view", "mul"]
    assert parent.span(0, 4).op_names == ["relu", "Tensor.view", "mul"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("b = x.add_(1)", True),
        ("b = torch.nn.functional.relu(x, inplace=True)", True),
        ("b = torch.nn.functional.relu(x, True)", True),
        ("b = torch.nn.functional.relu(x, inplace=False)", False),
        ("b = torch.nn.functional.dropout(x, 0.1, False, True)", True),
        ("b = torch.mul(x, 2, out=y)", True),
        ("b = x.__and__(y)", False),
        ("b = torch.nn.functional.batch_norm(x, y, y, training=True)", True),
        ("b = torch.nn.functional.batch_norm(x, y, y, training=False)", False),
        ("b = torch.nn.functional.dropout(x, 0.1, training=True)", False),
    ],
)
def test_operators_that_write_are_known(line, expected):
    x = torch.ones(4, 6, dtype=torch.int64 if "__and__" in line else torch.float32)
    y = torch.ones(4, 6, dtype=x.dtype) if "batch_norm" not in line else torch.ones(6)
    assert Parent(written(line, "b", x=x, y=y)).span(0, 1).writes is expected


def test_one_run_costs_what_its_products_cost():
    parent = Parent(written("a = x @ w\nb = a.relu()", "b", x=X, w=normal(6, 5)))
    assert parent.flops == 2 * 4 * 6 * 5


def test_inputs_keep_their_stored_specs():
    parent = Parent(written("a = x + w", "a", x=X, w=normal(6)))
    assert [parent.spec(node) for node in parent.span(0, 1).before] == list(parent.graph.specs)
    assert parent.spec(parent.calls[0]) is None


def test_equal_computations_on_equal_shapes_have_equal_keys():
    parent = Parent(written("a = x * 2\nb = a * 2\nc = b * 3\nd = c[0]\ne = d * 2", "e", x=X))
    keys = [parent.key(parent.span(start, end)) for start, end in sole_ranges(parent)]
    assert keys[0] == keys[1]
    assert len({keys[0], keys[2], keys[4]}) == 3
    assert parent.key(parent.span(0, 2)) == parent.key(Parent(parent.graph).span(0, 2))


def test_which_values_leave_is_part_of_the_key():
    parent = Parent(written("a = x.sin()\nb = a.cos()\nc = b.sin()\nd = c.cos()\ne = d + c", "e", x=X))
    assert parent.key(parent.span(0, 2)) != parent.key(parent.span(2, 4))


def test_the_blocks_of_a_real_model_repeat():
    parent = Parent(model("timm", "resnet18"))
    spans = spans_of(parent, sole_ranges(parent), items_only=True)
    assert len(spans) == len(parent.calls)
    by_name: dict[str, set[str]] = {}
    for span in spans:
        by_name.setdefault(span.op_names[0], set()).add(parent.key(span))
    # Twenty convolutions, of which many are alike; normalisation and ReLU on five sizes.
    assert len(by_name["conv2d"]) == 11
    assert len(by_name["batch_norm"]) == len(by_name["relu"]) == 5
    assert parent.flops > 1e8


@pytest.mark.slow
def test_every_border_of_a_real_transformer_is_a_tensor():
    parent = Parent(model("transformers", "bert"))
    total = len(parent.calls)
    for span in spans_of(parent, [(start, min(total, start + 7)) for start in range(total)]):
        assert all(isinstance(node.meta["val"], torch.Tensor) for node in (*span.before, *span.after))
        assert span.module().graph.nodes
