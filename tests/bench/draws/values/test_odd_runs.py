"""The careful draws in which a run amid each row is unlike the row's ends."""

from __future__ import annotations

from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.values.odd_runs import odd_runs
from passnet.bench.wire import generator
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """A call of each of the draws."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    made = odd_runs(graph, repeat(given.draws[0]), Random(seed))
    given.draws += made
    first = len(given.draws) - len(made)
    return [[value.clone() for value in given.values(given.key(first + n))] for n in range(len(made))]


def hidden(is_so: torch.Tensor, share: float) -> float:
    """The share of rows in more of which something is so, and hardly anywhere in either sixteenth of it at its ends."""
    part = is_so.shape[-1] // 16
    ends = torch.stack([is_so[..., :part], is_so[..., -part:]]).float().mean(-1).amax(0)
    return float(((is_so.float().mean(-1) > share) & (ends < 0.25)).float().mean())


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "float64"])
def test_most_of_a_row_is_large_and_its_ends_are_not(dtype: str) -> None:
    rows, whole = drawn(graph_of([spec("x", 512, 256, dtype=dtype)], "a = x > 1.0", "return (a,)"))
    assert hidden(rows[0] > 1.0, 0.5) > 0.1 and hidden(rows[0] > 1.0, 0.75) > 0.03
    assert hidden(rows[0] <= 1.0, 0.5) > 0.03, "and the other way about"
    assert float((rows[0] > 1.0).flatten(1).any(-1).float().mean()) > 0.9
    assert whole[0].dtype == rows[0].dtype and not torch.equal(whole[0], rows[0])


@pytest.mark.parametrize("number", [-1.0, 0.0, 7.0])
def test_both_parts_are_on_their_own_side_of_a_number(number: float) -> None:
    for (x,) in drawn(graph_of([spec("x", 512, 256)], f"a = x > {number}", "return (a,)"), 5)[:1]:
        assert hidden(x > number, 0.5) > 0.1 and hidden(x < number, 0.5) > 0.03


def test_bytes_of_frames_are_white_amid_dark_edges() -> None:
    """All that a byte may be is drawn, although few bytes are usual."""
    specs = [spec("x", 128, 64, 64, dtype="uint8")]
    frames, rows = drawn(graph_of(specs, "a = x > 220", "return (a,)"))
    assert hidden((frames[0] > 220).flatten(1), 0.5) > 0.1
    assert hidden(rows[0] > 220, 0.5) > 0.1


@pytest.mark.parametrize("dtype", ["int64", "int32", "float32"])
def test_two_inputs_are_the_same_amid_ends_that_differ(dtype: str) -> None:
    bounds = {} if dtype == "float32" else {"max_val": 1 << 20}
    specs = [
        spec("a", 512, 256, dtype=dtype, min_val=1, **bounds),
        spec("b", 512, 256, dtype=dtype, min_val=2, **bounds),
    ]
    *_, (a, b) = drawn(graph_of(specs, "e = a == b", "return (e,)"))
    assert hidden(a == b, 0.5) > 0.1 and hidden(a == b, 0.75) > 0.03 and hidden(a != b, 0.5) > 0.03
    assert int(a.min()) >= 1 and int(b.min()) >= 2
    assert float((a[:, :-1] != a[:, 1:]).float().mean()) > 0.9, "a run has numbers of its own"


def test_the_elements_of_a_run_follow_from_the_key_alone() -> None:
    """As elsewhere: the record says where, and equal keys give equal bytes in any place."""
    zero, one = torch.zeros(1, dtype=torch.int64), torch.ones(1, dtype=torch.int64)
    made = []
    for meets in (False, True):
        outs = [torch.empty(64, 32, 32, dtype=torch.int64) for _ in range(3)]
        runs = generator.OddRuns(32, 32, meets)
        filled = [
            generator.Filled(
                out, zero, generator.DrawKind.PICK, 1, number, runs=runs,
                odd=generator.Filled(out, one, generator.DrawKind.PICK, 1, number),
            )
            for out, number in zip(outs, (0, 1, 0), strict=True)
        ]  # fmt: skip
        generator.drawer(filled, "cpu")(12, 34)
        made.append(outs)
        assert torch.equal(outs[0], outs[2]) and torch.equal(outs[0], outs[1]) is meets
        for frame in outs[0]:
            edges = (frame[1:] != frame[:-1]).any(-1).sum(), (frame[:, 1:] != frame[:, :-1]).sum(-1).amax()
            assert int(edges[1]) <= 2, "one run in a row"
    assert not torch.equal(made[0][0], made[1][0])


def test_short_rows_have_no_runs() -> None:
    assert drawn(graph_of([spec("x", 64, 4)], "a = x > 1.0", "return (a,)")) == []
