"""Careful draws in which labels have scores among the best of their rows, at the ranks that a graph asks for.

Of very many classes a label that is drawn by itself hardly ever has one of the few best scores. So whoever never looks
is right in all other draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from passnet.bench.draws.content.drawn_content import content_of, may_be_content, some_rows
from passnet.bench.draws.content.held_values import bounds_of
from passnet.bench.draws.content.input_source import Backgrounds, InputSource, Sources
from passnet.bench.draws.content.integer_ranges import ranges_of
from passnet.graph.values.scored_labels import ScoredLabel, ranks_of, scored_labels

if TYPE_CHECKING:
    from passnet.graph import Graph

# With fewer rows there are so many draws.
_FEW_ROWS, _DRAWS = 8, 2


def ranked_labels(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws: one, or two where there are few labels. None where no label's score is compared with others."""
    found = [each for each in scored_labels(graph) if each.scores is not None]
    if not found:
        return []
    ranks, made = ranks_of(graph), list[list[InputSource]]()
    few = any(graph.specs[each.label.index].numel < _FEW_ROWS for each in found)
    for turn in range(_DRAWS if few else 1):
        base = next(usual)
        row = list(base)
        for each in found:
            _rank(graph, each, base, row, ranks, turn, rng)
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def _rank(
    graph: Graph,
    each: ScoredLabel,
    usual: Sources,
    row: list[InputSource],
    ranks: Sequence[int],
    turn: int,
    rng: Random,
) -> None:
    """Let labels of one input be the places of scores at chosen ranks."""
    scores, index, label = each.scores, each.label.index, each.label
    low, high = ranges_of(graph, usual).get(index, (1, 0))
    bounds = None if scores is None else bounds_of(graph, scores)
    if scores is None or bounds is None or low > high or not may_be_content(graph, index, usual[index]):
        return
    if row[scores] is not usual[scores] or not may_be_content(graph, scores, usual[scores]):
        return
    content = content_of(graph.specs[scores], usual[scores], bounds, rng)
    rows = content.movedim(each.dim, -1).reshape(-1, label.choice.classes)
    labels = content_of(graph.specs[index], usual[index], (low, high), rng)
    flat = labels.reshape(-1)
    if len(flat) % len(rows) or (len(flat) != len(rows) and each.dim != content.dim() - 1):
        return
    wanted = _wanted(ranks, label.choice.classes, rng)
    order = rows.double().argsort(-1, descending=True)
    for number in some_rows(len(flat), rng):
        rank = wanted[(number + turn) % len(wanted)]
        if rank is None:
            continue
        place = int(order[number * len(rows) // len(flat), rank])
        numbers = [value for value in label.form.inputs(place, rng) if low <= value <= high and value % 1 == 0]
        flat[number] = int(numbers[0]) if numbers else flat[number]
    row[scores] = usual[scores].of_content(content, held=False)
    row[index] = usual[index].of_content(flat.reshape(labels.shape), held=False)


def _wanted(ranks: Sequence[int], classes: int, rng: Random) -> list[int | None]:
    """Ranks from 0, in a secret order: those at each number that a program asks for, below it and beyond; the worst;
    and None for a label as it is drawn.
    """
    near = {rank + by for rank in ranks for by in (-1, 0, 1)} | {0, rng.randrange(2 * max(ranks) + 1)}
    found: list[int | None] = [rank for rank in near if 0 <= rank < classes]
    found += [-1, -rng.randint(1, min(classes, max(ranks) + 1)), None, None]
    return rng.sample(found, len(found))
