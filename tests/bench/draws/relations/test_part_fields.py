"""Lines have structures of their own where a graph mixes neighbours: all of them, some, a few, or a region."""

from __future__ import annotations

from itertools import repeat
from random import Random
from typing import Any

import pytest
import torch

from passnet.bench.draws.relations.field_kinds import FieldBlock
from passnet.bench.draws.relations.part_fields import MarkedPart, part_fields
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

SPECTRUM = ("f = torch._C._fft.fft_rfft(x)", "z = f.abs()", "return (z,)")
DRAWS = 9


def drawn(graph: Graph, seed: int = 3) -> list[list[torch.Tensor]]:
    """The inputs of each draw."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    usual = len(given.draws)
    given.draws += part_fields(graph, repeat(given.draws[0]), Random(seed))
    draws = range(usual, len(given.draws))
    return [[each.clone().double() for each in given.values(given.key(draw))] for draw in draws]


def rows(**fields: Any) -> Graph:
    return graph_of([spec("x", 256, 512, **fields)], *SPECTRUM)


def structured(x: torch.Tensor) -> int:
    """How many rows have most of their power at some frequencies, or a step amid many equal numbers."""
    x = x - x.mean(-1, keepdim=True)
    power = torch.fft.rfft(x).abs().square().sort(-1, descending=True).values
    return int((power[:, :64].sum(-1) > 0.75 * power.sum(-1)).sum())


def test_from_all_rows_to_a_few() -> None:
    for seed in range(4):
        draws = [x for (x,) in drawn(rows(), seed)]
        assert len(draws) == DRAWS
        counts = [structured(x) for x in draws]
        assert counts[0] == 256 > counts[1] > 128, "spikes are flat"
        assert 100 > min(counts[2:4]) > max(counts[4:6]) >= min(counts[4:6]) >= 1 and max(counts[4:6]) < 32
        assert max(counts[6:8]) <= 2
    assert structured(torch.randn(256, 512)) == 0


def test_a_region_is_the_same_in_inputs_of_one_shape() -> None:
    lines = ("d = x - y", "z = torch.nn.functional.avg_pool2d(d, 3)", "return (z,)")
    graph = graph_of([spec("x", 2, 3, 64, 48), spec("y", 2, 3, 64, 48)], *lines)
    block = FieldBlock.of((2, 3, 64, 48), (2, 3))
    part = MarkedPart.of(block, 0.2, Random(1), whole=False)
    assert len(part.lines) == 6
    sizes = [each.stop - each.start for each in part.places]
    assert 0.1 * 64 * 48 < sizes[0] * sizes[1] < 0.3 * 64 * 48
    x, y = drawn(graph)[-1]
    assert not torch.equal(x, y) and abs(float(torch.corrcoef(torch.stack([x.flatten(), y.flatten()]))[0, 1])) < 0.3


def test_of_few_lines_a_region_of_one_has_it() -> None:
    part = MarkedPart.of(FieldBlock.of((1, 3, 64, 64), (2, 3)), 1e-9, Random(2), whole=True)
    assert len(part.lines) == 1 and all(8 <= each.stop - each.start <= 16 for each in part.places)
    part = MarkedPart.of(FieldBlock.of((1, 3, 64, 64), (2, 3)), 1.0, Random(2), whole=True)
    assert len(part.lines) == 3 and part.places == (slice(0, 64), slice(0, 64))


def test_all_channels_of_a_picture_or_one() -> None:
    block = FieldBlock.of((16, 3, 64, 64), (2, 3))
    known = [MarkedPart.of(block, 1e-9, Random(seed), whole=True).lines for seed in range(40)]
    assert {len(each) for each in known} == {1, 2, 3, 6}
    lines = next(each for each in known if len(each) == 3)
    assert int(lines[0]) % 3 == 0 and lines.diff().tolist() == [1, 1]


def test_no_number_tells_that_a_part_is_structured() -> None:
    for seed in range(4):
        for (x,) in drawn(rows(mean=0.5, std=0.3, min_val=0.0, max_val=1.0), seed)[2:]:
            assert float(x.min()) >= 0 and float(x.max()) <= 1
            assert abs(float(x.mean()) - 0.5) < 0.05 and 0.2 < float(x.std()) < 0.35


def test_filters_sum_to_zero_in_some_draws() -> None:
    graph = graph_of([spec("x", 8, 3, 48, 48), spec("w", 8, 3, 3, 3)], "z = torch.conv2d(x, w)", "return (z,)")
    sums = [[float(w.sum((-2, -1)).abs().max()) < 1e-4 for _, w in drawn(graph, seed)] for seed in range(4)]
    assert not any(any(each[:2]) for each in sums)
    hidden = [one for each in sums for one in each[2:]]
    assert any(hidden) and not all(hidden)


def test_of_large_inputs_a_part_comes_again() -> None:
    graph = graph_of([spec("x", 8, 1 << 17)], "z = x.cumsum(-1)", "return (z,)")
    x = drawn(graph)[0][0]
    assert torch.equal(x[:2], x[2:4]) and not torch.equal(x[0], x[1])


@pytest.mark.parametrize("lines", [("z = x.softmax(-1)", "return (z,)"), ("z = x @ y", "return (z,)")])
def test_other_graphs_pay_nothing(lines: tuple[str, ...]) -> None:
    graph, rng = graph_of([spec("x", 64, 64), spec("y", 64, 64)], *lines), Random(1)
    assert part_fields(graph, iter(()), rng) == [] and rng.random() == Random(1).random()
