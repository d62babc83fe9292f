"""Finds gates: inputs by whose steps a state is multiplied, one step after another, as in a scan or a cell.

How much of a state is left after many steps is the product of all its gates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.recurrences import Along, StepWalk
from passnet.graph.values.writes import renewed
from passnet.op_classes import PERMUTATIONS, RESHAPES, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph
    from passnet.graph.tensors.spec import TensorSpec

# What multiplies a state by a gate. The last multiplies along a dimension by itself.
_MULTIPLYING, _ALONG = word_set("mul addcmul lerp"), word_set("cumprod")
# What leaves numbers as they are.
_AS_THEY_ARE = (
    RESHAPES
    | PERMUTATIONS
    | word_set("""
getitem unbind chunk split tensor_split select narrow t transpose permute unsqueeze contiguous clone detach to float
double half bfloat16 expand expand_as
""")
)
# So many steps have a gate at least.
_LEAST = 3
# Cells in one operator. The second part of their biases is that of the gates that keep a state.
_CELLS = {"lstm": 4, "gru": 3}
_Steps = dict[Along, frozenset[int]]


@dataclass(frozen=True)
class Gates:
    """An input of gates, and the dimension along which its steps are, counted from the end. `plain`: the state is
    multiplied by its numbers themselves.
    """

    index: int
    dim: int
    plain: bool


def gates(graph: Graph) -> list[Gates]:
    """All of them, in the order of the program."""
    walk = StepWalk(graph, [shape for shape, _ in known_forms(graph)])
    walk.begin()
    plain = {index: index for index in walk.alone}
    known: dict[int, _Steps] = {}
    found: dict[Gates, set[int]] = {}
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        refs = [ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
        for each, step in _met(walk, op, refs, known, plain):
            found.setdefault(each, set()).add(step)
        for each in _along(walk, op, refs, plain):
            found.setdefault(each, set()).update(range(_LEAST))
        walk.followed(place, op, refs)
        if plain_name(op) in _AS_THEY_ARE and refs and refs[0] in plain:
            plain[place] = plain[refs[0]]
        known[place] = _steps(refs, known)
        for key, at in walk.at.get(place, {}).items():
            if at is not None:
                known[place][key] = known[place].get(key, frozenset()) | {at}
    return list(dict.fromkeys(each for each, steps in found.items() if len(steps) >= _LEAST))


def _steps(refs: Sequence[int], known: Mapping[int, _Steps]) -> _Steps:
    """The steps from which something follows."""
    made: _Steps = {}
    for ref in refs:
        for key, steps in known.get(ref, {}).items():
            made[key] = made[key] | steps if key in made else steps
    return made


def _met(
    walk: StepWalk, op: Op, refs: Sequence[int], known: Mapping[int, _Steps], plain: Mapping[int, int]
) -> Iterator[tuple[Gates, int]]:
    """The gates of one step that an operation multiplies by what follows from other steps."""
    for ref in refs if plain_name(op) in _MULTIPLYING else ():
        others = [steps for other in refs if other != ref for steps in known.get(other, {}).values()]
        for (index, dim), step in walk.at.get(ref, {}).items():
            own = known.get(ref, {}).get((index, dim), frozenset())
            if step is not None and len(own) == 1 and any(steps - {step} for steps in others):
                yield Gates(index, dim, plain.get(ref) == index), step


def _along(walk: StepWalk, op: Op, refs: Sequence[int], plain: Mapping[int, int]) -> Iterator[Gates]:
    """What an operation multiplies along a dimension."""
    along = arguments(op).get("dim")
    if plain_name(op) not in _ALONG or not refs or not isinstance(along, int):
        return
    for index, labels in walk.labels.get(refs[0], {}).items():
        if -len(labels) <= along < len(labels) and labels[along] > 0:
            yield Gates(index, labels[along], plain.get(refs[0]) == index)


def kept_by_biases(graph: Graph) -> dict[int, int]:
    """The biases of cells that are one operator -> how many numbers a state has. The second so many numbers of a bias
    are of the gates that keep a state.
    """
    found: dict[int, int] = {}
    for op in renewed(graph).statements:
        parts = _CELLS.get(plain_name(op))
        for ref in refs_of((*op.args, *(value for _, value in op.kwargs))) if parts else ():
            spec = graph.specs[ref.index] if ref.index < len(graph.specs) else None
            if parts and spec is not None and _is_bias(spec, parts) and ref.index not in constants(graph):
                found[ref.index] = spec.numel // parts
    return found


def _is_bias(spec: TensorSpec, parts: int) -> bool:
    return len(spec.shape) == 1 and spec.is_inexact and spec.numel > 0 and spec.numel % parts == 0
