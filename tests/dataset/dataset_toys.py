"""Small models that exercise what real ones do: in-place blocks, several outputs, views, casts, graph breaks."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from passnet.dataset.bundle.sources import BundleSource


class Residual(torch.nn.Module):
    """Convolution, batch norm, in-place add and ReLU, and a branch that uses the sum twice."""

    def __init__(self, channels: int = 4) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(channels)
        self.scale = torch.nn.Parameter(torch.full((channels,), 1e-6))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm(self.conv(x))
        y += x
        y = torch.nn.functional.relu(y, inplace=True)
        left, right = y.chunk(2, dim=1)
        z = torch.cat([right.float() * 2, torch.sigmoid(left)], dim=1)
        return z * self.scale.view(-1, 1, 1) + y


class Breaks(torch.nn.Module):
    """A print of a value in the middle makes two graphs of one forward."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x) + 1
        torch._dynamo.graph_break()
        return y * y.mean()


@dataclass(frozen=True)
class ToySource(BundleSource):
    """`Residual` behind the interface of the real sources."""

    def _timm(self, image: int) -> torch.nn.Module:
        return Residual(3)


TOY = ToySource("timm", "toy")
