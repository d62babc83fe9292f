"""What goes with hard draws as their siblings: one hard place amid ordinary elements, and careful draws.

The ordinary elements are those of a timed draw, of all of them in turn. If one of these were never the background of
something hard, a few elements would tell that nothing is hard in a call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from passnet.bench.timing import careful, odd_rows, whole_numbers
from passnet.bench.timing.alike_lines import alike_lines
from passnet.bench.timing.careful import Backgrounds
from passnet.bench.timing.few_values import few_values
from passnet.bench.timing.input_source import SAMPLES, InputSource
from passnet.bench.timing.near_resolution import near_resolution
from passnet.bench.timing.not_finite import not_finite
from passnet.bench.timing.other_calls import other_calls
from passnet.bench.timing.own_signs import own_signs
from passnet.bench.timing.row_content import alike_as_whole, rows_of
from passnet.graph import Graph
from passnet.graph.values.inputs import HARDENING, RowStructure, hardened, row_structures

if TYPE_CHECKING:
    from passnet.graph import Distribution

Row = Sequence[InputSource]


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

    def siblings(self, usual: Sequence[Row]) -> list[list[list[InputSource]]]:
        """For each hard draw its siblings, on these backgrounds."""
        rng = Random(self.seed)
        made = []
        for name, hard in zip(self.names, self.hard, strict=True):
            far, backgrounds = row_structures(self.graph, name), in_turn(usual, rng)
            beside = _siblings(self.graph, name, backgrounds, hard, self.structures, far, rng)
            made.append(beside + alike_as_whole(self.graph, next(backgrounds), hard))
        return made

    def careful(self, usual: Sequence[Row]) -> tuple[list[list[InputSource]], dict[int, frozenset[int]]]:
        """The draws that become siblings where eager survives them, and for some the outputs that are not compared."""
        graph, rng = self.graph, Random(~self.seed)

        def draw(name: Distribution) -> list[InputSource]:
            rows = rows_of(graph, row_structures(graph, name, every=True))
            samples = graph.samples(rng.getrandbits(48), SAMPLES, distribution=name, every=True)
            made = zip(self.plain, self.structures, samples, rows, strict=True)
            return [each if known.literal else InputSource.of_values(values, row) for each, known, values, row in made]

        names = [name for name in self.names if name in HARDENING]
        turns = Random(self.seed)

        def backgrounds() -> Backgrounds:
            """Those of draws of one kind, which therefore differ."""
            return in_turn(usual, turns)

        made = careful.weights(graph, backgrounds(), names, draw, rng)
        made += careful.zeros(graph, backgrounds(), rng)
        made += careful.indices(graph, next(backgrounds()), rng)
        made += careful.thresholds(graph, backgrounds(), rng)
        made += careful.bounds(graph, backgrounds())
        made += careful.far(graph, backgrounds(), rng)
        made += whole_numbers.far(graph, next(backgrounds()), rng)
        made += whole_numbers.meeting(graph, next(backgrounds()), rng)
        made += careful.below(graph, backgrounds(), rng)
        made += careful.sides(graph, backgrounds(), rng)
        made += own_signs(graph, next(backgrounds()), rng)
        made += near_resolution(graph, next(backgrounds()), rng)
        made += careful.sizes(graph, backgrounds(), rng)
        made += careful.masks(graph, next(backgrounds()), rng)
        made += careful.parts(graph, backgrounds(), rng) if "dominated" in names else []
        made += alike_lines(graph, backgrounds(), rng)
        made += other_calls(graph, next(backgrounds()), rng)
        made += not_finite(graph, backgrounds())
        few = few_values(graph, next(backgrounds()), rng)
        return [*made, *(each.row for each in few)], {
            len(made) + number: each.unclear for number, each in enumerate(few)
        }


def in_turn(usual: Sequence[Row], rng: Random) -> Backgrounds:
    """These draws again and again, in a secret order each time."""
    while True:
        yield from rng.sample(usual, len(usual))


def _siblings(
    graph: Graph,
    name: Distribution,
    usual: Iterator[Row],
    hard: Row,
    structures: Sequence[RowStructure],
    far: Sequence[RowStructure],
    rng: Random,
) -> list[list[InputSource]]:
    """The siblings of a hard draw, see `odd_rows.places`. Masks and weights are ordinary in them."""
    flows = hardened(graph)
    free = [
        index in flows and not each.literal and (each.first is None) and (other.first is None or other.far)
        for index, (each, other) in enumerate(zip(structures, far, strict=True))
    ]
    shapes = [spec.shape if alone else () for spec, alone in zip(graph.specs, free, strict=True)]
    found = []
    # A row of tiny numbers is one in a sum only where all that are added up are tiny.
    ways = odd_rows.places(shapes, rng, together=name == "tiny")
    for places in ways[:1] if any(each.whole for each in far) else ways:
        row = []
        for each, other, place, varies, structure in zip(next(usual), hard, places, free, far, strict=True):
            if varies and structure.whole:
                row.append(replace(each, row=other.row))
            else:
                row.append(each if place is None else replace(each, odd=other, at=place))
        found.append(row)
    return found
