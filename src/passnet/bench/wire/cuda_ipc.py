"""Device memory that the controller owns and lends to workers through the CUDA driver's IPC handles.

torch's own sharing passes reference counters and events, which a hostile worker could corrupt. Here only a 64-byte
handle crosses the channel. The calling process needs an initialised CUDA context (`torch.cuda.init()`).
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import torch

from passnet.bench.wire.memory import NoRoom, free_bytes
from passnet.errors import InfrastructureError

_HANDLE_BYTES = 64
_LAZY_PEER_ACCESS = 1
_OUT_OF_MEMORY = 2


class _Handle(ctypes.Structure):
    _fields_ = [("reserved", ctypes.c_char * _HANDLE_BYTES)]


def _driver() -> ctypes.CDLL:
    torch.cuda.init()  # type: ignore[no-untyped-call]
    torch.cuda.current_stream()
    torch.zeros(1, device="cuda")  # makes the primary context current in this thread
    return ctypes.CDLL("libcuda.so.1")


def _check(status: int, call: str) -> None:
    if status != 0:
        raise InfrastructureError(f"CUDA driver: {call} failed with status {status}")


@dataclass
class _Window:
    """The interface that `torch.as_tensor` needs to see device memory that torch did not allocate."""

    pointer: int
    nbytes: int

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": (self.nbytes,), "typestr": "|u1", "data": (self.pointer, False), "version": 3, "strides": None}


@dataclass
class DeviceBuffer:
    """One allocation of device memory, owned (controller) or opened from a handle (worker)."""

    pointer: int
    nbytes: int
    handle: str
    owned: bool

    @classmethod
    def allocate(cls, nbytes: int) -> DeviceBuffer:
        driver = _driver()
        pointer, handle = ctypes.c_uint64(), _Handle()
        status = driver.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(nbytes))
        if status == _OUT_OF_MEMORY:
            torch.cuda.empty_cache()  # the memory that torch keeps of its own tensors
            status = driver.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(nbytes))
        if status == _OUT_OF_MEMORY:
            raise NoRoom("device memory for inputs and outputs", needed=nbytes, free=free_bytes("cuda"))
        _check(status, f"cuMemAlloc of {nbytes} bytes")
        _check(driver.cuIpcGetMemHandle(ctypes.byref(handle), pointer), "cuIpcGetMemHandle")
        return cls(pointer.value, nbytes, bytes(handle).hex(), owned=True)

    @classmethod
    def open(cls, handle: str, nbytes: int) -> DeviceBuffer:
        driver = _driver()
        pointer, raw = ctypes.c_uint64(), _Handle.from_buffer_copy(bytes.fromhex(handle))
        _check(driver.cuIpcOpenMemHandle_v2(ctypes.byref(pointer), raw, _LAZY_PEER_ACCESS), "cuIpcOpenMemHandle")
        return cls(pointer.value, nbytes, handle, owned=False)

    def tensor(self, dtype: torch.dtype, shape: tuple[int, ...], offset: int, nbytes: int) -> torch.Tensor:
        """A contiguous tensor with a storage of its own over `nbytes` bytes at `offset`."""
        if nbytes == 0:
            return torch.empty(shape, dtype=dtype, device="cuda")
        raw = torch.as_tensor(_Window(self.pointer + offset, nbytes), device="cuda")
        return raw.view(dtype).reshape(shape)

    def close(self) -> None:
        driver = _driver()
        torch.cuda.synchronize()
        if self.owned:
            _check(driver.cuMemFree_v2(ctypes.c_uint64(self.pointer)), "cuMemFree")
        else:
            _check(driver.cuIpcCloseMemHandle(ctypes.c_uint64(self.pointer)), "cuIpcCloseMemHandle")
