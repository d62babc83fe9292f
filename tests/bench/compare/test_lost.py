"""What eager itself does not know is left out, and hides nothing beside it."""

from __future__ import annotations

import pytest
import torch

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.lost import without_lost

ROWS = 64


def sides(*, lost: int, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """A candidate's unit vectors, eager's and float64's. In the first rows all three point anywhere."""
    draw = torch.Generator().manual_seed(seed)
    wide, got, eager = (
        torch.nn.functional.normalize(torch.randn(ROWS, 3, generator=draw, dtype=torch.float64), dim=-1)
        for _ in range(3)
    )
    got[lost:], eager[lost:] = wide[lost:], wide[lost:]
    return got.float(), eager.float(), wide


def left(
    got: torch.Tensor, eager: torch.Tensor, wide: torch.Tensor, near: Errors | None = None, *, hard: bool = False
) -> tuple[torch.Tensor, torch.Tensor] | None:
    found = without_lost([got], [eager], [wide], [near or Errors()], hard=hard)
    return None if found is None else (found[0][0], found[1][0])


def test_rows_that_eager_does_not_know_are_float64s_on_both_sides() -> None:
    got, eager, wide = sides(lost=3)
    found = left(got, eager, wide)
    assert found is not None
    assert all(torch.equal(each, wide.float()) for each in found)


def test_a_row_that_eager_knows_is_not_hidden_by_others() -> None:
    got, eager, wide = sides(lost=3)
    got[40] = -got[40]
    found = left(got, eager, wide)
    assert found is not None
    assert torch.equal(found[0][40], got[40]) and torch.equal(found[0][:3], wide[:3].float())


def test_nothing_is_left_out_of_usual_draws_where_much_is_lost() -> None:
    got, eager, wide = sides(lost=ROWS // 4)
    assert left(got, eager, wide) is None
    assert left(got, eager, wide, hard=True) is not None


@pytest.mark.parametrize("value", [100.0, torch.inf, torch.nan])
def test_what_is_no_number_or_far_beyond_eagers_farthest_stays(value: float) -> None:
    got, eager, wide = sides(lost=3)
    got[1, 0] = value
    found = left(got, eager, wide)
    assert found is not None
    assert torch.equal(found[0][1, :1], got[1, :1]) or value != value
    assert torch.equal(torch.isfinite(found[0]), torch.isfinite(got))


def test_a_neighbour_tells_of_luck_but_not_where_eager_is_exact() -> None:
    got, eager, wide = sides(lost=3)
    got, lucky = wide.float() + 0.1, wide.float() + 0.02
    found = left(got, lucky, wide, Errors(neighbours=((eager, wide),)))
    assert found is not None and torch.equal(found[0][:3], wide[:3].float())
    assert left(got, wide.float(), wide, Errors(neighbours=((eager, wide),))) is None


def test_an_element_of_a_long_row_is_lost_alone() -> None:
    wide = torch.linspace(-1.0, 1.0, 64 * 32, dtype=torch.float64).reshape(64, 32)
    eager, got = wide.float(), -wide.float()
    eager[5, 7] += 2.0
    found = left(got, eager, wide)
    assert found is not None
    changed = (found[0] != got).nonzero().tolist()
    assert changed == [[5, 7]]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.int64])
def test_dtypes_that_have_rules_of_their_own_are_left_alone(dtype: torch.dtype) -> None:
    wide = torch.arange(-64, 64, dtype=torch.float64)
    assert left((-wide).to(dtype), (wide + 200).to(dtype), wide, hard=True) is None
