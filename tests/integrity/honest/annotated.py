"""Annotations, a dataclass, an enumeration and a helper class.

Graph: scale_gelu
Level: strict
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  for (int64_t row = 0; row < n; row += width)
    for (int64_t i = 0; i < width; ++i) {
      float v = x[row + i] * w[i] + b[i];
      out[row + i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
    }
}
""")


class Order(enum.Enum):
    ROWS = 0
    COLUMNS = 1


@dataclass(frozen=True)
class Plan:
    order: Order
    sizes: Sequence[int]

    @property
    def count(self) -> int:
        total = 1
        for size in self.sizes:
            total *= size
        return total


WANTED: Final = Order.ROWS


def plan_for(x: torch.Tensor) -> Plan:
    return Plan(WANTED, tuple(x.shape))


@torch.fx.wrap
def wrapper(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    plan = plan_for(x)
    out = torch.empty_like(x)
    library.f(x, w, b, out, plan.count, plan.sizes[-1])
    return out


def replacement_func():
    return wrapper
