"""Finds inputs that say where a call begins: places are counted from them, or are compared with them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from passnet.graph.text.program import refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.thresholds import forms_of
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

_COUNTING = word_set("add add_ sub sub_ rsub iadd isub lt le gt ge eq ne")


def offsets(graph: Graph) -> frozenset[int]:
    """The inputs of integers that are added to other integers, or compared with them, as they are or less a number.

    What is multiplied first is a mark or a factor. So is what meets fractions: the additive mask of `1 - marks`.
    """
    # What is stored is a constant otherwise, and nothing is known of what follows from it.
    drawn = [replace(spec, data=None, mean=None, std=None) if spec.is_integer else spec for spec in graph.specs]
    forms, known, found = forms_of(replace(graph, specs=tuple(drawn))), known_forms(graph), set[int]()
    for op in renewed(graph).statements:
        refs = list(refs_of((*op.args, *(value for _, value in op.kwargs))))
        if plain_name(op) not in _COUNTING or not all(_is_integer(known[ref.index][1]) for ref in refs):
            continue
        for one, other in itertools.permutations(refs, 2):
            theirs = forms.get(other.index, {})
            for index, form in forms.get(one.index, {}).items():
                if form.whole and form.linear and abs(form.factor) == 1 and index not in theirs:
                    found.add(index)
    return frozenset(found)


def _is_integer(dtype: torch.dtype | None) -> bool:
    return dtype is not None and dtype != torch.bool and not (dtype.is_floating_point or dtype.is_complex)
