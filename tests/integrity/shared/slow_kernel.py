"""The honest computation after a wait of about 0.3 ms: what is worth hiding from a clock. And the wait alone."""

import torch
from passnet.kernels import cuda

CYCLES = 500_000
library = cuda(r"""
__device__ void wait(long long cycles) {
  float v = 1.0f;
  if (threadIdx.x == 0)  // each step waits for the one before
    for (long long i = 0; i < cycles / 4; ++i) v = fmaf(v, 0.999f, 1e-6f);
  if (v < 0.0f) __trap();
  __syncthreads();
}
extern "C" __global__ void spin(long long cycles) { wait(cycles); }
extern "C" __global__ void slow(const float* x, const float* w, const float* b, float* out, long long n,
                                long long width, long long cycles) {
  wait(cycles);
  for (long long i = blockIdx.x * 1024ll + threadIdx.x; i < n; i += gridDim.x * 1024ll) {
    float v = x[i] * w[i % width] + b[i % width];
    out[i] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
  }
}
""")


def slow_into(out, x, w, b):
    library.slow[264, 1024](x, w, b, out, x.numel(), x.shape[-1], CYCLES)
    return out


def slow(x, w, b):
    return slow_into(torch.empty_like(x), x, w, b)


def a_bit_of(x, w, b):
    """The first part of the result, without the wait. The rest is what the memory held before."""
    out = torch.empty_like(x)
    library.slow[264, 1024](x, w, b, out, x.numel() // 64, x.shape[-1], 0)
    return out
