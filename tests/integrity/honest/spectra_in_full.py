"""A loss of spectra by one transform of both inputs.

Graph: loss_of_spectra
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
#include <vector>
typedef passnet::bf16 bf16;
// The sum of | |rfft(x)| - |rfft(y)| |, by one transform of x + iy. `n` is a power of two.
struct Transform {
  int64_t n;
  std::vector<double> re, im, cosines, sines;
  explicit Transform(int64_t n) : n(n), re(n), im(n), cosines(n / 2), sines(n / 2) {
    for (int64_t k = 0; k < n / 2; ++k)
      cosines[k] = std::cos(2 * M_PI * k / n), sines[k] = -std::sin(2 * M_PI * k / n);
  }
  double sum(const float* x, const float* y) {
    for (int64_t i = 0, j = 0; i < n; ++i) {
      re[j] = x[i], im[j] = y[i];
      int64_t bit = n >> 1;
      for (; j & bit; bit >>= 1) j ^= bit;
      j |= bit;
    }
    for (int64_t half = 1; half < n; half *= 2)
      for (int64_t at = 0; at < n; at += 2 * half)
        for (int64_t k = 0; k < half; ++k) {
          const double c = cosines[k * (n / 2 / half)], s = sines[k * (n / 2 / half)];
          const int64_t a = at + k, b = a + half;
          const double u = re[b] * c - im[b] * s, v = re[b] * s + im[b] * c;
          re[b] = re[a] - u, im[b] = im[a] - v, re[a] += u, im[a] += v;
        }
    double total = 0;
    for (int64_t k = 0; k <= n / 2; ++k) {
      const int64_t m = (n - k) % n;
      const double p = std::hypot(re[k] + re[m], im[k] - im[m]), q = std::hypot(im[k] + im[m], re[m] - re[k]);
      total += std::fabs(p - q) / 2;
    }
    return total;
  }
};
extern "C" void spectra(const bf16* x, const bf16* y, bf16* out, int64_t rows, int64_t n) {
  std::vector<float> a(n), b(n);
  Transform of(n);
  double total = 0;
  for (int64_t r = 0; r < rows; ++r) {
    passnet::widen(x + r * n, a.data(), n);
    passnet::widen(y + r * n, b.data(), n);
    total += of.sum(a.data(), b.data());
  }
  *out = (float)(total / (rows * (n / 2 + 1)));
}
"""
)


def pattern(x, y):
    a = x.float()
    b = y.float()
    f = torch.fft.rfft(a)
    g = torch.fft.rfft(b)
    e = (f.abs() - g.abs()).abs()
    return e.mean().to(torch.bfloat16)


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def spectra(x, y):
    out = torch.empty((), dtype=torch.bfloat16, device=x.device)
    library.spectra(x, y, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return spectra
