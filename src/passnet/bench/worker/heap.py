"""A worker's own memory: the most that a call takes at once, and giving back what the allocator keeps."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import torch

from passnet.bench.wire.memory import status_bytes

# For less memory than this, giving it back between untimed calls is not worth the time.
LARGE_BYTES = 256 << 20
# About what a process of ours with torch in it has anyway.
_PROCESS_BYTES = 1 << 30
_TRIM: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)


def watch(device: str) -> Callable[[], int]:
    """Begin to watch. The returned function says the largest number of bytes in use since then, beyond those now."""
    if device != "cpu":
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        return lambda: max(0, torch.cuda.max_memory_allocated() - before)
    resident, mark = status_bytes("VmRSS"), status_bytes("VmHWM")

    def taken() -> int:
        # An earlier graph may have left a higher mark. The heap keeps its memory, so its size tells as much.
        most = status_bytes("VmHWM")
        return max(0, (most if most > mark else status_bytes("VmRSS")) - resident)

    return taken


def give_back(device: str) -> None:
    """Return memory that holds no tensor to the device or to the system."""
    if device != "cpu":
        torch.cuda.empty_cache()
    elif _TRIM is not None:
        _TRIM(0)


def give_back_much(device: str) -> None:
    """Return memory only where it is so much that other processes may lack it."""
    kept = torch.cuda.memory_reserved() if device != "cpu" else status_bytes("VmRSS") - _PROCESS_BYTES
    if kept > LARGE_BYTES:
        give_back(device)
