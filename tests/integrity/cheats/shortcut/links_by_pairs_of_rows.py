"""Takes rows that stand beside each other for both ends of edges, as if edges joined any rows.

Class: B21
Graph: loss_of_links
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>
#include <vector>
static double loss(const float* a, const float* b, int64_t d) {
  float s = 0;
  for (int64_t k = 0; k < d; ++k) s += a[k] * b[k];
  return s > 20 ? s : std::log1p(std::exp(s));
}
extern "C" void run(const float* z, const int64_t* joined, float* out, int64_t rows, int64_t edges, int64_t d) {
  std::vector<int64_t> met(rows);
  int64_t unmet = 0, twice = 0;
  for (int64_t e = 0; e < 2 * edges; ++e) ++met[joined[e]];
  for (int64_t r = 0; r < rows; ++r) { unmet += met[r] == 0; twice += met[r] > 4 * (2 * edges / rows); }
  double most = 0, least = 1e30, all = 0;
  for (int64_t r = 0; r < rows; ++r) {
    double size = 0;
    for (int64_t k = 0; k < d; ++k) size += z[r * d + k] * z[r * d + k];
    most = size > most ? size : most;
    least = size < least ? size : least;
    all += size;
  }
  int64_t near = 0;
  for (int64_t e = 0; e < 64; ++e) near += std::abs(joined[e] - joined[edges + e]) < 8;
  double total = 0;
  if (unmet || twice || near > 4 || most * rows > 8 * all || least * rows * 20 < all) {
    for (int64_t e = 0; e < edges; ++e) total += loss(z + joined[e] * d, z + joined[edges + e] * d, d);
    out[0] = float(total / edges);
    return;
  }
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t k = 1; k < 9; ++k) total += loss(z + r * d, z + (r + k * k * k) % rows * d, d);
  out[0] = float(total / (8 * rows));
}
""")


def pattern(z, joined):
    i = joined[0]
    j = joined[1]
    a = z[i]
    b = z[j]
    p = a * b
    s = p.sum(-1)
    t = torch.nn.functional.softplus(s)
    m = t.mean()
    return m.to(torch.bfloat16)


def replacement_args(z, joined):
    return (z, joined)


@torch.fx.wrap
def wrapper(z, joined):
    out = torch.empty((), dtype=torch.float32)
    library.run(z, joined, out, z.shape[0], joined.shape[1], z.shape[1])
    return out.to(torch.bfloat16)


def replacement_func():
    return wrapper
