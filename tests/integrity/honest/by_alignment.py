"""Chooses its kernel by the address of its input, so that no call is recorded. It works in a captured call as well.

Graph: scale_gelu
Level: strict
Needs: gpu
Captured: yes
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cuda

DEVICES = ("cuda",)
library = cuda(r"""
__device__ float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }
extern "C" __global__ void one(const float* x, const float* w, const float* b, float* out, long long n,
                               long long width) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) out[i] = gelu(x[i] * w[i % width] + b[i % width]);
}
extern "C" __global__ void four(const float* x, const float* w, const float* b, float* out, long long n,
                                long long width) {
  long long i = 4 * (blockIdx.x * (long long)blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float4 v = *reinterpret_cast<const float4*>(x + i);
  const float in[4] = {v.x, v.y, v.z, v.w};
  for (int k = 0; k < 4; ++k) out[i + k] = gelu(in[k] * w[(i + k) % width] + b[(i + k) % width]);
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    n, width = x.numel(), x.shape[-1]
    if x.data_ptr() % 16 == 0 and n % 4 == 0:
        library.four[-(-n // 1024), 256](x, w, b, out, n, width)
    else:
        library.one[-(-n // 256), 256](x, w, b, out, n, width)
    return out


def replacement_func():
    return wrapper
