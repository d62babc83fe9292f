"""What the reference knows of eager's outputs."""

from __future__ import annotations

import pytest
import torch

from passnet.bench.verdict.reference import _same_share


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float8_e4m3fn", "complex32", "bool", "int64"])
@pytest.mark.filterwarnings("ignore:ComplexHalf")
def test_the_share_of_an_output_that_is_the_same_in_every_call(dtype: str) -> None:
    """Some dtypes cannot be compared themselves."""
    first = torch.tensor([[1, 0, 1], [1, 1, 1]]).to(getattr(torch, dtype)).t()
    other = torch.tensor([[1, 0, 0], [0, 0, 1]]).to(getattr(torch, dtype)).t()
    assert _same_share([first, first.clone(), first.contiguous()]) == 1.0
    assert _same_share([first, other]) == 0.5
    assert _same_share([first, other, first]) == 0.5


def test_not_a_number_is_the_same_and_nothing_is_not() -> None:
    odd = torch.tensor([torch.nan, 1.0, torch.inf])
    assert _same_share([odd, odd.clone()]) == 1.0
    assert _same_share([torch.zeros(0, 3)] * 2) == 0.0
    assert _same_share([torch.zeros(())] * 2) == 1.0
