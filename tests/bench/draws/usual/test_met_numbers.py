"""Integers meet the numbers that their graph looks for in every usual draw, and no others more often."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.usual.met_numbers import met_numbers
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

WORDS = {"dtype": "int64", "min_val": 0, "max_val": 50256}


def looking_for(line: str, **fields: Any) -> Graph:
    return graph_of([spec("ids", 64, 256, **WORDS | fields)], line, "m = h.float()", "return (m,)")


def test_a_word_that_is_looked_for_is_in_every_call_and_seldom() -> None:
    graph = looking_for("h = ids == 777")
    given = SecretInputs.draw(graph, "cpu", 3, ("normal", "small", "large", "sparse"))
    for _ in range(12):
        ids = given.values(given.key())[0]
        assert 0.005 < float((ids == 777).double().mean()) < 0.03
        assert int(ids.min()) >= 0
        assert int(ids.max()) > 40_000


@pytest.mark.parametrize(
    ("line", "fields", "due"),
    [
        ("h = ids == 777", {}, [777]),
        ("h = ids == 777", {"dtype": "int32"}, [777]),
        ("h = ids == -100", {}, []),
        ("h = ids == 7", {"max_val": 9}, []),
        ("h = ids + 1", {}, []),
    ],
)
def test_which_numbers_are_met(line: str, fields: dict[str, Any], due: list[int]) -> None:
    found = met_numbers(looking_for(line, **fields), Random(1))
    assert [each.tolist() for each in found.values()] == ([due] if due else [])
    assert all(each.dtype is getattr(torch, fields.get("dtype", "int64")) for each in found.values())


def test_no_index_meets_another_where_it_writes() -> None:
    ids = spec("ids", 64, **WORDS)
    lines = ("h = ids == 777", "m = h.float()", "o = x.scatter(0, ids, m)", "return (o,)")
    assert met_numbers(graph_of([spec("x", 50257), ids], *lines), Random(1)) == {}
