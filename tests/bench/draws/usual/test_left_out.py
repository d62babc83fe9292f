"""Who leaves elements out of a reduction is wrong on at least one of the draws that every graph is compared on."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch

from passnet.bench.compare.comparison import Criteria, worst
from passnet.bench.compare.errors import compare
from passnet.bench.compare.farthest import compare_farthest
from passnet.bench.compare.float64_twin import WideReference
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.verdict.useful_draws import DISTRIBUTIONS
from passnet.graph import Graph, TensorSpec, degenerate
from passnet.graph.values.inputs import hard_distributions

_META = {"framework": "torch", "num_devices_required": 1, "num_nodes_required": 1}
Function = Callable[[torch.Tensor, float], torch.Tensor]
# A reduction as a graph has it, and what is right for all elements when it is given a share of them.
_OVER: dict[str, tuple[str, Function]] = {
    "mean": ("x.mean({dim})", lambda x, share: x.mean(-1)),
    "sum": ("x.sum({dim})", lambda x, share: x.sum(-1) / share),
    "amax": ("x.amax({dim})", lambda x, share: x.amax(-1)),
    "var": ("x.var({dim})", lambda x, share: x.var(-1)),
    "norm": ("torch.linalg.vector_norm(x, dim = {dim})", lambda x, share: x.norm(dim=-1) / math.sqrt(share)),
    "logsumexp": ("torch.logsumexp(x, dim = {dim})", lambda x, share: x.logsumexp(-1) - math.log(share)),
}
_ROWS, _WHOLE = "-1", "(0, 1)"
_KEPT = {
    "every second": lambda x: x[..., ::2],
    "the first half": lambda x: x[..., : x.shape[-1] // 2],
    "all but every eighth": lambda x: x[..., torch.arange(x.shape[-1]) % 8 != 3],
}


def graph_of(body: str, spec: TensorSpec) -> Graph:
    source = (
        "import torch\n\nclass GraphModule(torch.nn.Module):\n\n    def forward(self, x):\n"
        f"        a = {body}\n        return (a,)\n"
    )
    return Graph("left_out", source, (spec,), _META, file_order=("x",))


def seen_on(graph: Graph, function: Callable[[torch.Tensor], torch.Tensor], seed: int = 5) -> list[str]:
    """The draws on which a function is not right, by the bench's own criteria; NaN counts as wrong."""
    hard = hard_distributions(graph)
    names = [*DISTRIBUTIONS, *hard]
    given = SecretInputs.draw(graph, "cpu", seed, names, hard=len(hard))
    module = graph.module()
    examples = graph.inputs(0)
    twin = WideReference.build(module, examples, module(*examples))
    assert twin is not None
    found = []
    for draw, name in enumerate(names):
        values = given.values(given.key(draw))
        eager, wide = module(*values), twin(values)
        if degenerate(eager, wide) is None:
            outputs, strict = [function(values[0])], name in hard
            compared = [
                compare(outputs, eager, wide, Criteria(4.0, 0.1, strict)),
                compare_farthest(outputs, eager, wide, Criteria(4.0, 0.1, strict)),
            ]
            if not worst(compared).strict:
                found.append(name)
    return found


def case(reduction: str, dim: str, dtype: str, **stored: float) -> tuple[Graph, Function]:
    body, right = _OVER[reduction]
    spec = TensorSpec("x", (32, 96) if dim == _ROWS else (64, 512), dtype, **({"mean": 0.0, "std": 1.0} | stored))
    graph = graph_of(body.format(dim=dim), spec)

    def kept(x: torch.Tensor, share: float) -> torch.Tensor:
        wide = x.double()
        return right(wide if dim == _ROWS else wide.reshape(-1), share).to(x.dtype)

    return graph, kept


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("reduction", _OVER)
def test_elements_of_rows(reduction: str, dtype: str) -> None:
    graph, right = case(reduction, _ROWS, dtype)
    assert seen_on(graph, lambda x: right(x, 1.0)) == []
    for name, keep in _KEPT.items():
        share = keep(torch.empty(96)).numel() / 96
        assert seen_on(graph, lambda x, keep=keep, share=share: right(keep(x), share)), name


_STORED: tuple[dict[str, float], ...] = (
    {},
    {"mean": 3.0, "std": 0.25},
    {"mean": 0.5, "std": 0.2, "min_val": 0.0, "max_val": 1.0},
    {"mean": -2.0, "std": 1.0, "max_val": 0.0},
)


@pytest.mark.parametrize(
    ("reduction", "dtype", "stored"),
    [
        (reduction, dtype, stored)
        for reduction in _OVER
        for dtype in ("float32", "bfloat16")
        for stored in (_STORED if dtype == "bfloat16" else _STORED[:1])
        # Of numbers up to 1 no single one decides the sum of so many exponentials.
        if not (reduction == "logsumexp" and dtype == "bfloat16" and stored.get("max_val"))
    ],
)
def test_elements_of_a_whole_tensor(reduction: str, dtype: str, stored: dict[str, float]) -> None:
    """Of one number many differ little where elements are left out, and a narrow dtype has few numbers."""
    graph, right = case(reduction, _WHOLE, dtype, **stored)
    assert seen_on(graph, lambda x: right(x, 1.0)) == []
    assert any(seen_on(graph, lambda x: right(x.reshape(-1)[::2], 0.5), seed) for seed in range(9))


def test_beside_a_constant_that_the_graph_adds() -> None:
    spec = TensorSpec("x", (256, 512), "bfloat16", mean=0.0, std=1.0)
    graph = graph_of("x + 3.0\n        a = a.mean()", spec)
    assert seen_on(graph, lambda x: (x.double() + 3.0).bfloat16().double().mean().bfloat16()) == []
    assert "dominated" in seen_on(graph, lambda x: (x[:, ::2].double() + 3.0).mean().bfloat16())


def softmax_from(x: torch.Tensor, kept: slice) -> torch.Tensor:
    """With an exponential that saturates; the largest is looked for among some of the elements."""
    wide = x.float()
    raised = (wide - wide[..., kept].amax(-1, keepdim=True)).clamp(-87.0, 88.0).exp()
    return (raised / raised.sum(-1, keepdim=True)).to(x.dtype)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("width", [96, 4096])
def test_the_largest_of_half_a_row(dtype: str, width: int) -> None:
    graph = graph_of("torch.softmax(x, dim = -1)", TensorSpec("x", (16, width), dtype, mean=0.0, std=1.0))
    assert seen_on(graph, lambda x: softmax_from(x, slice(None))) == []
    assert seen_on(graph, lambda x: softmax_from(x, slice(None, None, 2)))
    assert seen_on(graph, lambda x: softmax_from(x, slice(width // 2)))
