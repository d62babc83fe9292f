"""Shape and dtype propagation: fills `node.meta["val"]` with fake tensors, without computing anything."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from passnet.errors import described
from passnet.graph.errors import GraphError
from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.values.bounded import BoundedInterpreter

_AUTOCAST_DEVICES = ("cpu", "cuda")


@dataclass(frozen=True)
class Propagation:
    """How far propagation went: `complete`, or the node that stopped it and why."""

    complete: bool
    node: str | None = None
    reason: str | None = None


_FIRST = threading.Lock()


def fake_mode() -> FakeTensorMode:
    """A new fake mode. Threads may call this at once.

    The first mode that a process enters changes how torch asks for CUDA devices where it sees none. With torch 2.11 for
    CUDA two threads at once read what one of them has freed there, so the first one is entered alone.
    """
    with _FIRST:
        _enter_first()
    return FakeTensorMode(allow_non_fake_inputs=True, shape_env=ShapeEnv())


@functools.cache
def _enter_first() -> None:
    with FakeTensorMode():
        pass


def fake_inputs(specs: Sequence[TensorSpec], device: str | torch.device = "cpu") -> list[torch.Tensor]:
    """Fake tensors of the specs' shapes and dtypes, in order, all in one new fake mode.  Allocates nothing.

    Stored scalars keep their value, so that an `.item()` of an epsilon or a dropout rate stops nothing.
    """
    mode = fake_mode()
    with mode:
        return [fake_input(spec, torch.device(device)) for spec in specs]


def fake_input(spec: TensorSpec, device: torch.device) -> torch.Tensor:
    """The tensor of one spec in the active fake mode. A stored scalar keeps its value."""
    dtype: torch.dtype = getattr(torch, spec.dtype)
    if spec.scalar is not None:
        return torch.tensor(spec.scalar, dtype=dtype, device=device)
    return torch.empty(spec.shape, dtype=dtype, device=device)


def propagate(gm: fx.GraphModule, inputs: Sequence[object], name: str | None = None) -> Propagation:
    """Runs `gm` on fake inputs and sets `node.meta["val"]` on every node that it reaches.

    `inputs` come from `fake_inputs`, or are the "val" of another graph's nodes. Real tensors are made fake.  A node
    whose result depends on data (for example an `.item()` that picks a shape) stops the propagation. The nodes before
    it keep their values, and the result names the node.

    Errors: `GraphError` with `name` and the statement where integers, tuples or results are beyond all bounds.
    """
    mode = next((value.fake_mode for value in inputs if isinstance(value, FakeTensor)), None)
    mode = mode or fake_mode()
    arguments = [_as_fake(value, mode) for value in inputs]
    interpreter = _Recorder(gm, name)
    with restored_state(), torch.no_grad(), mode:
        try:
            interpreter.run(*arguments)
        except GraphError:
            raise
        except Exception as error:  # noqa: BLE001  fake kernels raise whatever they like; the answer carries it
            return Propagation(False, interpreter.current, described(error))
    return Propagation(True)


@contextmanager
def restored_state() -> Iterator[None]:
    """Restores the state that a graph may leave changed when it stops early: autocast and the levels of vmap.

    `torch.no_grad` restores the grad mode.
    """
    level = torch._C._functorch.maybe_current_level() or 0
    autocast = {kind: torch.is_autocast_enabled(kind) for kind in _AUTOCAST_DEVICES}
    try:
        yield
    finally:
        while (torch._C._functorch.maybe_current_level() or 0) > level:
            torch._C._functorch._vmap_decrement_nesting()
        for kind, enabled in autocast.items():
            torch.set_autocast_enabled(kind, enabled)


def _as_fake(value: object, mode: FakeTensorMode) -> object:
    if isinstance(value, torch.Tensor) and not isinstance(value, FakeTensor):
        return mode.from_tensor(value)
    return value


class _Recorder(BoundedInterpreter):
    """An interpreter that writes each result into the node's meta."""

    def __init__(self, gm: fx.GraphModule, name: str | None) -> None:
        super().__init__(gm, name)
        self.current: str | None = None

    def run_node(self, n: fx.Node) -> Any:
        self.current = n.name
        result = super().run_node(n)
        n.meta["val"] = result
        return result
