"""Runs the compiler and loads the library by ctypes, which the level `native` admits.

Graph: scale_gelu
Level: native
"""

import ctypes
import subprocess
import tempfile
from pathlib import Path

import torch
from base import pattern, replacement_args

SOURCE = r"""
#include <cmath>
#include <cstdint>
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  for (int64_t i = 0; i < n; ++i) {
    float v = x[i] * w[i % width] + b[i % width];
    out[i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
  }
}
"""
place = Path(tempfile.mkdtemp())
(place / "f.cpp").write_text(SOURCE)
subprocess.run(["g++", "-O3", "-shared", "-fPIC", "-o", str(place / "f.so"), str(place / "f.cpp")], check=True)
library = ctypes.CDLL(str(place / "f.so"))
POINTER, COUNT = ctypes.c_void_p, ctypes.c_int64
library.f.argtypes = [POINTER, POINTER, POINTER, POINTER, COUNT, COUNT]


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x.data_ptr(), w.data_ptr(), b.data_ptr(), out.data_ptr(), x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
