"""Which parts of masks are shown in careful draws: padding, runs, a few elements, regions; and ids that are padded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from random import Random

import pytest
import torch

from passnet.bench.draws.masks.shown_parts import ShownParts
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.wire.generator import ALIKE_ROWS, KEPT, LEFT, MIXED, REGIONS, RIGHT, SHARED_ROWS
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

MARKS = {
    "bool": {"dtype": "bool"},
    "integers": {"dtype": "int64", "min_val": 0, "max_val": 1},
    "added": {"mean": -1e38, "std": 1e38},
}


def of_one_mask(rows: int = 64, length: int = 48, kind: str = "bool") -> Graph:
    specs = [spec("x", rows, length), spec("m", rows, length, **MARKS[kind])]
    return graph_of(specs, "f = m.float()", "y = x * f", "return (y,)")


def calls(graph: Graph, seed: int = 3) -> Iterator[tuple[int, int, list[torch.Tensor]]]:
    """A call of each draw in which some part is shown, with the kinds of the first mask and of the first ids."""
    given = SecretInputs.draw(graph, "cpu", seed, ["normal"], hard=0)
    parts, usual = ShownParts.of(graph, [given.draws[0]]), len(given.draws)
    given.draws += parts.in_others([*[given.draws[0]] * 36, *parts.own_draws(repeat(given.draws[0]), [])], Random(seed))
    for draw in range(usual, len(given.draws)):
        kinds = [source.row.uneven for source in given.draws[draw]]
        marked, *_ = [kinds[index] for index in parts.marks] or [0]
        other, *_ = [kinds[index] for index in parts.ids] or [0]
        yield marked, other, [value.clone() for value in given.values(given.key(draw))]


def shown_of(mask: torch.Tensor) -> torch.Tensor:
    return mask > -1e30 if mask.is_floating_point() else mask != 0


def edges(shown: torch.Tensor) -> torch.Tensor:
    """How often each row changes between shown and hidden."""
    return (shown[..., 1:] != shown[..., :-1]).sum(-1)


@pytest.mark.parametrize("kind", MARKS)
def test_padding_is_on_either_side_of_a_random_length_or_of_one(kind: str) -> None:
    times: dict[int, int] = {}
    for mark, _, (_, mask) in calls(of_one_mask(kind=kind)):
        mark, shown = mark & ~KEPT, shown_of(mask)
        side = mark & ~(ALIKE_ROWS | SHARED_ROWS)
        if side not in (RIGHT, LEFT):
            continue
        times[mark & ~SHARED_ROWS] = times.get(mark & ~SHARED_ROWS, 0) + 1
        assert bool((edges(shown) == 1).all()), "something is shown and something is not"
        assert bool(shown[:, 0 if side == RIGHT else -1].all())
        lengths = len(shown.sum(-1).unique())
        assert lengths == 1 if mark & ALIKE_ROWS else lengths > 12
    assert times.keys() == {RIGHT, LEFT, RIGHT | ALIKE_ROWS, LEFT | ALIKE_ROWS} and min(times.values()) >= 3


@pytest.mark.parametrize("kind", MARKS)
def test_runs_gaps_and_every_density_are_in_one_draw(kind: str) -> None:
    found = [shown_of(mask) for mark, _, (_, mask) in calls(of_one_mask(256, 64, kind)) if mark == MIXED]
    assert len(found) >= 3
    for shown in found:
        counts, changes = shown.sum(-1), edges(shown)
        assert int(counts.min()) >= 1 and int(counts.max()) <= 63
        for low, high in ((1, 3), (4, 10), (24, 40), (54, 60), (61, 63)):
            assert bool(((counts >= low) & (counts <= high)).any())
        runs = (changes == 2) & ~shown[:, 0]
        assert int((runs & (counts > 8)).sum()) > 8 and int(((changes == 2) & shown[:, 0]).sum()) > 8
        assert int((changes > 8).sum()) > 16
    alike = [shown_of(mask) for mark, _, (_, mask) in calls(of_one_mask(), 5) if mark == MIXED | ALIKE_ROWS]
    assert alike and all(bool((shown == shown[0]).all()) for shown in alike)


def test_regions_of_matrices_have_few_edges() -> None:
    graph = graph_of([spec("m", 64, 24, 32, dtype="bool")], "y = m.float()", "return (y,)")
    (mask,) = (mask for mark, _, (mask,) in calls(graph) if mark == REGIONS)
    whole_rows = whole_columns = holes = 0
    for matrix in mask:
        inside = matrix if int((matrix.any(-1)).sum()) < 24 or bool(matrix.all(-1).any()) else ~matrix
        rows, columns = matrix.unique(dim=0), matrix.unique(dim=1)
        assert len(rows) <= 2 and columns.shape[1] <= 2, "a rectangle"
        assert bool(matrix.any()) and not bool(matrix.all())
        whole_rows += len(rows) == 1
        whole_columns += columns.shape[1] == 1
        holes += bool(inside[0].all()) and len(rows) == 2 and columns.shape[1] == 2
    assert min(whole_rows, whole_columns, holes) > 2
    assert not any(mark == REGIONS for mark, *_ in calls(of_one_mask_with_infinity()))


def of_one_mask_with_infinity() -> Graph:
    specs = [spec("x", 8, 16, 32), spec("m", 8, 16, 32, mean=-float("inf"), std=float("nan"))]
    return graph_of(specs, "y = x + m", "z = torch.softmax(y, -1)", "return (z,)")


def test_every_row_of_a_mask_of_infinities_shows_something() -> None:
    kinds = set()
    for mark, _, (_, mask) in calls(of_one_mask_with_infinity()):
        kinds.add(mark)
        assert bool(shown_of(mask).any(-1).all()) and bool(torch.isinf(mask).any(-1).all())
    assert {RIGHT, LEFT, MIXED} <= {kind & ~(ALIKE_ROWS | SHARED_ROWS | KEPT) for kind in kinds}


def test_two_masks_are_equal_opposite_apart_or_within_each_other() -> None:
    specs = [spec(name, 256, 48, dtype="bool") for name in "mw"]
    graph = graph_of(specs, "y = m & w", "return (y,)")
    seen = {mark: values for mark, _, values in calls(graph) if mark & SHARED_ROWS and mark & MIXED == MIXED}
    one, other = seen[MIXED | SHARED_ROWS]
    for rows in (one == other, one != other, ~(one & other) & ~(one ^ ~other), (one <= other)):
        assert int(rows.all(-1).sum()) > 8
    apart = ~(one & other).any(-1) & ~(one ^ other).all(-1)
    assert int(apart.sum()) > 8, "and something is in neither"
    assert MIXED | SHARED_ROWS | ALIKE_ROWS in seen
    padded = [values for mark, _, values in calls(graph) if mark & SHARED_ROWS and mark & ~SHARED_ROWS in (RIGHT, LEFT)]
    assert padded and all(bool((one == other).all()) for one, other in padded)


def test_ids_are_padded_on_either_side_within_their_range() -> None:
    specs = [spec("table", 900, 8), spec("i", 64, 48, dtype="int64", min_val=5, max_val=800)]
    graph = graph_of(specs, "y = torch.nn.functional.embedding(i, table)", "return (y,)")
    sides, numbers = set(), set()
    for seed in range(3):
        for _, kind, (_, i) in calls(graph, seed):
            if not kind:
                continue
            side = kind & ~(ALIKE_ROWS | SHARED_ROWS | KEPT)
            ends = i[:, -1 if side == RIGHT else 0]
            assert kind & KEPT and bool((ends == ends[0]).all()) and int(i.min()) >= 5 and int(i.max()) <= 800
            lengths = (i == ends[0]).sum(-1)
            assert int(lengths.min()) >= 1 and len(i.unique()) > 4 and (kind & ALIKE_ROWS or len(lengths.unique()) > 8)
            sides.add(side)
            numbers.add(int(ends[0]))
    assert sides == {RIGHT, LEFT} and 5 in numbers and len(numbers) > 2


def test_an_index_at_which_is_written_is_not_padded() -> None:
    written = [spec("x", 64, 4), spec("i", 2, 3, dtype="int64", max_val=63), spec("s", 6, 4)]
    graph = graph_of(written, "j = i.flatten()", "y = x.index_copy(0, j, s)", "return (y,)")
    assert not any(kind for _, kind, _ in calls(graph))


def test_other_draws_keep_ordinary_masks_too_and_on_a_plain_background_all_do() -> None:
    graph = graph_of([spec("x", 64, 32), spec("m", 64, 32, dtype="bool")], "y = x.masked_fill(m, 0.0)", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 3, ["normal", "small", "extreme"], hard=1)
    kinds = [given.draws[draw][1].row.uneven for draw in given.careful]
    assert kinds.count(0) >= len(kinds) // 4 and {RIGHT, LEFT} <= {
        kind & ~(ALIKE_ROWS | SHARED_ROWS | KEPT) for kind in kinds
    }
    given.make_plain(given.careful)
    assert {given.draws[draw][1].row.uneven for draw in given.careful} == {0, REGIONS}, "a draw of masks alone stays"
