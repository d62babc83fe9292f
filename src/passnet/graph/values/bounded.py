"""Runs a graph's statements within bounds on what they make of plain numbers, tuples and texts, and on how many results
they have. Nothing else ends them where shapes are propagated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import fx

from passnet.graph.errors import GraphError
from passnet.op_classes import word_set

MOST_BITS = 64
MOST_ITEMS = 1 << 16
_PARTS = word_set("chunk unsafe_chunk tensor_split hsplit vsplit dsplit")
_SPLITS = word_set("split unsafe_split split_copy")
_UNBINDS = word_set("unbind unbind_copy")
_LOOPS = word_set("lstm gru rnn_tanh rnn_relu")


class _TooLarge(Exception):
    """What a statement makes is too large. The message says what."""


class BoundedInterpreter(fx.Interpreter):
    """An interpreter that refuses what is beyond the bounds, mostly before it is made.

    Errors: `GraphError` with the statement. `name`: the graph's, for the error.
    """

    def __init__(self, gm: fx.GraphModule, name: str | None = None) -> None:
        super().__init__(gm)
        self.graph_name = name
        # Errors are normal results here, so the interpreter need not add to their text.
        self.extra_traceback = False

    def run_node(self, n: fx.Node) -> Any:
        try:
            result = super().run_node(n)
            _check_result(result)
        except _TooLarge as reason:
            raise GraphError(str(reason), path=self.graph_name, field=f"statement {n.name}") from None
        return result

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        _check_call(getattr(target, "__name__", ""), args, kwargs)
        return super().call_function(target, args, kwargs)

    def call_method(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        _check_call(str(target), args, kwargs)
        return super().call_method(target, args, kwargs)


def _check_call(written: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """`_TooLarge` for a call whose result would be."""
    name = written.partition(".")[0].strip("_")  # `mul.left_t`, `__rpow__`, `mul_`
    given = [*args, *kwargs.values()]
    if any(isinstance(value, torch.Tensor) for value in given[:1]):
        if _count(name, given[0], given[1:], kwargs) > MOST_ITEMS:
            raise _TooLarge(f"it has more than {MOST_ITEMS} results or steps")
        return
    if len(given) < 2:
        return
    first, second = given[:2]
    if name in ("rpow", "rlshift", "rmod"):
        first, second = second, first
    stem = name[1:] if name[:1] in ("i", "r") else name
    if "mul" in (name, stem):
        lengths = [len(value) for value in (first, second) if isinstance(value, list | tuple | str)]
        times = [value for value in (first, second) if isinstance(value, int)]
        if lengths and times and lengths[0] * times[0] > MOST_ITEMS:
            raise _TooLarge(f"it makes a tuple or text of more than {MOST_ITEMS} items")
    elif "mod" in (name, stem) and isinstance(first, str):
        raise _TooLarge("it fills in a text; a graph computes with tensors and sizes")
    elif isinstance(first, int) and isinstance(second, int):
        grown = (first.bit_length() - 1) * second if stem == "pow" or name == "pow" else 0
        grown = second if first and "lshift" in (name, stem) else grown
        if grown > MOST_BITS:
            raise _wide()


def _count(name: str, tensor: torch.Tensor, rest: Sequence[Any], kwargs: Mapping[str, Any]) -> int:
    """How many results a call splits a tensor into, or how many steps it takes over a sequence. 0 for other calls."""
    if name in _LOOPS:
        return max((int(size) for size in tensor.shape if isinstance(size, int)), default=0)
    sizes = [size for size in tensor.shape if isinstance(size, int)]
    number = next((value for value in rest if isinstance(value, int)), 0)
    if name in _PARTS:
        return number
    if name not in _SPLITS | _UNBINDS or len(sizes) != tensor.ndim or not sizes:
        return 0
    place = 0 if name in _UNBINDS else 1
    dim = kwargs.get("dim", rest[place] if len(rest) > place else 0)
    if not isinstance(dim, int) or not -len(sizes) <= dim < len(sizes):
        return 0
    return sizes[dim] if name in _UNBINDS else sizes[dim] // number if number > 0 else 0


def _check_result(value: Any) -> None:
    """`_TooLarge` for a wide integer or many items, those of inner tuples counted too."""
    pending, items = [value], 0
    while pending:
        item = pending.pop()
        if isinstance(item, list | tuple | str):
            items += len(item)
            if items > MOST_ITEMS:
                raise _TooLarge(f"it makes tuples or texts of more than {MOST_ITEMS} items")
            pending += [] if isinstance(item, str) else item
        elif isinstance(item, int) and item.bit_length() > MOST_BITS:
            raise _wide()


def _wide() -> _TooLarge:
    return _TooLarge(f"it makes an integer of more than {MOST_BITS} bits")
