"""One of many stored integers is another one, and all others are as they were stored."""

from __future__ import annotations

import itertools
from random import Random

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.stored.one_stored import one_stored
from tests.graph.graph_helpers import graph_of, spec

CODES = tuple(3 * (i * i % 17) for i in range(512))


def drawn(*lines: str, data: tuple[int, ...] = CODES) -> list[torch.Tensor]:
    """The stored input in each of the draws."""
    specs = [spec("n", 8, len(data) // 8, dtype="int64", data=data), spec("x", 8, len(data) // 8)]
    graph = graph_of(specs, *lines)
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += one_stored(graph, itertools.repeat(given.draws[0]), Random(3))
    return [given.values(given.key(n))[0].clone() for n in range(first, len(given.draws))]


def test_one_number_of_many_is_another_of_them() -> None:
    (codes,) = drawn("e = n * x", "return (e,)")
    own = torch.tensor(CODES).view_as(codes)
    assert int((codes != own).sum()) == 1 and set(codes.flatten().tolist()) <= set(CODES)


@pytest.mark.parametrize(
    ("lines", "data"),
    [
        (("e = n * x", "return (e,)"), CODES[:64]),
        (("e = n * x", "return (e,)"), (7,) * 512),
        (("e = n * x", "return (e,)"), tuple(range(64)) * 8),
        (("z = x.scatter(1, n, x)", "return (z,)"), tuple(i % 64 for i in range(511, -1, -1))),
        (("m = n.max()", "k = m.item()", "z = torch.zeros(k)", "return (z, x)"), CODES),
    ],
    ids=["few", "one number", "in order", "written by", "a size"],
)
def test_what_must_stay_is_not_changed(lines: tuple[str, ...], data: tuple[int, ...]) -> None:
    assert drawn(*lines, data=data) == []
