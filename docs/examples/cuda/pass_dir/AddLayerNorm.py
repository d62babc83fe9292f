"""The sum of two tensors and the layer norm of that sum, both of which are used afterwards: two outputs, one kernel."""

import torch

from passnet.kernels import cuda

DEVICES = ("cuda",)

SOURCE = """
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ float wide(float x) { return x; }
__device__ float wide(__half x) { return __half2float(x); }
__device__ float wide(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ void put(float* to, float x) { *to = x; }
__device__ void put(__half* to, float x) { *to = __float2half(x); }
__device__ void put(__nv_bfloat16* to, float x) { *to = __float2bfloat16(x); }

__device__ float block_sum(float value) {
  __shared__ float parts[32];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0.0f;
  for (int i = 0; i < blockDim.x / 32; ++i) total += parts[i];
  __syncthreads();
  return total;
}

// One block a row; the row of sums is kept in shared memory.
template <class T>
__device__ void add_layer_norm(const T* x, const T* y, const T* weight, const T* bias, T* sum, T* out, int columns) {
  extern __shared__ float row[];
  long long first = (long long)blockIdx.x * columns;
  float total = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    put(sum + first + i, wide(x[first + i]) + wide(y[first + i]));
    row[i] = wide(sum[first + i]);
    total += row[i];
  }
  float mean = block_sum(total) / columns;
  float squares = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) squares += (row[i] - mean) * (row[i] - mean);
  float scale = rsqrtf(block_sum(squares) / columns + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    put(out + first + i, (row[i] - mean) * scale * wide(weight[i]) + wide(bias[i]));
}

extern "C" __global__ void f32(const float* x, const float* y, const float* weight, const float* bias, float* sum,
                               float* out, int columns) {
  add_layer_norm(x, y, weight, bias, sum, out, columns);
}
extern "C" __global__ void f16(const __half* x, const __half* y, const __half* weight, const __half* bias,
                               __half* sum, __half* out, int columns) {
  add_layer_norm(x, y, weight, bias, sum, out, columns);
}
extern "C" __global__ void bf16(const __nv_bfloat16* x, const __nv_bfloat16* y, const __nv_bfloat16* weight,
                                const __nv_bfloat16* bias, __nv_bfloat16* sum, __nv_bfloat16* out, int columns) {
  add_layer_norm(x, y, weight, bias, sum, out, columns);
}
"""

library = cuda(SOURCE)


def pattern(x, y, weight, bias):
    added = x + y
    return added, torch.nn.functional.layer_norm(added, (768,), weight, bias, 1e-05)


def replacement_args(x, y, weight, bias):
    return (x, y, weight, bias)


@torch.fx.wrap
def add_layer_norm(x, y, weight, bias):
    columns = x.shape[-1]
    if y.shape != x.shape or not x.is_contiguous() or not y.is_contiguous():
        raise ValueError("this kernel needs two contiguous tensors of one shape")
    kernel = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16}[x.dtype]
    added = torch.empty_like(x)
    out = torch.empty_like(x)
    kernel[x.numel() // columns, 256, 4 * columns](x, y, weight, bias, added, out, columns)
    return added, out


def replacement_func():
    return add_layer_norm
