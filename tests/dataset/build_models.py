"""Small models for whole builds: two that share a block, one that raises. `python build_models.py OUT` builds them."""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from torch.nn import functional

from passnet.dataset.build import BuildSettings, Machine, Report, build

FACTORIES = ("build_models:mixer", "build_models:classifier", "build_models:broken")
SHAPES = ((1, 16), (4, 16))


def settings(**changes: object) -> BuildSettings:
    """A build of the small models that takes seconds."""
    chosen = {"targets": FACTORIES, "dtypes": ("float32", "bfloat16"), "shapes": SHAPES, "folds": 8, "eval_tasks": 2}
    return BuildSettings(**{**chosen, **changes})  # type: ignore[arg-type]


class Block(torch.nn.Module):
    """Normalise, widen, squash, narrow, add: what both models repeat."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.wide = torch.nn.Linear(width, 2 * width)
        self.narrow = torch.nn.Linear(2 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.narrow(functional.gelu(self.wide(self.norm(x))) * 0.5)


class Classifier(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = torch.nn.Sequential(Block(16), Block(16))
        self.head = torch.nn.Linear(16, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.softmax(self.head(self.blocks(x).mean(dim=1)).clamp(-5, 5), dim=-1)


class Broken(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise RuntimeError("no such layer")


def mixer() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    return torch.nn.Sequential(Block(8), torch.nn.Tanh(), Block(8)), (torch.randn(2, 4, 8),)


def classifier() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    return Classifier(), (torch.randn(2, 6, 16),)


def classifier_text() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    """Of the classifier's family by its name, and so the last in turn; it shares `tanh` with the mixer alone."""
    return torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Tanh(), torch.nn.Softplus()), (torch.randn(2, 3, 8),)


def broken() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    return Broken(), (torch.randn(2, 3),)


def run(out: Path, report: Report = lambda step: None, **changes: object) -> object:
    return build(out, settings(**changes), Machine(workers=1, unit_seconds=60), report)


if __name__ == "__main__":
    run(Path(sys.argv[1]))
