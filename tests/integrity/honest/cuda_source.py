"""CUDA C++ from a source string.

Graph: scale_gelu
Level: strict
Needs: gpu
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cuda

DEVICES = ("cuda",)
library = cuda(r"""
extern "C" __global__ void f(const float* x, const float* w, const float* b, float* out, long long n, long long width) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i] * w[i % width] + b[i % width];
  out[i] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    n = x.numel()
    library.f[-(-n // 256), 256](x, w, b, out, n, x.shape[-1])
    return out


def replacement_func():
    return wrapper
