// What the library offers to passnet.kernels.compilation.binding; all else in it stays inside.
#pragma once
#include "binding.h"

// A kernel by a name that no author's function has. The linker says which one it is, so no kernel takes the place of a
// function that is called here.
#ifdef __APPLE__
#define PASSNET_KERNEL(INDEX, NAME) "_" NAME
#else
#define PASSNET_KERNEL(INDEX, NAME) "__passnet_kernel_" #INDEX
#endif

namespace passnet_binding {
extern Method methods[];
}

#pragma GCC visibility push(default)
extern "C" {
long passnet_ghost(long on) {
  long before = passnet_binding::skipped;
  if (!on) passnet_binding::skipped = -1;
  else if (before < 0) passnet_binding::skipped = 0;
  return before < 0 ? 0 : before;
}
// Teams gather before each region, and wait so many nanoseconds for that. 0: they do not.
void passnet_gather([[maybe_unused]] long most) {
#ifdef PASSNET_OPENMP
  passnet_regions::patience = most;
#endif
}
void passnet_watch(passnet_binding::Object* watcher) { passnet_binding::watch(watcher); }
void passnet_bind(passnet_binding::Object** given) { passnet_binding::bind(given); }
passnet_binding::Object* passnet_function(int index) {
  return passnet_binding::PyCFunction_NewEx(&passnet_binding::methods[index], nullptr, nullptr);
}
}
#pragma GCC visibility pop
