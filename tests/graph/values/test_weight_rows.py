"""Products of rows of data by rows of weights, of which something is made together."""

from __future__ import annotations

import pytest

from passnet.graph.values.paired_rows import paired_rows
from passnet.graph.values.weight_rows import weight_rows
from tests.graph.graph_helpers import graph_of, spec

F = "torch.nn.functional."
SOFTMAX = "out = z.softmax(-1)"


@pytest.mark.parametrize(
    ("data", "weight", "body", "expected"),
    [
        ((8, 32, 16), (24, 16), (f"z = {F}linear(x, w_1)", SOFTMAX), (1, 1)),
        ((32, 16), (16, 24), ("z = x @ w_1", "out = z.argmax(-1)"), (1, 2)),
        ((32, 16), (24, 16), ("a = w_1.t()", "z = torch.matmul(x, a)", "out = z.logsumexp(-1)"), (1, 1)),
        ((32, 16), (16, 24), ("b = x.sum()", "z = torch.addmm(b, x, w_1)", SOFTMAX), (1, 2)),
        ((4, 32, 16), (24, 16), ("z = torch.einsum('bnd,kd->bnk', x, w_1)", "out = z.amax(-1)"), (1, 1)),
        ((4, 16, 8, 8), (24, 16), ("a = x.permute(0, 2, 3, 1)", "b = a.reshape(-1, 16)", "z = torch.cdist(b, w_1)",
                                   "out = z.argmin(-1)"), (3, 1)),
        ((32, 16), (24, 16), ("a = x.unsqueeze(1)", "b = a - w_1", "c = b.pow(2)", "d = c.sum(-1)",
                              "out = d.argmin(-1)"), (1, 1)),
        ((32, 16), (4, 16), (f"z = {F}linear(x, w_1)", "p = z.softmax(-1)", "t = torch.topk(p, 2, dim = -1)",
                             "out = t[0]"), (1, 1)),
        ((32, 16), (24, 16), (f"a = {F}layer_norm(x, (16,))", f"z = {F}linear(a, w_1)", "b = z.sigmoid()",
                              "out = b.mean(-1)"), (1, 1)),
        ((2, 4, 8, 16), (4, 24, 16), ("a = w_1.unsqueeze(0)", "b = a.expand(2, -1, -1, -1)",
                                      f"out = {F}scaled_dot_product_attention(x, b, b)"), (1, 1)),
        # Each score is an output by itself, or rows of one meet rows of the other one by one.
        ((32, 16), (24, 16), (f"out = {F}linear(x, w_1)",), None),
        ((2, 16, 8), (24, 16, 1), (f"z = {F}conv1d(x, w_1)", "out = z.softmax(1)"), None),
        ((2, 8, 16), (8, 16), ("z = x + w_1", SOFTMAX), None),
        ((2, 8, 16), (8, 16), ("z = x * w_1", SOFTMAX), None),
    ],
)  # fmt: skip
def test_rows_of_data_and_of_weights_are_found(
    data: tuple[int, ...], weight: tuple[int, ...], body: tuple[str, ...], expected: tuple[int, int] | None
) -> None:
    graph = graph_of([spec("x", *data), spec("w_1", *weight)], *body, "return (out,)")
    found = weight_rows(graph)
    assert [(each.data, each.dim, each.weight, each.weight_dim) for each in found] == (
        [(0, expected[0], 1, expected[1])] if expected else []
    )
    assert paired_rows(graph) == {}


@pytest.mark.parametrize(
    ("rows", "ends", "labels"),
    [((8,), (0, 23), (2,)), ((16,), (0, 23), (2,)), ((7,), (0, 23), ()), ((8, 2), (0, 23), (2,))],
)
def test_labels_are_as_many_as_rows_or_one_of_several(
    rows: tuple[int, ...], ends: tuple[int, int], labels: tuple[int, ...]
) -> None:
    specs = [spec("x", 8, 2, 16), spec("w_1", 24, 16)]
    specs.append(spec("at", *rows, dtype="int64", min_val=ends[0], max_val=ends[1]))
    graph = graph_of(
        specs, f"z = {F}linear(x, w_1)", "p = z.logsumexp(-1)", f"e = {F}embedding(at, w_1)", "q = e.sum(-1)",
        "return (p, q)",
    )  # fmt: skip
    assert [each.labels for each in weight_rows(graph)] == [labels]
