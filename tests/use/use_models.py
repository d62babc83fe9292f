"""Models that hold the block of a bundled task (BLOOM's GELU), and its bundled pass set."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

PASSES = Path(__file__).parents[2] / "data" / "tasks" / "bloom_gelu" / "pass_dir"
WIDTH = 64


def bloom_gelu(x: torch.Tensor) -> torch.Tensor:
    return x * 0.5 * (1.0 + torch.tanh(0.79788456 * x * (1 + 0.044715 * x * x)))


class Network(nn.Module):
    """Two blocks with the pattern in each; `scale` is an optional input, the result a dictionary."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.second = nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor, scale: torch.Tensor | None = None) -> dict[str, torch.Tensor]:
        hidden = bloom_gelu(self.first(x))
        hidden = self.norm(hidden if scale is None else hidden * scale)
        return {"hidden": hidden, "logits": bloom_gelu(self.second(hidden))}


class Plain(nn.Module):
    """Nothing here for the pass."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.relu() + 1


class Broken(nn.Module):
    """Two graphs with the pattern in each."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = bloom_gelu(x)
        torch._dynamo.graph_break()
        return bloom_gelu(y) + 1


def network() -> Network:
    torch.manual_seed(0)
    return Network().eval()


def example(rows: int = 4) -> torch.Tensor:
    return torch.randn(rows, WIDTH, generator=torch.Generator().manual_seed(1))
