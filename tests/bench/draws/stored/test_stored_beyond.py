"""Stored integers are padded where a table is looked up by them, and later where a program reckons with them."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from random import Random

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.stored import stored_beyond as beyond
from passnet.bench.draws.stored.stored_beyond import stored_beyond
from tests.graph.graph_helpers import graph_of, spec

WORDS = tuple(4 + 389 * place % 900 for place in range(8 * 32))
PLACES = tuple(range(64))
LOOKED_UP = "e = torch.nn.functional.embedding(n, w)"


def drawn(
    *lines: str,
    shape: tuple[int, ...] = (8, 32),
    data: tuple[int, ...] = WORDS,
    dtype: str = "int64",
    met: Collection[int] = (),
) -> list[torch.Tensor]:
    """The stored input in each of the draws."""
    graph = graph_of([spec("n", *shape, data=data, dtype=dtype), spec("w", 1009, 4)], *lines)
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += stored_beyond(graph, itertools.repeat(given.draws[0]), Random(3), met)
    return [given.values(given.key(draw))[0].clone() for draw in range(first, len(given.draws))]


def test_words_are_padded_amid_and_at_either_end_and_as_a_whole() -> None:
    half, few, right, left, whole = drawn(LOOKED_UP, "m = n.ne(1)", "return (e, m)")
    assert 0.3 < float((half == 1).float().mean()) < 0.7
    assert 0 < float((few == 1).float().mean()) < 0.3
    assert bool((right[:, -1] == 1).any()) and not bool((right[:, 0] == 1).all())
    assert bool((left[:, 0] == 1).any())
    assert bool((whole == 1).all(1).any())
    for values in (half, few, right, left, whole):
        assert set(values.unique().tolist()) <= {1, *WORDS}


def test_a_word_beside_those_that_are_left_out_is_met() -> None:
    met = {int(n) for values in drawn(LOOKED_UP, "m = n < 3", "return (e, m)") for n in values.unique()}
    assert {2, 3} <= met


@pytest.mark.parametrize(
    "lines",
    [
        (LOOKED_UP, "m = n.ne(-1)", "return (e, m)"),
        (LOOKED_UP, "m = n.ne(1009)", "return (e, m)"),
        (LOOKED_UP, "return (e,)"),
        ("z = torch.zeros(1009, 4)", "v = w[:256]", "f = n.view(-1)", "m = f.ne(1)", "z[f] = v", "return (z, m)"),
        ("k = n.max()", "s = k.item()", "m = n.ne(1)", "z = torch.zeros(s)", "return (z, m)"),
    ],
    ids=["below", "behind", "not compared", "written", "size"],
)
def test_no_number_is_met_that_no_table_has(lines: tuple[str, ...]) -> None:
    assert drawn(*lines) == []


def test_what_has_such_draws_already_is_left_out() -> None:
    assert drawn(LOOKED_UP, "m = n.ne(1)", "return (e, m)", met={0}) == []


def test_places_are_later_far_later_and_as_late_as_in_a_long_text() -> None:
    lines = "f = n.float()", "c = torch.cos(f)", "return (c,)"
    *late, first, second, last = drawn(*lines, shape=(1, 64), data=PLACES)
    assert len(late) == 2 and all(0.2 < float((each > 63).float().mean()) < 0.8 for each in (*late, first, second))
    assert all(64 < int(each.max()) <= 8 * 64 for each in late)
    assert all(6 * 64 < int(each.max()) <= 64 * 64 for each in (first, second))
    assert int(last.min()) > 50 * 64 and int(last.max()) <= 1 << 17
    assert int(last.min()) > 0.75 * int(last.max())


def test_no_place_up_to_those_of_a_long_text_is_left_out() -> None:
    met = set[int]()
    for seed in range(300):
        for powers in (beyond._NEXT, beyond._LATER, beyond._FAR):
            met.update(beyond._behind(64, powers, 1 << 40, Random(seed)))
    ends = [64 * 2 ** (part / 2) for part in range(22)]
    assert all(any(low <= each < high for each in met) for low, high in itertools.pairwise(ends))


def test_products_of_sizes_do_not_overflow() -> None:
    draws = drawn("p = n.prod(1)", "return (p,)", shape=(4, 8), data=(28,) * 31 + (3,))
    assert draws
    for values in draws:
        assert int(values.max()) > 28
        assert all(abs(int(one)) < 2**62 for one in values.double().prod(1))
    assert drawn("p = n * n", "return (p,)", shape=(4,), data=(200, 3, 7, 9), dtype="int16") == []


@pytest.mark.parametrize(
    ("lines", "data"),
    [
        (("u = w[n]", "return (u,)"), PLACES),
        (("f = n * 2", "e = n == 7", "return (e, f)"), PLACES),
        (("f = n * 2.0", "return (f,)"), (0, 1) * 32),
        (("m = n.max()", "k = m.item()", "z = torch.zeros(k)", "f = n * 2", "return (z, f)"), PLACES),
    ],
    ids=["index", "word", "marks", "size"],
)
def test_indices_words_marks_and_sizes_are_never_later(lines: tuple[str, ...], data: tuple[int, ...]) -> None:
    assert drawn(*lines, shape=(1, 64), data=data, met={0}) == []
