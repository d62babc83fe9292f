"""Runs a program's operations many times for their shapes alone: with other sizes, other dtypes, other literals.

Tensors on the meta device give the same shapes and dtypes as fake ones at a tenth of the cost, but some operations do
not work on them. A program therefore runs once on both. If the two do not agree, it runs on fake ones from then on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from passnet.dataset.vary.literals import Path, substituted
from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.build import build_module
from passnet.graph.text.program import ParsedModel, TorchConstant, Value
from passnet.graph.values.propagation import fake_input, restored_state

_LOGGER = "torch._subclasses.fake_tensor"
# Positional and keyword arguments of one call.
Arguments = tuple[tuple[Any, ...], dict[str, Any]]
Sizes = tuple[int | None, ...]


class ReplayStopped(Exception):
    """An operation did not run: its number and its error."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


def shapes_replay(program: ParsedModel, specs: Sequence[TensorSpec]) -> Replay:
    """The cheapest replay that finds the shapes and dtypes of these inputs right: on meta tensors or on fake ones."""
    fake, meta = Replay(program, "fake"), Replay(program, "meta")
    try:
        with fake.session():
            expected = fake.run(fake.inputs(specs))
        with meta.session():
            found = meta.run(meta.inputs(specs))
    except ReplayStopped:
        return fake
    return meta if all(map(_alike, expected, found)) else fake


def _alike(first: Any, second: Any) -> bool:
    """Equal shapes and dtypes. Values that are no tensors must be equal themselves."""
    if isinstance(first, (tuple, list)) and isinstance(second, (tuple, list)):
        return len(first) == len(second) and all(map(_alike, first, second))
    if isinstance(first, torch.Tensor) and isinstance(second, torch.Tensor):
        return first.dtype == second.dtype and None not in sizes(first) and sizes(first) == sizes(second)
    return repr(first) == repr(second)


def sizes(value: object) -> Sizes:
    """The sizes of a tensor. None for one that depends on data.  () for a value that is no tensor."""
    if not isinstance(value, torch.Tensor):
        return ()
    return tuple(size if type(size) is int else None for size in value.shape)


def tensors_nbytes(value: object) -> int:
    """Bytes of a tensor or of the tensors in a tuple or list. A tensor with unknown sizes counts as nothing."""
    if isinstance(value, (tuple, list)):
        return sum(tensors_nbytes(item) for item in value)
    if not isinstance(value, torch.Tensor) or None in sizes(value):
        return 0
    return value.numel() * value.element_size()


def _is_known(spec: TensorSpec) -> bool:
    """Whether it is a stored scalar.  As a tensor of the CPU it keeps its value and mixes with those of any device."""
    return spec.shape == () and spec.data is not None


@dataclass(frozen=True)
class _Step:
    function: Callable[..., Any] | str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


Kind = Literal["real", "fake", "meta"]


class Replay:
    """The operations of one program as callables, for real tensors, or for fake or meta ones inside a `session`."""

    def __init__(self, program: ParsedModel, kind: Kind = "real") -> None:
        self.program, self.kind = program, kind
        self._device = torch.device("meta" if kind == "meta" else "cpu")
        nodes = list(build_module(program, self._device).graph.nodes)
        self._index = {node: index for index, node in enumerate(nodes)}
        calls = nodes[len(program.params) : -1]
        self._steps = [_Step(node.target, node.args, node.kwargs) for node in calls]
        self._outputs = nodes[-1].args[0]

    @contextmanager
    def session(self) -> Iterator[None]:
        """Inside, nothing is allocated, nothing computed, and failing kernels log nothing."""
        logger = logging.getLogger(_LOGGER)
        level = logger.level
        logger.setLevel(logging.CRITICAL)
        fake = (
            FakeTensorMode(allow_non_fake_inputs=True, shape_env=ShapeEnv()) if self.kind == "fake" else nullcontext()
        )
        try:
            with fake, torch.no_grad():
                yield
        finally:
            logger.setLevel(level)

    def inputs(self, specs: Sequence[TensorSpec]) -> list[torch.Tensor]:
        """Tensors of the specs without content, for a fake or meta replay. Stored scalars keep their value."""
        cpu = torch.device("cpu")
        return [fake_input(spec, cpu if _is_known(spec) else self._device) for spec in specs]

    def arguments(self, number: int, values: Sequence[Any]) -> Arguments:
        """The arguments of an operation, taken from the values made so far."""
        step = self._steps[number]
        return self._load(step.args, values), self._load(dict(step.kwargs), values)

    def call(self, number: int, arguments: Arguments) -> Any:
        """Runs one operation.  Errors: `ReplayStopped`."""
        function, (args, kwargs) = self._steps[number].function, arguments
        try:
            if isinstance(function, str):
                return getattr(args[0], function)(*args[1:], **kwargs)
            return function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001  kernels raise whatever they like; the answer carries it
            lines = str(error).splitlines() or [""]
            raise ReplayStopped(number, f"{type(error).__name__}: {lines[0]}") from None

    def run(self, inputs: Sequence[Any], prepare: Callable[[int, list[Any]], Arguments] | None = None) -> list[Any]:
        """All values: the inputs, then every result.  `prepare` makes the arguments of each operation.

        Errors: `ReplayStopped` at the first operation that does not run.
        """
        values, make = list(inputs), prepare or self.arguments
        with restored_state():
            for number in range(len(self._steps)):
                values.append(self.call(number, make(number, values)))
        return values

    def outputs(self, values: Sequence[Any]) -> Any:
        """The outputs of the program, taken from all values."""
        return self._load(self._outputs, values)

    def _load(self, value: Any, values: Sequence[Any]) -> Any:
        if isinstance(value, fx.Node):
            return values[self._index[value]]
        if isinstance(value, (tuple, list)):
            items = (self._load(item, values) for item in value)
            # A list of indices selects, a tuple of them addresses dimensions.
            return list(items) if isinstance(value, list) else tuple(items)
        if isinstance(value, dict):
            return {key: self._load(item, values) for key, item in value.items()}
        if isinstance(value, slice):
            return slice(*(self._load(part, values) for part in (value.start, value.stop, value.step)))
        return value


def with_literals(arguments: Arguments, edits: Mapping[Path, Value]) -> Arguments:
    """The arguments with the values at some paths replaced. Torch constants become torch's own."""
    args, kwargs = arguments
    for path, value in edits.items():
        actual = getattr(torch, value.name) if isinstance(value, TorchConstant) else value
        if isinstance(path[0], int):
            args = substituted(args, path, actual)
        else:
            kwargs = {**kwargs, path[0]: substituted(kwargs[path[0]], path[1:], actual)}
    return args, kwargs


def with_casts(arguments: Arguments, casts: Mapping[Path, str]) -> Arguments:
    """The arguments with some operands cast to a dtype, given by its short name."""
    args, kwargs = arguments
    for path, dtype in casts.items():
        found: Any = args[int(path[0])] if isinstance(path[0], int) else kwargs[path[0]]
        for step in path[1:]:
            found = found[step]
        args, kwargs = with_literals((args, kwargs), {path: found.to(getattr(torch, dtype))})
    return args, kwargs
