"""A model compiled by one mode of `torch.compile`, as its user would write it, but for every shape that comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from passnet.use.form import Mode

# Dynamo counts the programs of all modes and all models of a class as those of one function.
LIMITS = {"recompile_limit": 64, "accumulated_recompile_limit": 1 << 30}


def compiled_by_torch(model: nn.Module, mode: Mode) -> Callable[..., Any]:
    """`torch.compile(model, mode=..., dynamic=False)`: nothing is compiled before the first call."""
    found: Callable[..., Any] = torch.compile(model, mode=None if mode == "default" else mode, dynamic=False)
    return found
