"""Probes of this machine's software and hardware, one function each. A missing thing is a result, not an error."""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from passnet import pages
from passnet.bench.wire.memory import free_bytes
from passnet.environment import KEPT_HEAP, allowed_cores, driver_version, system_name

PYTHON_LEAST, TORCH_LEAST = (3, 11), (2, 9)
_MEMORY_LEAST, _DISK_LEAST = 4 << 30, 2 << 30
_AA_SPREAD = 0.02
_CHILD_LIMIT_S = 60.0

# Page faults of the second of two 64 MiB allocations. There are none when the heap keeps freed memory.
_MALLOC_SOURCE = """
import resource
bytearray(64 << 20)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
bytearray(64 << 20)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
_KEPT_FAULTS = 1000


class Status(StrEnum):
    """Works, works in part, or is missing."""

    OK = "ok"
    LIMITED = "limited"
    MISSING = "missing"


@dataclass(frozen=True)
class ProbeResult:
    """The result of a probe, in words for people."""

    status: Status
    text: str

    @classmethod
    def ok(cls, text: str) -> ProbeResult:
        return cls(Status.OK, text)

    @classmethod
    def limited(cls, text: str) -> ProbeResult:
        return cls(Status.LIMITED, text)

    @classmethod
    def missing(cls, text: str) -> ProbeResult:
        return cls(Status.MISSING, text)


def run_child(code: str, *, environment: dict[str, str] | None = None) -> tuple[bool, str]:
    """Run Python code in a fresh process. Returns whether it succeeded, and its output or the last line of its error.

    The probed code may kill its process or block it for ever, so it does not run in this process.
    """
    with tempfile.TemporaryDirectory(prefix="passnet-doctor-") as scratch:
        script = Path(scratch) / "probe.py"  # This is a file, because Triton reads the source of its kernels back.
        script.write_text(code, encoding="utf-8")
        env = os.environ | {"TRITON_CACHE_DIR": scratch} | (environment or {})
        command = [sys.executable, "-I", str(script)]
        try:
            done = subprocess.run(
                command, env=env, cwd=scratch, capture_output=True, text=True, timeout=_CHILD_LIMIT_S, check=False
            )
        except subprocess.TimeoutExpired:
            return False, f"did not finish within {_CHILD_LIMIT_S:g} s"
        except OSError as error:
            return False, str(error)
    if done.returncode == 0:
        return True, done.stdout.strip()
    said = done.stderr.strip().splitlines()
    return False, said[-1] if said else f"ended with status {done.returncode}"


def numbers(version: str) -> tuple[int, ...]:
    """(2, 13) for "2.13.0+cpu"."""
    return tuple(int(part) for part in version.partition("+")[0].split(".")[:2] if part.isdigit())


# --- the base ------------------------------------------------------------------------------------------------


def python() -> ProbeResult:
    text = f"{platform.python_implementation()} {platform.python_version()} at {sys.executable}"
    return ProbeResult.ok(text) if sys.version_info[:2] >= PYTHON_LEAST else ProbeResult.missing(text)


def system() -> ProbeResult:
    text = f"{system_name()} ({platform.machine()})"
    return ProbeResult.ok(text) if sys.platform == "linux" else ProbeResult.missing(text)


def torch_build() -> ProbeResult:
    try:
        import torch
    except (ImportError, OSError) as error:  # OSError: a shared library of its build is missing
        return ProbeResult.missing(f"import torch fails: {error}")
    build = f"CUDA {torch.version.cuda} build" if torch.version.cuda else "CPU build"
    text = f"{torch.__version__}, {build}"
    if numbers(torch.__version__) < TORCH_LEAST:
        return ProbeResult.missing(f"{text} is too old")
    return ProbeResult.ok(f"{text}{_other_than_tested(torch.__version__)}")


def _other_than_tested(version: str) -> str:
    """Which torch was tested and the command that installs it. Nothing where it is the one that is here."""
    tested = pages.tested("torch")
    if tested is None or tested == version.partition("+")[0]:
        return ""
    return f"; tested with {tested}: pip install -c {pages.home() / pages.CONSTRAINTS} torch"


def cuda_device() -> ProbeResult:
    import torch

    driver = driver_version()
    if not torch.cuda.is_available():
        why = "torch is a CPU build" if torch.version.cuda is None else "torch sees no device"
        return ProbeResult.missing(f"{why}; driver {driver or 'not found'}")
    names = [_describe_gpu(torch.cuda.get_device_properties(index)) for index in range(torch.cuda.device_count())]
    text = f"{', '.join(names)}; driver {driver or 'unknown'}, CUDA {torch.version.cuda}"
    try:
        torch.ones(2, device="cuda").sum().item()
    except RuntimeError as error:
        return ProbeResult.limited(f"{text}; it does not compute: {one_line(str(error))}")
    return ProbeResult.ok(text)


def _describe_gpu(properties: Any) -> str:
    memory = gib(properties.total_memory)
    return (
        f"{properties.name} (sm_{properties.major}{properties.minor}, {memory}, {properties.multi_processor_count} SMs)"
    )


# --- conditions of timing ------------------------------------------------------------------------------------


def cores() -> ProbeResult:
    allowed = allowed_cores()
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    text = f"{len(allowed)} of {os.cpu_count()} allowed ({_ranges(allowed)}), load {load}"
    return ProbeResult.ok(text) if len(allowed) > 1 else ProbeResult.limited(text)


def pinned_cores() -> ProbeResult:
    from passnet.bench.isolation.cores import Cores

    found = Cores.divide(threads=1)
    if not found.workers:
        return ProbeResult.limited("none: controller and workers share one core")
    return ProbeResult.ok(f"controller on {_ranges(list(found.controller))}, workers on {_ranges(list(found.workers))}")


def allocator() -> ProbeResult:
    worked, said = run_child(_MALLOC_SOURCE, environment=KEPT_HEAP)
    libc = " ".join(part for part in platform.libc_ver() if part) or "unknown C library"
    settings = ", ".join(f"{name}={value}" for name, value in KEPT_HEAP.items())
    if worked and int(said) < _KEPT_FAULTS:
        return ProbeResult.ok(f"{libc} keeps freed memory in workers: {settings}")
    return ProbeResult.limited(
        f"{libc} gives freed memory back in spite of {settings}: {said} page faults for 64 MiB again"
    )


def timing() -> ProbeResult:
    """A/A in one process: both sides of interleaved blocks run the same 20 us operation.  Reported without
    a verdict.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        values = torch.ones(20_000)
        ratios = sorted(_aa_ratios(lambda: torch.exp(values), groups=60, calls=40))
    finally:
        torch.set_num_threads(threads)
    quarter = len(ratios) // 4
    spread = (ratios[-quarter - 1] - ratios[quarter]) / 2
    text = (
        f"A/A ratio {statistics.median(ratios):.4f}, half of {len(ratios)} groups within "
        f"{spread:.2%} of each other either way, extremes {ratios[0]:.3f} and {ratios[-1]:.3f}"
    )
    return ProbeResult.ok(text) if spread <= _AA_SPREAD else ProbeResult.limited(text)


def _aa_ratios(work: Callable[[], object], *, groups: int, calls: int) -> Iterator[float]:
    def block() -> int:
        start = time.perf_counter_ns()
        for _ in range(calls):
            work()
        return time.perf_counter_ns() - start

    block()
    for _ in range(groups):
        first, second, third, fourth = block(), block(), block(), block()
        yield (first + fourth) / (second + third)


def memory() -> ProbeResult:
    available = free_bytes("cpu")
    text = f"{gib(available)} available"
    return ProbeResult.ok(text) if available >= _MEMORY_LEAST else ProbeResult.limited(text)


def disk() -> ProbeResult:
    places = {"here": Path.cwd(), "temporary files": Path(tempfile.gettempdir())}
    free = {name: shutil.disk_usage(path).free for name, path in places.items()}
    unwritable = [str(path) for path in places.values() if not os.access(path, os.W_OK)]
    text = ", ".join(f"{gib(size)} free for {name}" for name, size in free.items())
    if unwritable:
        return ProbeResult.limited(f"{text}; not writable: {', '.join(unwritable)}")
    return ProbeResult.ok(text) if min(free.values()) >= _DISK_LEAST else ProbeResult.limited(text)


def gib(size: int) -> str:
    return f"{size / 2**30:.1f} GiB"


def _ranges(cpus: list[int]) -> str:
    """`0-3,6` for [0, 1, 2, 3, 6]."""
    starts = [cpu for cpu in cpus if cpu - 1 not in cpus]
    ends = [cpu for cpu in cpus if cpu + 1 not in cpus]
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True))


def one_line(text: str) -> str:
    return " ".join(text.split())[:300]
