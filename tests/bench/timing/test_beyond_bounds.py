"""Numbers that a program looks for are met beyond the recorded bounds, where nothing ends before them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from passnet.bench.timing.beyond_bounds import beyond_bounds
from passnet.bench.timing.draws import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.looked_up import may_be
from tests.graph.graph_helpers import graph_of, spec

IDS: dict[str, Any] = {"dtype": "int64", "min_val": 4, "max_val": 947}
LOOKED_UP = ("e = torch.nn.functional.embedding(d, w)", "return (e,)")


def graph(*lines: str, shape: tuple[int, ...] = (8, 64), **fields: Any) -> Graph:
    return graph_of([spec("ids", *shape, **IDS | fields), spec("w", 1009, 4)], *lines)


def met(of: Graph) -> set[int]:
    given = SecretInputs.draw(of, "cpu", 3, ["normal"], hard=0)
    made = beyond_bounds(of, given.draws[0], Random(3))
    if not made:
        return set()
    given.draws += made
    return {int(n) for n in given.values(given.key(len(given.draws) - 1))[0].unique() if not 4 <= n <= 947}


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        (("c = ids == 1004", "d = torch.where(c, 0, ids)", *LOOKED_UP), {1004}),
        (("c = ids == -1", "d = ids.masked_fill(c, 0)", *LOOKED_UP), {-1}),
        (("c = ids == -1", "m = ids.clamp_min(-5)", "d = torch.roll(m, 1)", *LOOKED_UP), set()),
        (("c = ids == -1", "d = torch.where(c, 0, ids)", *LOOKED_UP), {-1}),
        (("c = ids == -1", "d = ids + 0", *LOOKED_UP), set()),
        (("c = ids == 1004", "d = ids + 0", *LOOKED_UP), {1004}),
        (("c = ids == 5000", "d = ids + 0", *LOOKED_UP), set()),
        (("c = ids == -10", "f = ids.float()", "return (c, f)"), {-10}),
        (("c = ids < 0", "f = ids.float()", "return (c, f)"), {-1, 0, 1}),
        (("c = ids > 947", "f = ids.float()", "return (c, f)"), {948}),
        (("c = ids == -1", "e = w[ids]", "return (c, e)"), set()),
        (("p = ids + 1", "q = p // 4", "c = q == 0", "return (c,)"), set()),
        (("t = torch.arange(64)", "c = ids >= t", "return (c,)"), {0, 1, 2, 3}),
        (("b = ids.bool()", "f = ids.float()", "return (b, f)"), {0}),
        (("c = ids == 500", "f = ids.float()", "return (c, f)"), set()),
        (("f = ids / 3.0", "c = f > 4000.7", "return (c,)"), set()),
    ],
)
def test_which_numbers_are_met(lines: tuple[str, ...], due: set[int]) -> None:
    assert met(graph(*lines)) == due


def test_no_number_is_met_that_the_dtype_has_not() -> None:
    assert met(graph("c = ids == 300", "return (c,)", dtype="int8", min_val=0, max_val=7)) == set()


def test_a_few_elements_are_one_of_them() -> None:
    assert met(graph("c = ids == -10", "f = ids.float()", "return (c, f)", shape=(1,))) == {-10}


def test_what_is_counted_or_written_keeps_its_bounds() -> None:
    counts = graph("c = ids == 1004", "r = torch.repeat_interleave(w, ids)", "return (c, r)", shape=(1009,))
    assert not may_be(counts, 0, 1004) and met(counts) == set()
    written = graph("c = ids == 1004", "z = w.index_copy(0, ids, w)", "return (c, z)", shape=(1009,))
    assert met(written) == set()
