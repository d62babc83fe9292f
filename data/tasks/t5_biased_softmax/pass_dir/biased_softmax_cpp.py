"""T5's attention weights on the CPU: relative position bias and softmax, one row at a time."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
#include <vector>
using namespace passnet;

// Softmax of a row of floats into out; the row is overwritten.
template <class T> void softmax(float* row, float top, T* out, int64_t width) {
  float sum = 0.0f;
  for (int64_t i = 0; i < width; ++i) {
    row[i] = passnet::exp(row[i] - top);
    sum += row[i];
  }
  float scale = 1.0f / sum;
  float* to = open_row(out, row);
  for (int64_t i = 0; i < width; ++i) to[i] = row[i] * scale;
  close_row(row, out, width);
}

// scores: [batch, per_batch, width]; bias: [per_batch, width], shared by the batch.
template <class T>
void run(const T* scores, const T* bias, T* out, int64_t batch, int64_t per_batch, int64_t width) {
  std::vector<float> rooms(2 * width);
  float *room = rooms.data(), *row = room + width;
  for (int64_t r = 0; r < batch * per_batch; ++r, scores += width, out += width) {
    const float* from = row_of(scores, row, width);
    const float* shift = row_of(bias + (r % per_batch) * width, room, width);
    float top = -3.4e38f;
    for (int64_t i = 0; i < width; ++i) {
      row[i] = from[i] + shift[i];
      top = row[i] > top ? row[i] : top;
    }
    softmax(row, top, out, width);
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const T* scores, const T* bias, T* out, int64_t batch, int64_t per_batch, int64_t width) {    \
    run(scores, bias, out, batch, per_batch, width);                                                                 \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(scores, bias):
    weights = torch.nn.functional.softmax(scores * 1.0 + bias, dim=-1)
    return torch.nn.functional.dropout(weights, p=0.0, training=False)


def replacement_args(scores, bias):
    return (scores, bias)


@torch.fx.wrap
def biased_softmax(scores, bias):
    b, h, q, k = scores.shape
    if bias.shape != (1, h, q, k) or not (scores.is_contiguous() and bias.is_contiguous()):
        raise ValueError("scores and a bias shared by the batch must be contiguous")
    out = torch.empty_like(scores)
    KERNELS[scores.dtype](scores, bias, out, b, h * q, k)
    return out


def replacement_func():
    return biased_softmax
