"""Masks of integers that were all 0 or all 1 in the recorded call, such as those of a call without padding.

Positions may be counted from a mask, and looked up. Such a mask is open too if no count leads beyond the table.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import torch

from passnet.graph.values.divisors import divisors
from passnet.graph.values.indexing import reckoning
from passnet.graph.values.looked_up import is_within

if TYPE_CHECKING:
    from passnet.graph.graph import Graph
    from passnet.graph.tensors.spec import TensorSpec


def with_open_marks(graph: Graph) -> Graph:
    """The graph whose masks of one recorded number are 0 or 1. Sizes, divisors and indices themselves stay as they are,
    and so does what others are counted from if these may lie beyond what is looked up.
    """
    closed = {index for index, spec in enumerate(graph.specs) if _is_closed(spec) and _may_be_open(graph, index)}
    closed -= divisors(graph) if closed else set()
    if not closed:
        return graph
    specs = [replace(spec, min_val=0, max_val=1) if index in closed else spec for index, spec in enumerate(graph.specs)]
    return replace(graph, specs=tuple(specs))


def _is_closed(spec: TensorSpec) -> bool:
    one = (spec.min_val, spec.max_val) in ((0, 0), (1, 1))
    return spec.is_integer and spec.numel > 1 and one and spec.data is None


def _may_be_open(graph: Graph, index: int) -> bool:
    """Whether an input may be 0 or 1 anywhere: in no place, on one side and on the other, and in every other place."""
    positive = reckoning(graph, index)
    if positive is not None or index in graph.index_bounds():
        return positive is False
    spec = graph.specs[index]
    places = torch.arange(spec.numel).reshape(spec.shape)
    length = next(size for dims in range(1, len(spec.shape) + 1) if (size := math.prod(spec.shape[-dims:])) > 1)
    behind = 2 * (places % length) >= length
    marks = (places < 0, places >= 0, behind, ~behind, places % 2 == 0, places % 2 == 1)
    return all(is_within(graph, index, partial(each.to, getattr(torch, spec.dtype))) for each in marks)
