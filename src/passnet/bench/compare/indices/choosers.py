"""Operators whose results are indices chosen by value (argmax, topk, sort, ...): found in a graph, and as rows.

A chooser's call is read as a table of scores, one row for each choice, and of indices into these rows. The choice
can then be judged or replaced in one way for all of these operators.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import fx

_NO_DEFAULT = inspect.Parameter.empty
# Each operator's parameters in order, with their defaults.
_BEST = {"input": _NO_DEFAULT, "dim": None, "keepdim": False}
_REDUCED = {**_BEST, "dim": _NO_DEFAULT}
_SORTED = {"input": _NO_DEFAULT, "dim": -1, "descending": False, "stable": False}
_SEARCHED = {"boundaries": _NO_DEFAULT, "input": _NO_DEFAULT, "out_int32": False, "right": False}
_PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "argmax": _BEST,
    "argmin": _BEST,
    "max": _REDUCED,
    "min": _REDUCED,
    "median": _REDUCED,
    "nanmedian": _REDUCED,
    "mode": {**_REDUCED, "dim": -1},
    "kthvalue": {"input": _NO_DEFAULT, "k": _NO_DEFAULT, "dim": -1, "keepdim": False},
    "topk": {"input": _NO_DEFAULT, "k": _NO_DEFAULT, "dim": -1, "largest": True, "sorted": True},
    "sort": _SORTED,
    "argsort": _SORTED,
    "searchsorted": {**_SEARCHED, "side": None, "sorter": None},
    "bucketize": {"input": _NO_DEFAULT, **_SEARCHED},
}
# These return values and indices.
_PAIRS = frozenset({"max", "min", "median", "nanmedian", "mode", "kthvalue", "topk", "sort"})
# These point to several places of a row, each of them once.
_SEVERAL = frozenset({"topk", "sort", "argsort"})
_BOUNDED = frozenset({"searchsorted", "bucketize"})
# These take the first of equal values, as documented.
_FIRST = frozenset({"argmax", "argmin", "max", "min"}) | _BOUNDED
_MOST_SCORES = 1 << 26


class Pair(NamedTuple):
    """A stand-in for the results of `max`, `topk` and similar operators."""

    values: torch.Tensor
    indices: torch.Tensor


@dataclass(frozen=True)
class Chooser:
    """A node of a graph that chooses, by the last name of its operator."""

    node: fx.Node
    leaf: str

    @property
    def pair(self) -> bool:
        return self.leaf in _PAIRS

    def call(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> ChooserCall:
        """The call with these values. Errors: only those that the operator itself would raise."""
        return ChooserCall(self.leaf, _bound(self.leaf, args, kwargs))

    def indices_of(self, result: Any) -> torch.Tensor:
        found: torch.Tensor = result[1] if self.pair else result
        return found


def choosers_of(graph: fx.Graph) -> list[Chooser]:
    """Those of a graph whose indices are used, in the order in which they are called."""
    return [Chooser(node, leaf) for node in graph.nodes if (leaf := _leaf(node)) and _used(node, leaf)]


def _leaf(node: fx.Node) -> str | None:
    """The chooser that a node calls. `max(a, b)` and `max(a)` choose no index."""
    if node.op == "call_method":
        leaf = str(node.target)
    elif node.op == "call_function":
        leaf = getattr(node.target, "__name__", "")
    else:
        return None
    if leaf not in _PARAMETERS:
        return None
    try:
        values = _bound(leaf, node.args, node.kwargs)
    except TypeError:
        return None
    dim = values.get("dim")
    return leaf if dim is None or type(dim) is int else None


def _used(node: fx.Node, leaf: str) -> bool:
    return leaf not in _PAIRS or any(not _takes_values(user) for user in node.users)


def _takes_values(user: fx.Node) -> bool:
    return (user.target, user.args[1:]) in ((operator.getitem, (0,)), (getattr, ("values",)))


def _bound(leaf: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The call's arguments by name. TypeError where they are none of this operator."""
    parameters = _PARAMETERS[leaf]
    names = list(parameters)
    given = {{"axis": "dim", "self": "input", "sorted_sequence": "boundaries"}.get(k, k): v for k, v in kwargs.items()}
    if len(args) > len(names) or set(given) - set(names) or set(given) & set(names[: len(args)]):
        raise TypeError(leaf)
    values = {**parameters, **dict(zip(names, args, strict=False)), **given}
    if any(value is _NO_DEFAULT for value in values.values()):
        raise TypeError(leaf)
    return values


@dataclass(frozen=True)
class ChooserCall:
    """One call of a chooser as a table: `scores` of (rows, candidates), indices of (rows, places)."""

    leaf: str
    values: Mapping[str, Any]

    @property
    def source(self) -> torch.Tensor:
        """The values that are chosen from. For searches, the values that are searched for."""
        found: torch.Tensor = self.values["input"]
        return found

    @property
    def several(self) -> bool:
        return self.leaf in _SEVERAL

    @property
    def ordered(self) -> bool:
        return self.leaf != "topk" or bool(self.values["sorted"])

    @property
    def descending(self) -> bool:
        return bool(self.values["largest"] if self.leaf == "topk" else self.values.get("descending"))

    @property
    def first(self) -> bool:
        """Whether the operator's documentation says which of equal values is chosen."""
        return self.leaf in _FIRST or bool(self.values.get("stable"))

    @property
    def free(self) -> bool:
        """Whether there is a choice among several. Of integers there is none where the documentation settles it. Of
        floats there may be one: `Scores` tells where nothing was rounded.
        """
        source = self.source
        if not isinstance(source, torch.Tensor) or source.is_complex() or self.width < 2:
            return False
        if self.leaf in _BOUNDED and source.numel() * self.width > _MOST_SCORES:
            return False
        return source.is_floating_point() or not self.first

    @property
    def width(self) -> int:
        """The number of candidates in a row."""
        if self.leaf in _BOUNDED:
            return int(self.values["boundaries"].shape[-1]) + 1
        dim, shape = self.values["dim"], self.source.shape
        return self.source.numel() if dim is None else int(shape[dim]) if shape else 1

    def scores(self) -> torch.Tensor:
        """The table in float64. For searches: how far the searched value lies outside of each interval, negated."""
        if self.leaf not in _BOUNDED:
            return self._rows(self.source.to(torch.float64))
        bounds, sought = (self.values[name].to(torch.float64) for name in ("boundaries", "input"))
        if self.values.get("sorter") is not None:
            bounds = bounds.gather(-1, self.values["sorter"])
        sought = sought.reshape(*bounds.shape[:-1], -1)
        edge = bounds.new_full((*bounds.shape[:-1], 1), torch.inf)
        low, high = (torch.cat(pair, -1).unsqueeze(-2) for pair in ((-edge, bounds), (bounds, edge)))
        sought = sought.unsqueeze(-1)
        outside = torch.maximum(sought - high, low - sought).clamp_min(0)
        return -outside.reshape(-1, self.width)

    def sizes(self) -> torch.Tensor | None:
        """For searches: the size of the searched value, and so what rounds. None where the scores tell it."""
        return self.source.to(torch.float64).abs().reshape(-1, 1) if self.leaf in _BOUNDED else None

    def rows(self, indices: torch.Tensor) -> torch.Tensor:
        """Indices in the operator's shape as a table of (rows, places)."""
        indices = indices.to(torch.int64)
        if self.several:
            return self._rows(indices)
        if self.values.get("keepdim") and self.values["dim"] is not None and indices.dim():
            indices = indices.movedim(self.values["dim"], -1)
        return indices.reshape(-1, 1)

    def shaped(self, rows: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
        """A table of indices in the operator's shape, which is the shape of `like`."""
        dim = self.values.get("dim")
        if dim is None or not like.dim() or not (self.several or self.values.get("keepdim")):
            return rows.reshape(like.shape).to(like.dtype)
        return rows.reshape(like.movedim(dim, -1).shape).to(like.dtype).movedim(-1, dim).contiguous()

    def result(self, indices: torch.Tensor) -> Any:
        """The operator's result when it chooses these indices."""
        if self.leaf not in _PAIRS:
            return indices
        dim, source = self.values["dim"], self.source
        if self.several or self.values.get("keepdim"):
            return Pair(source.gather(dim, indices), indices)
        return Pair(source.gather(dim, indices.unsqueeze(dim)).squeeze(dim), indices)

    def _rows(self, tensor: torch.Tensor) -> torch.Tensor:
        dim = self.values["dim"]
        if dim is None or not tensor.dim():
            return tensor.reshape(1, -1)
        return tensor.movedim(dim, -1).reshape(-1, tensor.shape[dim])
