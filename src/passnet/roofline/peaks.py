"""Measures the best rates of a device (copies, products, dispatch) and says how fast a computation could be."""

from __future__ import annotations

import functools
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import ClassVar, Literal

import torch

from passnet.environment import check_device, cpu_name
from passnet.roofline.op_costs import TF32

_HALF = frozenset({"float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"})
# Kinds of products whose rate is measured, or is that of another kind. Others have no peak that anybody knows.
_KNOWN = frozenset({"float32", "float16", "bfloat16", TF32})
_MIB = 1 << 20
_LARGEST_BUFFER = 256 * _MIB
_SMALLEST_BUFFER = 64 * _MIB
_CACHE_COPIES_BYTES = 64 * _MIB
_TRIALS, _TRIALS_S = 5, 0.25
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_DISPATCHES, _DISPATCH_TRIALS = 1000, 7


@dataclass(frozen=True)
class Level:
    """One level of the memory hierarchy.

    `capacity_bytes`: data of at most this size fits (None: main memory).  `gb_s`: bytes read plus bytes written by a
    copy whose source and destination together are `copied_bytes`, per second, in 10^9.
    """

    name: str
    capacity_bytes: int | None
    gb_s: float
    copied_bytes: int


@dataclass(frozen=True)
class Ceilings:
    """Best rates of one device. Each figure is the best of a few trials.

    `matmul_gflops`: dtype -> 10^9 operations per second of a square product (float32 without TF32; `tf32` on a GPU).
    `dispatch_us`: time of one eager operation on one element, issued back to back. A kernel that computes nothing
    costs this.
    """

    device: str
    hardware: str
    threads: int
    levels: tuple[Level, ...]
    matmul_gflops: dict[str, float]
    matmul_size: dict[str, int]
    dispatch_us: float
    seconds: float

    def level_for(self, nbytes: int) -> Level:
        """The fastest level that holds `nbytes`."""
        return next(level for level in self.levels if level.capacity_bytes is None or nbytes <= level.capacity_bytes)

    def gflops_for(self, kind: str | None) -> float:
        """The rate for results of a dtype, or for TF32. Half precision may be computed in float32, so the better rate
        of the two.
        """
        single = self.matmul_gflops["float32"]
        if kind == TF32:
            return max(single, self.matmul_gflops.get(TF32, single))
        return max(single, self.matmul_gflops["bfloat16"]) if kind in _HALF else single

    def knows(self, kind: str | None) -> bool:
        """Whether the peak of products of this kind was measured. Of float64, integers and float8 it was not."""
        return kind in _KNOWN and (kind != TF32 or TF32 in self.matmul_gflops)

    def to_json(self) -> dict[str, object]:
        return asdict(self) | {
            "levels": [asdict(level) for level in self.levels],
            "method": "best of a few trials: copies of warm buffers (read + written bytes), square matrix products "
            "(2 n^3 operations, float32 without TF32, `tf32` with it), additions of one element issued back to back",
        }


@dataclass(frozen=True)
class RooflineBound:
    """How fast a computation could be on the measured device, in microseconds.

    - `memory_us`: bytes at the rate of `level`, the fastest level that holds them.
    - `main_memory_us`: the same bytes at the rate of main memory, for inputs that no cache holds.
    - `compute_us`: operations at the rate of their dtype.
    - `us`: the larger of memory_us and compute_us. `limited_by` says which one.
    - `launch_us`: the time that eager takes to issue its kernels.

    A pass that computes in a lower precision than the graph may be below compute_us.
    """

    level: str
    memory_us: float
    main_memory_us: float
    compute_us: float
    us: float
    limited_by: Literal["memory", "compute"]
    launch_us: float


def bound(ceilings: Ceilings, *, nbytes: int, flops: dict[str | None, int], kernels: int) -> RooflineBound:
    """The bound of a computation: it moves `nbytes` and does `flops` (by dtype). Eager issues it as `kernels`."""
    level = ceilings.level_for(nbytes)
    memory = nbytes / level.gb_s / 1e3
    compute = sum(count / ceilings.gflops_for(dtype) / 1e3 for dtype, count in flops.items())
    return RooflineBound(
        level=level.name,
        memory_us=memory,
        main_memory_us=nbytes / ceilings.levels[-1].gb_s / 1e3,
        compute_us=compute,
        us=max(memory, compute),
        limited_by="memory" if memory >= compute else "compute",
        launch_us=kernels * ceilings.dispatch_us,
    )


@functools.cache
def measure(device: str) -> Ceilings:
    """The ceilings of `cpu` (one thread) or `cuda` (its current device), measured once per process in under 2 s."""
    check_device(device)
    start = time.perf_counter()
    probe = _Cuda() if device == "cuda" else _Cpu()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        levels = monotone(tuple(_level(probe, name, capacity) for name, capacity in probe.levels()))
        rates = {kind: _matmul(probe, kind, size) for kind, size in probe.matmuls.items()}
        dispatch_us = _dispatch(probe)
    finally:
        torch.set_num_threads(threads)
        if device == "cuda":
            torch.cuda.empty_cache()  # others on the device need the memory of the buffers
    seconds = time.perf_counter() - start
    return Ceilings(device, probe.hardware, 1, levels, rates, probe.matmuls, dispatch_us, seconds)


class _Cpu:
    """One thread of the processor."""

    device = "cpu"
    matmuls: ClassVar = {"float32": 768, "bfloat16": 768}

    @property
    def hardware(self) -> str:
        return cpu_name()

    def levels(self) -> list[tuple[str, int | None]]:
        known = [(f"L{level}", size) for level in (2, 3) if (size := cpu_cache_bytes(level))]
        return [*known, ("memory", None)]

    def buffer_bytes(self, capacity: int | None) -> int:
        """Bytes of each of the two buffers of a copy: half the level's capacity in all, or beyond the largest cache."""
        if capacity is not None:
            return min(capacity // 4, 16 * _MIB)
        largest = max((size for level in (2, 3) if (size := cpu_cache_bytes(level))), default=0)
        room = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 8
        return max(min(largest, _LARGEST_BUFFER, room), _SMALLEST_BUFFER)

    def seconds(self, work: Callable[[], object], repeats: int) -> float:
        """Wall time of one `work`, from a batch of `repeats`."""
        start = time.perf_counter()
        for _ in range(repeats):
            work()
        return (time.perf_counter() - start) / repeats

    dispatch_seconds = seconds


class _Cuda:
    """The current CUDA device. Events time kernels. The wall clock times dispatch, with one synchronisation."""

    device = "cuda"
    matmuls: ClassVar = {"float32": 4096, TF32: 4096, "bfloat16": 8192}

    def __init__(self) -> None:
        self._properties = torch.cuda.get_device_properties(torch.cuda.current_device())

    @property
    def hardware(self) -> str:
        return str(self._properties.name)

    def levels(self) -> list[tuple[str, int | None]]:
        size = int(getattr(self._properties, "L2_cache_size", 0))
        return [*([("L2", size)] if size else []), ("memory", None)]

    def buffer_bytes(self, capacity: int | None) -> int:
        if capacity is not None:
            return capacity // 4
        room = torch.cuda.mem_get_info()[0] // 8
        return max(min(4 * _LARGEST_BUFFER, room), _SMALLEST_BUFFER)

    def seconds(self, work: Callable[[], object], repeats: int) -> float:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
        torch.cuda.synchronize()
        begin.record()
        for _ in range(repeats):
            work()
        end.record()
        end.synchronize()
        return float(begin.elapsed_time(end)) / 1e3 / repeats

    def dispatch_seconds(self, work: Callable[[], object], repeats: int) -> float:
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(repeats):
            work()
        torch.cuda.synchronize()
        return (time.perf_counter() - start) / repeats


_Probe = _Cpu | _Cuda


def monotone(levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """No cache is slower than the level behind it. A measurement that says so was disturbed."""
    best = list(levels)
    for index in range(len(best) - 2, -1, -1):
        best[index] = replace(best[index], gb_s=max(best[index].gb_s, best[index + 1].gb_s))
    return tuple(best)


def _best(trial: Callable[[], float]) -> float:
    """The least of a few trials. There are fewer trials when a busy machine makes them long."""
    deadline = time.perf_counter() + _TRIALS_S
    best = trial()
    for _ in range(_TRIALS - 1):
        if time.perf_counter() > deadline:
            break
        best = min(best, trial())
    return best


def _level(probe: _Probe, name: str, capacity: int | None) -> Level:
    size = probe.buffer_bytes(capacity)
    source = torch.ones(size // 4, dtype=torch.float32, device=probe.device)
    target = torch.zeros_like(source)  # Both are written once, so that no page is new when the clock runs.
    repeats = max(1, _CACHE_COPIES_BYTES // size)
    best = _best(lambda: probe.seconds(lambda: target.copy_(source), repeats))
    return Level(name, capacity, 2 * size / best / 1e9, 2 * size)


def _matmul(probe: _Probe, kind: str, size: int) -> float:
    dtype = torch.float32 if kind == TF32 else getattr(torch, kind)
    left = torch.ones(size, size, dtype=dtype, device=probe.device)
    right, result = torch.ones_like(left), torch.empty_like(left)
    allowed = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = kind == TF32
    try:
        torch.mm(left, right, out=result)
        best = _best(lambda: probe.seconds(lambda: torch.mm(left, right, out=result), 2))
    finally:
        torch.backends.cuda.matmul.allow_tf32 = allowed
    return 2 * size**3 / best / 1e9


def _dispatch(probe: _Probe) -> float:
    """Microseconds of one eager addition of one element. The median over batches, because this is no ceiling."""
    one = torch.ones(1, device=probe.device)
    probe.dispatch_seconds(lambda: torch.add(one, one), _DISPATCHES)
    times = [probe.dispatch_seconds(lambda: torch.add(one, one), _DISPATCHES) for _ in range(_DISPATCH_TRIALS)]
    return statistics.median(times) * 1e6


@functools.cache
def cpu_cache_bytes(level: int) -> int | None:
    """Size of a level's data cache as the first core sees it. None when the system does not report it."""
    try:
        size = os.sysconf(f"SC_LEVEL{level}_CACHE_SIZE")
    except (OSError, ValueError):
        size = 0
    return size if size > 0 else _cache_from_sysfs(level)


def _cache_from_sysfs(level: int) -> int | None:
    for index in sorted(_CACHES.glob("index*")):
        try:
            found, kind = ((index / name).read_text().strip() for name in ("level", "type"))
            text = (index / "size").read_text().strip()
        except OSError:
            continue
        if found == str(level) and kind != "Instruction" and text[:-1].isdigit():
            return int(text[:-1]) * {"K": 1024, "M": _MIB}.get(text[-1], 1)
    return None
