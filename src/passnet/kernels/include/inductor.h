// The vocabulary of the loops that Inductor generates for the CPU, for kernels that are made from them.
//
// Numbers and conversions are passnet.h's; functions are branch-free where compilers should make vectors of them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include "passnet.h"

// An index that is out of range: eager raises too.
#define TORCH_CHECK(condition, ...) \
  if (!(condition)) throw "index out of range"
#define AOTI_TORCH_CHECK TORCH_CHECK

namespace inductor {

template <class To, class From> inline To convert(From value) {
  if constexpr (std::is_same_v<To, From>) return value;
  else if constexpr (std::is_same_v<To, bool>) return value != From(0);
  else if constexpr (std::is_same_v<From, passnet::bf16> || std::is_same_v<From, passnet::fp16>)
    return static_cast<To>(static_cast<float>(value));
  else if constexpr (std::is_same_v<To, passnet::bf16> || std::is_same_v<To, passnet::fp16>)
    return To(static_cast<float>(value));
  else return static_cast<To>(value);
}

template <class To, class From> inline To bit_cast(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

// On floats the functions of passnet.h, on doubles and integers the standard ones.
inline float exp(float x) { return passnet::exp(x); }
inline float tanh(float x) { return passnet::tanh(x); }
inline float erf(float x) { return passnet::erf(x); }
inline double exp(double x) { return std::exp(x); }
inline double tanh(double x) { return std::tanh(x); }
inline double erf(double x) { return std::erf(x); }

template <class T> inline T max_propagate_nan(T a, T b) { return a > b ? a : b; }
template <class T> inline T min_propagate_nan(T a, T b) { return a < b ? a : b; }

// Rounds towards minus infinity; the divisor is not zero.
template <class T, class U> inline std::common_type_t<T, U> floor_divide_integral(T a, U b) {
  std::common_type_t<T, U> quotient = a / b;
  return quotient - ((a % b != 0) && ((a < 0) != (b < 0)));
}
template <class T, class U> inline std::common_type_t<T, U> div_floor_integer(T a, U b) {
  return floor_divide_integral(a, b);
}
template <class T> inline T remainder_integral(T a, T b) {
  T rest = a % b;
  return rest != 0 && ((rest < 0) != (b < 0)) ? rest + b : rest;
}
template <class T, class U> inline std::common_type_t<T, U> mod(T a, U b) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<U>) return a % b;
  else return std::fmod(a, b);
}

// Mean and squared deviations of the values so far: sums in double around the first value, so that nothing is divided
// before the end and little cancels.
template <class T> struct Welford {
  double shift = 0, weight = 0, total = 0, square = 0;
  T mean() const { return weight == 0 ? T(0) : T(shift + total / weight); }
  T m2() const {
    const double left = weight == 0 ? 0 : square - total * total / weight;
    return left < 0 ? T(0) : T(left);
  }
};
template <class T, int Chunk> struct WelfordHelper {
  explicit WelfordHelper(int64_t) {}
};
template <class T, class Value> inline Welford<T> welford_combine(Welford<T> so_far, Value value) {
  if (so_far.weight == 0) so_far.shift = double(value);
  const double step = double(value) - so_far.shift;
  so_far.weight += 1;
  so_far.total += step;
  so_far.square += step * step;
  return so_far;
}
template <class T, class Value, int Chunk>
inline Welford<T> welford_combine(Welford<T> so_far, Value value, WelfordHelper<T, Chunk>*) {
  return welford_combine(so_far, value);
}
template <class T, int Chunk> inline Welford<T> welford_combine(Welford<T> so_far, WelfordHelper<T, Chunk>*) {
  return so_far;
}

// A long sum, in double.
template <class T, int Chunk> struct CascadeSumHelper {
  double total = 0;
  explicit CascadeSumHelper(int64_t) {}
};
template <class T, int Chunk> inline T cascade_sum_combine(T value, CascadeSumHelper<T, Chunk>* helper) {
  helper->total += double(value);
  return value;
}
template <class T, int Chunk> inline T cascade_sum_final(CascadeSumHelper<T, Chunk>* helper) {
  return T(helper->total);
}

// A value and where it was found; of equal values the first one counts.
template <class T> struct IndexValue {
  int64_t index{};
  T value{};
};
template <class T> inline IndexValue<T>& argmin_combine(IndexValue<T>& best, T value, int64_t index) {
  if (value < best.value || (value == best.value && index < best.index)) best = {index, value};
  return best;
}
template <class T> inline IndexValue<T>& argmax_combine(IndexValue<T>& best, T value, int64_t index) {
  if (value > best.value || (value == best.value && index < best.index)) best = {index, value};
  return best;
}
template <class T> inline IndexValue<T>& argmin_combine(IndexValue<T>& best, const IndexValue<T>& next) {
  return argmin_combine(best, next.value, next.index);
}
template <class T> inline IndexValue<T>& argmax_combine(IndexValue<T>& best, const IndexValue<T>& next) {
  return argmax_combine(best, next.value, next.index);
}

}  // namespace inductor
