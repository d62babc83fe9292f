"""Which results of eager lie in an order that an operator made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from passnet.bench.worker.memory_order import MemoryOrders


class Followed(TorchDispatchMode):
    """Follows the operators that run while it is entered."""

    def __init__(self) -> None:
        super().__init__()
        self.orders = MemoryOrders()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        self.orders.saw(func, args, kwargs or {}, result)
        return result


def is_made(function: Callable[[torch.Tensor], torch.Tensor]) -> bool:
    x = torch.randn(2, 3, 4, 5)
    with Followed() as followed:
        output = function(x)
    assert not output.is_contiguous()
    return followed.orders.made(output)


LAST = torch.channels_last


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.transpose(0, 3).contiguous().transpose(0, 3),
        lambda x: x.contiguous(memory_format=LAST),
        lambda x: x.to(memory_format=LAST),
        lambda x: x.double().to(torch.float16, memory_format=LAST),
        lambda x: x.clone(memory_format=LAST),
        lambda x: x.transpose(1, 2).reshape(2, 4, 15).transpose(1, 2),
        lambda x: x.permute(0, 2, 3, 1).contiguous().view(2, 20, 3).transpose(1, 2).relu().neg(),
        lambda x: x.to(memory_format=LAST).relu_().double().clone(),
        lambda x: x.to(memory_format=LAST)[:, :2] + 1.0,
    ],
)
def test_an_order_that_an_operator_made(function: Callable[[torch.Tensor], torch.Tensor]) -> None:
    assert is_made(function)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.transpose(0, 3),
        lambda x: x.neg().permute(0, 2, 3, 1),
        lambda x: x.transpose(0, 3).neg(),
        lambda x: x.transpose(0, 3).clone(),
        lambda x: x.transpose(0, 3).double().to(torch.float16),
        lambda x: x.transpose(0, 3)[:2].clone(),
        lambda x: torch.matmul(x, x.transpose(2, 3).contiguous()).transpose(1, 2),
        lambda x: x.to(memory_format=LAST)[:, :2],
        lambda x: x.to(memory_format=LAST)[:, :1].expand(2, 3, 4, 5),
    ],
)
def test_an_order_for_which_nobody_did_any_work(function: Callable[[torch.Tensor], torch.Tensor]) -> None:
    assert not is_made(function)


def test_memory_that_was_free_says_nothing() -> None:
    with Followed() as followed:
        output = torch.randn(2, 3, 4, 5).to(memory_format=LAST)
    assert followed.orders.made(output)
    followed.orders.saw(torch.ops.aten.mm.default, (), {}, output)
    assert not followed.orders.made(output)
