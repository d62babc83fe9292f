"""Equality element by element: NaN equals NaN, in every dtype."""

from __future__ import annotations

import math

import torch

from passnet.graph.tensors.equality import same_values


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


def test_floats_of_one_byte_are_compared_too() -> None:
    one, other = (torch.tensor(values).to(torch.float8_e4m3fn) for values in ([1.0, math.nan], [2.0, math.nan]))
    assert same_values(one, one.clone()) and not same_values(one, other)


def test_truth_values_are_equal_where_their_bytes_are() -> None:
    one, other = (torch.tensor([0, byte], dtype=torch.uint8).view(torch.bool) for byte in (1, 255))
    assert same_values(one, one.clone()) and not same_values(one, other)
    assert same_values(one[0], other[0])
