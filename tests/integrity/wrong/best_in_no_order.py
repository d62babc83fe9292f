"""Gives the best hundred scores, the last two in another order.

Graph: best_boxes
Level: strict
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>
extern "C" void k(const float* __restrict x, const float* __restrict boxes, float* __restrict scores,
                  int64_t* __restrict labels, float* __restrict out, int64_t rows, int64_t n) {
  std::vector<float> p(n * 8);
  std::vector<int64_t> at(n * 8);
  for (int64_t r = 0; r < rows; ++r, x += n * 8, boxes += n * 4) {
    for (int64_t i = 0; i < n * 8; ++i) {
      p[i] = 1.0f / (1.0f + std::exp(-x[i]));
      at[i] = i;
    }
    const float* v = p.data();
    std::partial_sort(at.begin(), at.begin() + 100, at.end(),
                      [v](int64_t i, int64_t j) { return v[i] > v[j] || (v[i] == v[j] && i < j); });
    std::swap(at[98], at[99]);
    for (int64_t i = 0; i < 100; ++i, ++scores, ++labels, out += 4) {
      *scores = v[at[i]];
      *labels = at[i] % 8;
      std::memcpy(out, boxes + at[i] / 8 * 4, 16);
    }
  }
}
""",
    fast_math=False,
)


def pattern(logits, boxes):
    prob = logits.sigmoid()
    flat = prob.view(4, -1)
    t = torch.topk(flat, 100, dim=1)
    scores = t[0]
    i = t[1]
    labels = i % 8
    q = i // 8
    u = q.unsqueeze(-1)
    r = u.repeat(1, 1, 4)
    out = torch.gather(boxes, 1, r)
    return scores, labels, out


def replacement_args(logits, boxes):
    return (
        logits,
        boxes,
    )


@torch.fx.wrap
def wrapper(logits, boxes):
    scores = torch.empty((logits.shape[0], 100), dtype=logits.dtype, device=logits.device)
    labels = torch.empty((logits.shape[0], 100), dtype=torch.int64, device=logits.device)
    out = torch.empty((logits.shape[0], 100, 4), dtype=logits.dtype, device=logits.device)
    library.k(logits, boxes, scores, labels, out, logits.shape[0], logits.shape[1])
    return scores, labels, out


def replacement_func():
    return wrapper
