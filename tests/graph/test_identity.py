"""Hashes, mutation, and graphs written from FX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import fx, nn

from passnet.graph import Graph, GraphError, TensorSpec
from tests.graph.graph_helpers import FIXTURES, RUNNABLE, graph_of, run_text, same, spec

BODY = (
    "a = torch._C._nn.linear(in_0, in_1, None)",
    "b = a.view(2, -1)",
    "c = b[(slice(None, None, None), 0)]",
    "d = c + 1.0",
    "e = d.to(device(type='cuda', index=0), dtype=torch.float16)",
    "return (e, b)",
)
SPECS = (spec("in_0", 2, 3), spec("in_1", 4, 3))


def linear(body: tuple[str, ...] = BODY, specs: tuple[TensorSpec, ...] = SPECS) -> Graph:
    return graph_of(specs, *body, imports=["from torch import device"])


def test_structure_hash_forgets_names_devices_frees_aliases_and_metadata() -> None:
    names = {"in_0": "L_x_", "in_1": "L_w_"}
    body = [line.replace("in_0", "l_x_").replace("in_1", "L_w_") for line in BODY]
    body = [line.replace("a = ", "lin = ").replace("a.view", "lin.view") for line in body]
    body = [line.replace("type='cuda', index=0", "type='cpu'") for line in body]
    body = [line.replace("torch._C._nn.linear", "torch.nn.functional.linear") for line in body]
    body = ["l_x_ = L_x_", body[0], "l_x_ = None", *body[1:]]
    specs = tuple(replace(s, name=names[s.name], shape=(7, 3), dtype="float64") for s in SPECS)
    other = linear(tuple(body), specs)
    assert other.structure_hash == linear().structure_hash
    assert other.content_hash != linear().content_hash
    assert other.source_hash != linear().source_hash


def test_renamed_specs_are_written_in_signature_order_and_misfits_not_at_all(tmp_path: Path) -> None:
    graph = Graph.read(FIXTURES / "constant_norm")
    source = graph.source.replace("in_4", "shift")
    renamed = replace(graph, source=source, specs=(*graph.specs[:4], replace(graph.specs[4], name="shift")))
    renamed.write(tmp_path / "a")
    assert Graph.read(tmp_path / "a").specs[4].name == "shift"
    with pytest.raises(GraphError, match="in_4"):
        replace(renamed, source=graph.source).write(tmp_path / "b")
    assert not (tmp_path / "b").exists()


CHANGES = [
    ("a.view(2, -1)", "a.reshape(2, -1)"),
    ("a.view(2, -1)", "a.view((2, -1))"),
    ("a.view(2, -1)", "a.view([2, -1])"),
    ("c + 1.0", "c + 1"),
    ("c + 1.0", "1.0 + c"),
    ("c + 1.0", "c - 1.0"),
    ("float16", "bfloat16"),
    ("None, None, None", "None, 1, None"),
    ("(e, b)", "(b, e)"),
    ("in_0, in_1, None", "in_1, in_0, None"),
    ("dtype=torch.float16", "non_blocking=True"),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_structure_hash_sees_operations_and_attributes(old: str, new: str) -> None:
    changed = tuple(line.replace(old, new) for line in BODY)
    assert changed != BODY
    assert linear(changed).structure_hash != linear().structure_hash


@pytest.mark.parametrize("name", RUNNABLE)
def test_structure_hashes_of_different_graphs_differ(name: str) -> None:
    hashes = {other: Graph.read(FIXTURES / other).structure_hash for other in RUNNABLE}
    assert list(hashes.values()).count(hashes[name]) == 1


def test_content_hash_sees_what_changes_behaviour_and_nothing_else() -> None:
    base = linear()
    same_behaviour = [
        replace(base, name="other"),
        replace(base, meta={"framework": "torch", "x": 1}),
        replace(base, specs=(replace(SPECS[0], device="cuda:0", original_name="z"), SPECS[1])),
    ]
    assert {g.content_hash for g in same_behaviour} == {base.content_hash}
    changed = [
        replace(SPECS[0], **{k: v}) for k, v in {"shape": (5, 3), "std": 2.0, "dtype": "float16", "min_val": 0}.items()
    ]
    hashes = {replace(base, specs=(item, SPECS[1])).content_hash for item in changed}
    assert len(hashes | {base.content_hash}) == 5


MUTATIONS = [
    ("a = in_0 + 1", set()),
    ("a = in_0.add_(1)", {0}),
    ("in_0 += 1", {0}),
    ("in_0[0] = 1", {0}),
    ("a = in_0.view(-1)\n        b = a.mul_(2)", {0}),
    ("a = in_0.t()\n        a[0] = 3", {0}),
    ("a = torch.nn.functional.relu(in_0, inplace=True)", {0}),
    ("a = torch.nn.functional.silu(in_1, True)", {1}),
    ("a = in_0.clone()\n        a += 1", set()),
    ("a = in_0.contiguous()\n        a += 1", {0}),
    ("a = in_0.float()\n        a += 1", {0}),
    ("a = in_0.to(torch.float64)\n        a += 1", set()),
    ("a = in_0.max()\n        b = a.item()\n        c = b > 1\n        d = in_1.fill_(b)", {1}),
    ("a = torch.nn.functional.batch_norm(in_0, in_2, in_3, None, None, True, 0.1, 1e-05)", {2, 3}),
    ("a = torch.nn.functional.batch_norm(in_0, in_2, in_3, None, None, False, 0.1, 1e-05)", set()),
    ("a = torch.nn.functional.batch_norm(in_0, in_2, in_3, training=True)", {2, 3}),
    ("a = torch.masked_select(in_0, in_1)\n        b = a.add_(1)", set()),
]


@pytest.mark.parametrize(("statement", "expected"), MUTATIONS, ids=range(len(MUTATIONS)))
def test_mutated_inputs_are_found_through_views(statement: str, expected: set[int]) -> None:
    specs = [spec("in_0", 4, 3), spec("in_1", 4, 3), spec("in_2", 3), spec("in_3", 3, mean=1.0)]
    if "masked_select" in statement:
        specs[1] = TensorSpec("in_1", (4, 3), "bool")
    graph = graph_of(specs, statement, "return (in_0,)")
    assert graph.mutated_inputs() == expected
    if "batch_norm" not in statement:
        inputs = graph.inputs(0)
        before = [tensor.clone() for tensor in inputs]
        graph.module()(*inputs)
        assert {i for i in range(4) if not same(inputs[i], before[i])} == expected


def test_data_dependent_shapes_fall_back_to_a_run() -> None:
    body = ["a = in_0 > 0", "b = in_0[a]", "c = b.numel()", "d = in_1.topk(c)"]
    graph = graph_of([spec("in_0", 3), spec("in_1", 8)], *body, "in_1 += 1", "return (d,)")
    assert graph.mutated_inputs() == {1}


def capture(module: Callable[..., Any], *inputs: torch.Tensor) -> tuple[fx.GraphModule, list[Any]]:
    """The graph that Dynamo records, with the values of its placeholders."""
    seen: list[tuple[fx.GraphModule, list[Any]]] = []

    def backend(gm: fx.GraphModule, example: list[Any]) -> Callable[..., Any]:
        seen.append((gm, example))
        return gm.forward

    torch._dynamo.reset()
    with torch.no_grad():
        torch.compile(module, backend=backend, dynamic=False)(*inputs)
    assert len(seen) == 1
    return seen[0]


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm, self.lin, self.conv = nn.LayerNorm(8), nn.Linear(8, 8), nn.Conv1d(4, 4, 3, padding=1)

    def forward(self, x: torch.Tensor) -> Any:
        y = self.lin(self.norm(x)).view(2, 4, -1)
        y += x
        z = nn.functional.scaled_dot_product_attention(y, y, y, is_causal=True)
        mask = torch.ones(8, 8, device=x.device).tril() == 0
        z = (z.transpose(1, 2) @ y).masked_fill(mask[None], float("-inf")).softmax(-1)
        w = self.conv(y)
        w[:, 0] = -1
        return w, {"z": z[..., ::2, None], "n": -(w**2)}, 2.0 - w.to(torch.bfloat16)


def pools(x: torch.Tensor) -> Any:
    y = nn.functional.max_pool2d(x, 2) + nn.functional.avg_pool2d(x, 2)
    y = nn.functional.interpolate(y, scale_factor=2.0, mode="nearest")
    a, b = y.chunk(2, dim=1)
    return torch.cat([a.relu_(), b.sigmoid()], 1), torch.einsum("bchw,bchw->bc", y, y), (~(a > b)).sum(), y.shape[0]


def spectra(x: torch.Tensor) -> Any:
    f = torch.fft.rfft(x)
    value, index = f.abs().max(-1)
    return f.real, torch.linalg.vector_norm(x, dim=-1), value.log1p(), torch.where(index == 3, float("nan"), value)


CAPTURED: list[tuple[str, Callable[[], Callable[..., Any]], tuple[int, ...]]] = [
    ("block", Block, (2, 4, 8)),
    ("pools", lambda: pools, (1, 4, 4, 4)),
    ("spectra", lambda: spectra, (3, 16)),
]


@pytest.mark.parametrize(("name", "maker", "shape"), CAPTURED, ids=[c[0] for c in CAPTURED])
def test_from_fx_writes_what_the_reader_accepts_and_computes(
    name: str, maker: Callable[[], Callable[..., Any]], shape: tuple[int, ...], tmp_path: Path
) -> None:
    torch.manual_seed(0)
    gm, example = capture(maker(), torch.randn(shape))
    targets = [str(n.target) for n in gm.graph.nodes if n.op == "placeholder"]
    specs = tuple(TensorSpec.from_tensor(t, v.detach()) for t, v in zip(targets, example, strict=True))
    graph = Graph.from_fx(gm, specs, name=name)
    assert [s.name for s in graph.specs] == [f"in_{i}" for i in range(len(specs))]
    assert [s.original_name for s in graph.specs] == targets
    graph.write(tmp_path / "g")
    read = Graph.read(tmp_path / "g", name=name)
    assert read == graph

    def fresh() -> list[Any]:
        return [value.detach().clone() for value in example]

    with torch.no_grad():
        expected = tuple(gm(*fresh()))
        assert same(tuple(read.module()(*fresh())), expected)
        assert same(tuple(run_text(read.source, fresh())), expected)
    again = Graph.from_fx(read.module(), read.specs, name=name)
    assert again.structure_hash == read.structure_hash
    assert again.source == read.source


@pytest.mark.parametrize("name", RUNNABLE)
def test_from_fx_of_a_built_module_has_the_same_structure(name: str) -> None:
    graph = Graph.read(FIXTURES / name)
    assert Graph.from_fx(graph.module(), graph.specs, name=name).structure_hash == graph.structure_hash


def test_what_the_format_cannot_carry_is_refused() -> None:
    class Holder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lin = nn.Linear(2, 2)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.lin(x)

    traced = fx.symbolic_trace(Holder())
    with pytest.raises(GraphError, match="call_module"):
        Graph.from_fx(traced, (spec("x", 2),), name="g")
    with pytest.raises(GraphError, match="specs do not fit"):
        Graph.from_fx(traced, (), name="g")
    custom = fx.symbolic_trace(lambda x: nn.init.zeros_(x))
    custom.graph.call_function(print, ())
    with pytest.raises(GraphError, match="print"):
        Graph.from_fx(custom, (spec("x", 2),), name="g")


ARITHMETIC = ["+", "-", "*", "/", "//", "%", "**"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(ARITHMETIC), st.floats(0.5, 2.0), st.booleans()), max_size=5),
    st.tuples(st.sampled_from(ARITHMETIC + COMPARISONS), st.floats(0.5, 2.0), st.booleans()),
)
def test_arithmetic_reads_builds_and_writes_alike(
    first_steps: list[tuple[str, float, bool]], last_step: tuple[str, float, bool]
) -> None:
    body, last, steps = [], "in_0", [*first_steps, last_step]
    for number, (symbol, constant, swapped) in enumerate(steps):
        constant = constant if symbol == "**" and swapped else -constant
        left, right = (f"({constant!r})", last) if swapped else (last, repr(constant))
        body += [f"t{number} = {left} {symbol} {right}"]
        last = f"t{number}"
    graph = graph_of([spec("in_0", 3)], *body, f"return ({last},)")
    value = torch.tensor([0.5, 1.0, 2.0])
    expected = run_text(graph.source, [value])
    assert same(graph.module()(value), expected)
    written = Graph.from_fx(graph.module(), graph.specs, name="g")
    assert same(run_text(written.source, [value]), expected)
    assert written.structure_hash == graph.structure_hash


def test_negative_base_is_not_negated_afterwards() -> None:
    graph = graph_of([spec("in_0", 3)], "a = (-2.0) ** in_0", "return (a,)")
    assert graph.module()(torch.tensor([1.0, 2.0, 3.0]))[0].tolist() == [-2.0, 4.0, -8.0]


@pytest.mark.parametrize(
    ("spelled", "preferred"),
    [
        ("a = torch._C._nn.log_sigmoid(in_0)", "a = torch.nn.functional.logsigmoid(in_0)"),
        (
            "a = torch._functorch.vmap.lazy_load_decompositions()",
            "a = torch._functorch.predispatch.lazy_load_decompositions()",
        ),
    ],
)
def test_one_function_under_two_names_is_one_structure(spelled: str, preferred: str) -> None:
    first, second = (graph_of([spec("in_0", 2)], line, "b = in_0 * 2", "return (b,)") for line in (spelled, preferred))
    assert first.structure_hash == second.structure_hash
    assert Graph.from_fx(first.module(), first.specs, name="g").structure_hash == first.structure_hash
