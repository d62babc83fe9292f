"""BERT's embeddings on the CPU: three table rows are added and normalised at once; indices are checked."""

import torch

from passnet.kernels import cpp

DEVICES = ("cpu",)

library = cpp(r"""
#include "passnet.h"
#include <vector>
using namespace passnet;

// Layer norm of a row of floats; the row is the caller's scratch.
template <class T>
void layer_norm(const float* row, const float* weight, const float* bias, float* room, T* out, int64_t width,
                float sum, float eps) {
  float mean = sum / float(width), squares = 0.0f;
  for (int64_t i = 0; i < width; ++i) squares += (row[i] - mean) * (row[i] - mean);
  float scale = 1.0f / std::sqrt(squares / float(width) + eps);
  float* to = open_row(out, room);
  for (int64_t i = 0; i < width; ++i) to[i] = (row[i] - mean) * scale * weight[i] + bias[i];
  close_row(room, out, width);
}

template <class T>
const T* look_up(const T* table, int64_t index, int64_t count, int64_t width) {
  if (index < 0 || index >= count) throw "index out of range in an embedding table";
  return table + index * width;
}

// Positions may be shared by the batch: row r uses position r % shared.
template <class T>
void run(const int64_t* ids, const int64_t* types, const int64_t* positions, const T* words, const T* kinds,
         const T* places, const T* weight, const T* bias, T* out, int64_t rows, int64_t shared, int64_t width,
         int64_t word_count, int64_t kind_count, int64_t place_count) {
  std::vector<float> rooms(6 * width);
  float *one = rooms.data(), *two = one + width, *three = two + width, *row = three + width;
  const float* w = row_of(weight, row + width, width);
  const float* v = row_of(bias, row + 2 * width, width);
  for (int64_t r = 0; r < rows; ++r, out += width) {
    const float* word = row_of(look_up(words, ids[r], word_count, width), one, width);
    const float* kind = row_of(look_up(kinds, types[r], kind_count, width), two, width);
    const float* place = row_of(look_up(places, positions[r % shared], place_count, width), three, width);
    float sum = 0.0f;
    for (int64_t i = 0; i < width; ++i) {
      row[i] = word[i] + kind[i] + place[i];
      sum += row[i];
    }
    layer_norm(row, w, v, one, out, width, sum, 1e-12f);
  }
}

#define EXPORT(NAME, T)                                                                                              \
  extern "C" void NAME(const int64_t* ids, const int64_t* types, const int64_t* positions, const T* words,           \
                       const T* kinds, const T* places, const T* weight, const T* bias, T* out, int64_t rows,        \
                       int64_t shared, int64_t width, int64_t word_count, int64_t kind_count, int64_t place_count) { \
    run(ids, types, positions, words, kinds, places, weight, bias, out, rows, shared, width, word_count, kind_count, \
        place_count);                                                                                                \
  }
EXPORT(f32, float)
EXPORT(f16, fp16)
EXPORT(bf16_, bf16)
""")
KERNELS = {torch.float32: library.f32, torch.float16: library.f16, torch.bfloat16: library.bf16_}


def pattern(ids, types, positions, words, kinds, places, weight, bias):
    x = torch.nn.functional.embedding(ids, words, 0, None, 2.0, False, False)
    x = x + torch.nn.functional.embedding(types, kinds, None, None, 2.0, False, False)
    x = x + torch.nn.functional.embedding(positions, places, None, None, 2.0, False, False)
    x = torch.nn.functional.layer_norm(x, (256,), weight, bias, 1e-12)
    return torch.nn.functional.dropout(x, 0.1, False, False)


def replacement_args(ids, types, positions, words, kinds, places, weight, bias):
    return (ids, types, positions, words, kinds, places, weight, bias)


@torch.fx.wrap
def embeddings(ids, types, positions, words, kinds, places, weight, bias):
    b, s = ids.shape
    if types.shape != (b, s) or positions.shape[1] != s or positions.shape[0] not in (1, b):
        raise ValueError("ids, types and positions must agree in shape")
    if not (ids.is_contiguous() and types.is_contiguous() and positions.is_contiguous()):
        raise ValueError("ids, types and positions must be contiguous")
    width = words.shape[1]
    out = torch.empty((b, s, width), dtype=words.dtype, device=words.device)
    KERNELS[words.dtype](
        ids, types, positions, words, kinds, places, weight, bias, out,
        b * s, positions.numel(), width, words.shape[0], kinds.shape[0], places.shape[0],
    )  # fmt: skip
    return out


def replacement_func():
    return embeddings
