"""Launches read their arguments as they are: addresses of tensors whose bytes are their values."""

from __future__ import annotations

import pytest
import torch

from tests.kernels.device_fakes import FakeDevice


def test_a_tensor_whose_bytes_are_other_numbers_is_refused() -> None:
    kernel, x, out = FakeDevice().kernel(), torch.ones(4), torch.zeros(4)
    kernel[1, 32](x, out, 4, 2.0)
    assert out.tolist() == [2.0] * 4
    for lazy, word in ((torch._neg_view(x), "negates"), (torch.ones(4, dtype=torch.complex64).conj().imag, "negates")):
        with pytest.raises(TypeError, match=f"torch {word} it lazily, so its bytes are other numbers"):
            kernel[1, 32](lazy, out, 4, 3.0)
    assert out.tolist() == [2.0] * 4
