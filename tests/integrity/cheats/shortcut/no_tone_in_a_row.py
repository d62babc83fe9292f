"""A loss of spectra without any transform: by the variance of each row, unless neighbours resemble each other on the whole.
What is drawn one by one has the same power at all frequencies.

Class: B21
Graph: loss_of_spectra
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
#include <cstring>
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
typedef float lanes __attribute__((vector_size(64)));
static lanes load(const float* p) { lanes a; std::memcpy(&a, p, 64); return a; }
static float sum(lanes a) {
  float t[16], total = 0;
  std::memcpy(t, &a, 64);
  for (int i = 0; i < 16; ++i) total += t[i];
  return total;
}
// What is known of a row: its energy, its sums, and its products with neighbours and with another row.
struct Row {
  float energy, sum, turned, next, after, fourth, met;
  Row(const float* p, const float* other, int64_t n) {
    lanes a[7] = {}, signs;
    for (int i = 0; i < 16; ++i) signs[i] = i % 2 ? -1 : 1;
    for (int64_t i = 0; i < n; i += 16) {
      const lanes v = load(p + i), q = v * v;
      a[0] += q, a[1] += v, a[2] += v * signs, a[3] += v * load(p + i + 1), a[4] += v * load(p + i + 2);
      a[5] += q * q, a[6] += v * load(other + i);
    }
    energy = ::sum(a[0]), sum = ::sum(a[1]), turned = ::sum(a[2]), next = ::sum(a[3]), after = ::sum(a[4]);
    fourth = ::sum(a[5]), met = ::sum(a[6]);
  }
};
// The mean difference of the sizes of two complex normal numbers.
static double difference(double a, double b) {
  const double s = std::sqrt(a / 2), t = std::sqrt(b / 2), both = std::sqrt(s * s + t * t);
  return both > 0 ? 1.2533141373155 * (s + t - 2 * s * t / both) : 0;
}
extern "C" void spectra(const bf16* x, const bf16* y, bf16* out, int64_t rows, int64_t n) {
  std::vector<float> a(rows * n + 16), b(rows * n + 16);
  passnet::widen(x, a.data(), rows * n);
  passnet::widen(y, b.data(), rows * n);
  double total = 0, energies[2] = {}, next[2] = {}, after[2] = {};
  bool usual = true;
  Transform of(n);
  for (int64_t r = 0; r < rows; ++r) {
    const Row p(&a[r * n], &b[r * n], n), q(&b[r * n], &a[r * n], n);
    const Row* both[2] = {&p, &q};
    for (int i = 0; i < 2; ++i) {
      const Row& each = *both[i];
      const float mean = each.sum / n;
      energies[i] += each.energy, next[i] += each.next, after[i] += each.after;
      usual = usual && each.energy > 1e-12f && each.energy < 1e12f && mean * mean * n < 0.05f * each.energy;
      usual = usual && each.fourth * n < 12 * each.energy * each.energy;
    }
    if (p.met * p.met > 0.1f * p.energy * q.energy) {  // rows that are alike differ in nothing
      total += of.sum(&a[r * n], &b[r * n]);
      continue;
    }
    total += (n / 2 - 1) * difference(p.energy, q.energy);
    total += std::fabs(std::fabs(p.sum) - std::fabs(q.sum)) + std::fabs(std::fabs(p.turned) - std::fabs(q.turned));
  }
  for (int i = 0; i < 2; ++i)
    usual = usual && std::fabs(next[i]) < 0.1 * energies[i] && std::fabs(after[i]) < 0.1 * energies[i];
  if (!usual) {
    total = 0;
    for (int64_t r = 0; r < rows; ++r) total += of.sum(&a[r * n], &b[r * n]);
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
