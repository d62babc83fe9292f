"""The overlap of all pairs of boxes over their union, in one loop whose divisions a compiler makes products.

Graph: overlaps_of_boxes
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include <algorithm>
#include <cstdint>
extern "C" void iou(const float* a, const float* b, float* out, int64_t n, int64_t m) {
  for (int64_t i = 0; i < n; ++i) {
    const float x1 = a[4 * i], y1 = a[4 * i + 1], x2 = a[4 * i + 2], y2 = a[4 * i + 3], area = (x2 - x1) * (y2 - y1);
    for (int64_t j = 0; j < m; ++j) {
      const float* q = b + 4 * j;
      const float w = std::max(0.f, std::min(x2, q[2]) - std::max(x1, q[0]));
      const float h = std::max(0.f, std::min(y2, q[3]) - std::max(y1, q[1]));
      const float inter = w * h;
      out[i * m + j] = inter / (area + (q[2] - q[0]) * (q[3] - q[1]) - inter);
    }
  }
}
"""
)


def pattern(a, b):
    lt = torch.max(a[:, None, :2], b[:, :2])
    rb = torch.min(a[:, None, 2:], b[:, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[:, :, 0] * wh[:, :, 1]
    area = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    other = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    return inter / (area[:, None] + other - inter)


def replacement_args(a, b):
    return (a, b)


@torch.fx.wrap
def wrapper(a, b):
    out = torch.empty(a.shape[0], b.shape[0], dtype=a.dtype, device=a.device)
    library.iou(a, b, out, a.shape[0], b.shape[0])
    return out


def replacement_func():
    return wrapper
