"""The numbers that a program makes of literals, of stored content and of sizes alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import fx

from passnet.graph.text.program import Op, Ref, refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.propagation import fake_inputs, propagate
from passnet.graph.values.writes import renewed
from passnet.op_classes import ASSOCIATIVE, FULL, ONES, PERMUTATIONS, RESHAPES, ZEROS, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph
    from passnet.graph.tensors.spec import TensorSpec

# A larger constant is data and no list of numbers.
_MOST_ELEMENTS = 1 << 14
_MADE = FULL | ZEROS | ONES | word_set("tensor arange linspace logspace eye scalar_tensor new_tensor as_tensor")
# These are run here, on small tensors. They end, and they read and write nothing but their arguments.
_FOLDED = (
    _MADE
    | ASSOCIATIVE
    | RESHAPES
    | PERMUTATIONS
    | word_set("""
abs bfloat16 bitwise_left_shift bitwise_not bitwise_right_shift bool cat ceil clamp clamp_max clamp_min clone concat
contiguous cumsum detach div double eq exp exp2 fill flip float floor floor_divide ge getitem gt half int isin le
lift_fresh_copy log log2 logical_not long lt masked_fill movedim narrow ne neg pad pow reciprocal remainder repeat round
rsqrt rsub select setitem sqrt square stack sub t to tril triu trunc type_as where
""")
)


@dataclass(frozen=True)
class TensorForm:
    """What is known of a tensor without computing it. `shape`: None where data decides a size."""

    shape: tuple[int, ...] | None
    dtype: torch.dtype

    @property
    def numel(self) -> float:
        return math.inf if self.shape is None else math.prod(self.shape)


def known_values(graph: Graph) -> Sequence[object]:
    """What is known of each input and of each statement's result without computing it: the form of a tensor, or numbers
    themselves. None where nobody knows. Computed once.
    """
    if "_propagated_values" not in graph.__dict__:
        gm = graph.module(propagated=False)
        propagate(gm, fake_inputs(graph.specs), graph.name)
        made = [_known(node.meta.get("val")) for node in gm.graph.nodes if node.op != "output"]
        statements = renewed(graph).statements
        for place in sorted(renewed(graph).writes):
            written = statements[place - len(graph.specs)].args[0]
            made[place] = made[written.index] if isinstance(written, Ref) else None
        graph.__dict__["_propagated_values"] = made
    known: Sequence[object] = graph.__dict__["_propagated_values"]
    return known


def _known(value: object) -> object:
    if not isinstance(value, torch.Tensor):
        return value if _is_plain(value) else None
    shape = tuple(value.shape)
    return TensorForm(shape if all(type(size) is int for size in shape) else None, value.dtype)


def constants(graph: Graph) -> dict[int, tuple[float, ...]]:
    """Value -> its numbers, where they are the same in every call. Infinite ones are among them. Computed once."""
    if "_constants" not in graph.__dict__:
        found = {index: _numbers(value) for index, value in folded(graph).items()}
        graph.__dict__["_constants"] = {index: numbers for index, numbers in found.items() if numbers}
    known: dict[int, tuple[float, ...]] = graph.__dict__["_constants"]
    return known


def stored(spec: TensorSpec) -> torch.Tensor | None:
    """The content of an input that the metadata has as a whole. A number that the dtype cannot hold is its largest."""
    content = (spec.scalar,) if spec.scalar is not None else spec.data
    if content is None:
        return None
    dtype = getattr(torch, spec.dtype)
    if not dtype.is_floating_point:
        return torch.tensor(content, dtype=dtype).reshape(spec.shape)
    wide, most = torch.tensor(content, dtype=torch.float64), torch.finfo(dtype).max
    return torch.where(wide.isinf(), wide, wide.clamp(-most, most)).to(dtype).reshape(spec.shape)


def never_zero(spec: TensorSpec) -> bool:
    """Whether an input is stored, and no number of it is zero. A graph may divide by it, whatever a call is given."""
    content = stored(spec)
    return content is not None and not bool((content == 0).any())


def folded(
    graph: Graph, inputs: Mapping[int, torch.Tensor] | None = None, most: int = _MOST_ELEMENTS
) -> dict[int, object]:
    """Value -> what it is in every call. A size is known by propagation, and a tensor of no more elements is computed.

    `inputs`: what some inputs are taken to hold.
    """
    count, known = len(graph.specs), known_values(graph)
    nodes = [node for node in graph.module(propagated=False).graph.nodes if node.op != "output"]
    found: dict[int, object] = dict(inputs or {})
    for index, spec in enumerate(graph.specs):
        if index not in found and spec.numel <= most and not spec.is_complex and (content := stored(spec)) is not None:
            found[index] = content
    view = renewed(graph)
    for place, (own, op) in enumerate(zip(graph.statements(), view.statements, strict=True), start=count):
        value = known[place]
        if isinstance(value, TensorForm):
            small = value.numel <= most and plain_name(op) in _FOLDED
            if small and (given := _given(op, found, known)) is not None:
                pairs = zip(_refs_of(own), _refs_of(op), strict=True)
                places = {nodes[old.index]: given[new.index] for old, new in pairs}
                if (made := _run(nodes[place], places, writes=place in view.writes)) is not None:
                    found[place] = made
        elif value is not None:
            found[place] = value
    return found


def _given(op: Op, found: dict[int, object], known: Sequence[object]) -> dict[int, object] | None:
    """What an operation computes with. Of a tensor in whose likeness it makes another one, only the form matters. None
    where it computes with anything else.
    """
    given = {}
    for ref in _refs_of(op):
        form, first = known[ref.index], op.args[0] if op.args else None
        if ref.index in found:
            given[ref.index] = found[ref.index]
        elif op.leaf in _MADE and first == ref and isinstance(form, TensorForm) and form.shape is not None:
            given[ref.index] = torch.zeros((), dtype=form.dtype).expand(form.shape)
        else:
            return None
    return given


def _refs_of(op: Op) -> Iterator[Ref]:
    return refs_of((*op.args, *(value for _, value in op.kwargs)))


def _run(node: fx.Node, places: dict[fx.Node, object], *, writes: bool) -> object | None:
    """The result of one operation. None where it fails: the graph will say so itself. `writes`: the result is its first
    argument, of which a copy is written over.
    """
    given: Any = fx.node.map_arg((node.args, node.kwargs), places.__getitem__)  # type: ignore[arg-type]
    args, kwargs = given
    try:
        with torch.no_grad():
            if writes:
                args = (args[0].clone(), *args[1:])
            call: Any = getattr(args[0], str(node.target)) if node.op == "call_method" else node.target
            made: object = call(*(args[1:] if node.op == "call_method" else args), **kwargs)
            return args[0] if writes else made
    except Exception:  # noqa: BLE001  operators raise whatever they like
        return None


def _is_plain(value: object) -> bool:
    """Whether a value is a number, or numbers, and none that data decides."""
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    return type(value) in (bool, int, float)


def _numbers(value: object) -> tuple[float, ...]:
    """The different numbers of a constant, in their order. None where it is no number or holds complex ones."""
    if isinstance(value, torch.Tensor) and not value.is_complex() and value.dtype != torch.bool:
        listed = value.reshape(-1).tolist()
    else:
        listed = list(value) if isinstance(value, tuple | list) else [value]
    if not all(type(item) in (int, float) for item in listed):
        return ()
    return tuple(dict.fromkeys(float(item) for item in listed if not math.isnan(item)))
