"""The careful draws of a graph: hard ones that not every graph survives, in a table of all that make some.

Each is a usual draw in which some inputs are what a naive form may not expect. They are made once for a graph, and go
with its other hard draws as siblings of these. A reference looks first: those on which eager fails do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from passnet.bench.draws.content.input_source import Backgrounds, InputSource, Sources
from passnet.bench.draws.integers import whole_numbers
from passnet.bench.draws.integers.all_entries import all_entries
from passnet.bench.draws.integers.beyond_bounds import beyond_bounds
from passnet.bench.draws.integers.beyond_turns import beyond_turns
from passnet.bench.draws.integers.even_steps import even_steps
from passnet.bench.draws.integers.hit_labels import hit_labels
from passnet.bench.draws.integers.later_places import later_places
from passnet.bench.draws.integers.ranked_labels import ranked_labels
from passnet.bench.draws.integers.skewed_indices import skewed_indices
from passnet.bench.draws.integers.word_sequences import word_sequences
from passnet.bench.draws.relations.alike_lines import alike_lines
from passnet.bench.draws.relations.few_directions import few_directions
from passnet.bench.draws.relations.lasting_states import lasting_states
from passnet.bench.draws.relations.made_of_others import made_of_others
from passnet.bench.draws.relations.met_along import met_along
from passnet.bench.draws.relations.near_rows import near_rows
from passnet.bench.draws.relations.near_weights import near_weights
from passnet.bench.draws.relations.open_gates import open_gates
from passnet.bench.draws.relations.part_fields import part_fields
from passnet.bench.draws.relations.partner_rows import partner_rows
from passnet.bench.draws.relations.related_rows import related_rows
from passnet.bench.draws.relations.smooth_fields import smooth_fields
from passnet.bench.draws.sizes import far_floats, hard_parts, row_sizes
from passnet.bench.draws.sizes.cancelling_levels import cancelling_levels
from passnet.bench.draws.sizes.common_offsets import common_offsets
from passnet.bench.draws.sizes.level_blocks import level_blocks
from passnet.bench.draws.sizes.lone_columns import lone_columns
from passnet.bench.draws.sizes.near_resolution import near_resolution
from passnet.bench.draws.sizes.not_finite import not_finite
from passnet.bench.draws.sizes.one_large import one_large
from passnet.bench.draws.sizes.own_signs import own_signs
from passnet.bench.draws.stored.other_calls import other_calls
from passnet.bench.draws.stored.stored_met import stored_met
from passnet.bench.draws.usual.searched_order import searched_ties
from passnet.bench.draws.values import about_thresholds
from passnet.bench.draws.values.fine_grid import fine_grid
from passnet.bench.draws.values.odd_runs import odd_runs

if TYPE_CHECKING:
    from passnet.bench.draws.sizes.hard_parts import DrawHard
    from passnet.graph import Distribution, Graph

Made = list[list[InputSource]]


@dataclass(frozen=True)
class Given:
    """What makers of careful draws get.

    `names`: the hard distributions, and `draw` draws from one. `backgrounds`: usual draws one after another, those of
    one maker of one kind. `usual`: the same of all kinds. `plain`: a usual draw that is normal in all inputs.
    """

    graph: Graph
    names: Collection[Distribution]
    draw: DrawHard
    backgrounds: Callable[[], Backgrounds]
    usual: Callable[[], Backgrounds]
    plain: Sources
    rng: Random


Maker = Callable[[Given], Made]


def _of_several(maker: Callable[[Graph, Backgrounds, Random], Made]) -> Maker:
    """One that takes one background after another."""
    return lambda given: maker(given.graph, given.backgrounds(), given.rng)


def _of_one(maker: Callable[[Graph, Sources, Random], Made]) -> Maker:
    """One that takes a single background."""
    return lambda given: maker(given.graph, next(given.backgrounds()), given.rng)


def _of_one_usual(maker: Callable[[Graph, Sources, Random], Made]) -> Maker:
    """One that takes a usual draw, in which what may be a mask is of any kind."""
    return lambda given: maker(given.graph, next(given.usual()), given.rng)


def _unchosen(maker: Callable[[Graph, Backgrounds], Made]) -> Maker:
    """One of which nothing is chosen by chance."""
    return lambda given: maker(given.graph, given.backgrounds())


def _weights(given: Given) -> Made:
    return hard_parts.weights(given.graph, given.backgrounds(), [*given.names], given.draw, given.rng)


def _parts(given: Given) -> Made:
    return hard_parts.parts(given.graph, given.backgrounds(), given.rng) if "dominated" in given.names else []


def _lasting_states(given: Given) -> Made:
    return lasting_states(given.graph, given.backgrounds(), given.plain, given.rng)


def _open_gates(given: Given) -> Made:
    return open_gates(given.graph, given.backgrounds(), given.plain, given.rng)


_MAKERS: Sequence[Maker] = (
    _weights,
    _of_several(hard_parts.zeros),
    _of_one(hard_parts.indices),
    _of_several(about_thresholds.thresholds),
    _unchosen(about_thresholds.bounds),
    _of_several(far_floats.far),
    _of_one(whole_numbers.far),
    _of_one(whole_numbers.meeting),
    _of_several(whole_numbers.counting),
    _of_one(word_sequences),
    _of_one(searched_ties),
    _of_several(level_blocks),
    _of_several(about_thresholds.marks),
    _of_several(one_large),
    _of_several(lone_columns),
    _of_several(far_floats.below),
    _of_several(far_floats.sides),
    _of_one(own_signs),
    _of_one(near_resolution),
    _of_several(row_sizes.sizes),
    _of_one_usual(row_sizes.masks),
    _parts,
    _of_several(odd_runs),
    _of_several(alike_lines),
    _of_one(related_rows),
    _of_several(near_rows),
    _of_several(near_weights),
    _of_several(cancelling_levels),
    _of_one_usual(other_calls),
    _of_several(beyond_bounds),
    _of_several(beyond_turns),
    _of_several(later_places),
    _of_several(stored_met),
    _unchosen(not_finite),
    _of_several(even_steps),
    _of_several(hit_labels),
    _of_several(all_entries),
    _of_several(ranked_labels),
    _of_several(made_of_others),
    _of_several(fine_grid),
    _of_several(smooth_fields),
    _of_several(met_along),
    _of_one(skewed_indices),
    _of_several(part_fields),
    _lasting_states,
    _of_several(partner_rows),
    _open_gates,
    _of_several(few_directions),
    _of_several(common_offsets),
)


def careful(given: Given) -> Made:
    """All careful draws of a graph but those of few values, of which some outputs are not compared."""
    return [row for maker in _MAKERS for row in maker(given)]
