"""What `inspect_graph` says of graphs whose bytes, operations and kernels are known by hand."""

from __future__ import annotations

import dataclasses

import pytest

from passnet.errors import UsageError
from passnet.graph import TensorSpec
from passnet.roofline.inspect import inspect_graph
from passnet.roofline.peaks import Ceilings, Level
from tests.bench.inspect_graphs import graph, linear, pointwise

CEILINGS = Ceilings(
    device="cpu", hardware="a machine", threads=1,
    levels=(Level("L2", 1 << 20, 100.0, 1), Level("memory", None, 10.0, 1)),
    matmul_gflops={"float32": 100.0, "bfloat16": 400.0}, matmul_size={}, dispatch_us=2.0, seconds=0.0,
)  # fmt: skip


def look(a_graph, **options):
    return inspect_graph(a_graph, ceilings=CEILINGS, **options)


def test_pointwise_graph():
    info = look(pointwise(), task="t")
    assert [op.op for op in info.ops] == ["operator.mul", "torch.relu"]
    assert [op.aten for op in info.ops] == [("aten.mul.Tensor",), ("aten.relu.default",)]
    assert [str(value) for value in info.ops[0].inputs] == ["f32[64x64]", "f32[64]"]
    assert info.kernels == 2
    assert info.input_bytes == 4 * (4096 + 64)
    assert info.output_bytes == 4 * 4096
    # Eager: x and y in, product out, product in, result out.
    assert info.eager_bytes == 4 * (4096 + 64 + 4096 + 4096 + 4096)
    assert info.flops == {"torch": 0, "estimate": 2 * 4096}
    assert info.intensity == pytest.approx(2 * 4096 / info.bytes)
    assert info.mutated_inputs == ()


def test_linear_is_counted_by_torch_and_its_inputs_have_kinds():
    info = look(linear())
    assert info.flops["torch"] == 2 * 32 * 128 * 64
    assert [(row.kind, row.role) for row in info.inputs] == [
        ("activation", "data"), ("weight", "weight"), ("weight", "bias"),
    ]  # fmt: skip
    assert info.bound.limited_by == "compute"
    assert info.bound.compute_us == pytest.approx(info.flops["torch"] / 100.0 / 1e3)
    assert info.bound.memory_us == pytest.approx(info.bytes / 100.0 / 1e3)
    assert info.bound.main_memory_us == pytest.approx(info.bytes / 10.0 / 1e3)
    assert info.bound.us == info.bound.compute_us
    assert info.bound.launch_us == pytest.approx(2.0 * info.kernels)


def test_half_precision_may_use_the_faster_rate():
    assert look(linear("bfloat16")).bound.compute_us == pytest.approx(look(linear()).bound.compute_us / 4)


def test_views_cost_nothing_and_alias_their_input():
    info = look(graph("views", {"x": ((8, 16), "float32")}, "t = x.transpose(0, 1)", "v = t[2]", "return (v,)"))
    assert info.kernels == 0
    assert info.views == 2
    assert info.bytes == 0
    assert info.intensity is None
    assert info.outputs[0].alias_of == 0
    assert info.to_json()["outputs"][0]["alias_of"] == "x"


def test_only_what_is_looked_at_counts_as_read():
    sliced = look(graph("sliced", {"x": ((100, 10), "float32")}, "v = x[3]", "r = torch.relu(v)", "return (r,)"))
    assert (sliced.input_bytes, sliced.inputs[0].bytes) == (40, 4000)
    unused = look(graph("unused", {"x": ((4,), "float32"), "y": ((9,), "float32")}, "r = torch.relu(x)", "return (r,)"))
    assert [row.read_bytes for row in unused.inputs] == [16, 0]
    rows = {"ids": ((3,), "int64"), "table": ((1000, 8), "float32")}
    embedded = look(graph("rows", rows, "e = torch.nn.functional.embedding(ids, table)", "return (e,)"))
    assert [row.read_bytes for row in embedded.inputs] == [24, 3 * 8 * 4]


def test_an_input_read_twice_counts_once():
    info = look(graph("twice", {"x": ((4,), "float32")}, "a = torch.relu(x)", "b = torch.sin(x)", "return (a, b)"))
    assert info.input_bytes == 16
    assert info.output_bytes == 32
    assert info.eager_bytes == 64


def test_expanded_values_count_once():
    info = look(
        graph("expanded", {"x": ((4, 1), "float32")}, "e = x.expand(4, 100)", "r = torch.relu(e)", "return (r,)")
    )
    assert info.input_bytes == 16


def test_mutated_inputs_are_written():
    info = look(graph("mutating", {"x": ((6, 2), "float32")}, "v = x[0]", "v += 1", "s = x.sum()", "return (s,)"))
    assert info.mutated_inputs == ("x",)
    assert info.inputs[0].written_bytes == 8
    assert info.output_bytes == 8 + 4
    assert info.outputs[0].alias_of is None


def test_what_depends_on_weights_alone_is_constant():
    shapes = {"x": ((4, 4), "float32"), "w_1": ((4, 4), "float32")}
    info = look(graph("const", shapes, "t = w_1.t()", "s = t * 2", "m = torch.matmul(x, s)", "return (m,)"))
    assert [op.constant for op in info.ops] == [True, True, False]


def test_operators_without_a_rule_are_named():
    info = look(graph("sorted", {"x": ((64,), "float32")}, "s = torch.sort(x)", "v = s[0]", "return (v,)"))
    assert info.uncounted == ("aten.sort.default",)
    assert info.total_flops == 0


@pytest.mark.parametrize(
    ("lines", "shapes", "flops"),
    [
        (("y = torch.softmax(x, -1)",), {"x": ((8, 16), "float32")}, {"torch": 0, "estimate": 5 * 128}),
        (
            ("y = torch.nn.functional.layer_norm(x, (16,))",),
            {"x": ((8, 16), "float32")},
            {"torch": 0, "estimate": 8 * 128},
        ),
        (("y = torch.nn.functional.avg_pool2d(x, 2)",), {"x": ((1, 1, 8, 8), "float32")}, {"torch": 0, "estimate": 64}),
        (("y = torch.nn.functional.hardswish(x)",), {"x": ((8, 16), "float32")}, {"torch": 0, "estimate": 128}),
        (("y = torch.fft.fft(x)",), {"x": ((8, 16), "complex64")}, {"torch": 0, "estimate": 5 * 128 * 4}),
        (("y = torch.mv(x, v)",), {"x": ((8, 16), "float32"), "v": ((16,), "float32")}, {"torch": 0, "estimate": 256}),
        (("y = x.float()",), {"x": ((8, 16), "bfloat16")}, {"torch": 0, "estimate": 0}),
        (("y = x.argmax(-1)",), {"x": ((8, 16), "float32")}, {"torch": 0, "estimate": 0}),
    ],
)
def test_flops_by_rule(lines, shapes, flops):
    assert look(graph("rule", shapes, *lines, "return (y,)")).flops == flops


def test_attention_is_counted_by_torch():
    shapes = dict.fromkeys("qkv", ((1, 2, 16, 8), "float32"))
    info = look(graph("attention", shapes, "y = torch._C._nn.scaled_dot_product_attention(q, k, v)", "return (y,)"))
    assert info.flops["torch"] >= 2 * 2 * 2 * 16 * 16 * 8


def test_convolution():
    shapes = {"x": ((1, 3, 8, 8), "float32"), "w_1": ((4, 3, 3, 3), "float32")}
    info = look(graph("conv", shapes, "y = torch.conv2d(x, w_1, None, (1, 1), (1, 1))", "return (y,)"))
    assert info.flops["torch"] == 2 * 8 * 8 * 4 * 3 * 9


@pytest.mark.parametrize(
    "statements",
    [
        ("n = torch.nonzero(x)", "y = n.float()"),
        ("n = torch.bincount(x)", "y = n.float()"),
        ("s = x.sum()", "n = s.item()", "y = torch.zeros(n)"),
        ("s = x.sum()", "n = s.item()", "y = x.repeat(n)"),
    ],
    ids=["rows", "counts", "size", "copies"],
)
def test_a_shape_that_follows_from_data_is_refused_and_nothing_runs(statements, monkeypatch):
    """One value of an input could ask for any time and memory."""
    monkeypatch.setattr("passnet.graph.Graph.inputs", lambda *_: pytest.fail("the graph got real inputs"))
    made = graph("data", {"x": ((4,), "int64")}, *statements, "return (y,)")
    with pytest.raises(UsageError, match=r"data, statement \w+: a shape follows from data"):
        look(made)


def test_a_graph_that_cannot_run_names_the_statement():
    shapes = {"x": ((2, 3), "float32"), "y": ((5, 7), "float32")}
    with pytest.raises(UsageError, match=r"wrong, statement bad: the graph does not run: .*"):
        look(graph("wrong", shapes, "fine = torch.relu(x)", "bad = torch.matmul(fine, y)", "return (bad,)"))


def test_too_large_graphs_are_refused_before_anything_runs():
    with pytest.raises(UsageError, match="too large to allocate"):
        look(pointwise(), limit_bytes=1000)
    huge = dataclasses.replace(pointwise(), specs=tuple(TensorSpec(n, (1 << 40,), "float32") for n in ("x", "y")))
    with pytest.raises(UsageError, match="too large to allocate"):
        look(huge)


def test_inspecting_leaves_torch_as_it_was():
    import torch

    before = (torch.is_grad_enabled(), torch.get_num_threads(), torch.is_autocast_enabled("cpu"))
    look(
        graph(
            "grad", {"x": ((4,), "float32")}, "g = torch._C._set_grad_enabled(True)", "y = torch.relu(x)", "return (y,)"
        )
    )
    assert (torch.is_grad_enabled(), torch.get_num_threads(), torch.is_autocast_enabled("cpu")) == before
