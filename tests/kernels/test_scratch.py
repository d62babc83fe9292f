"""The heap as kernels see it: cleared, the call's own, and gone at its end."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from passnet.kernels import cpp, native
from passnet.kernels.policy.elf import Flag, read_elf
from tests import child
from tests.kernels.kernel_marks import IS_CLANG

THREADS = 1 if IS_CLANG else 2
SOURCE = r"""
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>
static int64_t used(const volatile int* room, int64_t n) {
  int64_t found = 0;
  for (int64_t i = 0; i < n; ++i) found += room[i] == 7777;
  return found;
}
static void use(volatile int* room, int64_t n) {
  for (int64_t i = 0; i < n; ++i) room[i] = 7777;
}
extern "C" int64_t by_malloc(int64_t n) {
  int* room = (int*)std::malloc(4 * n);
  int64_t found = used(room, n);
  use(room, n);
  room = (int*)std::realloc(room, 8 * n);
  found += used(room + n, n) + (used(room, n) != n);
  use(room, 2 * n);
  return std::free(room), found;
}
extern "C" int64_t by_new(int64_t n) {
  std::unique_ptr<int[]> room(new int[n]);
  int64_t found = used(room.get(), n);
  return use(room.get(), n), found;
}
struct alignas(256) Wide { int values[64]; };
extern "C" int64_t aligned(int64_t n) {
  std::vector<Wide> rooms(n);
  void* page = nullptr;
  int64_t odd = posix_memalign(&page, 4096, 100) + (int64_t)page % 4096 + (int64_t)rooms.data() % 256;
  void *volatile much = std::malloc(SIZE_MAX / 2), *volatile more = std::calloc(SIZE_MAX / 2, 4);
  return std::free(page), odd + (much != nullptr) + (more != nullptr);
}
extern "C" int64_t in_threads() {
  int64_t sum = 0;
#pragma omp parallel for num_threads(PASSNET_THREADS) reduction(+ : sum)
  for (int i = 0; i < 4000; ++i) sum += std::vector<int>(1 + i % 50, 1)[i % 50];
  return sum;
}
extern "C" int64_t keep(int64_t n) { return (int64_t)std::calloc(n, 4); }
struct Thrown { std::vector<int> numbers; std::string text; };
extern "C" void fail(int kind) {
  std::vector<int> room(100);
  if (kind == 1) throw Thrown{room, std::string(100, 'x')};
  std::malloc(100);
  throw "left in haste";
}
"""


@pytest.fixture(scope="module")
def library() -> native.Library:
    return cpp(SOURCE, threads=THREADS)


@pytest.mark.parametrize("size", [10, 1000, 300_000])
@pytest.mark.parametrize("name", ["by_malloc", "by_new"])
def test_memory_is_cleared_whatever_was_freed_before(library: native.Library, name: str, size: int) -> None:
    assert [getattr(library, name)(size) for _ in range(4)] == [0] * 4


def test_without_this_heap_an_earlier_call_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "heap_functions", lambda _: frozenset())
    plain = cpp(f"// the system's own heap\n{SOURCE}", threads=THREADS)
    assert [plain.by_new(1000) for _ in range(4)] != [0] * 4


def test_alignment_and_what_cannot_be_had(library: native.Library) -> None:
    assert library.aligned(3) == 0


def test_threads_of_a_kernel_take_memory_at_once(library: native.Library) -> None:
    assert library.in_threads() == 4000


def test_a_call_that_keeps_memory_fails(library: native.Library) -> None:
    with pytest.raises(RuntimeError, match="keep threw: it left memory of the heap behind"):
        library.keep(100)
    assert library.by_malloc(1000) == 0


@pytest.mark.parametrize(("kind", "message"), [(1, r"a C\+\+ exception"), (2, "left in haste")])
def test_an_exception_ends_the_call_with_its_own_reason(library: native.Library, kind: int, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        library.fail(kind)
    assert library.by_new(1000) == 0


COUNTED = """
#include <memory>
extern "C" long counted(long n) { auto p = std::make_shared<long>(n); auto q = p; return *q + q.use_count(); }
extern "C" char __libc_single_threaded;
extern "C" int single() { return __libc_single_threaded; }
"""
READ_ONLY = 'extern "C" char __libc_single_threaded; extern "C" int single() { return __libc_single_threaded; }'


@pytest.mark.parametrize("source", [COUNTED, READ_ONLY], ids=["with_heap", "without_heap"])
def test_counting_reads_a_constant_of_the_kernel_and_no_variable_of_the_system(source: str) -> None:
    library = cpp(source)
    assert library.single() == 0
    if source == COUNTED:
        assert library.counted(40) == 42
    (found,) = [symbol for symbol in read_elf(library._path).symbols if "single_threaded" in symbol.name]
    assert not found.undefined
    assert found.section is not None
    assert not found.section.flags & Flag.WRITE


WRITTEN = """
from passnet.kernels import cpp
keep = cpp('extern "C" char __libc_single_threaded; extern "C" int keep(int n) { return __libc_single_threaded = n; }')
print("built", flush=True)
keep.keep(3)
"""


def test_who_keeps_a_number_where_the_system_counts_is_ended() -> None:
    command = [sys.executable, "-c", WRITTEN]
    done = subprocess.run(command, env=child.environment(), stdout=subprocess.PIPE, check=False)
    assert done.stdout == b"built\n"
    assert done.returncode == -signal.SIGSEGV
