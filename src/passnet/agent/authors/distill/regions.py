"""Regions: ranges of a graph's statements that may become one kernel.

A range ends at an operator for which libraries are better.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from torch import fx

from passnet.agent.lowering.own_products import OPERATORS, is_ours
from passnet.agent.lowering.pieces import LoweredPiece, Pieces
from passnet.dataset.capture.nodes import call_nodes
from passnet.errors import PassNetError
from passnet.graph import Graph, Op, Ref
from passnet.op_classes import LIBRARY, VIEWS, word_set

# A library has the kernels of these operators. Fusing stops before them and goes on after them.
_LIBRARY = LIBRARY | word_set(
    "addmv mv dot tensordot lstm gru rnn embedding_bag sort argsort topk unique nonzero multinomial fft_fft rfft irfft "
    "fft ifft stft istft cumsum cumprod cdist view_as_complex view_as_real complex polar"
)
# Of these, Inductor has kernels of its own on a GPU.
_SCANS = word_set("cumsum cumprod")
# The operators among those that give a tuple. A statement that takes a tensor out of the tuple stays with them.
_TUPLES = word_set("multi_head_attention_forward lstm gru rnn sort topk unique")
# Operators that change the memory layout or gather from several places. Fused, they save a pass over memory. But each
# of their elements must find out where it comes from. The compiler makes no vectors of such loops.
_MOVES = word_set(
    "pad constant_pad_nd cat concat stack hstack vstack roll flip tile repeat repeat_interleave "
    "grid_sample interpolate unfold fold avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d"
)
# Operators that only view memory in another way. A range of these alone needs no kernel.
_VIEWS = VIEWS | word_set("getitem contiguous detach size getattr dropout")


# A mark for an operator at which a range ends, and names of those of a library that are in a kernel of ours.
_BORDER, _PRODUCT, _SCAN = "", "product of ours", "scan of ours"
# Where a region is cut that slows its graph down.
_CUTS = _MOVES | {_PRODUCT, _SCAN}


@dataclass(frozen=True)
class Region:
    """Statements [first, last] of some variants. `pieces` has a piece for each, by the variant's number in the task."""

    first: int
    last: int
    pieces: Mapping[int, LoweredPiece]


def find(graphs: Sequence[Graph], device: str) -> list[Region]:
    """The regions of a task's graphs. A graph without library operators is one region."""
    found = []
    for operators, numbers in _spellings(graphs, device).items():
        borders = list(ranges(operators))
        if borders == [(0, len(operators) - 1)]:
            found.append(_whole(operators, numbers, graphs))
            continue
        parents = {number: Pieces(graphs[number], device) for number in numbers}
        for first, last in borders:
            cut = {number: _cut(parents[number], first, last) for number in numbers}
            known = {number: piece for number, piece in cut.items() if piece is not None}
            if known:
                found.append(Region(first, last, known))
    return found


def wholes(graphs: Sequence[Graph], device: str) -> list[Region]:
    """Every graph as one region, library operators or not."""
    return [_whole(operators, numbers, graphs) for operators, numbers in _spellings(graphs, device).items()]


def _spellings(graphs: Sequence[Graph], device: str) -> dict[tuple[str, ...], list[int]]:
    """The variants by the operators of their graphs."""
    found: dict[tuple[str, ...], list[int]] = {}
    for number, graph in enumerate(graphs):
        found.setdefault(operators_of(graph, device), []).append(number)
    return found


def _whole(operators: Sequence[str], numbers: Sequence[int], graphs: Sequence[Graph]) -> Region:
    return Region(0, len(operators) - 1, {number: LoweredPiece.whole(graphs[number]) for number in numbers})


def moves(graph: Graph, region: Region, device: str) -> list[int]:
    """The statements of a region that change the memory layout, gather from memory, or are products."""
    operators = operators_of(graph, device)
    return [place for place in range(region.first, region.last + 1) if operators[place] in _CUTS]


def others(graph: Graph, region: Region, device: str, made: Callable[[LoweredPiece], bool]) -> list[int]:
    """The statements of a region that cannot be in a kernel of their own.

    For some of them alone no kernel is `made`, because Inductor leaves them to a library in this dtype. Others take or
    give numbers that do not lie on the device.
    """
    operators, parent = operators_of(graph, device), Pieces(graph, device)
    found = []
    for place in range(region.first, region.last + 1):
        alone = _cut(parent, place, place) if operators[place] not in _VIEWS else None
        if parent.is_off_device(place) or (alone is not None and not made(alone)):
            found.append(place)
    return found


def between(
    graph: Graph, region: Region, device: str, borders: Collection[int]
) -> Iterator[tuple[int, int, LoweredPiece]]:
    """The parts of a region of one graph between some of its statements. Empty if there are no such statements."""
    if not borders:
        return
    parent = Pieces(graph, device)
    names = operators_of(graph, device)[region.first : region.last + 1]
    operators = [_BORDER if place in borders else name for place, name in enumerate(names, region.first)]
    for first, last in ranges(operators, (_BORDER,)):
        piece = _cut(parent, region.first + first, region.first + last)
        if piece is not None:
            yield region.first + first, region.first + last, piece


@functools.lru_cache(maxsize=64)  # asked for every region; shapes of a large graph take seconds
def operators_of(graph: Graph, device: str) -> tuple[str, ...]:
    """The operators' bare names. A statement that takes a tensor out of a library's tuple counts as the library's.
    A product, convolution or scan that a kernel of ours computes has a name of its own.
    """
    made = [name_of(op) for op in graph.statements()]
    if device != "cpu":
        made = [_SCAN if name in _SCANS else name for name in made]
    if device != "cpu" and not OPERATORS.isdisjoint(made):
        nodes = list(call_nodes(graph.module()))
        moved = _moved(nodes, made)
        for place, node in enumerate(nodes):
            if made[place] in OPERATORS and is_ours(node) and not _meets(node, moved):
                made[place] = _PRODUCT
    return tuple(_tuple_of(op, graph, made) or name for op, name in zip(graph.statements(), made, strict=True))


def _moved(nodes: Sequence[fx.Node], names: Sequence[str]) -> set[fx.Node]:
    """The values that are gathered from several places, and what is computed from them before a library is called."""
    found: set[fx.Node] = set()
    for node, name in zip(nodes, names, strict=True):
        if name in _MOVES or (name not in _LIBRARY and not found.isdisjoint(node.all_input_nodes)):
            found.add(node)
    return found


def _meets(node: fx.Node, moved: Collection[fx.Node]) -> bool:
    """Whether what follows a product is combined with values of `moved` that do not follow from it. In one kernel its
    tiles would be read from all of their places.
    """
    after = _after(node)
    beside = {each for follower in after for each in follower.all_input_nodes if each is not node}
    return any(each in moved for each in beside - after)


def _after(node: fx.Node) -> set[fx.Node]:
    """What is computed from a value, the output left out."""
    found: set[fx.Node] = set()
    waiting = [node]
    while waiting:
        new = [user for user in waiting.pop().users if user not in found and user.op != "output"]
        found.update(new)
        waiting += new
    return found


def _tuple_of(op: Op, graph: Graph, made: Sequence[str]) -> str | None:
    """The library operator that gave the tuple of this statement."""
    place = op.args[0].index - len(graph.program.params) if op.args and isinstance(op.args[0], Ref) else -1
    taken = place >= 0 and name_of(op) in ("getitem", "getattr") and made[place] in _TUPLES
    return made[place] if taken else None


def ranges(operators: Sequence[str], borders: Container[str] = _LIBRARY) -> Iterator[tuple[int, int]]:
    """The longest ranges of statements that compute something and have no operator of `borders` (a library's)."""
    first = 0
    for place in range(len(operators) + 1):
        if place == len(operators) or operators[place] in borders:
            trimmed = operators[first:place]
            if any(name not in _VIEWS for name in trimmed):
                yield first, place - 1
            first = place + 1


def name_of(op: Op) -> str:
    """The operator's bare name. In-place forms lose their mark."""
    return op.leaf.rstrip("_") if not op.leaf.startswith("_") else op.leaf


def _cut(graph: Pieces, first: int, last: int) -> LoweredPiece | None:
    try:
        return graph.cut(first, last)
    except PassNetError:
        return None
