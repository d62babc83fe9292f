"""The CUDA driver through ctypes: loads a cubin, finds a kernel, and gives the address of cuLaunchKernel."""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path

import torch

from passnet.errors import InfrastructureError

_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_STATIC_LIMIT = 48 * 1024  # A kernel that needs more must ask for it.


class CudaDriver:
    """libcuda in torch's primary context. It is made when the first kernel is launched, never at import."""

    def __init__(self) -> None:
        if not torch.cuda.is_available():
            raise InfrastructureError("no CUDA device is available to launch kernels on; `passnet doctor` says why")
        try:
            self._cuda = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise InfrastructureError(f"the CUDA driver library could not be loaded: {error}") from error
        self.launch_address = ctypes.cast(self._cuda.cuLaunchKernel, ctypes.c_void_p).value or 0
        self.stream = raw_stream
        self._modules: dict[tuple[Path, int], ctypes.c_void_p] = {}

    def current_device(self) -> int:
        """The index of torch's current CUDA device."""
        return torch.cuda.current_device()

    def function(self, cubin: Path, name: str, device: int, shared: int) -> int:
        """The handle of kernel `name` of `cubin` on `device`. The module is loaded once."""
        with torch.cuda.device(device):
            function = ctypes.c_void_p()
            module = self._module(cubin, device)
            self._check(
                self._cuda.cuModuleGetFunction(ctypes.byref(function), module, name.encode()), f"finding {name}"
            )
            if shared > _STATIC_LIMIT:
                code = self._cuda.cuFuncSetAttribute(function, _MAX_DYNAMIC_SHARED, ctypes.c_int(shared))
                self._check(code, f"giving {name} {shared} bytes of shared memory")
        return function.value or 0

    def parameter_sizes(self, function: int) -> tuple[int, ...] | None:
        """Bytes of each parameter of a loaded kernel, in order. None where the driver is too old to report them."""
        if not hasattr(self._cuda, "cuFuncGetParamInfo"):
            return None
        sizes: list[int] = []
        offset, size = ctypes.c_size_t(), ctypes.c_size_t()
        while not self._cuda.cuFuncGetParamInfo(
            ctypes.c_void_p(function), ctypes.c_size_t(len(sizes)), ctypes.byref(offset), ctypes.byref(size)
        ):
            sizes.append(size.value)
        return tuple(sizes)

    def entered(self, device: int) -> bool:
        """Whether this thread had no context. If so, it now has the device's primary context.

        Torch sets the context when it first calls the runtime in a thread. A thread's first call may be a launch.
        """
        current, handle, context = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_void_p()
        self._check(self._cuda.cuCtxGetCurrent(ctypes.byref(current)), "looking for a context")
        if current.value:
            return False
        self._check(self._cuda.cuDeviceGet(ctypes.byref(handle), device), f"finding device {device}")
        self._check(self._cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), handle), "finding the context")
        self._check(self._cuda.cuCtxSetCurrent(context), "entering the context")
        return True

    def error(self, code: int) -> str:
        """The driver's own text: `CUDA_ERROR_...: text`."""
        name, text = ctypes.c_char_p(), ctypes.c_char_p()
        self._cuda.cuGetErrorName(code, ctypes.byref(name))
        self._cuda.cuGetErrorString(code, ctypes.byref(text))
        return f"{(name.value or b'unknown').decode()}: {(text.value or b'').decode()} (code {code})"

    def _module(self, cubin: Path, device: int) -> ctypes.c_void_p:
        key = (cubin, device)
        if key not in self._modules:
            torch.empty(1, device=f"cuda:{device}")  # This makes the primary context and sets it on this thread.
            module = ctypes.c_void_p()
            self._check(self._cuda.cuModuleLoadData(ctypes.byref(module), cubin.read_bytes()), f"loading {cubin.name}")
            self._modules[key] = module
        return self._modules[key]

    def _check(self, code: int, doing: str) -> None:
        if code != 0:
            raise RuntimeError(f"{doing} failed: {self.error(code)}")


def _current_stream(device: int) -> int:
    return int(torch.cuda.current_stream(device).cuda_stream)


# Torch's own generated code uses this raw query. It takes a tenth of the time of building a Stream object.
raw_stream = getattr(torch._C, "_cuda_getCurrentRawStream", _current_stream)


@functools.cache
def cuda_driver() -> CudaDriver:
    """The driver of this process."""
    return CudaDriver()
