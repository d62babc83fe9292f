"""C++ and CUDA handed to the helpers: what does more than compute is refused, by its text or by what it compiles to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.kernels import build, cpp
from passnet.kernels.ghost import ghosts
from passnet.kernels.source_policy import ALLOWED_CALLS, KernelPolicyError, check_object, check_source

pytestmark = pytest.mark.integrity
HEAD = "#include <cstdint>\n"
BODY = 'extern "C" void f(float* o, int64_t n) { %s }'


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    earlier = build.settings()
    build.configure(cache_dir=tmp_path_factory.mktemp("kernels"))
    yield
    build.restore(earlier)


REFUSED = {
    "static": ("kept", BODY % "static float kept[8]; o[0] = kept[0]; kept[0] = o[1];"),
    "global": ("kept", "float* kept;\n" + BODY % "if (kept) o[0] = kept[0]; kept = o;"),
    "thread_local": ("__tls", "thread_local float t[4];\n" + BODY % "t[0] += 1; o[0] = t[0];"),
    "dynamic_local": (
        "atexit|guard|table",
        "#include <vector>\n" + BODY % "static std::vector<float> table(n); o[0] = table[0];",
    ),
    "thread_header": ("thread", "#include <thread>\n" + BODY % "std::thread([=] { o[0] = 1; }).detach();"),
    "declared_thread": (
        "pthread_create",
        'extern "C" int pthread_create(void*, const void*, void* (*)(void*), void*);\n'
        + BODY % "pthread_create(o, nullptr, nullptr, nullptr);",
    ),
    "assembly": ("asm", BODY % 'asm volatile("nop");'),
    "pasted_assembly": ("asm", "#define J(a, b) a##b\n" + BODY % 'J(as, m)("nop");'),
    "split_assembly": ("asm", BODY % 'as\\\nm("nop");'),
    "blas": ("cblas_sgemm", 'extern "C" void cblas_sgemm(...);\n' + BODY % "cblas_sgemm(1);"),
    "weak": ("sgemm_", 'extern "C" void sgemm_(float*) __attribute__((weak));\n' + BODY % "if (sgemm_) sgemm_(o);"),
    "aten": ("at", "namespace at { void relu(float*); }\n" + BODY % "at::relu(o);"),
    "constructor": ("attribute", "__attribute__((constructor)) static void c() {}\n" + BODY % "o[0] = 1;"),
    "gnu_constructor": ("", "[[gnu::constructor]] static void c() {}\n" + BODY % "o[0] = 1;"),
    "secret_header": ("passwd", "#include </etc/passwd>\n" + BODY % "o[0] = 1;"),
    "computed_header": ("HEADER", "#define HEADER <thread>\n#include HEADER\n" + BODY % "o[0] = 1;"),
    "loader": ("dlopen", 'extern "C" void* dlopen(const char*, int);\n' + BODY % 'dlopen("x", 1);'),
    "file": ("open", 'extern "C" int open(const char*, int, ...);\n' + BODY % 'open("/tmp/x", 1);'),
    "system_call": ("syscall", 'extern "C" long syscall(long, ...);\n' + BODY % "o[0] = syscall(39);"),
    "clock": ("rdtsc", BODY % "o[0] = __builtin_ia32_rdtsc();"),
    "interpreter": ("Py", 'extern "C" int PyRun_SimpleString(const char*);\n' + BODY % 'PyRun_SimpleString("");'),
    "binding": ("passnet_binding", BODY % "passnet_binding::skipped = -1;"),
}  # fmt: skip
_LOOP = "for (int64_t i = 0; i < n; ++i) o[i] = std::erf(std::exp(o[i])) + std::pow(o[i], 1.5f);"
_THROW = 'if (n < 0) throw std::runtime_error("bad " + std::to_string(n)); o[0] = 1;'
_NAMES = "float open = 1, signal = 2, clock = 3, thread = 4; o[0] = open + signal + clock + thread;"
_SORT = "std::vector<float> v(n); std::sort(o, o + n); o[0] = v[0];"
ACCEPTED = {
    "tables": "static const float t[4] = {1, 2, 3, 4};\nconstexpr int k = 3;\n" + BODY % "o[0] = t[n & 3] * k;",
    "mathematics": "#include <cmath>\n" + BODY % _LOOP,
    "containers": "#include <algorithm>\n#include <vector>\n" + BODY % _SORT,
    "exceptions": "#include <stdexcept>\n#include <string>\n" + BODY % _THROW,
    "names_like_system_calls": BODY % _NAMES,
    "words_in_comments": BODY % "/* asm, static, thread, PyObject */ o[0] = 1; // dlopen\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_source_that_does_more_than_compute(name: str) -> None:
    word, source = REFUSED[name]
    with pytest.raises(KernelPolicyError, match=f"(?s){word}"):
        cpp(HEAD + source)


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_source_that_computes(name: str) -> None:
    values = torch.ones(4)
    cpp(HEAD + ACCEPTED[name]).f(values, 4)
    assert torch.isfinite(values).all()


@pytest.mark.parametrize(
    ("source", "refused"),
    [
        ("__device__ float kept[64];", True),
        ("__managed__ int calls;", True),
        ("__device__ __constant__ const float table[2] = {1, 2};", False),
        ("__device__ float twice(float x) { return 2 * x; }", False),
        ("__global__ void f(float* o) { asm volatile(\"\"); __shared__ float room[32]; o[0] = room[0]; }", False),
        ("#include <cuda_fp16.h>\n", False),
        ("#include <cublas_v2.h>\n", True),
    ],
)  # fmt: skip
def test_cuda_sources(source: str, refused: bool) -> None:
    if refused:
        with pytest.raises(KernelPolicyError):
            check_source(source, "CUDA")
    else:
        check_source(source, "CUDA")


def test_what_may_be_called() -> None:
    fine = ("expf", "erf", "_ZGVeN16v_erff", "memcpy", "_Znwm", "_ZdlPvm", "__cxa_throw", "PyLong_AsLongLong")
    assert all(ALLOWED_CALLS.fullmatch(name) for name in (*fine, "_ZSt20__throw_length_errorPKc"))
    foreign = ("fork", "dlsym", "_ZNSt6thread15_M_start_threadE", "fopen", "system", "mmap", "_ZSt4cout", "sgemm_")
    assert not any(ALLOWED_CALLS.fullmatch(name) for name in foreign)


def test_a_library_of_the_system_is_seen_through() -> None:
    (torch_library,) = Path(torch.__file__).parent.glob("lib/libtorch_python.so")
    with pytest.raises(KernelPolicyError):
        check_object(torch_library)


def test_ghosts_do_nothing_are_counted_and_go_away() -> None:
    library = cpp(HEAD + BODY % "for (int64_t i = 0; i < n; ++i) o[i] = 7;")
    aliased, values = library.f, torch.zeros(4)
    with ghosts() as skipped:
        library.f(values, 4)
        aliased(values, 4)
        assert skipped() == 2
    assert values.tolist() == [0.0] * 4
    aliased(values, 4)
    assert values.tolist() == [7.0] * 4
