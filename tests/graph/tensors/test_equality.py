"""Equality element by element: NaN equals NaN, in every dtype."""

from __future__ import annotations

import math

import pytest
import torch

from passnet.graph.tensors.equality import first_other, same_values


def test_same_values_counts_nan_as_equal_to_itself() -> None:
    left = torch.tensor([1.0, math.nan, -0.0])
    assert same_values(left, left.clone())
    assert same_values(left, torch.tensor([1.0, math.nan, 0.0]))
    assert not same_values(left, torch.tensor([1.0, 2.0, 0.0]))
    assert not same_values(left, torch.tensor([math.nan, math.nan, 0.0]))
    assert same_values(torch.arange(3), torch.arange(3))


def test_half_a_complex_number_may_be_nan() -> None:
    left = torch.tensor([complex(math.nan, 1.0), 2j])
    assert same_values(left, left.clone())
    assert not same_values(left, torch.tensor([complex(1.0, 1.0), 2j]))


def test_nan_in_eight_bits() -> None:
    left = torch.tensor([math.nan, 1.0]).to(torch.float8_e4m3fn)
    assert same_values(left, left.clone())
    assert not same_values(left, torch.tensor([1.0, 1.0]).to(torch.float8_e4m3fn))


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_the_first_other_tensor_is_named(device: str) -> None:
    dtypes = (torch.float32, torch.bfloat16, torch.int64, torch.bool, torch.float8_e4m3fn, torch.complex64)
    left = [torch.tensor([1.0, 0.0]).to(dtype).to(device) for dtype in dtypes]
    assert first_other(left, [tensor.clone() for tensor in left]) is None
    for place, tensor in enumerate(left):
        right = list(left)
        right[place] = tensor.float().flip(0).to(tensor.dtype) if tensor.itemsize == 1 else tensor.flip(0)
        assert first_other(left, right) == place
    nan = torch.tensor([math.nan], device=device)
    assert first_other([nan, nan], [nan.clone(), nan.clone()]) is None
    assert first_other([], []) is None
