"""OpenMP as kernels see it: no exception leaves a region, and nothing of a region is left at the end of a call."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from passnet.kernels import cpp, native
from tests import child
from tests.kernels.kernel_marks import IS_CLANG, needs_openmp

# `nothrow` takes the compiler's own guard away, as its options do. No text that is looked for is in it.
SOURCE = r"""
#include "passnet.h"
#include <omp.h>
__attribute__((noinline)) static void thrown(const volatile int64_t& now) {
  if (now) throw 1;
}
__attribute__((noinline, nothrow)) static void part(int64_t now);
__attribute__((noinline)) static void locked(int64_t now) {
#pragma omp critical
  part(now);
}
__attribute__((noinline)) static void region(int64_t now) {
#pragma omp parallel num_threads(1)
  part(now);
}
__attribute__((noinline)) static void tasks(int64_t now) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    part(now);
  }
}
static void part(int64_t now) { const volatile int64_t copy = now; thrown(copy); }
extern "C" int64_t leave(int64_t what, int64_t now) {
  void (*volatile go)(int64_t) = what == 0 ? locked : what == 1 ? region : tasks;
  try { go(now); } catch (int) {}
  return omp_get_level();
}
extern "C" int64_t inside(int64_t n) {
  int64_t sum = 0, kept = 0;
  long double wide = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
    for (int64_t i = 0; i < n; ++i) try { if (i % 7 == 0) throw i; } catch (int64_t v) { sum += v; }
#pragma omp for schedule(guided)
    for (int64_t i = 0; i < n; ++i) {
#pragma omp atomic
      wide += 1;
    }
#pragma omp for ordered schedule(static, 1)
    for (int64_t i = 0; i < n; ++i) {
#pragma omp ordered
      kept += 1;
    }
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp critical
        kept += 1000;
      }
#pragma omp section
      {
#pragma omp critical
        kept += 1000;
      }
    }
#pragma omp single
    {
#pragma omp taskloop grainsize(4) reduction(+ : kept)
      for (int64_t i = 0; i < n; ++i) kept += 1;
    }
  }
#pragma omp parallel for num_threads(2) reduction(task, + : kept)
  for (int64_t i = 0; i < n; ++i) kept += 1;
  return sum + 10000 * kept + 100000000 * (int64_t)wide;
}
extern "C" int64_t task(int64_t n) {
  volatile int64_t sum = 0;
#pragma omp task shared(sum)
  sum = sum + n;
#pragma omp taskwait
  return sum;
}
extern "C" int64_t loop(int64_t n) {
  int64_t sum = 0;
#pragma omp for schedule(dynamic)
  for (int64_t i = 0; i < n; ++i) sum += i;
  return sum;
}
"""
BEGIN = "from passnet.kernels import cpp, native; from tests.kernels.test_regions import SOURCE; "
LEFT = BEGIN + "f = cpp(SOURCE, threads=2).leave; print(f({0}, 0), flush=True); f({0}, 1); print('it runs on')"
COUNTED = BEGIN + "native.openmp_functions = lambda _: frozenset(); "
COUNTED += "print([f(1, 1) for f in [cpp('#define OF_LIBGOMP' + SOURCE, threads=2).leave] * 3])"
STACKED = r"""
#include <cstdint>
__attribute__((noinline)) static long double give(double x) { return x; }
__attribute__((noinline)) static void nothing(double x) { volatile double y = x; y = y + 1; }
extern "C" void leave(double x) {
  void (*volatile go)(double) = (void (*)(double))give;
  go(x);
}
extern "C" double found() {
  long double (*volatile go)(double) = (long double (*)(double))nothing;
  return go(1);
}
"""
STATUS = r"""
#include <cstdint>
extern "C" int64_t flags(int64_t n) {
  const int64_t before = __builtin_ia32_fnstsw();
  volatile long double zero = 0, one = n, infinite = one / zero;
  return before;
}
"""


def _child(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=child.environment(), capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def library() -> native.Library:
    return cpp(SOURCE, threads=2)


@needs_openmp
def test_all_constructs_within_a_region_work(library: native.Library) -> None:
    expected = sum(range(0, 100, 7)) + 10000 * 2300 + 100000000 * 100
    assert [library.inside(100) for _ in range(3)] == [expected] * 3


@needs_openmp
def test_a_lock_that_is_left_fails_the_call_and_is_opened(library: native.Library) -> None:
    for _ in range(2):
        with pytest.raises(RuntimeError, match="leave threw: it left a critical section of OpenMP locked"):
            library.leave(0, 1)
        assert library.leave(0, 0) == 0


@needs_openmp
@pytest.mark.parametrize("what", [1, 2], ids=["region", "task"])
def test_an_exception_that_leaves_a_region_ends_the_process(what: int) -> None:
    done = _child(LEFT.format(what))
    assert done.stdout == "0\n"
    assert done.returncode == -signal.SIGABRT


@needs_openmp
@pytest.mark.parametrize("name", ["task", "loop"])
def test_what_would_make_a_team_outside_a_region_fails_the_call(library: native.Library, name: str) -> None:
    with pytest.raises(RuntimeError, match=rf"it uses GOMP_{name}\w* outside a parallel region"):
        getattr(library, name)(10)
    assert library.leave(1, 0) == 0


@needs_openmp
def test_without_this_a_region_that_is_left_counts_calls() -> None:
    done = _child(COUNTED)
    assert done.stdout == "[1, 2, 3]\n"


def test_the_x87_unit_is_cleared_after_a_call() -> None:
    unit = cpp(STACKED, fast_math=False)
    unit.leave(42.0)
    assert unit.found() != 42


@pytest.mark.skipif(IS_CLANG, reason="clang cannot read the unit's state")
def test_the_x87_unit_has_no_flags_of_an_earlier_call() -> None:
    unit = cpp(STATUS, fast_math=False)
    assert [unit.flags(1) & 63 for _ in range(2)] == [0, 0]


def test_only_those_who_use_it_pay_for_it() -> None:
    assert native._X87.search("f:\n\tflds\t(%rdi)\n")
    assert not native._X87.search("\t.globl\tfast\nfast:\n\tcall\tfmod\n\tmovss\t%xmm0, (%rdi)\n")
