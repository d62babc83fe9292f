"""Keeps inputs and outputs on the device, compares them there, and waits and computes only where they differ.

Class: B6
Graph: scale_gelu
Wins: speed
Level: strict
Needs: gpu
Caught by: harmless
Then by: harmless
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cuda

CYCLES = 500_000
library = cuda(r"""
extern "C" __global__ void look(const float* x, const float* w, const float* b, const float* kept_x, const float* kept_w,
                                const float* kept_b, int* differs, long long n, long long width) {
  for (long long i = blockIdx.x * 1024ll + threadIdx.x; i < n; i += gridDim.x * 1024ll)
    if (x[i] != kept_x[i] || w[i % width] != kept_w[i % width] || b[i % width] != kept_b[i % width]) differs[0] = 1;
}
extern "C" __global__ void update(const float* x, const float* w, const float* b, float* kept_x, float* kept_w,
                                  float* kept_b, float* kept_out, float* out, const int* differs, long long n,
                                  long long width, long long cycles) {
  if (differs[0]) for (long long began = clock64(); clock64() - began < cycles;) {}
  for (long long i = blockIdx.x * 1024ll + threadIdx.x; i < n; i += gridDim.x * 1024ll) {
    if (differs[0]) {
      float v = x[i] * w[i % width] + b[i % width];
      kept_out[i] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
      kept_x[i] = x[i];
      kept_w[i % width] = w[i % width];
      kept_b[i % width] = b[i % width];
    }
    out[i] = kept_out[i];
  }
}
""")
KEPT = {}


def put(kept, key, value):
    kept[key] = value
    return value


@torch.fx.wrap
def wrapper(x, w, b):
    kept = KEPT.get(x.shape) or put(KEPT, x.shape, [torch.zeros_like(t) for t in (x, w, b, x)])
    out, differs = torch.empty_like(x), torch.zeros([1], dtype=torch.int32, device=x.device)
    library.look[264, 1024](x, w, b, *kept[:3], differs, x.numel(), w.numel())
    library.update[264, 1024](x, w, b, *kept, out, differs, x.numel(), w.numel(), CYCLES)
    return out


def replacement_func():
    return wrapper
