"""Kernels, fields and methods that have names of a tensor's methods.

Graph: scale_gelu
Level: strict
"""

import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from base import pattern, replacement_args
from passnet.kernels import Library, cpp

SOURCE = r"""
#include "passnet.h"
extern "C" void mul(const float* x, const float* w, const float* b, float* out, int64_t rows, int64_t columns) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      float z = x[i * columns + j] * w[j] + b[j];
      out[i * columns + j] = 0.5f * z * (1.0f + erff(z * 0.70710678118654752440f));
    }
}
extern "C" void relu(float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = out[i] > 0.0f ? out[i] : 0.0f;
}
"""
library = cpp(SOURCE)
relu = library.relu


@functools.cache
def other() -> Library:
    return cpp(SOURCE.replace("float z", "const float z"))


class Plan(NamedTuple):
    sum: int
    tile: int


@dataclass
class Meter:
    count: int

    def mean(self):
        return math.floor(self.count)


def plan_for(x):
    columns = x.shape[-1]
    return Plan(Meter(x.numel()).mean() // columns, columns)


def name_of(library):
    return library


@torch.fx.wrap
def wrapper(x, w, b):
    plan, meter = plan_for(x), Meter(1)
    tile = plan.tile
    out = torch.empty_like(x)
    if tile > 0 and name_of("kernels"):
        library.mul(x, w, b, out, plan.sum, int(tile) * meter.count)
    else:
        other().mul(x, w, b, out, plan.sum, tile)
        relu(out, 0)
    return out


def replacement_func():
    return wrapper
