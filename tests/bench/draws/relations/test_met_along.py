"""The careful draws in which values follow their index, indices follow each other, and rows are alike behind edges."""

from __future__ import annotations

from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.content.met_relations import Entries, Kind, Relation, skewed
from passnet.bench.draws.relations import met_along as rooms
from passnet.bench.draws.relations.met_along import met_along
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

GROUPS = 16


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """A call of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual = len(given.draws)
    given.draws += met_along(graph, repeat(given.draws[0]), Random(seed))
    return [[each.clone() for each in given.values(given.key(draw))] for draw in range(usual, len(given.draws))]


def grouped(dtype: str = "float32", rows: int = 8192, columns: int = 4) -> Graph:
    specs = [spec("kinds", rows, dtype="int64", min_val=0, max_val=GROUPS - 1), spec("x", rows, columns, dtype=dtype)]
    specs[1] = spec("x", rows, columns, dtype=dtype, mean=3.0, std=1.0, min_val=0.0)
    made = f"z = torch.zeros({GROUPS}, {columns}, dtype = torch.{dtype})"
    return graph_of(specs, made, "out = z.index_add(0, kinds, x)", "return (out,)")


def apart(kinds: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """How far the mean of each group that has members is from that of all, in standard errors."""
    x = x.double()[:, 0]
    groups = [x[kinds == group] for group in range(GROUPS)]
    errors = [abs(float(each.mean() - x.mean())) * len(each) ** 0.5 / float(x.std()) for each in groups if len(each)]
    return torch.tensor(errors)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_values_follow_all_some_or_few_groups(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "_AT_ENDS", 0.0)  # groups at the ends move the mean of all
    followed = [[] for _ in range(7)]  # type: list[list[int]]
    for seed in range(3):
        for number, (kinds, x) in enumerate(drawn(grouped(dtype), seed)):
            assert int(kinds.min()) >= 0 and int(kinds.max()) < GROUPS
            assert float(x.min()) >= 0.0, "the input's own bound"
            followed[number].append(int((apart(kinds, x) > 5).sum()))
    means = [sum(each) / len(each) for each in followed]
    assert means[0] > 8
    for many, blocks, few in (means[1:4], means[4:]):
        assert blocks > 4 and 1 <= many <= 12 and 0 < few <= 6, means


def test_groups_are_near_the_ends_of_what_values_may_be_or_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def farthest(ends: float) -> float:
        monkeypatch.setattr(rooms, "_AT_ENDS", ends)
        kinds, x = drawn(grouped("float32"), 1)[1]
        means = [float(x[kinds == group].mean()) for group in range(GROUPS) if bool((kinds == group).any())]
        return max(means) - min(means)

    assert farthest(1.0) > farthest(0.0) > 0.0


def test_a_share_of_labels_agree_and_cost_less_or_more() -> None:
    specs = [spec(name, 16384, dtype="int64", min_val=0, max_val=31) for name in ("one", "other")]
    specs.append(spec("cost", 32, 32, mean=1.0, std=0.25))
    graph = graph_of(specs, "c = cost[(one, other)]", "out = c.mean()", "return (out,)")
    off = [abs(float(c[a, b].mean() / c.mean()) - 1) for seed in range(3) for a, b, c in drawn(graph, seed)]
    assert sum(each > 0.03 for each in off) >= 10, off


def test_edges_join_rows_that_are_alike() -> None:
    specs = [spec("z", 1024, 16), spec("ends", 2, 8192, dtype="int64", min_val=0, max_val=1023)]
    lines = ("i = ends[0]", "j = ends[1]", "a = z[i]", "b = z[j]", "p = a * b", "s = p.sum(-1)", "out = s.mean()")
    graph = graph_of(specs, *lines, "return (out,)")
    for seed in range(3):
        z, ends = drawn(graph, seed)[2]
        joined = torch.nn.functional.cosine_similarity(z[ends[0]], z[ends[1]], dim=-1)
        others = torch.nn.functional.cosine_similarity(z[ends[0]], z[ends[1].roll(1)], dim=-1)
        assert float(joined.mean() - others.mean()) > 0.2
        assert 0.1 < float((joined > 0.6).double().mean()) < 0.99, "not all are"


def test_large_inputs_come_again_and_stay_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "_MOST", 4096)
    graph = grouped(rows=16384)
    for kinds, x in drawn(graph)[::2]:
        assert int((apart(kinds, x) > 5).sum()) >= 3
    table = next(
        row for row in met_along(graph, repeat(SecretInputs.draw(graph, "cpu", 3, ["normal"]).draws[0]), Random(3))
    )
    assert all(source.table.numel() <= 4096 for source in table)


def test_two_of_a_block_and_two_partners_are_related() -> None:
    rng, generator = Random(1), torch.Generator().manual_seed(1)
    for kind in Kind:
        relation = Relation.drawn(kind, Entries.drawn(0, 100, 100, rng), Entries.drawn(0, 100, 100, rng), 5, rng)
        given = torch.randint(100, (2000,), generator=generator)
        other = relation.related(given, generator)
        assert int(other.min()) >= 0 and int(other.max()) < 100
        assert bool(relation.hold(given, other).all())
        assert float(relation.hold(given, other.roll(1)).double().mean()) < 0.5


def test_few_entries_are_most_of_skewed_indices() -> None:
    counts = skewed(1000, 20000, torch.Generator().manual_seed(1), Random(1)).bincount(minlength=1000).sort().values
    assert int(counts[-10:].sum()) > 1500 and int(counts[:500].sum()) < 6000
