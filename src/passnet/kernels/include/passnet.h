// What a kernel source may include: half-precision types and mathematical functions that compilers vectorise.
//
// All of it is plain C++ without branches, so a loop over it becomes AVX2, AVX-512 or NEON code as the machine has it.
// Functions are accurate to a few units in the last place of float; infinities and NaN are not promised, since
// kernels are compiled with -ffast-math.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

namespace passnet {

inline float as_float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

inline uint32_t as_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

// bfloat16: the upper half of a float. Rounds to nearest even, as torch does.
struct bf16 {
  uint16_t bits;
  bf16() = default;
  bf16(float value) {
    uint32_t u = as_bits(value);
    uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    bits = static_cast<uint16_t>((u & 0x7fffffffu) > 0x7f800000u ? 0x7fc0u : rounded);
  }
  operator float() const { return as_float(static_cast<uint32_t>(bits) << 16); }
};

// IEEE half precision. Rounds to nearest even; subnormal halves are exact.
struct fp16 {
  uint16_t bits;
  fp16() = default;
  fp16(float value) {
    uint32_t u = as_bits(value), size = u & 0x7fffffffu;
    uint32_t normal = (size - 0x38000000u + 0x0fffu + ((size >> 13) & 1u)) >> 13;
    // The last bit of a float in [0.5, 1) weighs as much as that of a subnormal half: the addition rounds.
    uint32_t tiny = as_bits(as_float(size) + 0.5f) - 0x3f000000u;
    uint32_t half = size < 0x38800000u ? tiny : normal;
    half = size >= 0x477ff000u ? 0x7c00u : half;
    half = size > 0x7f800000u ? 0x7e00u : half;
    bits = static_cast<uint16_t>(half | ((u >> 16) & 0x8000u));
  }
  operator float() const {
    uint32_t h = bits, size = h & 0x7fffu;
    uint32_t normal = (size << 13) + 0x38000000u;
    uint32_t tiny = as_bits(static_cast<float>(static_cast<int32_t>(size)) * 5.9604644775390625e-8f);
    uint32_t value = size < 0x400u ? tiny : normal;
    value = size >= 0x7c00u ? (size << 13) | 0x7f800000u : value;
    return as_float(value | ((h & 0x8000u) << 16));
  }
};

// widen and narrow: whole rows to float and back, `count` elements; the fastest way to work on half precision is in a
// row buffer of floats. Half precision uses the processor's conversion where compilers do not find it by themselves.
template <class T> inline void widen(const T* from, float* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

template <class T> inline void narrow(const float* from, T* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = T(from[i]);
}

#ifdef __F16C__
#ifdef __AVX512F__
inline constexpr int64_t half_lanes = 16;
#else
inline constexpr int64_t half_lanes = 8;
#endif
typedef float float_lanes __attribute__((vector_size(half_lanes * 4)));
typedef short fp16_lanes __attribute__((vector_size(half_lanes * 2)));

// The processor's own conversions. No assembly: in what a compiler makes of a kernel there is none.
#ifdef __AVX512F__
inline float_lanes widened(fp16_lanes half) {
  return __builtin_ia32_vcvtph2ps512_mask(half, float_lanes{}, static_cast<unsigned short>(-1), 4);
}
inline fp16_lanes narrowed(float_lanes wide) {
  return __builtin_ia32_vcvtps2ph512_mask(wide, 0, fp16_lanes{}, static_cast<unsigned short>(-1));
}
#else
inline float_lanes widened(fp16_lanes half) { return __builtin_ia32_vcvtph2ps256(half); }
inline fp16_lanes narrowed(float_lanes wide) { return __builtin_ia32_vcvtps2ph256(wide, 0); }
#endif

inline void widen(const fp16* from, float* to, int64_t count) {
  int64_t i = 0;
  for (; i + half_lanes <= count; i += half_lanes) {
    fp16_lanes half;
    float_lanes wide;
    std::memcpy(&half, from + i, sizeof half);
    wide = widened(half);
    std::memcpy(to + i, &wide, sizeof wide);
  }
  for (; i < count; ++i) to[i] = from[i];
}

inline void narrow(const float* from, fp16* to, int64_t count) {
  int64_t i = 0;
  for (; i + half_lanes <= count; i += half_lanes) {
    fp16_lanes half;
    float_lanes wide;
    std::memcpy(&wide, from + i, sizeof wide);
    half = narrowed(wide);
    std::memcpy(to + i, &half, sizeof half);
  }
  for (; i < count; ++i) to[i] = from[i];
}
#endif

// A row to compute on: floats where they lie, half precision widened into `buffer` (at least `count` floats).
inline const float* row_of(const float* from, float*, int64_t) { return from; }
template <class T> inline const float* row_of(const T* from, float* buffer, int64_t count) {
  widen(from, buffer, count);
  return buffer;
}

// A row to write: the output itself for floats, `buffer` for half precision. close_row() ends it.
inline float* open_row(float* to, float*) { return to; }
template <class T> inline float* open_row(T*, float* buffer) { return buffer; }
inline void close_row(const float*, float*, int64_t) {}
template <class T> inline void close_row(const float* row, T* to, int64_t count) { narrow(row, to, count); }

#ifdef __FP_FAST_FMAF  // a fused multiply-add also stops -ffast-math from joining the two steps of a reduction
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#else
inline float fused(float a, float b, float c) { return a * b + c; }
#endif

inline float choose_sign(float size, float sign) {
  return as_float((as_bits(size) & 0x7fffffffu) | (as_bits(sign) & 0x80000000u));
}

// e^x for x in [-87.3, 88.72283], where the largest float is; smaller x give 0. Larger x give the largest finite float
// with fast math, which has no infinities; without it they give infinity, and NaN gives NaN.
// x = n ln 2 + r, then a polynomial in r with minimal relative error (2e-9 before rounding) times 2^n.
inline float exp(float x) {
  float inside = x < -87.3f ? -87.3f : x;
  inside = inside < 88.72283f ? inside : 88.72283f;  // NaN is no number of powers
  float n = __builtin_rintf(inside * 1.44269504f);
  float r = fused(n, -0.693359375f, inside);
  r = fused(n, 2.12194440e-4f, r);
  float p = 0.00138368043f;
  p = fused(p, r, 0.00837484613f);
  p = fused(p, r, 0.0416682279f);
  p = fused(p, r, 0.166664198f);
  p = fused(p, r, 0.499999921f);
  p = fused(p, r, 1.0f);
  p = fused(p, r, 1.0f);
  float scaled = as_float(as_bits(p) + (static_cast<uint32_t>(static_cast<int32_t>(n)) << 23));
#if !__FINITE_MATH_ONLY__
  scaled = x > 88.72283f ? as_float(0x7f800000u) : scaled;
  scaled = x == x ? scaled : x;
#endif
  return x < -87.3f ? 0.0f : scaled;
}

// Rational in x^2 times x; fitted to minimal relative error (2e-8 before rounding) on |x| <= 9.
inline float tanh(float x) {
  float s = x * x;
  s = s > 81.0f ? 81.0f : s;
  float p = 1.33546905e-08f, q = 7.77657249e-07f;
  p = fused(p, s, 2.06091113e-05f), q = fused(q, s, 0.000328563804f);
  p = fused(p, s, 0.00349559027f), q = fused(q, s, 0.0258769907f);
  p = fused(p, s, 0.133810276f), q = fused(q, s, 0.467143432f);
  p = fused(p, s, 0.999999979f), q = fused(q, s, 1.0f);
  float value = x * p / q;
  return std::fabs(x) > 9.0f ? choose_sign(1.0f, x) : value;
}

// Rational in x^2 times x; fitted to minimal relative error (2e-8 before rounding) on |x| <= 3.87.
inline float erf(float x) {
  float s = x * x;
  s = s > 15.0f ? 15.0f : s;
  float p = 2.08892652e-06f, q = 3.8516905e-05f;
  p = fused(p, s, 0.000285364624f), q = fused(q, s, 0.00115077608f);
  p = fused(p, s, 0.00370285791f), q = fused(q, s, 0.0148429225f);
  p = fused(p, s, 0.0525639065f), q = fused(q, s, 0.11343967f);
  p = fused(p, s, 0.188696237f), q = fused(q, s, 0.50056052f);
  p = fused(p, s, 1.12837915f), q = fused(q, s, 1.0f);
  float value = x * p / q;
  return std::fabs(x) > 3.85f ? choose_sign(1.0f, x) : value;
}

// 0 below -87, where the result would be subnormal. Many processors take a hundred times as long for such numbers.
inline float sigmoid(float x) {
  float inside = x < -87.0f ? -87.0f : x;
  float value = 1.0f / (1.0f + exp(-inside));
  return x < -87.0f ? 0.0f : value;
}
inline float silu(float x) { return x * sigmoid(x); }
inline float gelu(float x) { return 0.5f * x * (1.0f + erf(x * 0.707106781f)); }
inline float gelu_tanh(float x) { return 0.5f * x * (1.0f + tanh(0.797884561f * (x + 0.044715f * x * x * x))); }

}  // namespace passnet

#ifdef PASSNET_SIGNATURE  // which dtype a pointer to these types asks for
namespace passnet_signature {
template <> struct Element<passnet::bf16> { static constexpr char letter = 'B'; };
template <> struct Element<passnet::fp16> { static constexpr char letter = 'h'; };
}  // namespace passnet_signature
#endif
