"""The careful draws in which inputs are others that were moved, or are the same from either end."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.relations.moved_inputs import moved_inputs
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph, TensorSpec
from passnet.graph.values.moves import Meeting, meetings_of
from tests.graph.graph_helpers import graph_of, spec

IDS: dict[str, Any] = {"dtype": "int64", "min_val": 0, "max_val": 50256}
LABELS: dict[str, Any] = {"dtype": "int64", "min_val": -100, "max_val": 50256}
FROM, UP_TO = "[(slice(None, None, None), slice(1, None, None))]", "[(slice(None, None, None), slice(None, -1, None))]"
SHIFTED = (f"a = ids{FROM}", f"b = labels{UP_TO}", "e = a == b", "return (e,)")


def drawn(graph: Graph) -> list[list[torch.Tensor]]:
    """The inputs in each of the draws."""
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += moved_inputs(graph, itertools.repeat(given.draws[0]), Random(3))
    return [[each.clone() for each in given.values(given.key(n))] for n in range(first, len(given.draws))]


def shares(met: torch.Tensor) -> list[float]:
    return met.float().mean(-1).tolist()


def several(values: torch.Tensor) -> int:
    return len(set(values.tolist()))


def test_labels_are_the_next_words_in_rows_in_runs_and_but_for_one() -> None:
    ((ids, labels), *_) = drawn(graph_of([spec("ids", 64, 512, **IDS), spec("labels", 64, 512, **LABELS)], *SHIFTED))
    found = shares(ids[:, 1:] == labels[:, :-1])
    assert sum(each == 1.0 for each in found) >= 16
    assert sum(0.99 < each < 1.0 for each in found) >= 12
    assert sum(0.4 < each < 0.99 for each in found) >= 10
    assert sum(each < 0.1 for each in found) >= 12
    assert several(ids[0]) > 400 and int(ids.min()) >= 0 and int(labels.min()) >= -100


@pytest.mark.parametrize("rows", [(), (1,), (2,), (8,)])
def test_few_rows_meet_in_more_draws(rows: tuple[int, ...]) -> None:
    key = "slice({}, {}, None)" if not rows else "(slice(None, None, None), slice({}, {}, None))"
    lines = [f"a = ids[{key.format(1, None)}]", f"b = labels[{key.format(None, -1)}]", "e = a == b", "return (e,)"]
    made = drawn(graph_of([spec("ids", *rows, 512, **IDS), spec("labels", *rows, 512, **IDS)], *lines))
    assert len(made) == {(): 3, (1,): 3, (2,): 2, (8,): 1}[rows]
    found = [shares((ids[..., 1:] == labels[..., :-1]).reshape(-1, 511)) for ids, labels in made]
    assert any(each == 1.0 for some in found for each in some)
    assert any(0.99 < each < 1.0 for some in found for each in some)


def test_few_of_many_rows_are_so_in_another_draw() -> None:
    _, (ids, labels) = drawn(graph_of([spec("ids", 64, 512, **IDS), spec("labels", 64, 512, **LABELS)], *SHIFTED))
    assert 1 <= sum(share > 0.25 for share in shares(ids[:, 1:] == labels[:, :-1])) <= 4


def test_late_signals_are_moved_along_any_dimension() -> None:
    lines = ["a = s[(slice(None, None, None), slice(3, None, None))]", "b = r.narrow(1, 0, 61)", "d = a - b"]
    ((s, r), *_) = drawn(graph_of([spec("s", 16, 64, 8), spec("r", 16, 64, 8)], *lines, "return (d,)"))
    assert int((s[:, 3:] == r[:, :61]).all(-1).all(-1).sum()) == 4


def test_an_input_repeats_where_it_is_compared_with_itself() -> None:
    lines = ["a = ids[(Ellipsis, slice(7, None, None))]", "b = ids[(Ellipsis, slice(None, -7, None))]", "e = a == b"]
    ((ids,), *_) = drawn(graph_of([spec("ids", 16, 64, **IDS)], *lines, "return (e,)"))
    assert int((ids[:, 7:] == ids[:, :-7]).all(-1).sum()) >= 4 and several(ids[0]) > 6


@pytest.mark.parametrize(
    "lines",
    [
        ("v = w.flip(-1)", "d = w - v", "return (d,)"),
        ("h = w * 0.5", "v = torch.flip(h, [1])", "d = v + 1.0", "return (d,)"),
        ("i = torch.arange(127, -1, -1)", "v = w[(slice(None, None, None), i)]", "d = w - v", "return (d,)"),
        ("i = torch.arange(127, -1, -1)", "v = torch.index_select(w, 1, i)", "d = w - v", "return (d,)"),
    ],
)
def test_rows_are_symmetric_where_they_are_turned_round(lines: Sequence[str]) -> None:
    ((w,), *_) = drawn(graph_of([spec("w", 64, 128)], *lines))
    found, opposite = shares(w == w.flip(-1)), shares(w == -w.flip(-1))
    assert sum(each == 1.0 for each in found) >= 16
    assert sum(0.98 < each < 1.0 for each in found) >= 6
    assert sum(each == 1.0 for each in opposite) == 16
    assert several(w[0]) > 30


def test_one_input_is_another_from_its_end() -> None:
    lines = ("v = r.flip(-1)", "d = s - v", "return (d,)")
    graph = graph_of([spec("s", 64, 128), spec("r", 64, 128)], *lines)
    assert meetings_of(graph) == [Meeting(1, 1, (0, 0), frozenset({1})), Meeting(0, 1, (0, 0), frozenset({1}))]
    ((s, r), *_) = drawn(graph)
    assert any(each == 1.0 for each in shares(s == r.flip(-1)))


@pytest.mark.parametrize(
    ("specs", "lines"),
    [
        ([spec("ids", 8, 64, **IDS), spec("labels", 8, 64, **IDS)], ["e = ids == labels", "return (e,)"]),
        ([spec("ids", 8, 64, **IDS), spec("labels", 4, 64, **IDS)], [f"a = ids{FROM}", "return (a, labels)"]),
        ([spec("x", 8, 64)], [f"a = x{FROM}", f"b = x{UP_TO}", "d = a - b", "return (d,)"]),
    ],
)
def test_other_graphs_have_no_such_draw(specs: Sequence[TensorSpec], lines: Sequence[str]) -> None:
    assert drawn(graph_of(specs, *lines)) == []
