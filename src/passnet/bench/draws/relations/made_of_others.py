"""Careful draws in which one input is made of another one's numbers, moved, in another order, or in a few places."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.bench.draws.relations.contained_inputs import contained_inputs
from passnet.bench.draws.relations.moved_inputs import moved_inputs
from passnet.bench.draws.relations.near_codes import near_codes
from passnet.bench.draws.relations.reversed_pairs import reversed_pairs
from passnet.bench.draws.relations.shuffled_rows import shuffled_rows

if TYPE_CHECKING:
    from passnet.graph import Graph


def made_of_others(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws of all kinds. None where a graph compares no inputs so."""
    made = moved_inputs(graph, usual, rng) + shuffled_rows(graph, usual, rng) + contained_inputs(graph, usual, rng)
    return made + reversed_pairs(graph, usual, rng) + near_codes(graph, usual, rng)
