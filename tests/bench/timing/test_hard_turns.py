"""Hard draws amid timed calls: more siblings in long blocks, and first the ones that look like timed draws."""

import random
from collections import Counter
from types import SimpleNamespace

import pytest
import torch

from passnet.bench.timing import hard_turns, sizing
from passnet.bench.timing.hard_turns import HardTurns, plain_ones

SMALL = sizing.GraphShape("cpu", (((4, 512), "float32"),), (((4, 512), "float32"),))
LARGE = sizing.GraphShape("cpu", (((4096, 4096), "float32"),), (((4096, 4096), "float32"),))


def turns(plain: frozenset[int], monkeypatch: pytest.MonkeyPatch, shape: sizing.GraphShape = SMALL) -> HardTurns:
    monkeypatch.setattr(hard_turns, "plain_ones", lambda *_: plain)
    given = SimpleNamespace(hard=frozenset({1, 2}), beside=frozenset(range(10, 40)))
    return HardTurns(given, random.Random(0), shape)  # type: ignore[arg-type]


@pytest.mark.parametrize(("timed", "expected"), [(1, 3), (8, 3), (40, 4), (60, 6), (1000, 6)])
def test_a_long_block_has_more_siblings(timed: int, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(turns(frozenset(), monkeypatch).amid(timed)) == 1 + expected


def test_of_large_outputs_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(turns(frozenset({10}), monkeypatch, LARGE).amid(60)) == 1 + 4


def test_behind_a_large_input_are_as_many_siblings_and_the_plain_ones_first(monkeypatch: pytest.MonkeyPatch) -> None:
    large_input = sizing.GraphShape("cpu", (((1 << 16, 1024), "float32"),), (((1 << 16,), "float32"),))
    made = turns(frozenset({10, 11}), monkeypatch, large_input)
    assert len(made.amid(1)) == 1 + 3
    assert made._plain_ones() == {10, 11}


def test_draws_are_due_until_they_were_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    made = turns(frozenset(), monkeypatch)
    first = made.amid(30)
    assert made.amid(30) == first
    made.were_compared()
    assert not set(made.amid(30)[1:]) & set(first)


def test_what_looks_plain_comes_first_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = frozenset(range(10, 16))
    early: Counter[int] = Counter()
    for seed in range(200):
        made = turns(plain, monkeypatch)
        made.rng = random.Random(seed)
        early.update(made.amid(60)[1:])
    shares = sum(early[draw] for draw in plain) / early.total()
    assert 0.5 < shares < 0.9, "6 of 30 draws, with twelve times the weight"
    assert len(early) == 30, "others come too"


def test_what_few_elements_show_decides_who_looks_plain() -> None:
    rng = torch.Generator().manual_seed(0)

    def some(key: int | None, places: list[list[int]]) -> list[torch.Tensor]:
        usual = torch.randn(64, 512, generator=rng)
        words = torch.randint(0, 32000, (64, 512), generator=rng)
        if key == 1:
            usual[3, 17] = 0.0  # one element of many
        elif key == 2:
            usual[:] = 7.0
        elif key == 3:
            words[:] = 11
        elif key == 4:
            usual *= 1000
        elif key == 5:
            usual[::2] = torch.inf
        return [each.flatten()[at] for each, at in zip((usual, words), places, strict=True)]

    like = [torch.empty(64, 512, device="meta"), torch.empty(64, 512, device="meta")]
    given = SimpleNamespace(like=like, key=lambda draw=None: draw, some=some)
    assert plain_ones(given, [1, 2, 3, 4, 5], random.Random(1)) == {1}  # type: ignore[arg-type]
