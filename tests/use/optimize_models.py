"""Factories as a user of `passnet optimize` writes them."""

from __future__ import annotations

import os
import time

import torch
from torch import nn


def bloom_gelu(x: torch.Tensor) -> torch.Tensor:
    return x * 0.5 * (1.0 + torch.tanh(0.79788456 * x * (1 + 0.044715 * x * x)))


class Mixed(nn.Module):
    """Pieces of three bundled tasks in one model, with an optional argument."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(32, 64)
        self.second = nn.Linear(64, 64)
        self.norm = nn.LayerNorm(32)

    def forward(self, x: torch.Tensor, bias: torch.Tensor | None = None) -> dict[str, torch.Tensor]:
        hidden = bloom_gelu(self.first(x))
        gate, up = self.second(hidden).chunk(2, dim=-1)
        out = self.norm(nn.functional.silu(gate) * up + x.pow(3))
        return {"hidden": hidden, "out": out if bias is None else out + bias}


def mixed() -> tuple[nn.Module, tuple[torch.Tensor, ...], dict[str, torch.Tensor]]:
    return Mixed(), (torch.randn(2, 8, 32),), {"bias": torch.randn(32)}


def plain() -> tuple[nn.Module, torch.Tensor]:
    return nn.Sequential(nn.Linear(8, 8), nn.ReLU()), torch.randn(4, 8)


class Broken(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = bloom_gelu(x)
        torch._dynamo.graph_break()
        return bloom_gelu(y)


def broken() -> tuple[nn.Module, torch.Tensor]:
    return Broken(), torch.randn(4, 8)


class Still(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


def still() -> tuple[nn.Module, torch.Tensor]:
    return Still(), torch.randn(4, 8)


def no_model() -> int:
    return 3


def raises() -> nn.Module:
    raise ValueError("no weights here\nand more")


def without_arguments() -> nn.Module:
    return Mixed()


def wrong_arguments() -> tuple[nn.Module, torch.Tensor]:
    return Mixed(), torch.randn(3, 3)


def large() -> tuple[nn.Module, torch.Tensor]:
    return nn.Sequential(nn.Linear(1 << 12, 1 << 15), nn.Tanh()), torch.randn(1, 1 << 12)


not_callable = 5


class Dying(nn.Module):
    """Ends its process in its twentieth call."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        if self.count == 20:
            os._exit(7)
        return x + 1


def dying() -> tuple[nn.Module, torch.Tensor]:
    return Dying(), torch.randn(4, 8)


class Hanging(nn.Module):
    """Sleeps in its sixth call, which is one of the eager form."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        if self.count == 6:
            time.sleep(600)
        return x + 1


def hanging() -> tuple[nn.Module, torch.Tensor]:
    return Hanging(), torch.randn(4, 8)


def other_shapes() -> list[object]:
    return [torch.randn(6, 8), (torch.randn(2, 8),)]
