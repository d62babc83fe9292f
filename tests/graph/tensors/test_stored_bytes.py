"""Copies that keep every byte."""

from __future__ import annotations

import pytest
import torch

from passnet.graph.tensors.stored_bytes import as_stored, copied


@pytest.mark.parametrize("count", [4, 1 << 15])
def test_a_copy_keeps_what_true_is_stored_as(count: int) -> None:
    stored = torch.tensor([0, 1, 2, 255], dtype=torch.uint8).repeat(count)
    for mask in (stored.view(torch.bool), stored.view(torch.bool).view(4, -1).t(), stored.view(torch.bool)[3]):
        made = copied(mask)
        assert made.dtype is torch.bool and made.stride() == mask.stride() and made.data_ptr() != mask.data_ptr()
        assert torch.equal(as_stored(made), mask.view(torch.uint8))


@pytest.mark.parametrize("dtype", [torch.float32, torch.int8, torch.float8_e5m2])
def test_other_tensors_are_what_they_are(dtype: torch.dtype) -> None:
    given = torch.ones(3).to(dtype)
    assert as_stored(given) is given
    assert copied(given).dtype is dtype and torch.equal(copied(given).double(), given.double())
