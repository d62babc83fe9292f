"""A GPU that is not there: launches are carried out by a C++ function that knows one kernel, on tensors of the CPU.

Both ways to launch end in it: Triton's own launcher, and the driver call of frozen launches and CUDA C++. So what is
tested is everything between a wrapper and the driver.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from passnet.kernels import cpp, native, triton_check
from passnet.kernels.compilation.prototypes import exported
from passnet.kernels.gpu.launch import GpuKernel
from passnet.kernels.gpu.library import CudaLibrary

# out = x * factor, and what was launched. Parameters: x, out, count (32 bits), factor.
_CARRIED_OUT = """
#include <cstdint>
static int64_t launches = 0, last[9];
static int launch(void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared, void* stream, void** parameters, void**) {
  const float* x = *static_cast<const float**>(parameters[0]);
  float* out = *static_cast<float**>(parameters[1]);
  int count = *static_cast<int*>(parameters[2]);
  float factor = *static_cast<float*>(parameters[3]);
  for (int i = 0; gx && i < count; ++i) out[i] = x[i] * factor;
  const int64_t now[] = {(int64_t)f, gx, gy, gz, bx, by, bz, shared, (int64_t)stream};
  for (int i = 0; i < 9; ++i) last[i] = now[i];
  ++launches;
  return factor == 700.0f ? 700 : 0;
}
extern "C" int64_t address() { return (int64_t)&launch; }
extern "C" int64_t launched() { return launches; }
extern "C" int64_t at(int index) { return last[index]; }
"""
HANDLE = 77


class FakeDevice:
    """The driver of a device on which tensors of the CPU lie; its stream is `now`."""

    def __init__(self) -> None:
        with pytest.MonkeyPatch.context() as patch:  # it must remember what it saw, which no kernel may
            patch.setattr(native, "check_object", lambda *_: None)
            self.library = cpp(_CARRIED_OUT)
        self.launch_address = self.library.address()
        self.sizes: tuple[int, ...] | None = (8, 8, 4, 4, 8, 8)
        self.now = 0

    def current_device(self) -> int:
        return -1

    def stream(self, device: int) -> int:
        return self.now

    def function(self, cubin: Path, name: str, device: int, shared: int) -> int:
        return HANDLE

    def entered(self, device: int) -> bool:
        return False

    def error(self, code: int) -> str:
        return f"code {code}"

    def parameter_sizes(self, function: int) -> tuple[int, ...] | None:
        return self.sizes

    @property
    def launched(self) -> int:
        return self.library.launched()

    @property
    def last(self) -> dict[str, object]:
        at = [self.library.at(index) for index in range(9)]
        return {"function": at[0], "grid": at[1:4], "block": at[4:7], "shared": at[7], "stream": at[8]}

    def kernel(self) -> GpuKernel:
        """A CUDA C++ kernel of the parameters that are carried out."""
        source = 'extern "C" __global__ void times(const float* x, float* out, int count, float factor) {}'
        (prototype,) = exported(source)
        return CudaLibrary(Path("times.cubin"), (prototype,), self).times


class _Utils:
    def load_binary(self, name, binary, shared, device):
        return (1, HANDLE, 16, 0, 1024)

    def unload_module(self, module):
        pass

    def get_device_properties(self, device):
        return {"max_shared_mem": 232448}


def triton_driver(device: FakeDevice):
    """What Triton takes for its driver. Its launcher makes the same call by its own way, and counts."""
    carried_out = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, *[ctypes.c_uint] * 7, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
    )(device.launch_address)
    read = {"i32": ctypes.c_int, "fp32": ctypes.c_float}

    class Launcher:
        calls = 0

        def __init__(self, source, metadata):
            self.kinds = list(source.signature.values())

        def __call__(self, x, y, z, stream, function, packed, metadata, enter, leave, *args):
            Launcher.calls += 1
            slots = []
            for kind, value in zip(self.kinds, args, strict=True):
                if kind == "constexpr":
                    continue
                if kind[0] == "*":
                    slots.append(ctypes.c_void_p(value if isinstance(value, int) else value.data_ptr()))
                else:
                    slots.append(read[kind](value))
            addresses = (ctypes.c_void_p * len(slots))(*(ctypes.addressof(slot) for slot in slots))
            carried_out(function, x, y, z, 32 * packed[0], 1, 1, packed[2], stream, addresses, None)

    class Driver(triton_check._NoDevice):
        launcher_cls = Launcher
        utils = _Utils()

        def get_current_stream(self, index: int) -> int:
            return device.now

    return Driver(), Launcher
