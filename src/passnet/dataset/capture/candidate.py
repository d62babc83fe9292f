"""The objects that the gates check: a captured graph and the `Graph` written from it. Runs both and
compares outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import fx
from torch.utils.flop_counter import FlopCounterMode

from passnet.dataset.capture.dynamo import Captured
from passnet.graph import Graph, fake_inputs, propagate, tensors_of

SEED = 1


@dataclass(frozen=True)
class CaptureLimits:
    """Beyond these a gate that has to run something is skipped: bytes of inputs, operations, floating operations."""

    input_bytes: int = 1024**3
    ops: int = 6000
    flops: float = 1e11


DEFAULT_LIMITS = CaptureLimits()


@dataclass(frozen=True)
class CaptureCandidate:
    """A captured graph, the `Graph` written from it, and what gates share. Inputs are real when `real` says so."""

    captured: Captured
    graph: Graph
    real: bool
    limits: CaptureLimits = DEFAULT_LIMITS

    @cached_property
    def loaded(self) -> fx.GraphModule:
        """The module built from the text."""
        return self.graph.module(propagated=False)

    @cached_property
    def outputs(self) -> list[torch.Tensor]:
        """The outputs of the module from the text on the captured inputs: real tensors, or fake ones."""
        return self.run(self.loaded)

    def inputs(self) -> list[Any]:
        """The captured inputs, as fresh copies where a call writes to them. Fake tensors of the specs when they are not
        real.
        """
        if not self.real:
            return list(fake_inputs(self.graph.specs))
        written = self.graph.mutated_inputs()
        return [value.clone() if place in written else value for place, value in enumerate(self.captured.inputs)]

    def run(self, module: fx.GraphModule) -> list[torch.Tensor]:
        """The tensors that `module` returns for the captured inputs. Raises any error of the operations."""
        return run(module, self.inputs(), real=self.real)

    def too_large(self) -> str | None:
        """Why running this graph for real would cost too much, or None."""
        count = len(self.graph.statements())
        if count > self.limits.ops:
            return f"{count} operations, more than {self.limits.ops}"
        if self.graph.nbytes > self.limits.input_bytes:
            return f"{self.graph.nbytes} bytes of inputs, more than {self.limits.input_bytes}"
        if self.real:
            return None  # It ran once already.
        flops = self._flops()
        return (
            f"{flops:.1e} floating operations, more than {self.limits.flops:.0e}" if flops > self.limits.flops else None
        )

    def _flops(self) -> float:
        with FlopCounterMode(display=False) as counter:
            propagate(self.graph.module(propagated=False), fake_inputs(self.graph.specs))
        return float(counter.get_total_flops())


def run(module: fx.GraphModule, inputs: Sequence[Any], *, real: bool) -> list[torch.Tensor]:
    """The tensors that `module` returns, with a fixed seed and without gradients. Shapes only unless `real`."""
    if not real:
        reached = propagate(module, inputs)
        if not reached.complete:
            raise RuntimeError(reached.reason)
        output = next(node for node in module.graph.nodes if node.op == "output")
        return list(tensors_of(fx.map_arg(output.args[0], lambda node: node.meta["val"])))
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        return list(tensors_of(module(*inputs)))


def difference(expected: Sequence[torch.Tensor], found: Sequence[torch.Tensor], *, values: bool) -> str | None:
    """The first difference between two lists of outputs (NaN equals NaN), or None. Without `values`, shapes only."""
    if len(expected) != len(found):
        return f"{len(found)} output(s) instead of {len(expected)}"
    for place, (left, right) in enumerate(zip(expected, found, strict=True)):
        if left.dtype != right.dtype or left.shape != right.shape:
            return f"output {place} is {right.dtype} {list(right.shape)} instead of {left.dtype} {list(left.shape)}"
        if values and not _same_values(left, right):
            return f"output {place} has other values"
    return None


def disturbed(value: torch.Tensor) -> torch.Tensor:
    """The values in another order, always as a copy. Real and complex numbers also get another size."""
    turned = value.flip(tuple(range(value.ndim)))
    return turned * 0.75 if turned.is_floating_point() or turned.is_complex() else turned


def _same_values(left: torch.Tensor, right: torch.Tensor) -> bool:
    if torch.equal(left, right):
        return True
    may_be_nan = left.is_floating_point() or left.is_complex()
    return may_be_nan and torch.allclose(left, right, rtol=0, atol=0, equal_nan=True)
