"""CUDA C++ kernels: compiled wherever a CUDA compiler is, launched for real where a GPU is, else by a fake driver."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from passnet.errors import InfrastructureError, UsageError
from passnet.kernels import cpp, cuda, native
from passnet.kernels.compilation import cuda_toolchain
from passnet.kernels.compilation.prototypes import Parameter, exported
from passnet.kernels.gpu.launch import ArgumentKind, GpuKernel, scalar_kind
from passnet.kernels.gpu.library import CudaLibrary
from tests.kernels.kernel_marks import needs_cuda_compiler, on_gpu

SOURCE = """
#include <cuda_fp16.h>
#include <cstdint>
extern "C" __global__ void scale(const float* x, float* out, long long count, float factor) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < count) out[i] = x[i] * factor;
}
extern "C" __global__ void halve(const __half* x, __half* out, int64_t count) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < count) out[i] = __float2half(__half2float(x[i]) * 0.5f);
}
"""


RECORDER = """
#include <cstdint>
#include <cstring>
static int64_t seen[32];
static int result = 0;
static int count = 0;
static int launch(void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared, void* stream, void** parameters, void**) {
  int64_t head[] = {(int64_t)f, gx, gy, gz, bx, by, bz, shared, (int64_t)stream};
  std::memcpy(seen, head, sizeof head);
  for (int i = 0; i < count; ++i) std::memcpy(&seen[9 + i], parameters[i], 8);
  return result;
}
extern "C" int64_t address() { return (int64_t)&launch; }
extern "C" void prepare(int parameters, int code) {
  count = parameters, result = code;
  std::memset(seen, 0, sizeof seen);
}
extern "C" int64_t at(int index) { return seen[index]; }
extern "C" float float_at(int index) { float value; std::memcpy(&value, &seen[index], 4); return value; }
extern "C" double double_at(int index) { double value; std::memcpy(&value, &seen[index], 8); return value; }
"""


class FakeDriver:
    """Records launches instead of making them; tensors on the CPU are on its device, number -1."""

    def __init__(self) -> None:
        with pytest.MonkeyPatch.context() as patch:  # it must remember what it saw, which no kernel may
            patch.setattr(native, "check_object", lambda *_: None)
            self.recorder = cpp(RECORDER)
        self.recorder.prepare(0, 0)
        self.launch_address = self.recorder.address()
        self.loaded: list[tuple[str, int, int]] = []

    def current_device(self) -> int:
        return -1

    def stream(self, device: int) -> int:
        return 1000 + device

    def function(self, cubin: Path, name: str, device: int, shared: int) -> int:
        self.loaded.append((name, device, shared))
        return 77

    def entered(self, device: int) -> bool:
        return False

    def error(self, code: int) -> str:
        return f"code {code}"


@pytest.fixture
def driver() -> FakeDriver:
    return FakeDriver()


def kernel(parameters: str, driver: FakeDriver) -> GpuKernel:
    (prototype,) = exported(f'extern "C" __global__ void k({parameters}) {{}}')
    return CudaLibrary(Path("k.cubin"), (prototype,), driver).k


def test_a_launch_passes_everything(driver: FakeDriver) -> None:
    k = kernel("const float* x, float* out, long long n, int m, float a, double b, bool c, unsigned char d", driver)
    x, out = torch.empty(4), torch.empty(4)
    driver.recorder.prepare(8, 0)
    assert k[(5, 6), 128, 256](x, out, -(2**40), -3, 1.5, 0.1, True, 255) is None
    head = [driver.recorder.at(i) for i in range(9)]
    assert head == [77, 5, 6, 1, 128, 1, 1, 256, 999]
    at = driver.recorder.at
    assert [at(9), at(10), at(11)] == [x.data_ptr(), out.data_ptr(), -(2**40)]
    assert at(12) & 0xFFFFFFFF == 2**32 - 3
    assert driver.recorder.float_at(13) == 1.5
    assert driver.recorder.double_at(14) == 0.1
    assert [at(15) & 1, at(16) & 0xFF] == [1, 255]


def test_a_configuration_is_prepared_once(driver: FakeDriver) -> None:
    k = kernel("int n", driver)
    for _ in range(3):
        k[1, 32](1)
    k[2, 32](1)
    k[2, 32, 60_000](1)
    assert driver.loaded == [("k", -1, 0), ("k", -1, 0), ("k", -1, 60_000)]


def test_none_is_a_null_pointer(driver: FakeDriver) -> None:
    driver.recorder.prepare(2, 0)
    kernel("const float* bias, int n", driver)[1, 1](None, 7)
    assert [driver.recorder.at(9), driver.recorder.at(10)] == [0, 7]


@pytest.mark.parametrize(
    ("parameters", "args", "message"),
    [
        ("float* x, int n", (torch.empty(2),), "takes 2 arguments, found 1"),
        ("float* x", (torch.empty(2, dtype=torch.float16),), r"expected a tensor of torch\.float32"),
        ("__half* x", (torch.empty(2),), "expected a tensor of torch.float16"),
        ("float* x", (3,), "expected a tensor or None, found int 3"),
        ("int n", (2**31,), "cannot be called with int 2147483648"),
        ("int n", ("a",), "expected a number"),
        ("unsigned n", (-1,), "cannot be called"),
        ("unsigned char n", (256,), "cannot be called"),
    ],
)
def test_wrong_arguments(driver: FakeDriver, parameters: str, args: tuple[object, ...], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        kernel(parameters, driver)[1, 1](*args)


@pytest.mark.parametrize(
    ("written", "lowest", "highest"), [("short", -(2**15), 2**15 - 1), ("int", -(2**31), 2**31 - 1)]
)
def test_signed_ranges(driver: FakeDriver, written: str, lowest: int, highest: int) -> None:
    launch = kernel(f"{written} n", driver)[1, 1]
    launch(lowest)
    launch(highest)
    for number in (lowest - 1, highest + 1):
        with pytest.raises(TypeError):
            launch(number)


def test_the_drivers_refusal_is_told(driver: FakeDriver) -> None:
    driver.recorder.prepare(0, 700)
    with pytest.raises(RuntimeError, match=r"launching k\[\(1, 1\)\] failed: code 700"):
        kernel("", driver)[1, 1]()


def test_meta_tensors_are_not_launched_on(driver: FakeDriver) -> None:
    assert kernel("float* x", driver)[1, 1](torch.empty(2, device="meta")) is None
    assert driver.recorder.at(0) == 0


@pytest.mark.parametrize("configuration", [3, (1,), (1, 2, 3, 4), (0, 32), ((1, 2, 3, 4), 32), ("a", 32), (1.5, 32)])
def test_bad_grids(driver: FakeDriver, configuration: object) -> None:
    with pytest.raises(UsageError, match=r"bad (grid|launch)"):
        kernel("int n", driver)[configuration]


def test_a_kernel_without_a_grid(driver: FakeDriver) -> None:
    with pytest.raises(TypeError, match=r"needs a grid: k\[grid, block\]"):
        kernel("int n", driver)(1)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("const int", (ArgumentKind.SIGNED, 4)),
        ("std::uint32_t", (ArgumentKind.UNSIGNED, 4)),
        ("unsigned long long", (ArgumentKind.UNSIGNED, 8)),
        ("const __half*", (ArgumentKind.POINTER, 8)),
    ],
)
def test_scalar_kinds(written: str, expected: tuple[ArgumentKind, int]) -> None:
    assert scalar_kind(Parameter(written, "n")) == expected


def test_types_that_cannot_be_passed_are_refused_before_compiling() -> None:
    with pytest.raises(UsageError, match=r"`__half s` cannot be passed.*pass half-precision numbers as float"):
        cuda('extern "C" __global__ void k(__half s) {}')


def test_a_source_without_kernels() -> None:
    with pytest.raises(UsageError, match="exports no function"):
        cuda("__global__ void k(int n) {}")
    with pytest.raises(UsageError, match="has no kernel"):
        cuda('extern "C" void k(int n) {}')


def test_no_cuda_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda_toolchain.find_cuda_compiler.cache_clear()
    monkeypatch.setattr(cuda_toolchain, "_nvrtc", lambda: None)
    monkeypatch.setattr(cuda_toolchain, "_nvcc", lambda: None)
    with pytest.raises(InfrastructureError, match="neither the NVRTC library"):
        cuda(SOURCE)
    cuda_toolchain.find_cuda_compiler.cache_clear()


@needs_cuda_compiler
def test_compiles_without_a_gpu() -> None:
    library = cuda(SOURCE, arch="sm_90")
    assert list(library) == ["scale", "halve"]
    assert library.cubin.read_bytes()[:4] == b"\x7fELF"
    assert cuda(SOURCE, arch="sm_90").cubin == library.cubin
    assert cuda(SOURCE, arch="sm_80").cubin != library.cubin


@needs_cuda_compiler
def test_compile_errors_carry_the_authors_lines() -> None:
    with pytest.raises(UsageError, match=r"does not compile:\n  line 2: .*missing"):
        cuda('extern "C" __global__ void k(float* x) {\n  x[0] = missing;\n}')


@needs_cuda_compiler
def test_unknown_kernel_names_the_known() -> None:
    with pytest.raises(AttributeError, match="no 'other'; it exports scale, halve"):
        _ = cuda(SOURCE, arch="sm_90").other


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
@needs_cuda_compiler
def test_launching_needs_a_device() -> None:
    with pytest.raises(InfrastructureError, match="no CUDA device"):
        _ = cuda(SOURCE, arch="sm_90").scale


@on_gpu
def test_computes_what_torch_computes() -> None:
    library = cuda(SOURCE)
    x = torch.randn(1000, device="cuda")
    out = torch.empty_like(x)
    library.scale[4, 256](x, out, 1000, 2.5)
    assert torch.equal(out, x * 2.5)
    half = x.half()
    out_half = torch.empty_like(half)
    library.halve[(4,), (256,)](half, out_half, 1000)
    assert torch.equal(out_half, half * 0.5)


@on_gpu
def test_launches_follow_the_current_stream() -> None:
    library = cuda(SOURCE)
    x = torch.randn(1 << 20, device="cuda")
    out = torch.zeros_like(x)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.cuda._sleep(10_000_000)
        library.scale[4096, 256](x, out, x.numel(), 2.0)
        assert not side.query()
    side.synchronize()
    assert torch.equal(out, x * 2)


@on_gpu
def test_tensors_of_another_device_are_refused() -> None:
    library = cuda(SOURCE)
    x = torch.randn(16, device="cuda")
    with pytest.raises(TypeError):
        library.scale[1, 16](x, torch.empty(16), 16, 1.0)


@on_gpu
def test_large_dynamic_shared_memory() -> None:
    source = """
    extern "C" __global__ void last(float* out, int count) {
      extern __shared__ float values[];
      for (int i = threadIdx.x; i < count; i += blockDim.x) values[i] = i;
      __syncthreads();
      if (threadIdx.x == 0) out[0] = values[count - 1];
    }"""
    count = 20_000
    out = torch.zeros(1, device="cuda")
    cuda(source).last[1, 256, count * 4](out, count)
    assert out.item() == count - 1


@on_gpu
def test_the_second_device_works_when_there_is_one() -> None:
    if torch.cuda.device_count() < 2:
        pytest.skip("one CUDA device only")
    library = cuda(SOURCE)
    for device in ("cuda:0", "cuda:1", "cuda:0"):
        x = torch.randn(16, device=device)
        out = torch.empty_like(x)
        library.scale[1, 16](x, out, 16, 3.0)
        assert torch.equal(out, x * 3)
