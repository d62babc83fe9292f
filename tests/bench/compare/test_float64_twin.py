"""The float64 twin: rounds nowhere, keeps exact dtypes, is None where a graph cannot be widened."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.compare.float64_twin import WideReference, run_widened
from passnet.graph import Graph
from tests.bench.bench_helpers import bits
from tests.graph.graph_helpers import graph_of, spec

SEED = 3


def twin_of(graph: Graph) -> tuple[WideReference | None, list[torch.Tensor], tuple[torch.Tensor, ...]]:
    module, inputs = graph.module("cpu"), graph.inputs(SEED)
    with torch.no_grad():
        outputs = module.forward(*[t.clone() for t in inputs])
        return WideReference.build(module, inputs, outputs), inputs, outputs


def relative(found: torch.Tensor, truth: torch.Tensor) -> float:
    return float((found.double() - truth.double()).norm() / truth.double().norm())


def _rms_norm(x: torch.Tensor) -> torch.Tensor:
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-06)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize(
    ("body", "formula"),
    [
        (
            ("a = x.float()", "b = a * a", "c = b.mean(-1, keepdim = True)", "d = c + 1e-06", "e = torch.rsqrt(d)",
             "f = x * e", "g = f.bfloat16()", "return (g,)"),
            _rms_norm,
        ),
        (
            ("a = x.to(dtype = torch.float32)", "b = torch.softmax(a, dim = -1)", "c = b.half()", "return (c,)"),
            lambda x: torch.softmax(x, -1),
        ),
        (
            ("a = torch.softmax(x, dim = -1, dtype = torch.float32)", "b = a.half()", "return (b,)"),
            lambda x: torch.softmax(x, -1),
        ),
        (
            ("a = torch.arange(0, 6, dtype = torch.float32)", "b = a / 3", "c = x * b", "return (c,)"),
            lambda x: x * (torch.arange(6).double() / 3),
        ),
        (("a = torch.ones(6)", "b = a / 3", "c = x + b", "return (c,)"), lambda x: x + 1 / 3),
        (("a = x.type(torch.float32)", "b = torch.tanh(a)", "return (b,)"), torch.tanh),
        (("a = torch.tensor(0.1)", "b = x * a", "return (b,)"), lambda x: x * 0.1),
    ],
    ids=["rms norm", "softmax", "softmax dtype", "arange", "ones", "type", "tensor"],
)  # fmt: skip
def test_casts_inside_the_graph_do_not_round_the_twin(
    dtype: str, body: tuple[str, ...], formula: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    twin, inputs, outputs = twin_of(graph_of([spec("x", 4, 6, dtype=dtype)], *body))
    assert twin is not None
    (found,) = twin([t.clone() for t in inputs])
    assert found.dtype is torch.float64
    assert torch.allclose(found, formula(inputs[0].double()), rtol=1e-12, atol=1e-14)
    assert relative(outputs[0], found) < 0.02


@given(st.integers(0, 2**31), st.sampled_from(["float32", "bfloat16", "float16"]))
@settings(max_examples=25, deadline=None)
def test_the_twin_equals_the_formula_in_float64(seed: int, dtype: str) -> None:
    graph = graph_of(
        [spec("x", 5, 8, dtype=dtype), spec("w", 8, 3, dtype=dtype)],
        "a = x.float()",
        "b = torch.nn.functional.gelu(a)",
        f"c = b.to(torch.{dtype})",
        "d = c @ w",
        "return (d,)",
    )
    module, inputs = graph.module("cpu"), graph.inputs(seed)
    twin = WideReference.build(module, inputs, module.forward(*inputs))
    assert twin is not None
    expected = torch.nn.functional.gelu(inputs[0].double()) @ inputs[1].double()
    assert torch.allclose(twin(inputs)[0], expected, rtol=1e-12, atol=1e-14)


def test_exact_outputs_stay_exact() -> None:
    graph = graph_of([spec("x", 4, 6)], "a = x > 0.0", "b = x.argmax(-1)", "c = x.sum()", "return (a, b, c)")
    twin, inputs, outputs = twin_of(graph)
    assert twin is not None
    found = twin(inputs)
    assert [t.dtype for t in found] == [torch.bool, torch.int64, torch.float64]
    assert bits(found[0]) == bits(outputs[0])
    assert bits(found[1]) == bits(outputs[1])


def test_complex_outputs_are_widened() -> None:
    graph = graph_of([spec("x", 4, 8)], "a = torch.fft.rfft(x)", "return (a,)")
    twin, inputs, outputs = twin_of(graph)
    assert outputs[0].dtype is torch.complex64
    assert twin is not None
    assert twin(inputs)[0].dtype is torch.complex128


def test_neither_the_graph_nor_the_process_is_changed() -> None:
    graph = graph_of([spec("x", 4, 6, dtype="bfloat16")], "a = x.float()", "b = a.to(torch.bfloat16)", "return (b,)")
    module, inputs = graph.module("cpu"), graph.inputs(SEED)
    outputs = module.forward(*inputs)
    code, before = str(module.graph), [bits(t) for t in inputs]
    twin = WideReference.build(module, inputs, outputs)
    assert twin is not None
    twin(inputs)
    assert torch.get_default_dtype() is torch.float32
    assert str(module.graph) == code
    assert bits(module.forward(*inputs)[0]) == bits(outputs[0])
    assert [bits(t) for t in inputs] == before


def test_the_default_dtype_comes_back_after_a_failure() -> None:
    graph = graph_of([spec("x", 4, 6)], "a = x * 2", "return (a,)")
    twin, _inputs, _outputs = twin_of(graph)
    assert twin is not None
    with pytest.raises(TypeError):
        twin([None])  # type: ignore[list-item]
    with pytest.raises(RuntimeError):
        twin([])
    assert torch.get_default_dtype() is torch.float32


def test_graphs_that_cannot_be_widened_have_no_twin() -> None:
    twin, _inputs, outputs = twin_of(graph_of([spec("x", 4, 6)], "a = x.to(torch.float8_e4m3fn)", "return (a,)"))
    assert len(outputs) == 1
    assert twin is None


def test_a_graph_that_changes_its_inputs_has_a_twin_that_leaves_ours_alone() -> None:
    graph = graph_of([spec("x", 4, 6)], "x += 1.0", "a = x * 2", "return (a,)")
    module, inputs = graph.module("cpu"), graph.inputs(SEED)
    before = [bits(t) for t in inputs]
    twin = WideReference.build(module, inputs, module.forward(*[t.clone() for t in inputs]))
    assert twin is not None
    assert [bits(t) for t in inputs] == before


def test_what_is_left_in_changed_inputs_is_a_result_too() -> None:
    graph = graph_of([spec("x", 4, 6, dtype="bfloat16"), spec("y", 4, 6)], "x += 1.0", "a = x * y", "return (a,)")
    module, inputs = graph.module("cpu"), graph.inputs(SEED)
    before = [bits(t) for t in inputs]
    twin = WideReference.build(module, inputs, module.forward(*[t.clone() for t in inputs]), changed=(0,))
    assert twin is not None
    _, left = twin(inputs)
    assert left.dtype is torch.float64
    assert torch.equal(left, inputs[0].double() + 1.0)
    assert [bits(t) for t in inputs] == before


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize(
    "cast",
    ["x.float()", "x.to(torch.float32)", "x.type(torch.float32)", "x.type_as(y)", "x.to(torch.float32).view(24)"],
)
def test_what_is_written_to_a_copy_is_not_written_to_its_source(dtype: str, cast: str) -> None:
    """A cast copies bfloat16, and gives float32 itself back. In float64 both are already what they are cast to."""
    lines = [f"a = {cast.removesuffix('.view(24)')}", *(["a = a.view(24)"] if "view" in cast else [])]
    graph = graph_of([spec("x", 4, 6, dtype=dtype), spec("y", 4, 6)], *lines, "a += 1.0", "b = x * 2", "return (a, b)")
    twin, inputs, outputs = twin_of(graph)
    assert twin is not None
    for found, eager in zip(twin(inputs), outputs, strict=True):
        assert relative(eager, found) < 0.01


def test_finding_the_casts_leaves_buffers_and_modules_as_they_are() -> None:
    class Counted(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = torch.nn.BatchNorm1d(6)
            self.register_buffer("calls", torch.zeros(1))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.calls.add_(1)  # type: ignore[operator]
            return self.norm(x.float()) + self.calls

    module = torch.fx.symbolic_trace(Counted())
    before = {name: bits(value) for name, value in module.state_dict().items()}
    run_widened(module, [torch.randn(4, 6)])
    assert {name: bits(value) for name, value in module.state_dict().items()} == before


def test_casts_are_left_alone_where_nothing_is_written() -> None:
    graph = graph_of([spec("x", 4, 6)], "a = x.float()", "b = a * 2", "return (a, b)")
    twin, inputs, _outputs = twin_of(graph)
    assert twin is not None
    assert twin(inputs)[0].data_ptr() != inputs[0].data_ptr()
    assert not any(twin.module.meta.values())


def test_tensors_without_versions_count_as_written_to() -> None:
    graph = graph_of([spec("x", 4, 6, dtype="bfloat16")], "a = x.float()", "a += 1.0", "b = x * 2", "return (a, b)")
    module = graph.module("cpu")
    with torch.inference_mode():
        (x,) = (t.clone() for t in graph.inputs(SEED))
        _, doubled = run_widened(module, [x])
        assert torch.equal(doubled, 2 * x.double())


@pytest.mark.parametrize(("dtype", "whole"), [("float32", "int32"), ("bfloat16", "int16"), ("float16", "int16")])
def test_bits_are_those_of_the_narrow_number(dtype: str, whole: str) -> None:
    """A graph that takes an exponent by its bits has a twin all the same."""
    body = (
        "y = x * 0.3", f"b = y.view(torch.{whole})", "e = b >> 5", "m = b & -256", f"z = m.view(dtype = torch.{dtype})",
        "n = torch.exp(z)", "return (e, n)",
    )  # fmt: skip
    twin, inputs, (exponent, result) = twin_of(graph_of([spec("x", 8, 16, dtype=dtype)], *body))
    assert twin is not None
    found, wide = twin(inputs)
    assert float((found == exponent).float().mean()) > 0.9 and wide.dtype is torch.float64
    assert relative(result, wide) < 0.1
