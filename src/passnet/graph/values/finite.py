"""Finds the inputs of which a graph asks whether their numbers are finite, and for which numbers it asks.

What such a question decides is seen in no draw of finite numbers. All other graphs get none that are not finite.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.graph.text.program import Op, Ref, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.solving import InputForm
from passnet.graph.values.thresholds import Compared, comparisons, forms_of
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

NOT_FINITE = (math.nan, math.inf, -math.inf)
# These do nothing else until a number is not finite.
_TESTS = word_set("isnan isinf isneginf isposinf isfinite nan_to_num nanmean nansum isreal")
# These leave NaN out, and are what they are by name for all other numbers.
_WITHOUT_NAN = word_set("fmax fmin nanmedian nanquantile")
_COMPARING = word_set("eq ne lt le gt ge isin")
# A comparison with its sides exchanged.
_TURNED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def asked(graph: Graph) -> dict[int, tuple[float, ...]]:
    """Input -> the numbers that are not finite and that a graph tells from others. A test by name is of all inputs.

    A value that is compared with itself is tested for NaN. One that is compared with an infinity, or with a number
    beyond which its dtype has no other, is tested for that infinity. Computed once. What eager was seen to tell apart
    counts too, see `also_asked`.
    """
    if "_asked" not in graph.__dict__:
        graph.__dict__["_asked"] = _asked(graph)
    found: dict[int, tuple[float, ...]] = graph.__dict__["_asked"]
    return found


def also_asked(graph: Graph, seen: Iterable[tuple[int, float]]) -> None:
    """Have a graph ask for these numbers of inputs too. No text tells all ways to ask: eager was seen to do so."""
    found = {index: dict.fromkeys(map(str, numbers)) for index, numbers in asked(graph).items()}
    for index, number in seen:
        found.setdefault(index, {})[str(number)] = None
    graph.__dict__["_asked"] = {index: tuple(map(float, numbers)) for index, numbers in found.items()}


def _asked(graph: Graph) -> dict[int, tuple[float, ...]]:
    if any(plain_name(op) in _TESTS for op in renewed(graph).statements):
        return dict.fromkeys(range(len(graph.specs)), NOT_FINITE)
    found: dict[int, dict[float, None]] = {}
    forms = forms_of(graph)
    for op in renewed(graph).statements:
        if plain_name(op) in _WITHOUT_NAN or _is_of_itself(op):
            for ref in refs_of((*op.args, *(value for _, value in op.kwargs))):
                for index in forms.get(ref.index, ()):
                    found.setdefault(index, {})[math.nan] = None
    for each in comparisons(graph):
        for index, form in each.forms.items():
            if graph.specs[index].is_inexact and _tells_infinity(each, getattr(torch, graph.specs[index].dtype)):
                found.setdefault(index, {}).update(dict.fromkeys(_infinities(form, each.number)))
    return {index: tuple(numbers) for index, numbers in found.items() if graph.specs[index].is_inexact}


def _is_of_itself(op: Op) -> bool:
    given = arguments(op) if plain_name(op) in ("eq", "ne") else {}
    return isinstance(given.get("input"), Ref) and given.get("input") == given.get("other")


def _tells_infinity(each: Compared, dtype: torch.dtype) -> bool:
    """Whether no finite number of a dtype is on one side of a comparison."""
    most, name = float(torch.finfo(dtype).max), plain_name(each.op)
    if abs(each.number) != most:
        return abs(each.number) > most and name in _COMPARING
    if arguments(each.op).get("other") == Ref(each.value):
        name = _TURNED.get(name, name)
    return name in (("gt", "le") if each.number > 0 else ("lt", "ge"))


def _infinities(form: InputForm, number: float) -> list[float]:
    """What an input is where the value is infinite as the number is. Either infinity where nobody knows."""
    if form.steps is None:
        return [math.inf, -math.inf]
    return [each for each in form.inputs(math.copysign(math.inf, number), Random(0)) if math.isinf(each)]
