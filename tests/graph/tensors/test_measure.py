"""A measured tensor says of its values what the inputs of tasks are drawn by, whatever its dtype."""

from __future__ import annotations

import pytest
import torch

from passnet.graph.tensors.measure import measure

_INTEGERS = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"]


@pytest.mark.parametrize("name", _INTEGERS)
def test_integers_have_their_range(name: str) -> None:
    dtype = getattr(torch, name)
    ends = torch.iinfo(dtype)
    numbers = [ends.min, ends.max] + [3] * 70
    measured = measure("x", torch.tensor(numbers, dtype=dtype))
    assert (measured.min_val, measured.max_val) == (ends.min, ends.max)
    assert measured.mean is None and measured.data is None


@pytest.mark.parametrize("name", [*_INTEGERS, "bool"])
def test_few_integers_are_stored(name: str) -> None:
    measured = measure("x", torch.tensor([0, 1, 1], dtype=getattr(torch, name)))
    assert measured.data == (0, 1, 1)
    assert measured.min_val is None


def test_complex_numbers_have_the_statistics_of_their_parts() -> None:
    values = torch.complex(torch.randn(500) + 3, torch.randn(500) + 3)
    measured = measure("x", values)
    parts = torch.view_as_real(values).double()
    assert measured.mean == pytest.approx(float(parts.mean()), rel=1e-5)
    assert measured.std == pytest.approx(float(parts.std()), rel=1e-5)
    turned = measure("x", values.conj())
    assert turned.mean == pytest.approx(float(torch.view_as_real(values.conj().resolve_conj()).mean()), abs=1e-5)
