"""What goes with hard draws as their siblings: one hard place amid ordinary elements, and careful draws.

The ordinary elements are those of a timed draw, of all of them in turn. If one of these were never the background of
something hard, a few elements would tell that nothing is hard in a call.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from passnet.bench.draws.careful import Given, careful
from passnet.bench.draws.content.input_source import SAMPLES, Backgrounds, InputSource
from passnet.bench.draws.content.row_content import alike_as_whole, rows_of
from passnet.bench.draws.content.stored_content import is_ordered
from passnet.bench.draws.masks import odd_rows
from passnet.bench.draws.masks.hidden_amid import ways_of
from passnet.bench.draws.masks.shown_parts import ShownParts
from passnet.bench.draws.usual.ordered_bounds import in_order, out_of_order
from passnet.bench.draws.usual.searched_order import in_search_order
from passnet.bench.draws.values.few_values import few_values
from passnet.bench.wire.generator import OddPlace
from passnet.graph import Graph
from passnet.graph.values.constants import stored
from passnet.graph.values.indexing import free_integers
from passnet.graph.values.inputs import HARDENING, INTEGER_DISTRIBUTIONS, RowStructure, hardened, row_structures
from passnet.graph.values.roles import roles_of

if TYPE_CHECKING:
    from passnet.graph import Distribution

Row = Sequence[InputSource]
# The hard distributions of which a few elements decide a sum or a maximum, first the one whose elements are on both
# sides of zero. So many siblings have some, two on each of the usual backgrounds.
_FAR: tuple[Distribution, ...] = ("extreme", "offset", "negative")
_LONE = 8
# The hard distributions on which a sum cancels. In one row of six no error of it shows, by luck.
_CANCELLING: tuple[Distribution, ...] = ("offset", "negative")


@dataclass(frozen=True)
class Beside:
    """Makes the siblings and the careful draws of one graph.

    `names`: the hard distributions. `hard`: their draws. `plain`: a usual draw that is normal in all inputs.
    """

    graph: Graph
    structures: Sequence[RowStructure]
    names: Sequence[Distribution]
    hard: Sequence[Row]
    plain: Row
    seed: int

    def siblings(self, usual: Sequence[Row], telling: Collection[int] | None = None) -> list[list[list[InputSource]]]:
        """For each hard draw its siblings, on these backgrounds. `telling`: those on which eager says something."""
        rng = Random(self.seed)
        made = []
        for name, hard in zip(self.names, self.hard, strict=True):
            backgrounds = in_turn(usual, rng)
            beside = [self._beside(name, hard, next(backgrounds), at, rng) for at in self._rows(name, rng)]
            made.append(beside + alike_as_whole(self.graph, next(backgrounds), hard))
        for number, background in self._lone(usual, range(len(self.names)) if telling is None else telling, rng):
            name = self.names[number]
            at = odd_rows.lone_place(self._shapes(name), rng)
            if any(at):
                made[number].append(self._beside(name, self.hard[number], background, at, rng))
        return [[in_search_order(self.graph, row) for row in each] for each in made]

    def _rows(self, name: Distribution, rng: Random) -> list[list[OddPlace | None]]:
        """The odd rows and blocks of rows of the siblings of a hard draw, see `odd_rows.places`."""
        # A row of tiny numbers is one in a sum only where all that are added up are tiny.
        shapes, together = self._shapes(name), name == "tiny"
        ways = odd_rows.places(shapes, rng, together=together)
        if any(each.whole for each in row_structures(self.graph, name)):
            return ways[:1]
        more = name in _CANCELLING and len(ways) == 1
        return ways + odd_rows.places(shapes, rng, together=together) if more else ways

    def _lone(self, usual: Sequence[Row], telling: Collection[int], rng: Random) -> Iterator[tuple[int, Row]]:
        """The hard draws of which a sibling has an odd column or odd elements, and its background.

        Each background has such elements as decide a sum or a maximum. On one that had none, a few elements would tell
        that no other one is large.
        """
        backgrounds = in_turn(usual, rng)
        far = [self.names.index(name) for name in _FAR if name in self.names]
        far = [number for number in far if number in telling] or far
        yield from ((far[0], next(backgrounds)) for _ in range(_LONE if far else 0))
        others = [n for n, name in enumerate(self.names) if name == "tiny" or name in INTEGER_DISTRIBUTIONS or not far]
        yield from ((number, next(backgrounds)) for number in others)

    def _free(self, name: Distribution) -> list[bool]:
        """The inputs that have odd places in siblings of this hard draw. Masks of two numbers and weights are ordinary
        in them, and so is all that is no integer where integers alone are hard.
        """
        flows, far = hardened(self.graph), row_structures(self.graph, name)
        if name in INTEGER_DISTRIBUTIONS:
            flows &= free_integers(self.graph).keys()
        return [
            index in flows
            and not each.literal
            and ((each.first is None and (other.first is None or other.far)) or (each.hides and other.hides))
            for index, (each, other) in enumerate(zip(self.structures, far, strict=True))
        ]

    def _shapes(self, name: Distribution) -> list[tuple[int, ...]]:
        free = self._free(name)
        return [spec.shape if varies else () for spec, varies in zip(self.graph.specs, free, strict=True)]

    def _beside(
        self, name: Distribution, hard: Row, background: Row, at: Sequence[OddPlace | None], rng: Random
    ) -> list[InputSource]:
        """The sibling with these odd places. In half of them what may be a mask has none: all of it is ordinary."""
        row, masks = [], rng.random() < 0.5
        structures = row_structures(self.graph, name)
        for each, other, place, varies, structure in zip(
            background, hard, at, self._free(name), structures, strict=True
        ):
            if varies and structure.whole:
                row.append(replace(each, row=other.row))
            elif structure.hides and place is not None:
                row.append(replace(each, odd=other, at=place, row=other.row) if masks else each)
            else:
                row.append(each if place is None else replace(each, odd=other, at=place))
        return row

    def careful(
        self, usual: Sequence[Row], *, ordinary: bool = False
    ) -> tuple[list[list[InputSource]], dict[int, frozenset[int]]]:
        """The draws that become siblings where eager survives them, and for some the outputs that are not compared.

        `ordinary`: masks are so in all draws that are about something else.
        """
        graph, rng = self.graph, Random(~self.seed)

        def draw(name: Distribution) -> list[InputSource]:
            rows = rows_of(graph, row_structures(graph, name, every=True))
            samples = graph.samples(rng.getrandbits(48), SAMPLES, distribution=name, every=True)
            made = zip(self.plain, self.structures, samples, rows, strict=True)
            return [each if known.literal else InputSource.of_values(values, row) for each, known, values, row in made]

        names = [name for name in self.names if name in HARDENING]
        turns = Random(self.seed)

        ways = ways_of(graph, self.structures, usual, self.plain, self._masks())

        def backgrounds() -> Backgrounds:
            """Those of draws of one kind, which therefore differ."""
            return in_turn(turns.choice(ways), turns)

        given = Given(graph, names, draw, backgrounds, lambda: in_turn(usual, turns), self.plain, rng)
        made = careful(given)
        few = few_values(graph, next(backgrounds()), rng)
        few = [replace(each, row=in_order(graph, each.row)) for each in few]
        made = [in_order(graph, row) for row in made] + out_of_order(graph, next(backgrounds()))
        shown = ShownParts.of(graph, usual, [row for way in ways for row in way])
        made += shown.own_draws(backgrounds(), [*made, *(each.row for each in few)])
        unclear = {len(made) + number: each.unclear for number, each in enumerate(few)}
        made += [each.row for each in few]
        made = made if ordinary else shown.in_others(made, rng)
        return [in_search_order(graph, self._in_order(row, usual[0])) for row in made], unclear

    def _masks(self) -> Row | None:
        """A draw in which masks are of two numbers alone."""
        return next((row for name, row in zip(self.names, self.hard, strict=True) if name == "tiny"), None)

    def _in_order(self, row: Row, usual: Row) -> list[InputSource]:
        """A draw in which what is stored in order is so too: nobody knows what a search among other edges should find.
        Indices may be in any order.
        """
        stays = [each.literal and known.rises for each, known in zip(self.structures, usual, strict=True)]
        made = [known if stay and not each.same else each for each, known, stay in zip(row, usual, stays, strict=True)]
        changed = [  # content that is the same in every call is in order itself
            index
            for index, (each, known) in enumerate(zip(made, self.structures, strict=True))
            if known.literal and each is not usual[index] and not each.same and not each.rises
        ]
        bounds = self.graph.index_bounds() if changed else {}
        roles = roles_of(self.graph.program, self.graph.specs)
        for index in changed:
            content = stored(self.graph.specs[index])
            if content is not None and index not in bounds and is_ordered(content, roles[index]):
                first = not bool(content[..., 0].any())
                other = made[index]
                made[index] = other.rising(content.shape[-1], from_first=first) if other.is_plain else usual[index]
        return made


def in_turn(usual: Sequence[Row], rng: Random) -> Backgrounds:
    """These draws again and again, in a secret order each time."""
    while True:
        yield from rng.sample(usual, len(usual))
