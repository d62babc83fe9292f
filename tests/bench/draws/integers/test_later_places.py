"""Places are later than in any recorded call, where they are places."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.integers.later_places import later_places
from passnet.bench.draws.secret_inputs import SecretInputs
from tests.graph.graph_helpers import graph_of, spec


def drawn(*lines: str, **fields: Any) -> list[torch.Tensor]:
    """The places in each of the draws."""
    places = {"dtype": "int64", "min_val": 0, "max_val": 63} | fields
    graph = graph_of([spec("p", 64, 128, **places), spec("w", 4096, 4)], *lines)
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += later_places(graph, itertools.repeat(given.draws[0]), Random(3))
    return [given.values(given.key(draw))[0].clone() for draw in range(first, len(given.draws))]


def test_half_of_the_places_and_whole_rows_are_later() -> None:
    half, whole = drawn("f = p.float()", "c = torch.cos(f)", "return (c,)")
    assert 0.4 < float((half > 63).float().mean()) < 0.6
    later = half[half > 63]
    assert int(later.min()) < 2 * 64 and int(later.max()) > 8 * 64 and len(later.unique()) > 6
    assert bool((whole > 63).all(1).any()) and bool((whole <= 63).all(1).any())


def test_what_a_narrow_dtype_does_not_have_is_not_drawn() -> None:
    half, _ = drawn("f = p * 2.0", "return (f,)", dtype="int8")
    assert half.dtype == torch.int8 and bool((half > 63).any())
    assert drawn("f = p * 2.0", "return (f,)", dtype="int8", max_val=127) == []


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        (("u = w[p]", "return (u,)"), {}),
        (("e = p == 7", "f = p * 2.0", "return (e, f)"), {}),
        (("f = p.float()", "a = f + 1.0", "i = torch.argsort(f)", "return (a, i)"), {}),
        (("f = p.float()", "return (f,)"), {}),
        (("f = p * 2.0", "return (f,)"), {"max_val": 1}),
        (("f = p * 2.0", "return (f,)"), {"max_val": None}),
        (("m = p.max()", "n = m.item()", "z = torch.zeros(n)", "return (z,)"), {}),
    ],
)
def test_indices_words_marks_and_sizes_have_their_own(lines: tuple[str, ...], fields: dict[str, Any]) -> None:
    assert drawn(*lines, **fields) == []
