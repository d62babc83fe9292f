// Launches GPU kernels from Python at the cost of a C call: arguments are read by a table that Python filled in.
//
// One object file serves all kernels. A Launch holds everything that stays the same between the calls of one kernel
// with one grid; what goes wrong is handed to its `explain`, a Python function (arguments, driver's code) -> result.
#pragma once
#include <cstring>

#include "interpreter.h"

namespace passnet_binding {

enum Kind : unsigned char { POINTER, FLOAT, DOUBLE, TRUTH, SIGNED, UNSIGNED };  // passnet.kernels.gpu.launch.Kind

constexpr int MAX_PARAMETERS = 64;

struct Launch {  // passnet.kernels.gpu.launch.LaunchRecord has the same layout
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
  void* function;
  Object *none, *true_, *data_ptr, *numel, *is_neg, *is_conj, *get_device, *name_dtype, *stream, *device_number, *explain;
  int device;
  unsigned grid[3], block[3], shared;
  int count;
  Object* dtypes[MAX_PARAMETERS];  // null where any will do
  unsigned char kinds[MAX_PARAMETERS], bytes[MAX_PARAMETERS];
  Object* watcher;  // unless None, a call goes to this Python function instead (passnet.kernels.replay.observe_launches)
};

inline bool fits(long long value, int bytes) {
  return bytes == 8 || (value >> (8 * bytes - 1) == 0 || value >> (8 * bytes - 1) == -1);
}

inline bool fits(unsigned long long value, int bytes) { return bytes == 8 || value >> (8 * bytes) == 0; }

inline bool read_pointer(const Launch& launch, int index, Object* object, void* slot) {
  long long address = 0, device = 0;
  if (object != launch.none) {
    if (!ask(launch.get_device, object, device) || device != launch.device) return false;
    if (launch.dtypes[index]) {
      Object* dtype = PyObject_GetAttr(object, launch.name_dtype);
      if (!dtype) return false;
      Py_DecRef(dtype);
      if (dtype != launch.dtypes[index]) return false;
    }
    if (!ask_address(launch.data_ptr, launch.numel, object, address)) return false;
    if (answers(launch.is_neg, object, launch.true_) || answers(launch.is_conj, object, launch.true_)) return false;
  }
  return std::memcpy(slot, &address, 8), true;
}

// Writes the value that the kernel will see; integers rely on little-endian order, which every CUDA host has.
inline bool read(const Launch& launch, int index, Object* object, void* slot) {
  switch (launch.kinds[index]) {
    case POINTER: return read_pointer(launch, index, object, slot);
    case FLOAT: {
      double wide = PyFloat_AsDouble(object);
      float value = static_cast<float>(wide);
      return std::memcpy(slot, &value, 4), !(wide == -1.0 && PyErr_Occurred());
    }
    case DOUBLE: {
      double value = PyFloat_AsDouble(object);
      return std::memcpy(slot, &value, 8), !(value == -1.0 && PyErr_Occurred());
    }
    case TRUTH: {
      long long value = PyObject_IsTrue(object);
      return std::memcpy(slot, &value, 8), value >= 0;
    }
    case SIGNED: {
      long long value = PyLong_AsLongLong(object);
      return std::memcpy(slot, &value, 8), fits(value, launch.bytes[index]) && !(value == -1 && PyErr_Occurred());
    }
    default: {
      unsigned long long value = PyLong_AsUnsignedLongLong(object);
      return std::memcpy(slot, &value, 8), fits(value, launch.bytes[index]) && !(value + 1 == 0 && PyErr_Occurred());
    }
  }
}

inline Object* ask_why(Object* explain, Object* const* args, long count, long code) {
  PyErr_Clear();
  Object* parts[] = {tuple_of(args, count), PyLong_FromLongLong(code)};
  Object* answer = PyObject_Vectorcall(explain, parts, 2, nullptr);
  for (Object* part : parts) Py_DecRef(part);
  return answer;
}

inline Object* explain(const Launch& launch, Object* const* args, long count, long code) {
  return ask_why(launch.explain, args, count, code);
}

inline Object* launch_now(Object* self, Object* const* args, long count) {
  const Launch& launch = *static_cast<const Launch*>(PyLong_AsVoidPtr(self));
  if (launch.watcher != launch.none) return PyObject_Vectorcall(launch.watcher, args, count, nullptr);
  if (count != launch.count) return explain(launch, args, count, 0);
  unsigned long long slots[MAX_PARAMETERS];
  void* parameters[MAX_PARAMETERS];
  for (int i = 0; i < launch.count; ++i) {
    if (!read(launch, i, args[i], parameters[i] = &slots[i])) return explain(launch, args, count, 0);
  }
  long long stream = 0;
  if (!ask(launch.stream, launch.device_number, stream)) return nullptr;
  const unsigned *g = launch.grid, *b = launch.block;
  int code = launch.launch(launch.function, g[0], g[1], g[2], b[0], b[1], b[2], launch.shared,
                           reinterpret_cast<void*>(stream), parameters, nullptr);
  if (code != 0) return explain(launch, args, count, code);
  return Py_IncRef(launch.none), launch.none;
}

static Method launch_method = {"launch", reinterpret_cast<void*>(launch_now), fastcall, nullptr};

// A launch that was recorded and is guarded by its caller: all but the stream and the addresses is known beforehand.
struct FrozenLaunch {  // passnet.kernels.replay.frozen_launch.FrozenRecord has the same layout
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
  void* function;
  Object *none, *explain;
  unsigned grid[3], block[3], shared;
  int count, addresses;
  unsigned char places[MAX_PARAMETERS];  // which parameter each address is
  unsigned long long values[MAX_PARAMETERS];
};

// Arguments: the stream, then the addresses in order.
inline Object* launch_frozen(Object* self, Object* const* args, long count) {
  const FrozenLaunch& frozen = *static_cast<const FrozenLaunch*>(PyLong_AsVoidPtr(self));
  int code = -1;
  if (count == frozen.addresses + 1) {
    unsigned long long slots[MAX_PARAMETERS];
    void* parameters[MAX_PARAMETERS];
    for (int i = 0; i < frozen.count; ++i) slots[i] = frozen.values[i], parameters[i] = &slots[i];
    for (int i = 0; i < frozen.addresses; ++i) slots[frozen.places[i]] = PyLong_AsLongLong(args[i + 1]);
    const unsigned *g = frozen.grid, *b = frozen.block;
    code = frozen.launch(frozen.function, g[0], g[1], g[2], b[0], b[1], b[2], frozen.shared,
                         reinterpret_cast<void*>(PyLong_AsLongLong(args[0])), parameters, nullptr);
  }
  if (code == 0) return Py_IncRef(frozen.none), frozen.none;
  return ask_why(frozen.explain, args, count, code);
}

static Method frozen_method = {"frozen_launch", reinterpret_cast<void*>(launch_frozen), fastcall, nullptr};

}  // namespace passnet_binding

extern "C" __attribute__((visibility("default"))) passnet_binding::Object* passnet_launcher(
    passnet_binding::Object* address) {
  return passnet_binding::PyCFunction_NewEx(&passnet_binding::launch_method, address, nullptr);
}

extern "C" __attribute__((visibility("default"))) passnet_binding::Object* passnet_frozen_launcher(
    passnet_binding::Object* address) {
  return passnet_binding::PyCFunction_NewEx(&passnet_binding::frozen_method, address, nullptr);
}
