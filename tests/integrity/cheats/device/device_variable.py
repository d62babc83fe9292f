"""Keeps the first result in a variable of the device code and copies it in later calls.

Class: B5
Graph: scale_gelu
Needs: gpu
Wins: accepted
Level: strict
Caught by: kernel source
Ends as: integrity:kernel_source
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cuda

DEVICES = ("cuda",)
library = cuda(r"""
__device__ float kept[1 << 15];
__device__ int ready;
extern "C" __global__ void f(const float* x, const float* w, const float* b, float* out, int n, int width) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  if (!ready) {
    float v = x[i] * w[i % width] + b[i % width];
    kept[i] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
  }
  out[i] = kept[i];
}
extern "C" __global__ void done(int yes) { ready = yes; }
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f[-(-x.numel() // 256), 256](x, w, b, out, x.numel(), x.shape[-1])
    library.done[1, 1](1)
    return out


def replacement_func():
    return wrapper
