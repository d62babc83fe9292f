"""Asks eager which numbers that are not finite it tells from all others.

Integers and booleans of a graph that are the same on every finite draw may be others where a number is not finite. What
the graph does then is seen in no finite draw, however it came to know it: by `x - x != 0`, by `x * 0 != 0`.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import fx

from passnet.graph import Graph
from passnet.graph.values.constants import TensorForm, known_values
from passnet.graph.values.finite import NOT_FINITE
from passnet.graph.values.inputs import HARD_DISTRIBUTIONS, make_inputs
from passnet.graph.values.thresholds import thresholds

# Such inputs are not asked about. Nor is anything more after so long: no graph waits for its reference.
_MOST_BYTES, _SECONDS = 512 << 20, 10.0
# One element of so many is another number.
_SHARE = 8
_FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
_ORDINARY = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0)
# No more numbers fill a whole tensor.
_MOST_WHOLE = 12
_FAILURES = (RuntimeError, TypeError, ValueError, IndexError, ArithmeticError, NotImplementedError)
Tensors = list[torch.Tensor]


def asked_of_eager(graph: Graph, module: fx.GraphModule, seed: int) -> dict[int, tuple[float, ...]]:
    """Input -> the numbers of `NOT_FINITE` that change what no finite draw changes. `module`: on the CPU, because a bad
    index or chance ends a GPU's process.

    Finite draws hold what the graph compares with, and numbers beyond an input's bounds: what no more than a bound
    decides is not asked.
    """
    inexact = [index for index, spec in enumerate(graph.specs) if spec.part_dtype in _FLOATS and spec.numel > 1]
    eager = _Exact(module, dict.fromkeys(_that_follow(graph, module, inexact)))
    if not eager.open or graph.nbytes > _MOST_BYTES:
        return {}
    end = time.monotonic() + _SECONDS
    for inputs in _finite(graph, inexact, seed):
        eager.settle(inputs)
        if not eager.open or time.monotonic() > end:
            return {}
    found: dict[int, list[float]] = {}
    base = make_inputs(graph, seed, repeating=True)
    for number in NOT_FINITE:
        if eager.tells(base, inexact, number):
            for index in inexact:
                if time.monotonic() < end and eager.tells(base, [index], number):
                    found.setdefault(index, []).append(number)
    return {index: tuple(numbers) for index, numbers in found.items()}


@dataclass
class _Exact:
    """Runs a graph and looks at its integers and booleans. `open`: those that were always the same, with their values.
    None before the first run.
    """

    module: fx.GraphModule
    open: dict[str, Any]
    _seen: set[str] = field(default_factory=set)

    def settle(self, inputs: Tensors) -> None:
        """Leave only what is the same as on the draws before. A draw on which eager fails says nothing."""
        try:
            self._run(inputs, self._leave)
        except _FAILURES:
            return
        self.open = {name: value for name, value in self.open.items() if value is not None}

    def tells(self, base: Tensors, indices: Collection[int], number: float) -> bool:
        """Whether anything changes where some or all elements of these inputs are a number."""
        changed: list[str] = []

        def look(name: str, value: Any) -> None:
            if not _same(self.open[name], value):
                changed.append(name)

        for filled in (_sprinkled, _full):
            try:
                odd = [filled(t, [number]) if index in indices else t.clone() for index, t in enumerate(base)]
                self._run(odd, look)
            except _FAILURES:
                continue
            if changed:
                return True
        return False

    def _leave(self, name: str, value: Any) -> None:
        known = self.open[name]
        if not _is_exact(value) or (known is not None and not _same(known, value)):
            del self.open[name]
        elif known is None:
            self.open[name] = value.clone() if isinstance(value, torch.Tensor) else value

    def _run(self, inputs: Tensors, look: Any) -> None:
        with torch.no_grad():
            _Watching(self, look).run(*inputs, enable_io_processing=False)


class _Watching(fx.Interpreter):
    """Shows the values that are still open."""

    def __init__(self, exact: _Exact, look: Any) -> None:
        super().__init__(exact.module)
        self.extra_traceback = False
        self.exact, self.look = exact, look

    def run_node(self, n: fx.Node) -> Any:
        value = super().run_node(n)
        if n.name in self.exact.open:
            self.look(n.name, value)
        return value


def _that_follow(graph: Graph, module: fx.GraphModule, inputs: Collection[int]) -> list[str]:
    """The integers and booleans that may follow from these inputs. What is written in place may follow from any."""
    nodes = [node for node in module.graph.nodes if node.op != "output"]
    following: set[fx.Node] = set()
    found = []
    for place, (node, form) in enumerate(zip(nodes, known_values(graph), strict=True)):
        if node.op == "placeholder":
            following |= {node} if place in inputs else set()
        elif not following.isdisjoint(node.all_input_nodes):
            following |= {node, *node.all_input_nodes}
            if not isinstance(form, TensorForm) or not (form.dtype.is_floating_point or form.dtype.is_complex):
                found.append(node.name)
    return found


def _is_exact(value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return not (value.is_floating_point() or value.is_complex())
    return isinstance(value, int)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return one.dtype == other.dtype and one.shape == other.shape and torch.equal(one, other)
    return type(one) is type(other) and bool(one == other)


def _finite(graph: Graph, inexact: Sequence[int], seed: int) -> Iterator[Tensors]:
    """Finite draws. Those that settle most come first."""
    usual = make_inputs(graph, seed, repeating=True)
    yield [tensor.clone() for tensor in usual]
    known = {index: _near([each.value for each in found]) for index, found in thresholds(graph).items()}
    numbers = {index: [*known.get(index, ()), *_ORDINARY] for index in inexact}
    for part in ([index] for index in inexact) if len(inexact) < _SHARE else (inexact,):
        yield [_sprinkled(t, numbers[index]) if index in part else t.clone() for index, t in enumerate(usual)]
    for distribution in HARD_DISTRIBUTIONS:
        yield make_inputs(graph, seed + 1, distribution=distribution, repeating=True)
    rng = random.Random(seed)
    for place in range(_MOST_WHOLE):
        chosen = {index: each[place] if place < len(each) else rng.choice(each) for index, each in numbers.items()}
        yield [_full(t, [chosen[index]]) if index in chosen else t.clone() for index, t in enumerate(usual)]


def _near(numbers: Sequence[float]) -> list[float]:
    """Numbers on both sides of those with which a graph compares."""
    made = [number * factor for number in numbers for factor in (2.0, 0.5, 1.0, -2.0)]
    return list(dict.fromkeys(number for number in made if math.isfinite(number)))


def _sprinkled(tensor: torch.Tensor, numbers: Sequence[float]) -> torch.Tensor:
    """A tensor of which some elements are these numbers in turn, and not always in the same columns."""
    made, held = tensor.clone(memory_format=torch.contiguous_format), _held(numbers, tensor.dtype)
    flat = made.view(-1)
    picked = torch.arange(0, len(flat), _SHARE if len(flat) > _SHARE else 2)
    picked = (picked + picked // _SHARE % (_SHARE - 3)).clamp(max=len(flat) - 1)
    flat[picked] = held[torch.arange(len(picked)) % len(held)]
    return made


def _full(tensor: torch.Tensor, numbers: Sequence[float]) -> torch.Tensor:
    return _held(numbers, tensor.dtype)[0].expand(tensor.shape).clone()


def _held(numbers: Sequence[float], dtype: torch.dtype) -> torch.Tensor:
    """The numbers in a dtype. One that it cannot hold is its largest."""
    wide, most = torch.tensor(numbers, dtype=torch.float64), torch.finfo(dtype).max
    return torch.where(wide.isfinite(), wide.clamp(-most, most), wide).to(dtype)
