"""Cuts a block out of a captured model, with the real values at its borders. The bundled tasks describe
these values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx

from passnet.dataset.capture.dynamo import Captured
from passnet.dataset.capture.nodes import call_nodes, op_name
from passnet.dataset.cut.borders import borders, standalone
from passnet.errors import UsageError


@dataclass(frozen=True)
class TaskPiece:
    """Nodes [start, end) of a captured graph: `module(*inputs)` gives the parent's own intermediate `outputs`."""

    module: fx.GraphModule
    inputs: tuple[torch.Tensor, ...]
    outputs: tuple[torch.Tensor, ...]
    start: int
    end: int


def find_ops(module: fx.GraphModule, ops: Sequence[str]) -> tuple[int, int]:
    """The first range of consecutive operators with these names. UsageError when there is none."""
    names = [op_name(node) for node in call_nodes(module)]
    width = len(ops)
    start = next((i for i in range(len(names) - width + 1) if names[i : i + width] == list(ops)), None)
    if start is None:
        raise UsageError(
            f"the operators {', '.join(ops)} do not follow one another",
            found=f"{len(names)} operators",
            hint="another version of the model's library may write the block differently",
        )
    return start, start + width


def cut_range(captured: Captured, start: int, end: int) -> TaskPiece:
    """Cut nodes [start, end) out and run the parent once to learn the values at the borders.

    Inputs are the values made before and used inside (weights included) in the parent's order. Outputs are the values
    made inside and used after. Nodes that no output needs are removed. Raises UsageError for an empty range, for a
    border that is not a tensor, for a range without outputs and for a range that writes to its inputs.
    """
    inside = call_nodes(captured.module)[start:end]
    if start < 0 or len(inside) != end - start or not inside:
        total = len(call_nodes(captured.module))
        raise UsageError("no such range of nodes", expected=f"0 <= start < end <= {total}", found=f"[{start}, {end})")
    before, after = borders(inside)
    if not after:
        raise UsageError("nothing of the range is used after it", hint="a task needs at least one output")
    watch = _Watch(captured.module, inside, before, after)
    with torch.no_grad():
        watch.run(*(_copy(value) for value in captured.inputs))
    _require_tensors([*before, *after], [*watch.inputs, *watch.outputs])
    for node, old, new in zip(before, watch.inputs, watch.inputs_after, strict=True):
        if not (torch.equal(old, new) or bool(torch.isnan(old).any())):
            raise UsageError(f"the range [{start}, {end}) writes to its input {node.name}", hint="move its borders")
    module = standalone(inside, before, after)
    return TaskPiece(module, tuple(watch.inputs), tuple(watch.outputs), start, end)


def verify(piece: TaskPiece) -> None:
    """Run the piece alone on the recorded inputs. UsageError unless it gives the parent's values bit by bit."""
    with torch.no_grad():
        got = piece.module(*(value.clone() for value in piece.inputs))
    for index, (expected, found) in enumerate(zip(piece.outputs, got, strict=True)):
        same_kind = expected.dtype == found.dtype and expected.shape == found.shape
        if not same_kind or not torch.equal(expected, found):
            raise UsageError(
                f"output {index} of nodes [{piece.start}, {piece.end}) differs from the parent's value",
                expected=f"{expected.dtype} {list(expected.shape)}, bit-equal",
                found=f"{found.dtype} {list(found.shape)}",
            )


def _copy(value: Any) -> Any:
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def _require_tensors(nodes: Iterable[fx.Node], values: Iterable[Any]) -> None:
    for node, value in zip(nodes, values, strict=True):
        if not isinstance(value, torch.Tensor):
            raise UsageError(
                f"{node.name} crosses the border of the range", expected="a tensor", found=type(value).__name__
            )


class _Watch(fx.Interpreter):
    """Runs the parent and copies the border values: inputs when the range begins, all border values when it ends."""

    def __init__(
        self, module: fx.GraphModule, inside: Sequence[fx.Node], before: list[fx.Node], after: list[fx.Node]
    ) -> None:
        super().__init__(module, garbage_collect_values=False)
        self._first, self._last = inside[0], inside[-1]
        self._before, self._after = before, after
        self.inputs: list[Any] = []
        self.inputs_after: list[Any] = []
        self.outputs: list[Any] = []

    def run_node(self, n: fx.Node) -> Any:
        if n is self._first:
            self.inputs = [_copy(self.env[node]) for node in self._before]
        value = super().run_node(n)
        if n is self._last:
            live = {**self.env, n: value}
            self.inputs_after = [_copy(live[node]) for node in self._before]
            self.outputs = [_copy(live[node]) for node in self._after]
        return value
