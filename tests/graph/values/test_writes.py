"""What is found out about a graph that writes over its tensors."""

from __future__ import annotations

import pytest

from passnet.graph import Graph
from passnet.graph.text.program import Ref
from passnet.graph.values.constants import constants, known_values
from passnet.graph.values.indexing import free_integers
from passnet.graph.values.looked_up import may_be
from passnet.graph.values.open_marks import with_open_marks
from passnet.graph.values.thresholds import Threshold, thresholds
from passnet.graph.values.writes import renewed
from tests.graph.graph_helpers import graph_of, spec

_LABELS = spec("x", 4, 8, dtype="int64", min_val=2, max_val=99)
_OPEN = spec("x", 4, 8, dtype="int64")
_TABLE = spec("w", 100, 3)
MOVED = ["z = torch.zeros_like(x)", "a = x[:, :-1]", "c = a.clone()", "z[:, 1:] = c", "z[:, 0] = 2"]
FILLED = ["m = z == -100", "f = z.masked_fill_(m, 1)"]
LOOKED_UP = ["y = torch.nn.functional.embedding(z, w)", "return (y,)"]


def marked(graph: Graph) -> tuple[Threshold, ...]:
    return thresholds(graph).get(0, ())


def test_what_was_written_is_compared() -> None:
    graph = graph_of([_LABELS, _TABLE], *MOVED, *FILLED, *LOOKED_UP)
    assert marked(graph) == (Threshold(-100.0, exact=True),)


@pytest.mark.parametrize(
    "lines",
    [
        ["z = x.new_zeros((4, 8))", "z[:] = x", "m = z == 7"],
        ["z = torch.zeros((4, 8), dtype = torch.int64)", "a = x[:, :-1]", "z[:, 1:] = a", "v = z[:, 2:]", "m = v == 7"],
        ["z = torch.empty_like(x)", "q = z.copy_(x)", "m = z == 7"],
        ["z = x.clone()", "q = z.add_(1)", "q[0] = 5", "m = z == 8"],
        ["z = x * 2", "z.sub_(3)", "m = z == 11"],
    ],
    ids=["all", "a later view", "a copy", "by another name", "in place"],
)
def test_each_way_to_write_is_followed(lines: list[str]) -> None:
    assert Threshold(7.0, exact=True) in marked(graph_of([_LABELS], *lines, "return (m,)"))


def test_a_number_may_be_looked_up_only_where_another_one_is_put_in_its_place() -> None:
    graph = graph_of([_LABELS, _TABLE], *MOVED, *FILLED, *LOOKED_UP)
    assert may_be(graph, 0, -100)
    assert not may_be(graph, 0, -99)
    assert not may_be(graph, 0, 100)
    assert not may_be(graph_of([_LABELS, _TABLE], *MOVED, *LOOKED_UP), 0, -100)


def test_what_is_written_and_then_looked_up_is_not_free() -> None:
    lines = ["z = torch.zeros((4, 8), dtype = torch.int64)", "z[:] = x"]
    assert free_integers(graph_of([_OPEN, _TABLE], *lines, *LOOKED_UP)) == {}
    assert free_integers(graph_of([_OPEN, _TABLE], *lines, "return (z,)")) == {0: False}


def test_a_number_that_is_written_is_a_constant_and_what_is_written_over_none() -> None:
    lines = [
        "z = torch.zeros((4, 8), dtype = torch.int64)",
        "z[:, 0] = 3",
        "m = z == x",
        "a = x[0]",
        "z[0] = a",
        "y = z + 1",
    ]
    graph = graph_of([_LABELS], *lines, "return (m, y)")
    assert constants(graph)[2] == (3.0, 0.0)
    assert not {5, 6} & constants(graph).keys()
    assert constants(graph)[1] == (0.0,)
    assert known_values(graph)[5] == known_values(graph)[1]
    assert {each.value for each in marked(graph)} == {0.0, 3.0}


@pytest.mark.parametrize(
    "lines",
    [
        ["a = x[0]", "x[1] = 3", "y = a + x"],
        ["a = x[0]", "a.fill_(3)", "y = x + 1"],
        ["a = x.detach()", "a.fill_(3)", "y = x + 1"],
        ["s = x.split(2)", "x[1] = 3", "a = s[0]", "y = x + 1"],
        ["x[1] = 3", "a = x[0]", "x[2] = 4", "y = a + x"],
    ],
    ids=["an older view", "a view is written", "detached", "parts", "between"],
)
def test_what_is_read_through_an_older_view_is_left_as_it_is(lines: list[str]) -> None:
    graph = graph_of([_LABELS], *lines, "return (y,)")
    assert renewed(graph).statements == graph.statements()
    assert not renewed(graph).writes


@pytest.mark.parametrize(
    "lines",
    [["a = x + 1", "y = a * 2"], ["a = x + 1", "a += 2", "y = a.mul_(2)"], ["y = torch.relu_(x)"]],
    ids=["no write", "only the result is read", "the last one"],
)
def test_a_graph_that_reads_nothing_by_an_old_name_keeps_its_statements(lines: list[str]) -> None:
    graph = graph_of([_LABELS], *lines, "return (y,)")
    assert renewed(graph).statements is graph.statements()


def test_later_statements_refer_to_the_last_write() -> None:
    graph = graph_of([_LABELS], "x[0] = 3", "q = x.add_(1)", "x[1] = 4", "y = q + x", "return (y,)")
    assert [op.args[:1] for op in renewed(graph).statements] == [(Ref(0),), (Ref(1),), (Ref(2),), (Ref(3),)]
    assert renewed(graph).statements[3].args == (Ref(3), Ref(3))
    assert renewed(graph).writes == {1, 2, 3}


@pytest.mark.parametrize(
    "lines",
    [["z = x.clone()", "z[:, 0] = 2"], ["z = x.clone()", "m = z == 5", "z.masked_fill_(m, 0)"]],
    ids=["a column", "some"],
)
def test_what_is_not_written_over_is_still_looked_up(lines: list[str]) -> None:
    graph = graph_of([_OPEN, _TABLE], *lines, *LOOKED_UP)
    assert graph.index_bounds() == {0: 100}
    assert free_integers(graph) == {}


def test_what_is_written_at_looked_up_places_still_counts_as_a_size() -> None:
    ids, mask = spec("i", 4, dtype="int64"), ["z = x.clone()", "z[i] = 0", "y = torch.repeat_interleave(z, z)"]
    graph = graph_of([_OPEN, ids], *mask, "return (y,)")
    assert free_integers(graph) == {}
    assert graph.index_bounds() == {1: 4}
    assert not may_be(graph, 0, 5)


def test_of_a_divisor_that_is_written_in_part_none_is_zero() -> None:
    marks = spec("x", 4, 8, dtype="int64", min_val=1, max_val=1)
    divided = ["z = x.clone()", "z[0] = 2", "y = w / z", "return (y,)"]
    graph = graph_of([marks, spec("w", 4, 8)], *divided)
    assert with_open_marks(graph).specs[0].min_val == 1
