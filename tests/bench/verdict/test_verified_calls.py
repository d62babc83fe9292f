"""Which siblings of hard draws the blocks of a verification hold."""

from __future__ import annotations

import random
from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import pytest

from passnet.bench.timing.sizing import GraphShape
from passnet.bench.verdict.verified_calls import VerifiedCalls

_SIBLINGS = {4: tuple(range(10, 22)), 5: (22, 23), 6: ()}


def blocks_of(numbers: int, *, every: bool) -> list[tuple[int, list[int]]]:
    """The blocks of a graph whose input has so many floats."""
    shape = GraphShape("cpu", [((numbers,), "float32")], [((numbers,), "float32")])
    parts: Any = (
        SimpleNamespace(shape=shape),
        SimpleNamespace(siblings=_SIBLINGS),
        SimpleNamespace(rng=random.Random(3)),
    )
    verified = VerifiedCalls(cast("Any", None), *parts)
    return [(draw, list(siblings)) for draw, siblings in verified._blocks([0, 4, 5, 6], every=every)]


@pytest.mark.parametrize("numbers", [1 << 10, 3 << 20, 5 << 20, 20 << 20])
def test_every_sibling_is_in_one_block_of_its_draw(numbers: int) -> None:
    """Above 8 MiB each hard draw had one sibling compared, and what only one draw shows was often not looked at."""
    blocks = blocks_of(numbers, every=True)
    assert Counter((draw, each) for draw, siblings in blocks for each in siblings) == Counter(
        (draw, each) for draw, siblings in _SIBLINGS.items() for each in siblings
    )
    assert {draw for draw, _ in blocks} == {0, 4, 5, 6}
    assert (len(blocks) > 4) == (numbers > 1 << 10)


def test_of_very_large_tensors_some_are_and_elsewhere_one_of_each_draw() -> None:
    assert sum(len(siblings) for _, siblings in blocks_of(1 << 28, every=True)) in range(4, 8)
    assert [len(siblings) for _, siblings in blocks_of(3 << 20, every=False)] == [0, 1, 1, 0]
    assert [len(siblings) for _, siblings in blocks_of(1 << 10, every=False)] == [0, 12, 2, 0]
