// Turns the exported functions of a kernel source into Python callables.
//
// Everything a call needs to decide is read here; whatever goes wrong is handed to `explain`, a Python function that
// raises a readable error (or returns, for fake and meta tensors, which have no memory to work on). It is compiled apart
// from the author's source and linked with it.
#pragma once
#include <exception>
#include <type_traits>

#include "interpreter.h"
#ifdef PASSNET_SCRATCH
#include "scratch.h"
#endif
#ifdef PASSNET_OPENMP
#include "regions.h"
#endif

namespace passnet_binding {

// What Python hands over when the library is loaded, in the order of passnet.kernels.compilation.binding.CONSTANTS.
enum Constant {
  NONE, TRUE_, DATA_PTR, NUMEL, IS_NEG, IS_CONJ, NAME_IS_CPU, NAME_DTYPE, EXPLAIN,
  FLOAT32, FLOAT64, BFLOAT16, FLOAT16, INT64, INT32, INT16, INT8, UINT8, BOOL,
  CONSTANT_COUNT
};

inline Object* constants[CONSTANT_COUNT];

inline void bind(Object** given) {
  for (int i = 0; i < CONSTANT_COUNT; ++i) Py_IncRef(given[i]), constants[i] = given[i];
}

// Ghost replay (passnet.kernels.ghost): below 0 kernels run; else they do nothing and are counted here.
inline long skipped = -1;

// Recording (passnet.kernels.replay.observe_launches): while set, a call goes to this Python function (index, arguments) instead.
inline Object* watcher = nullptr;

inline void watch(Object* given) {
  Object* before = watcher;
  watcher = given == constants[NONE] ? nullptr : given;
  if (watcher) Py_IncRef(watcher);
  if (before) Py_DecRef(before);
}

// Half precision is only pointed to here.
struct bf16;
struct fp16;

// The dtype that a pointer's element type asks for; NONE when any is welcome (void).
template <class T> struct Element { static constexpr Constant dtype = NONE; };
template <> struct Element<float> { static constexpr Constant dtype = FLOAT32; };
template <> struct Element<double> { static constexpr Constant dtype = FLOAT64; };
template <> struct Element<bf16> { static constexpr Constant dtype = BFLOAT16; };
template <> struct Element<fp16> { static constexpr Constant dtype = FLOAT16; };
template <> struct Element<long long> { static constexpr Constant dtype = INT64; };
template <> struct Element<int> { static constexpr Constant dtype = INT32; };
template <> struct Element<short> { static constexpr Constant dtype = INT16; };
template <> struct Element<signed char> { static constexpr Constant dtype = INT8; };
template <> struct Element<unsigned char> { static constexpr Constant dtype = UINT8; };
template <> struct Element<bool> { static constexpr Constant dtype = BOOL; };

inline bool attribute_is(Object* object, Constant name, Constant wanted) {
  Object* value = PyObject_GetAttr(object, constants[name]);
  if (!value) return false;
  Py_DecRef(value);
  return value == constants[wanted];
}

inline bool answers_true(Object* method, Object* object) { return answers(method, object, constants[TRUE_]); }

// read(): the C value of one Python argument; `good` becomes false when it has none.
template <class T> struct Argument {
  static T read(Object* object, bool& good) {
    if (!good) return T();
    if constexpr (std::is_same_v<T, bool>) {
      int truth = PyObject_IsTrue(object);
      return good = truth >= 0, truth == 1;
    } else if constexpr (std::is_floating_point_v<T>) {
      double wide = PyFloat_AsDouble(object);
      return good = !(wide == -1.0 && PyErr_Occurred()), static_cast<T>(wide);
    } else if constexpr (std::is_unsigned_v<T>) {
      unsigned long long wide = PyLong_AsUnsignedLongLong(object);
      good = static_cast<T>(wide) == wide && !(wide + 1 == 0 && PyErr_Occurred());
      return static_cast<T>(wide);
    } else {
      long long wide = PyLong_AsLongLong(object);
      good = static_cast<T>(wide) == wide && !(wide == -1 && PyErr_Occurred());
      return static_cast<T>(wide);
    }
  }
};

template <class T> struct Argument<T*> {
  static T* read(Object* object, bool& good) {
    if (!good || object == constants[NONE]) return nullptr;
    constexpr Constant dtype = Element<T>::dtype;
    good = (dtype == NONE || attribute_is(object, NAME_DTYPE, dtype)) && attribute_is(object, NAME_IS_CPU, TRUE_);
    long long address = 0;
    good = good && ask_address(constants[DATA_PTR], constants[NUMEL], object, address);
    good = good && !answers_true(constants[IS_NEG], object);  // a lazy tensor's bytes are not its values
    if constexpr (dtype == NONE) good = good && !answers_true(constants[IS_CONJ], object);  // it would be complex
    return reinterpret_cast<T*>(address);
  }
};

inline Object* explain(long function, Object* const* args, long count, const char* thrown) {
  PyErr_Clear();
  Object* parts[] = {PyLong_FromLongLong(function), tuple_of(args, count), PyLong_FromLongLong(reinterpret_cast<long long>(thrown))};
  Object* answer = PyObject_Vectorcall(constants[EXPLAIN], parts, 3, nullptr);
  for (Object* part : parts) Py_DecRef(part);
  return answer;
}

inline Object* divert(long function, Object* const* args, long count) {
  Object* parts[] = {PyLong_FromLongLong(function), tuple_of(args, count)};
  Object* answer = PyObject_Vectorcall(watcher, parts, 2, nullptr);
  for (Object* part : parts) Py_DecRef(part);
  return answer;
}

inline Object* none() { return Py_IncRef(constants[NONE]), constants[NONE]; }
inline Object* boxed(bool value) { return PyBool_FromLong(value); }
inline Object* boxed(float value) { return PyFloat_FromDouble(value); }
inline Object* boxed(double value) { return PyFloat_FromDouble(value); }
template <class T> Object* boxed(T value) { return PyLong_FromLongLong(static_cast<long long>(value)); }

template <int... I> struct Indices {};
template <int N, int... I> struct Count : Count<N - 1, N - 1, I...> {};
template <int... I> struct Count<0, I...> { using type = Indices<I...>; };

// What the author's call may not leave behind. `enter` gives what `leave` asks for; `leave` gives the reason why the call
// fails, or a null pointer.
inline int enter() {
#ifdef PASSNET_SCRATCH
  passnet_scratch::enter();
#endif
#ifdef PASSNET_OPENMP
  return passnet_regions::enter();
#else
  return 0;
#endif
}

inline const char* leave([[maybe_unused]] int level) {
  const char* reason = nullptr;
#if defined(PASSNET_X87) && defined(__x86_64__)
  __asm__ volatile("fninit");  // empties the unit's registers and clears its flags
#endif
#ifdef PASSNET_OPENMP
  reason = passnet_regions::leave(level);
#endif
#ifdef PASSNET_SCRATCH
  if (passnet_scratch::leave()) reason = "it left memory of the heap behind; free what a call takes";
#endif
  return reason;
}

template <class R, class F, class... V> Object* run(F function, V... values) {
  if (skipped >= 0) {
    ++skipped;
    if constexpr (std::is_void_v<R>) return none();
    else return boxed(R());
  }
  if constexpr (std::is_void_v<R>) {
    { Unlocked unlocked; function(values...); }
    return none();
  } else {
    R result;
    { Unlocked unlocked; result = function(values...); }
    return boxed(result);
  }
}

// One call of the author's function, after which nothing of the heap and of OpenMP is the author's any more.
template <class R, class F, class... V> Object* bounded(F function, long index, Object* const* args, long count, V... values) {
  Object* answer = nullptr;
  bool thrown = true;
  const int level = enter();
  try {
    answer = run<R>(function, values...);
    thrown = false;
  } catch (const char* message) {
    answer = explain(index, args, count, message);
  } catch (const std::exception& error) {
    answer = explain(index, args, count, error.what());
  } catch (...) {
    answer = explain(index, args, count, "a C++ exception");
  }
  const char* reason = leave(level);
  if (!reason || thrown) return answer;
  Py_DecRef(answer);
  return explain(index, args, count, reason);
}

template <class R, class... A, int... I>
Object* call(R (*function)(A...), long index, Object* const* args, long count, Indices<I...>) {
  if (watcher) return divert(index, args, count);
  if (count != static_cast<long>(sizeof...(A))) return explain(index, args, count, nullptr);
  bool good = true;
  return [&](A... values) -> Object* {
    if (!good) return explain(index, args, count, nullptr);
    return bounded<R>(function, index, args, count, values...);
  }(Argument<A>::read(args[I], good)...);
}

template <class R, class... A> Object* dispatch(R (*f)(A...), long index, Object* const* args, long count) {
  return call(f, index, args, count, typename Count<sizeof...(A)>::type{});
}

// The same for a call that was recorded and is guarded by its caller: addresses are integers, or None for a null
// pointer, and nothing is checked.
template <class T> T known(Object* object) {
  if constexpr (std::is_pointer_v<T>)
    return object == constants[NONE] ? nullptr : reinterpret_cast<T>(PyLong_AsLongLong(object));
  else if constexpr (std::is_same_v<T, bool>) return PyObject_IsTrue(object) == 1;
  else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(PyFloat_AsDouble(object));
  else if constexpr (std::is_unsigned_v<T>) return static_cast<T>(PyLong_AsUnsignedLongLong(object));
  else return static_cast<T>(PyLong_AsLongLong(object));
}

template <class R, class... A, int... I>
Object* replay(R (*function)(A...), long index, Object* const* args, long count, Indices<I...>) {
  if (count != static_cast<long>(sizeof...(A))) return explain(index, args, count, nullptr);
  return bounded<R>(function, index, args, count, known<A>(args[I])...);
}

template <class R, class... A> Object* replayed(R (*f)(A...), long index, Object* const* args, long count) {
  return replay(f, index, args, count, typename Count<sizeof...(A)>::type{});
}

}  // namespace passnet_binding
