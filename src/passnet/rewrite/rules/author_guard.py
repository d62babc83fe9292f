"""The optional guard `applies(match)` of a pass file: the data it sees, and the meaning of its answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx

from passnet.errors import foreign, shown
from passnet.rewrite.canonical.values import Value, example_value


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """A matched tensor as it is known before anything runs. It has a tensor's properties and holds no data."""

    dtype: torch.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    device: torch.device

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    def dim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    def size(self, dim: int | None = None) -> Any:
        """The shape, or one size of it."""
        return self.shape if dim is None else self.shape[dim]

    def stride(self, dim: int | None = None) -> Any:
        """The strides in elements, or one of them."""
        return self.strides if dim is None else self.strides[dim]

    def numel(self) -> int:
        """Number of elements."""
        count = 1
        for size in self.shape:
            count *= size
        return count

    def element_size(self) -> int:
        """Bytes of one element."""
        return self.dtype.itemsize

    def is_contiguous(self) -> bool:
        """Whether the elements lie in memory row by row without gaps."""
        wanted = 1
        for size, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if size != 1 and stride != wanted:
                return self.numel() == 0
            wanted *= size
        return True

    def is_floating_point(self) -> bool:
        """Whether the dtype is a floating-point one."""
        return self.dtype.is_floating_point


class Candidate:
    """A match as its rule's guard sees it: `match.x` or `match["x"]` is what parameter `x` stands for.

    A tensor is a `TensorInfo`, a literal that an annotated parameter captured is itself, a list of tensors a tuple.
    `match.outputs` are the results that the wrapper has to give, as a tuple.
    """

    def __init__(self, names: Sequence[str], inputs: Sequence[Value], outputs: Sequence[fx.Node]) -> None:
        # The known values are copied here, so that no reference leads from a match to the graph.
        self._inputs = {name: _known(value) for name, value in zip(names, inputs, strict=True)}
        self._outputs = tuple(_known(node) for node in outputs)

    @property
    def outputs(self) -> tuple[Any, ...]:
        """The known properties of the results."""
        return tuple(_read(known) for known in self._outputs)

    def __getitem__(self, name: str) -> Any:
        return _read(self._inputs[name])

    def __getattr__(self, name: str) -> object:
        if name.startswith("_") or name not in self._inputs:
            raise AttributeError(f"the pattern has no parameter {name}")
        return self[name]


class Unknown(Exception):
    """The guard asked for metadata that the graph does not have."""


class _Raised(Exception):
    """The guard raised. The text says what."""


Guard = Callable[[Candidate], object]


def objection(guard: Guard, candidate: Candidate) -> str | None:
    """Why the guard does not want this match. None when it does. A guard that fails does not want it."""
    try:
        with foreign(lambda error: _Raised(f"applies raised {type(error).__name__}: {error}"), Unknown):
            answer = guard(candidate)
    except Unknown as error:
        return f"applies reads metadata of %{error}, and the graph has none for it"
    except _Raised as error:
        return str(error)
    if answer is True:
        return None
    if answer is False:
        return "applies returned False"
    if type(answer) is str and answer:  # what derives from a text writes itself as it likes
        return f"applies: {answer}"
    return f"applies returned {shown(answer)} instead of True, False or a reason"


def _known(value: Value) -> object:
    """The known properties of a value. If there are none, an exception to raise when they are asked for."""
    try:
        if isinstance(value, tuple) and value and all(isinstance(item, fx.Node) for item in value):
            return tuple(_info(item) for item in value)
        return _info(value) if isinstance(value, fx.Node) else value
    except Unknown as missing:
        # A new exception, because the raised one leads to the frames that it went through.
        return Unknown(*missing.args)


def _read(known: object) -> object:
    if isinstance(known, Unknown):
        raise Unknown(*known.args)
    return known


def _info(node: fx.Node) -> object:
    value = example_value(node)
    if isinstance(value, (tuple, list)):
        return tuple(_tensor(item, node) for item in value)
    return _tensor(value, node)


def _tensor(value: object, node: fx.Node) -> TensorInfo:
    if not isinstance(value, torch.Tensor) or not all(isinstance(size, int) for size in value.shape):
        raise Unknown(node.name)
    strides = tuple(value.stride()) if value.layout is torch.strided else ()
    return TensorInfo(value.dtype, tuple(value.shape), strides, value.device)
