"""Draws stretches of whole graphs, for benchmarks that can only afford short ones."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from passnet.dataset.cut.parent import Parent, ParentUnfit
from passnet.dataset.cut.pieces import Cut, CutLimits, cut_all
from passnet.dataset.pipeline import workfiles
from passnet.errors import PassNetError
from passnet.graph import Graph, find_graphs

# Windows with larger inputs would spend the time on copies; weights of embeddings, mostly.
MAX_BYTES = 256 * 1024**2
# How many stretches a long graph may give.
ROUNDS = 8


def sample(path: Path, wanted: int, max_ops: int, seed: int) -> list[Graph]:
    """The first `wanted` stretches in a random order of the models, every one another computation."""
    if path.is_file():
        return [workfiles.graph_from_json(data) for data in workfiles.read(path)["graphs"]][:wanted]
    chance = random.Random(seed)
    found: dict[str, Graph] = {}
    for graph in full_graphs(path, chance):
        piece = graph if len(graph.statements()) <= max_ops else stretch(graph, max_ops, chance)
        if piece is not None and piece.nbytes <= MAX_BYTES:
            found.setdefault(piece.structure_hash, piece)
        if len(found) == wanted:
            break
    return list(found.values())


def full_graphs(path: Path, chance: random.Random) -> Iterator[Graph]:
    """Whole graphs in random order, round by round, since another stretch of each can be cut in each round."""
    loaders = list(_loaders(path))
    if not loaders:
        sys.exit(f"no graphs in {path}")
    for _ in range(ROUNDS):
        chance.shuffle(loaders)
        for load in loaders:
            yield from load()


def _loaders(path: Path) -> Iterator[Callable[[], list[Graph]]]:
    """One function for each model, data set row or graph directory."""
    units = sorted(path.glob("*.json.gz"))
    if units:
        for unit in units:
            yield lambda unit=unit: _captured(unit)
        return
    # Needs pyarrow, which a packed sample does not.
    from passnet.dataset.tables import store

    if store.is_store(path):
        for row in store.read_rows(path):
            if row.dtype == "float32":
                yield lambda row=row: [row.graph()]
        return
    for directory in find_graphs(path):
        yield lambda directory=directory: [Graph.read(directory)]


def _captured(unit: Path) -> list[Graph]:
    """The first graph of a model that gave one."""
    return [workfiles.graph_from_json(data) for data in workfiles.read(unit).get("graphs", ())[:1]]


def stretch(graph: Graph, length: int, chance: random.Random) -> Graph | None:
    """A range of about `length` operators that starts at a random place, as a graph; None where none can be cut."""
    try:
        parent = Parent(graph)
        start = chance.randrange(len(parent.calls) - length + 1)
        span = parent.snapped(start, start + length, growth=4)
    except (ParentUnfit, PassNetError):
        return None
    # Values are of no interest here.
    cut = next(iter(cut_all(parent, [span], CutLimits(parent_bytes=-1, piece_bytes=-1)).values()))
    if not isinstance(cut, Cut):
        return None
    return cut.graph.renamed(f"{graph.name}_start{span.start}_end{span.end}")
