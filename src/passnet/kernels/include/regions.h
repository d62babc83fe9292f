// OpenMP as kernels see it: no exception leaves a region, and nothing of a region is left at the end of a call.
//
// The linker sends the author's calls of libgomp here (--wrap). Compilers guard the bodies of regions too, but an
// attribute or a pragma of the source can take that guard away. A team that is left by an exception stays: its threads
// work on, its level counts calls, its tasks run in later ones.
#pragma once
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern "C" {
int omp_get_level();
int omp_get_num_threads();
void __real_GOMP_critical_start();
void __real_GOMP_critical_end();
void __real_GOMP_atomic_start();
void __real_GOMP_atomic_end();
}

namespace passnet_regions {

static std::atomic<int> calls{0};
static std::atomic<const char*> outside{nullptr};  // what was used outside a parallel region
static long criticals = 0, atomics = 0;  // held now: each is changed by who holds it

// Whether this thread is in a parallel region. Outside one, libgomp would make a team that stays on the thread.
inline bool within(const char* reason) {
  if (omp_get_level() > 0) return true;
  const char* none = nullptr;
  outside.compare_exchange_strong(none, reason, std::memory_order_relaxed);  // the first one is told
  return false;
}

// The level at which the call begins.
inline int enter() {
  calls.fetch_add(1, std::memory_order_relaxed);
  return omp_get_level();
}

// What the call that ends here did wrong, or a null pointer. Locks that it left are opened.
inline const char* leave(int level) {
  if (omp_get_level() != level) std::abort();  // no region can be left; if one was, nothing can end it
  if (calls.fetch_sub(1, std::memory_order_acq_rel) > 1) return nullptr;  // another thread is in a call of this library
  const char* found = outside.exchange(nullptr, std::memory_order_relaxed);
  for (; criticals > 0; --criticals) __real_GOMP_critical_end(), found = "it left a critical section of OpenMP locked";
  for (; atomics > 0; --atomics) __real_GOMP_atomic_end(), found = "it left an atomic section of OpenMP locked";
  return found;
}

// Above 0, the threads of a team begin each region at the same moment, and may wait so many nanoseconds for that: those of
// all threads together. What they do to each other shows then, also where the processors are busy with others' work.
static std::atomic<long> patience{0};

// A round is over when all have come to it. In one that is over at once all of them are running: then the region begins.
struct Gathering {
  void (*body)(void*);
  void* data;
  std::atomic<long> came{0}, over{0}, first{0};
  std::atomic<bool> begins{false};
};
enum : long { AT_ONCE_NS = 5000 };

inline long clock_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

inline void gathered(void* given) {
  auto* gathering = static_cast<Gathering*>(given);
  const long team = omp_get_num_threads(), began = clock_ns(), most = patience.load(std::memory_order_relaxed);
  long now = began;
  while (team > 1 && !gathering->begins && now - began < most) {
    const long number = gathering->came.fetch_add(1), round = number / team;
    if (number % team == 0) gathering->first = now = clock_ns();
    if (number % team == team - 1) {
      now = clock_ns();
      gathering->begins = now - gathering->first < AT_ONCE_NS;
      gathering->over = round + 1;
    }
    while (gathering->over <= round && (now = clock_ns()) - began < most) {}
  }
  patience.fetch_sub(now - began, std::memory_order_relaxed);
  gathering->body(gathering->data);
}

}  // namespace passnet_regions

extern "C" {
void __wrap_GOMP_critical_start() noexcept { __real_GOMP_critical_start(), ++passnet_regions::criticals; }
void __wrap_GOMP_critical_end() noexcept { --passnet_regions::criticals, __real_GOMP_critical_end(); }
void __wrap_GOMP_atomic_start() noexcept { __real_GOMP_atomic_start(), ++passnet_regions::atomics; }
void __wrap_GOMP_atomic_end() noexcept { --passnet_regions::atomics, __real_GOMP_atomic_end(); }
}

// Any other function of libgomp. Its arguments are words, eleven at most: twelve are handed on, whatever they hold.
#define PASSNET_OPENMP_FUNCTION(NAME, ANYWHERE) \
  extern "C" long __real_##NAME(long, long, long, long, long, long, long, long, long, long, long, long); \
  extern "C" long __wrap_##NAME(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, \
                                long l) noexcept { \
    if (!(ANYWHERE) && !passnet_regions::within("it uses " #NAME " outside a parallel region of OpenMP")) return 0; \
    passnet_regions::Gathering gathering{(void (*)(void*))a, (void*)b}; \
    if (!std::strncmp(#NAME, "GOMP_parallel", 13) && passnet_regions::patience.load(std::memory_order_relaxed) > 0) \
      a = (long)passnet_regions::gathered, b = (long)&gathering; \
    return __real_##NAME(a, b, c, d, e, f, g, h, i, j, k, l); \
  }
