"""Runs a graph with watched choosers that are made to choose given indices. Finds where indices become outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import fx

from passnet.bench.compare.float64_twin import Widened, run_widened, tuple_of
from passnet.bench.compare.indices.choosers import Chooser, ChooserCall
from passnet.bench.compare.indices.rounding import Rounding, Roundings
from passnet.op_classes import VIEWS, word_set

# Operators that move elements and compute nothing. Other inputs, which have no numbers, are known to be no index.
_MOVES = VIEWS | word_set(
    "T contiguous clone detach getitem flip roll repeat repeat_interleave tile broadcast_to ravel reshape_as"
)
_JOINS = word_set("stack cat concat")
_CASTS = word_set("to long int float double type type_as")
ELSEWHERE = -1


@dataclass
class Forcing:
    """The choices of a run, as tables of indices by chooser's name. It then shows the choosers' calls.

    `own`: what each would have chosen. `scores`: what it chose from, kept where `scored`. `clear`: the choosers before
    which eager rounds nothing, or only what differs from float64's.
    """

    choosers: Sequence[Chooser]
    given: Mapping[str, torch.Tensor] = field(default_factory=dict)
    scored: bool = False
    calls: dict[str, ChooserCall] = field(default_factory=dict)
    own: dict[str, torch.Tensor] = field(default_factory=dict)
    scores: dict[str, torch.Tensor] = field(default_factory=dict)
    clear: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._by_node = {chooser.node: chooser for chooser in self.choosers}

    def at(self, node: fx.Node) -> Chooser | None:
        return self._by_node.get(node)

    def choose(self, chooser: Chooser, call: ChooserCall, result: Any) -> Any:
        """The value that the operator returns in place of its own result."""
        name, own = chooser.node.name, chooser.indices_of(result)
        self.calls[name], self.own[name] = call, call.rows(own)
        if self.scored and call.free:
            self.scores[name] = call.scores()
        given = self.given.get(name)
        return result if given is None else call.result(call.shaped(given, own))


class _Forced(fx.Interpreter):
    """An interpreter whose choosers are forced."""

    forcing: Forcing

    def run_node(self, n: fx.Node) -> Any:
        result = super().run_node(n)
        chooser = self.forcing.at(n)
        if chooser is None:
            return result
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        return self.forcing.choose(chooser, chooser.call(args, kwargs), result)


class _Plain(_Forced):
    def __init__(self, module: fx.GraphModule, forcing: Forcing) -> None:
        super().__init__(module)
        self.forcing, self.extra_traceback = forcing, False
        self.roundings = Roundings()

    def run_node(self, n: fx.Node) -> Any:
        if not self.forcing.scored:
            return super().run_node(n)
        self.roundings.before(n, self.env)
        result = super().run_node(n)
        if self.forcing.at(n) is not None and self.roundings.of_given(n) is not Rounding.UNKNOWN:
            self.forcing.clear.add(n.name)
        self.roundings.after(n, result, self.env)
        return result


class _Wide(_Forced, Widened):
    def __init__(self, module: fx.GraphModule, forcing: Forcing) -> None:
        super().__init__(module)
        self.forcing = forcing


class _Tracing(_Plain):
    """Follows every single index to the outputs. Each has a number, and numbers move as the indices do."""

    def __init__(self, module: fx.GraphModule, forcing: Forcing) -> None:
        super().__init__(module, forcing)
        self.numbers: dict[fx.Node, Any] = {}
        self.first: dict[str, int] = {}
        self._next = 0

    def run_node(self, n: fx.Node) -> Any:
        result = super().run_node(n)
        chooser = self.forcing.at(n)
        if chooser is not None and self.forcing.calls[n.name].free:
            numbers = self._numbered(n.name, chooser.indices_of(result))
            self.numbers[n] = (None, numbers) if chooser.pair else numbers
        elif n.op in {"call_function", "call_method"} and any(node in self.numbers for node in n.all_input_nodes):
            self._move(n)
        return result

    def _numbered(self, name: str, indices: torch.Tensor) -> torch.Tensor:
        """Numbers in the order of the table's rows."""
        call = self.forcing.calls[name]
        self.first[name], count = self._next, indices.numel()
        self._next += count
        numbers = torch.arange(self._next - count, self._next, device=indices.device)
        return call.shaped(numbers, indices.to(torch.int64))

    def _move(self, n: fx.Node) -> None:
        leaf = n.target if isinstance(n.target, str) else getattr(n.target, "__name__", "")
        joins = leaf in _JOINS
        numbered = [node for node in n.all_input_nodes if node in self.numbers]
        if not joins and numbered != list(n.args[:1]):
            return
        if leaf in _CASTS:
            self.numbers[n] = self.numbers[numbered[0]]
        elif leaf == "getattr" and n.args[1] == "indices":
            self.numbers[n] = self.numbers[numbered[0]][1]
        elif joins or leaf in _MOVES:
            args, kwargs = fx.map_arg(n.args, self._number), fx.map_arg(n.kwargs, self._number)
            found = getattr(self, n.op)(n.target, args, kwargs)
            if found is not None:  # the values of a pair
                self.numbers[n] = found

    def _number(self, node: fx.Node) -> Any:
        """The numbers of a value. Another tensor has numbers of nothing, and all else is unchanged."""
        known = self.env[node]
        if node in self.numbers or not isinstance(known, torch.Tensor):
            return self.numbers.get(node, known)
        return torch.full_like(known, ELSEWHERE, dtype=torch.int64)


def run_plain(module: fx.GraphModule, inputs: Sequence[torch.Tensor], forcing: Forcing) -> tuple[torch.Tensor, ...]:
    """Eager's outputs on copies of the inputs, with the choices of the forcing."""
    with torch.no_grad():
        return tuple_of(_Plain(module, forcing).run(*map(_copy, inputs), enable_io_processing=False))


def run_wide(module: fx.GraphModule, inputs: Sequence[torch.Tensor], forcing: Forcing) -> tuple[torch.Tensor, ...]:
    """Float64's outputs, with the choices of the forcing."""
    with torch.no_grad():
        return tuple_of(run_widened(module, inputs, _Wide(module, forcing)))


def shown(
    module: fx.GraphModule, inputs: Sequence[torch.Tensor], forcing: Forcing
) -> tuple[list[torch.Tensor | None], dict[str, int]]:
    """For each output, the numbers of the indices that it shows. Also each chooser's first number.

    An element has `ELSEWHERE` where it shows none. An output without any has None. Fills the forcing as an eager
    run does.
    """
    tracing = _Tracing(module, forcing)
    with torch.no_grad():
        results = tuple_of(tracing.run(*map(_copy, inputs), enable_io_processing=False))
    leaves = next(node for node in module.graph.nodes if node.op == "output").args[0]
    leaves = leaves if isinstance(leaves, tuple | list) else (leaves,)
    numbers = [tracing.numbers.get(leaf) if isinstance(leaf, fx.Node) else None for leaf in leaves]
    fits = [
        numbers if isinstance(numbers, torch.Tensor) and numbers.shape == result.shape else None
        for numbers, result in zip(numbers, results, strict=True)
    ]
    return fits, tracing.first


def _copy(value: Any) -> Any:
    return value.clone() if isinstance(value, torch.Tensor) else value
