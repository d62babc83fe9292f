// Says what types the exported functions of a kernel source have, as text that stands in the compiled object.
//
// It is included before the author's source, whose macros may have any name. The calls from Python are compiled apart,
// by what is read here (passnet.kernels.compilation.signature), so that nothing of theirs is within an author's reach.
#pragma once
#include <type_traits>

#ifdef _GLIBCXX_EXTERN_TEMPLATE  // strings are compiled with the source, so that all memory is taken where the source's is
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
#define PASSNET_SIGNATURE 1

namespace passnet_signature {

// The letter of a pointer's element; '?' for void and types of the author's own.
template <class T> struct Element { static constexpr char letter = '?'; };
template <class T> struct Element<const T> : Element<T> {};

template <class T> constexpr char integer() {
  return (std::is_unsigned<T>::value ? "CSI?L" : "csi?l")[sizeof(T) / 2];
}

template <class T> constexpr char number() {
  static_assert(std::is_arithmetic<T>::value, "parameters of exported functions are pointers, integers, floats or bools");
  if (std::is_same<T, bool>::value) return 'b';
  if (std::is_floating_point<T>::value) return sizeof(T) == 4 ? 'f' : sizeof(T) == 8 ? 'd' : 'e';
  return integer<T>();
}

#define PASSNET_ELEMENT(T) \
  template <> struct Element<T> { static constexpr char letter = number<T>(); }
PASSNET_ELEMENT(float);
PASSNET_ELEMENT(double);
PASSNET_ELEMENT(bool);
PASSNET_ELEMENT(signed char);
PASSNET_ELEMENT(unsigned char);
PASSNET_ELEMENT(short);
PASSNET_ELEMENT(int);
PASSNET_ELEMENT(long);
PASSNET_ELEMENT(long long);
#undef PASSNET_ELEMENT

// Two letters a type: what it is (v: a value, p: a pointer), and which.
template <class T> struct Type { static constexpr char first = 'v', second = number<T>(); };
template <> struct Type<void> { static constexpr char first = 'v', second = '-'; };
template <class T> struct Type<T*> { static constexpr char first = 'p', second = Element<T>::letter; };

template <unsigned Length, unsigned Types> struct Text {
  char mark[Length - 1], types[2 * Types + 1];
};

template <unsigned Length, class R, class... A>
constexpr Text<Length, sizeof...(A) + 1> describe(const char (&mark)[Length], R (*)(A...)) {
  static_assert(!std::is_pointer<R>::value, "exported functions return a number or nothing");
  Text<Length, sizeof...(A) + 1> text = {{}, {Type<R>::first, Type<R>::second}};
  const char letters[] = {Type<A>::first..., 0}, others[] = {Type<A>::second..., 0};
  for (unsigned i = 0; i + 1 < Length; ++i) text.mark[i] = mark[i];
  for (unsigned i = 0; i < sizeof...(A); ++i) text.types[2 * i + 2] = letters[i], text.types[2 * i + 3] = others[i];
  return text;
}

}  // namespace passnet_signature
