"""Careful draws in which what one step of a chain begins with decides the next one: states last, or follow in order.

Where each step's data and the table of all transitions are drawn by themselves, which state follows which is a mean
over all of them. So each step by itself tells what follows, and a form without the recursion is right. A trained
tagger's tags go on, and so do the states of a cell. These draws are for the chains that `recurrences` finds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import Content, content_of, may_be_content, with_content
from passnet.bench.draws.content.held_values import bounds_of
from passnet.graph.values.recurrences import Recurrence, recurrences

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import Backgrounds, InputSource, Sources
    from passnet.graph import Graph, TensorSpec

Range = tuple[float, float]
# By how many of its deviations a table's entry for what follows is above the others. In the first draw it is far above,
# and data is as usual, but for its order. In the second it is less so, and the largest numbers of data are far above
# the others. In the third one of both alone is so.
_FAR, _LESS, _ANY = (4.0, 6.0), (2.0, 4.0), (2.0, 6.0)
# A factor is about 1 at least, so that a state neither vanishes nor grows, and all else is so small beside it.
_ABOUT_ONE, _BESIDE = (0.7, 1.1), (0.2, 1.0)
# A table is square, or of so many squares: those of the gates of a cell.
_SMALLEST, _GATES = 4, 4
# For so many steps at least states go on: of one in so many numbers of a row. One in so many is far above the others.
_SHORTEST, _KEPT, _SOME = 3, 4, 32


def lasting_states(graph: Graph, usual: Backgrounds, plain: Sources, rng: Random) -> list[list[InputSource]]:
    """The draws, up to three. None where no chain meets an input in each of its steps.

    `plain`: a draw of which the inputs of a chain have their sizes. Beside large or small ones too little would follow.
    """
    found = recurrences(graph)
    tables = [each for each in found if each.table and _square(graph.specs[each.met])]
    data = dict.fromkeys(step for each in found for step in each.steps if len(graph.specs[step[0]].shape) > 1)
    made: list[list[InputSource]] = []
    ways: list[tuple[Range | None, Range | None]]
    if tables and data:
        alone = rng.random() < 0.5
        ways = [(_FAR, (0.0, 0.0)), (_LESS, _ANY), (_ANY, None) if alone else (None, _ANY)]
    else:
        ways = [(_FAR, None), (_LESS, None)] if tables else [(None, _ANY)] if data else []
    onward = rng.random() < 0.5
    for table, row in ways:
        base, onward = list(next(usual)), not onward
        follows = _Follows(rng, onward=onward)
        values = dict[int, torch.Tensor]()
        for each in tables:
            if table and (own := _content(graph, each.met, plain, rng)) is not None:
                values[each.met] = _above(own, each, follows, rng.uniform(*table), rng)
        for index, dim in data:
            if row and index not in values and (own := _content(graph, index, plain, rng)) is not None:
                values[index] = _going_on(own, dim, follows, rng.uniform(*row), rng)
        if values:
            made.append(with_content(base, values))
    return made


class _Follows:
    """What follows what in one draw: each state itself, or another one in a secret order. It is one for each count."""

    def __init__(self, rng: Random, *, onward: bool) -> None:
        self._rng, self.onward, self._known = rng, onward, dict[int, torch.Tensor]()

    def of(self, count: int) -> torch.Tensor:
        """State -> the next one, of so many."""
        if count not in self._known:
            follows = torch.arange(count)
            if self.onward:
                order = torch.tensor(self._rng.sample(range(count), count))
                follows[order] = order.roll(-1)
            self._known[count] = follows
        return self._known[count]


def _square(spec: TensorSpec) -> bool:
    """Whether an input has one row for each column, or is made of a few such squares."""
    if len(spec.shape) < 2:
        return False
    small, large = sorted(spec.shape[-2:])
    return small >= _SMALLEST and large % small == 0 and large // small <= _GATES


def _content(graph: Graph, index: int, plain: Sources, rng: Random) -> Content | None:
    """An input as it usually is. None where it may not be made so, or its numbers are no finite ones."""
    ends = bounds_of(graph, index)
    if ends is None or not may_be_content(graph, index, plain[index]):
        return None
    values = content_of(graph.specs[index], plain[index], ends, rng)
    return Content(values, ends) if bool(torch.isfinite(values).all()) else None


def _above(own: Content, each: Recurrence, follows: _Follows, lift: float, rng: Random) -> torch.Tensor:
    """A table in which the entry for what follows is so many deviations above the others."""
    made = own.values.double()
    level = lift * float(made.std())
    rows, columns = made.shape[-2:]
    count = min(rows, columns)
    if each.factor:
        level = max(level, rng.uniform(*_ABOUT_ONE))
        made = own.within(made * (rng.uniform(*_BESIDE) / math.sqrt(count)), made)
    begins, after = torch.arange(count), follows.of(count)
    at, to = (after, begins) if each.turned else (begins, after)
    for start in range(0, max(rows, columns), count):
        first, second = (at + start, to) if rows > columns else (at, to + start)
        others = made[..., first, second]
        entries = torch.full_like(others, level) if each.factor else others + level
        made[..., first, second] = entries.clamp(*own.ends)
    return made.to(own.values.dtype)


def _going_on(own: Content, dim: int, follows: _Follows, lift: float, rng: Random) -> torch.Tensor:
    """Data in which the largest numbers of a step are where those of the step before lead to, for some steps."""
    drawn = torch.Generator().manual_seed(rng.getrandbits(48))
    steps = own.values.double().movedim(-dim, 0)
    sizes = steps.flatten(1, -2).sort(-1).values if steps.dim() > 2 else steps.unsqueeze(1).sort(-1).values
    count, _, length = sizes.shape
    sizes[..., length - max(1, length // _SOME) :] += lift * float(sizes.std())
    sizes = sizes.clamp(*own.ends)
    longest = max(_SHORTEST + 1, count if follows.onward else count // 4)
    run = round(math.exp(rng.uniform(math.log(_SHORTEST), math.log(longest))))
    made = torch.empty_like(sizes)
    for step, places in enumerate(_places(sizes.shape, run, follows.of(length), drawn)):
        made[step].scatter_(-1, places, sizes[step])
    return made.view(steps.shape).movedim(0, -dim).to(own.values.dtype).contiguous()


def _places(shape: Sequence[int], run: int, after: torch.Tensor, drawn: torch.Generator) -> Iterator[torch.Tensor]:
    """For each step, the places of the numbers of each row, from the least to the largest. The last ones follow from
    those of the step before in runs of so many steps, and all others are anywhere.

    Each place begins about as many runs as any other one. So no mean over steps tells of this.
    """
    count, rows, length = shape
    kept = max(1, length // _KEPT)
    runs, deals = count // run + 2, length // kept
    decks = torch.rand((-(-rows * runs // deals), length), generator=drawn).argsort(-1)
    dealt = decks[:, : deals * kept].reshape(-1, kept)[: rows * runs].view(rows, runs, kept)
    begun = torch.randint(run, (rows,), generator=drawn)
    largest = dealt[:, 0]
    for step in range(count):
        number = (begun + step) // run
        new = ((begun + step) % run == 0).unsqueeze(-1)
        largest = torch.where(new, dealt[torch.arange(rows), number], after[largest]) if step else largest
        order = torch.rand((rows, length), generator=drawn)
        order.scatter_(-1, largest, torch.arange(1, kept + 1, dtype=order.dtype).expand(rows, kept))
        yield order.argsort(-1)
