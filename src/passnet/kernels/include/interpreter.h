// The part of CPython's C interface that calls need, declared here because many machines lack Python.h.
//
// All of it is in the stable ABI of 3.12 and exported since 3.9: one object file serves every supported interpreter.
#pragma once
#include <cstddef>

struct _object;

namespace passnet_binding {

using Object = struct ::_object;

extern "C" {
Object* PyErr_Occurred(void);
void PyErr_Clear(void);
void Py_IncRef(Object*);
void Py_DecRef(Object*);
long long PyLong_AsLongLong(Object*);
unsigned long long PyLong_AsUnsignedLongLong(Object*);
Object* PyLong_FromLongLong(long long);
double PyFloat_AsDouble(Object*);
Object* PyFloat_FromDouble(double);
Object* PyBool_FromLong(long);
int PyObject_IsTrue(Object*);
void* PyLong_AsVoidPtr(Object*);
Object* PyObject_GetAttr(Object*, Object*);
Object* PyObject_Vectorcall(Object*, Object* const*, size_t, Object*);
Object* PyTuple_New(long);
int PyTuple_SetItem(Object*, long, Object*);
void* PyEval_SaveThread(void);
void PyEval_RestoreThread(void*);
Object* PyCFunction_NewEx(void*, Object*, Object*);
}

struct Method {  // the layout of PyMethodDef
  const char* name;
  void* function;
  int flags;
  const char* doc;
};
inline constexpr int fastcall = 0x80;  // METH_FASTCALL

struct Unlocked {  // other Python threads may run while it lives
  void* state = PyEval_SaveThread();
  ~Unlocked() { PyEval_RestoreThread(state); }
};

inline Object* tuple_of(Object* const* args, long count) {
  Object* tuple = PyTuple_New(count);
  for (long i = 0; i < count; ++i) Py_IncRef(args[i]), PyTuple_SetItem(tuple, i, args[i]);
  return tuple;
}

// What the interpreter answers to a method without arguments, as an address or number; false after an error.
inline bool ask(Object* method, Object* object, long long& answer) {
  Object* value = PyObject_Vectorcall(method, &object, 1, nullptr);
  if (!value) return false;
  answer = PyLong_AsLongLong(value);
  Py_DecRef(value);
  return !(answer == -1 && PyErr_Occurred());
}

// Whether a method without arguments answers with one object. An error counts as yes.
inline bool answers(Object* method, Object* object, Object* wanted) {
  Object* value = PyObject_Vectorcall(method, &object, 1, nullptr);
  if (!value) return true;
  Py_DecRef(value);
  return value == wanted;
}

// The address of a tensor's memory; false for a fake tensor, which has elements and no memory.
inline bool ask_address(Object* data_ptr, Object* numel, Object* tensor, long long& address) {
  long long elements = 0;
  return ask(data_ptr, tensor, address) && (address || (ask(numel, tensor, elements) && elements == 0));
}

}  // namespace passnet_binding
