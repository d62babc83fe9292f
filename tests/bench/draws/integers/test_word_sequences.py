"""The careful draw in which words that a graph looks for side by side come in their order."""

from __future__ import annotations

from random import Random

import pytest
import torch

from passnet.bench.draws.integers.word_sequences import sequences, word_sequences
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

WORDS = (11, 4711, 198, 27, 9090, 13)


def looking(join: str = "and", *shape: int) -> Graph:
    """A graph that looks for all of the words one after another."""
    rows, length = shape or (64, 128)
    lines = []
    for place, word in enumerate(WORDS):
        end = length - len(WORDS) + 1 + place
        lines += [f"s{place} = ids[(Ellipsis, slice({place}, {end}, None))]", f"e{place} = s{place} == {word}"]
    if join == "stack":
        lines += [f"t = torch.stack(({', '.join(f'e{place}' for place in range(len(WORDS)))}))", "a5 = t.all(0)"]
    else:
        lines += [f"a{n} = {f'a{n - 1}' if n > 1 else 'e0'} & e{n}" for n in range(1, len(WORDS))]
    specs = [spec("ids", rows, length, dtype="int64", min_val=0, max_val=31_999)]
    return graph_of(specs, *lines, "h = a5.any(-1)", "return (h,)")


def found(ids: torch.Tensor, words: tuple[int, ...] = WORDS) -> torch.Tensor:
    windows = ids.unfold(-1, len(words), 1)
    return (windows == torch.tensor(words)).all(-1).any(-1)


@pytest.mark.parametrize("join", ["and", "stack"])
def test_the_words_of_a_condition_come_in_their_order(join: str) -> None:
    graph = looking(join)
    assert sequences(graph) == {0: [dict(enumerate(WORDS))]}
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    given.draws += word_sequences(graph, given.draws[0], Random(3))
    assert len(given.draws) == 3
    assert int(found(given.values(given.key(2))[0]).sum()) == 1, "and one row of many alone has them"
    (ids,) = given.values(given.key(1))
    assert 0.4 < float(found(ids).float().mean()) < 0.6
    parts = torch.stack([found(ids, WORDS[:3]), found(ids, WORDS[3:])]).any(0)
    assert bool((parts & ~found(ids)).any()), "one word of some is another one"
    assert int(ids.min()) >= 0 and int(ids.max()) < 32_000


def test_one_row_has_the_words() -> None:
    graph = looking("and", 1, 32)
    for seed in range(4):
        given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
        given.draws += word_sequences(graph, given.draws[0], Random(seed))
        assert bool(found(given.values(given.key(1))[0]).all())


def test_the_last_words_of_a_row_count_too() -> None:
    specs = [spec("ids", 64, 32, dtype="int64", min_val=0, max_val=31_999)]
    lines = ["s = ids[(Ellipsis, -2)]", "a = s == 7", "t = ids[(Ellipsis, -1)]", "b = t == 9", "c = a & b"]
    graph = graph_of(specs, *lines, "return (c,)")
    assert sequences(graph) == {0: [{30: 7, 31: 9}]}


@pytest.mark.parametrize(
    "lines",
    [
        ["a = ids == 7", "b = ids == 9", "c = a | b"],
        ["s = ids[(Ellipsis, slice(0, 31, None))]", "t = ids[(Ellipsis, slice(1, 32, None))]", "c = s == t"],
        ["a = ids > 7", "b = ids < 9", "c = a & b"],
    ],
)
def test_no_words_in_order_are_looked_for(lines: list[str]) -> None:
    specs = [spec("ids", 64, 32, dtype="int64", min_val=0, max_val=31_999)]
    assert sequences(graph_of(specs, *lines, "return (c,)")) == {}


def test_rows_of_large_inputs_have_the_words() -> None:
    graph = looking("and", 1100, 1000)
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    given.draws += word_sequences(graph, given.draws[0], Random(3))
    (ids,) = given.values(given.key(1))
    assert torch.equal(ids[1048:], ids[:52]) and 0.4 < float(found(ids).float().mean()) < 0.6
