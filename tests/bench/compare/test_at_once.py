"""Many outputs measured together: the same numbers as those of each by itself."""

from __future__ import annotations

import math
from dataclasses import astuple, replace
from random import Random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.compare import at_once
from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.comparison import Comparison, Criteria
from passnet.bench.compare.errors import compare
from passnet.bench.compare.farthest import _FARTHEST, SAMPLE, compare_farthest

CRITERIA = Criteria(fp64_factor=4.0, scale_cap=0.1)
_seeds = st.integers(0, 2**31)
_floats = st.sampled_from(("float16", "bfloat16", "float32", "float64"))
_shapes = st.sampled_from([(1,), (7,), (3, 5), (40, 3), (24, 30), (2, 3, 17, 4), (3000,), (SAMPLE + 5000,)])
Output = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def normal(seed: int, *shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed % 2**31), dtype=torch.float64)


def output_of_any_kind(seed: int, dtype: str, shape: tuple[int, ...]) -> Output:
    """A candidate's output, eager's and the truth: rounded, off in some elements, scaled, masked, overflown, or with
    rows and columns that are far smaller than the others.
    """
    rng = Random(seed)
    size = 10.0 ** rng.uniform(-6, 6)
    truth = normal(seed, *shape) * size
    if rng.random() < 0.3:
        truth[normal(seed + 1, *shape) > rng.uniform(0, 2)] = rng.choice((-1e4, -1e9, 0.0, 1.0))
    if rng.random() < 0.2:
        truth = truth + size * 10.0 ** rng.uniform(-2, 3)
    if rng.random() < 0.3:
        part = truth.select(rng.randrange(len(shape)), 0)
        part *= 10.0 ** rng.uniform(-6, 0)
    eager = truth.to(getattr(torch, dtype))
    noisy = rng.random() < 0.7
    got = truth * (1 + 10.0 ** rng.uniform(-9, 0) * normal(seed + 2, *shape)) if noisy else eager.double()
    if rng.random() < 0.3:
        got.view(-1)[rng.randrange(got.numel())] += 10.0 ** rng.uniform(-6, 3)
    if rng.random() < 0.1:
        got.view(-1)[rng.randrange(got.numel())] = rng.choice((math.inf, math.nan))
    return got.to(eager.dtype), eager, truth


def alike(one: Comparison, other: Comparison) -> bool:
    """Whether two comparisons are one, but for the order in which floats were added: some spreads nearly cancel."""

    def flat(value: object) -> list[object]:
        return [leaf for each in value for leaf in flat(each)] if isinstance(value, tuple) else [value]

    pairs = list(zip(flat(astuple(one)), flat(astuple(other)), strict=True))
    return all(
        math.isclose(a, b, rel_tol=1e-5) if isinstance(a, float) and isinstance(b, float) else a == b for a, b in pairs
    )


@given(_seeds, st.integers(1, 5), _floats, _shapes, st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_one_wait_finds_the_same_numbers_as_many(
    seed: int, calls: int, dtype: str, shape: tuple[int, ...], known: bool, hard: bool, coarse: bool
) -> None:
    rows = [output_of_any_kind(seed + call, dtype, shape) for call in range(calls)]
    criteria = replace(CRITERIA, hard=hard, coarse=coarse)
    near = [Errors(eagers=0.01, eagers_farthest=0.05)] if seed % 3 == 0 else None
    asked = [at_once.Values(got, eager, truth if known else None, hard) for got, eager, truth in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(at_once, "_MOST_ON_HOST", math.inf)
        patch.setattr(at_once, "_TABLE_ON_HOST", 3 * math.prod(shape))
        wholes = at_once.wholes(asked)
        patch.setattr(at_once, "_is_on_host", lambda values: False)
        chosen = at_once.farthest(asked, _FARTHEST) if math.prod(shape) > SAMPLE else [None] * calls
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(at_once, "_MOST_ON_HOST", 0)
        for (got, eager, truth), whole, far in zip(rows, wholes, chosen, strict=True):
            given_to = [got], [eager], [truth] if known else None, criteria, near, 2
            assert alike(compare(*given_to, [whole]), compare(*given_to))
            assert alike(compare_farthest(*given_to, [far]), compare_farthest(*given_to))


@given(_seeds, _floats)
@settings(max_examples=20, deadline=None)
def test_what_is_right_needs_no_other_look(seed: int, dtype: str) -> None:
    """Of calls that are right in one way or another, nothing is asked one by one."""
    truths = [normal(seed + call, 24, 30) for call in range(4)]
    rows = [(truth.to(getattr(torch, dtype)), truth) for truth in truths]
    found = at_once.wholes([at_once.Values(eager, eager, truth, False) for eager, truth in rows])
    assert all(whole is not None and whole.even for whole in found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("passnet.bench.compare.errors.without_error", None)
        patch.setattr("passnet.bench.compare.errors.compare_parts", None)
        for (eager, truth), whole in zip(rows, found, strict=True):
            assert compare([eager], [eager], [truth], CRITERIA, known=[whole]).strict


def test_outputs_of_several_kinds_keep_their_places() -> None:
    """Integers, nothing, complex numbers and two shapes, mixed."""
    floats = [normal(call, 8, 8) for call in range(3)]
    others = [torch.arange(64), torch.zeros(0), torch.zeros(4, dtype=torch.complex64), normal(9, 3, 3)]
    order = [floats[0], others[0], others[3], floats[1], others[1], others[2], floats[2]]
    found = at_once.wholes([at_once.Values(each, each, None, False) for each in order * 2])[:7]
    assert [whole is not None for whole in found] == [True, False, True, True, False, False, True]
    spreads = [whole.numbers.spread for whole in found if whole is not None]
    assert spreads == pytest.approx([float(order[at].std(correction=0)) for at in (0, 2, 3, 6)])


@pytest.mark.parametrize("count", [1, 300, 20_000])
def test_a_table_of_many_rows_is_cut(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    sizes = []
    monkeypatch.setattr(at_once, "_wholes", lambda some: sizes.append(len(some)) or [None] * len(some))
    monkeypatch.setattr(at_once, "_MOST_ON_HOST", math.inf)
    monkeypatch.setattr(at_once, "_TABLE_ON_HOST", 30_000)
    values = torch.zeros(count)
    at_once.wholes([at_once.Values(values, values, None, False)] * 7)
    assert sum(sizes) == 7
    assert max(sizes) * count <= max(30_000, count)


def test_a_single_output_is_not_copied() -> None:
    """It may take most of a device."""
    output = normal(1, 6, 5)
    assert at_once._table([output]).data_ptr() == output.data_ptr()
    assert torch.equal(at_once._table([output, output + 1]), torch.stack([output.flatten(), output.flatten() + 1]))
