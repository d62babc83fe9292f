"""The compilers of this machine beside the default one: what they make is accepted and computes, and no more is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import torch

from passnet.errors import UsageError
from passnet.kernels import cpp, native
from passnet.kernels.compilation.toolchain import Toolchain, file_identity, find_toolchain, is_clang
from passnet.kernels.policy.assembly import check_assembly
from passnet.kernels.policy.breach import KernelPolicyError

NAMES = ("g++", "clang++", *(f"{name}-{version}" for name in ("g++", "clang++") for version in range(9, 26)))
# Vectors and their masks, a table of jumps, exceptions, the heap, the x87 unit, virtual functions.
SOURCE = r"""
#include "passnet.h"
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>
template <class T> static void gelu_row(const T* x, T* out, int64_t n) {
  std::vector<float> row(n);
  passnet::widen(x, row.data(), n);
  for (int64_t i = 0; i < n; ++i) row[i] = row[i] > 9 ? 9 : passnet::gelu(row[i]);
  passnet::narrow(row.data(), out, n);
}
extern "C" void gelu(const float* x, float* out, int64_t n) { gelu_row(x, out, n); }
extern "C" void gelu_bf16(const passnet::bf16* x, passnet::bf16* out, int64_t n) { gelu_row(x, out, n); }
extern "C" void take(const float* x, const int64_t* at, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = at[i] < 0 ? 0 : x[at[i]];
}
extern "C" int64_t chosen(int64_t n) {
  switch (n) {
    case 0: return 3; case 1: return 14; case 2: throw std::runtime_error("two"); case 3: return n * n;
    case 4: return 92; case 5: std::unique_ptr<int> p(new int(65)); return *p;
  }
  return -1;
}
extern "C" int64_t same(const float* a, const float* b, int64_t n) { return std::memcmp(a, b, 4 * n) == 0; }
struct Base { virtual double of(double x) const noexcept { return x; } virtual ~Base() = default; };
struct Wide : Base { double of(double x) const noexcept override { return (double)((long double)x / 3); } };
extern "C" double third(double x, int64_t n) {
  std::unique_ptr<Base> base(n ? new Wide : new Base);
  return base->of(x);
}
"""
KERNEL = 'extern "C" void f(float* out) { %s }'
CALLS = {
    "statement": KERNEL % 'asm volatile("syscall");',
    "joined": "#define J(a, b) a##b\n" + KERNEL % 'J(__as, m__) volatile("rdtsc");',
    "data": '__attribute__((section(".text"))) extern const char code[] = {15, 5, -61};\n'
    + KERNEL % "((void (*)())code)();",
    "variable": KERNEL % "static int kept; out[0] = ++kept;",
    "thread": "thread_local float kept[4];\n" + KERNEL % "kept[0] += 1; out[0] = kept[0];",
    "constructor": "__attribute__((constructor)) void early() { __builtin_trap(); }\n" + KERNEL % "out[0] = 1;",
    "clock": "#include <immintrin.h>\n" + KERNEL % "out[0] = __builtin_ia32_rdtsc();",
    "system": 'extern "C" long syscall(long, ...);\n' + KERNEL % "out[0] = syscall(39);",
}
STATEMENTS = ('asm volatile("syscall");', 'asm volatile("nop");', 'asm volatile(".byte 0x0f, 0x05");')


def others() -> list[Path]:
    """The compilers on the path that are no other name of the default one, each once."""
    known = {find_toolchain().compiler.resolve()}
    found = []
    for name in NAMES:
        path = shutil.which(name)
        if path is not None and Path(path).resolve() not in known:
            known.add(Path(path).resolve())
            found.append(Path(path))
    return found


FOUND = others() or [pytest.param(None, marks=pytest.mark.skip(reason="this machine has one C++ compiler"))]


@pytest.fixture(params=FOUND, ids=lambda path: path.name if path else "none")
def toolchain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Toolchain:
    """Another compiler in the default one's place."""
    path = request.param
    made = Toolchain(path, file_identity(path.resolve()))
    monkeypatch.setattr(native, "find_toolchain", lambda: made)
    return made


def test_what_it_makes_is_accepted_and_computes(toolchain: Toolchain) -> None:
    library = cpp(SOURCE)
    x = torch.linspace(-6, 6, 1001)
    for name, dtype, tolerance in (("gelu", torch.float32, 1e-5), ("gelu_bf16", torch.bfloat16, 2e-2)):
        out = torch.empty(1001, dtype=dtype)
        getattr(library, name)(x.to(dtype), out, 1001)
        torch.testing.assert_close(out, torch.nn.functional.gelu(x.to(dtype)), rtol=tolerance, atol=tolerance)
    at = torch.arange(1000, -1, -1)
    at[::3] = -1
    out = torch.empty(1001)
    library.take(x, at, out, 1001)
    assert torch.equal(out, torch.where(at < 0, 0, x[at]))
    assert [library.chosen(n) for n in (0, 1, 3, 4, 5, 6)] == [3, 14, 9, 92, 65, -1]
    with pytest.raises(RuntimeError, match="chosen threw: two"):
        library.chosen(2)
    assert (library.same(x, x.clone(), 1001), library.same(x, out, 1001)) == (1, 0)
    assert (library.third(9.0, 1), library.third(9.0, 0)) == (3, 9)


@pytest.mark.parametrize("call", CALLS)
def test_what_does_more_is_refused(toolchain: Toolchain, call: str) -> None:
    with pytest.raises(KernelPolicyError):
        cpp(CALLS[call])


@pytest.mark.parametrize("statement", STATEMENTS)
def test_its_assembly_shows_what_a_statement_put_there(toolchain: Toolchain, statement: str) -> None:
    """This is asked where no check of the source has seen it."""
    command = [str(toolchain.compiler), *toolchain.compile_flags(fast_math=True, threads=1), "-fno-verbose-asm"]
    source = (KERNEL % statement).encode()
    done = subprocess.run([*command, "-x", "c++", "-S", "-", "-o", "-"], input=source, capture_output=True, check=True)
    with pytest.raises(KernelPolicyError, match="assembly in the source"):
        check_assembly(done.stdout.decode())


def test_openmp_is_refused_where_it_keeps_variables(toolchain: Toolchain) -> None:
    if not is_clang(toolchain.compiler):
        assert cpp(KERNEL % "out[0] = PASSNET_THREADS;", threads=2)
        return
    with pytest.raises(UsageError, match=r"^threads: \S+ is clang, .*; expected 1, found 2 \(with g\+\+ on the path"):
        cpp(KERNEL % "out[0] = 1;", threads=2)
