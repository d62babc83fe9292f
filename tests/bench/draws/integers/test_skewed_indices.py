"""The careful draw of skewed indices."""

from __future__ import annotations

from random import Random

import torch

from passnet.bench.draws.integers.skewed_indices import skewed_indices
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

IDS = spec("ids", 65536, dtype="int64", min_val=0, max_val=255)


def given_draws(graph: Graph) -> tuple[SecretInputs, int]:
    given = SecretInputs.draw(graph, "cpu", 1, ["normal"], hard=0)
    usual = len(given.draws)
    given.draws += skewed_indices(graph, given.draws[0], Random(1))
    return given, usual


def test_few_entries_are_met_most() -> None:
    graph = graph_of([IDS, spec("w", 256, 4)], "e = w[ids]", "out = e.mean(0)", "return (out,)")
    given, usual = given_draws(graph)
    assert len(given.draws) == usual + 1
    ids = given.values(given.key(usual))[0]
    counts = torch.bincount(ids, minlength=256).sort().values
    assert len(counts) == 256 and int(ids.min()) >= 0
    assert int(counts[-8:].sum()) > 3 * 8 * 256, "others are met as often by chance"


def test_none_of_what_is_written() -> None:
    lines = ("z = torch.zeros(256, 4)", "z[ids] = x", "out = z.sum(0)", "return (out,)")
    given, usual = given_draws(graph_of([IDS, spec("x", 65536, 4)], *lines))
    assert len(given.draws) == usual
