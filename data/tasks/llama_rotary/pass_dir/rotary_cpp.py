"""Rotary position embedding of queries and keys on the CPU: halves are rotated in place of slicing and joining."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
#include <vector>
using namespace passnet;

// x: [batch, heads, length, 2 * half] by its strides (the last is 1); out: the same, contiguous.
template <class T>
void rotate(const T* x, const T* cosine, const T* sine, T* out, int64_t batch, int64_t heads, int64_t length,
            int64_t half, int64_t step_b, int64_t step_h, int64_t step_s, int64_t angles) {
  int64_t width = 2 * half;
  std::vector<float> rooms(4 * width);
  float *first = rooms.data(), *second = first + width, *third = second + width, *room = third + width;
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t s = 0; s < length; ++s) {
      const float* c = row_of(cosine + (b * angles + s) * width, second, width);
      const float* d = row_of(sine + (b * angles + s) * width, third, width);
      for (int64_t h = 0; h < heads; ++h) {
        const float* from = row_of(x + b * step_b + h * step_h + s * step_s, first, width);
        T* row = out + ((b * heads + h) * length + s) * width;
        float* __restrict to = open_row(row, room);
        for (int64_t i = 0; i < half; ++i) to[i] = from[i] * c[i] - from[i + half] * d[i];
        for (int64_t i = half; i < width; ++i) to[i] = from[i] * c[i] + from[i - half] * d[i];
        close_row(room, row, width);
      }
    }
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* q, const T* k, const T* cosine, const T* sine, T* q_out, T* k_out, int64_t batch,    \
                       int64_t q_heads, int64_t k_heads, int64_t length, int64_t half, int64_t q_b, int64_t q_h,     \
                       int64_t q_s, int64_t k_b, int64_t k_h, int64_t k_s, int64_t angles) {                         \
    rotate(q, cosine, sine, q_out, batch, q_heads, length, half, q_b, q_h, q_s, angles);                             \
    rotate(k, cosine, sine, k_out, batch, k_heads, length, half, k_b, k_h, k_s, angles);                             \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(q, k, cosine, sine):
    c = cosine.unsqueeze(1)
    s = sine.unsqueeze(1)
    q_out = q * c + torch.cat((-q[..., 16:], q[..., :16]), dim=-1) * s
    k_out = k * c + torch.cat((-k[..., 16:], k[..., :16]), dim=-1) * s
    return q_out, k_out


def replacement_args(q, k, cosine, sine):
    return (q, k, cosine, sine)


@torch.fx.wrap
def rotary(q, k, cosine, sine):
    b, heads, s, d = q.shape
    qb, qh, qs, q1 = q.stride()
    kb, kh, ks, k1 = k.stride()
    if q1 != 1 or k1 != 1 or not (cosine.is_contiguous() and sine.is_contiguous()):
        raise ValueError("the last dimension of q and k and all of cosine and sine must be contiguous")
    groups = k.shape[1]
    q_out = torch.empty((b, heads, s, d), dtype=q.dtype, device=q.device)
    k_out = torch.empty((b, groups, s, d), dtype=k.dtype, device=k.device)
    angles = s if cosine.shape[0] == b and b > 1 else 0
    KERNELS[q.dtype](
        q, k, cosine, sine, q_out, k_out, b, heads, groups, s, d // 2, qb, qh, qs, kb, kh, ks, angles
    )  # fmt: skip
    return q_out, k_out


def replacement_func():
    return rotary
