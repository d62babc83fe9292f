"""The machine and its software: whether a device is present, and a snapshot of everything that changes a figure."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import passnet
from passnet.errors import InfrastructureError, UsageError
from passnet.kernels.compilation.toolchain import compiler_version, find_toolchain

# Otherwise glibc returns large blocks to the kernel after every op, and page faults then decide the speed.
KEPT_HEAP = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "17179869184",
    "MALLOC_TOP_PAD_": "268435456",
}


def check_device(device: str) -> None:
    """UsageError when the device is asked for but not present. Needs torch."""
    if not device_available(device):
        raise UsageError(
            "no CUDA device on this machine", hint="use --device cpu; `passnet doctor` says what is missing"
        )


def device_available(device: str) -> bool:
    """Whether this machine has the device. Needs torch."""
    import torch

    return device != "cuda" or torch.cuda.is_available()


def snapshot(device: str) -> dict[str, Any]:
    """Hardware, driver, versions, allocator settings, revision of this package, and the time (UTC). Needs torch."""
    import torch

    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "passnet": passnet.__version__,
        "revision": revision(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "triton": version_of("triton"),
        "system": system_name(),
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "allowed_cores": allowed_cores(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "compiler": _compiler(),
        "malloc": KEPT_HEAP,
        "device": device,
        **(_cuda() if device == "cuda" else {}),
    }


def version_of(package: str) -> str | None:
    """The installed version of a distribution. None when it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def revision() -> str | None:
    """Git revision of the checkout that this package runs from, `+dirty` with uncommitted changes. None outside one."""
    root = Path(passnet.__file__).resolve().parents[2]
    if not (root / ".git").exists() or shutil.which("git") is None:
        return None
    head = _output(["git", "-C", str(root), "rev-parse", "HEAD"])
    changed = _output(["git", "-C", str(root), "status", "--porcelain", "--untracked-files=no"])
    return f"{head[:12]}{'+dirty' if changed else ''}" if head else None


def system_name() -> str:
    """Kernel and release: `Linux 6.1.0`."""
    return f"{platform.system()} {platform.release()}"


def allowed_cores() -> list[int]:
    """The cores that this process may run on, in order."""
    return sorted(os.sched_getaffinity(0))


def driver_version() -> str | None:
    """The version of NVIDIA's driver; None where there is none."""
    found = _output(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"])
    return next(iter(found.splitlines()), None)


def cpu_name() -> str:
    """The processor's model, or its architecture where the system does not say."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _compiler() -> str | None:
    """First line of the system C++ compiler's version. None when there is none."""
    try:
        return compiler_version(find_toolchain())
    except InfrastructureError:
        return None


def _cuda() -> dict[str, Any]:
    import torch

    properties = torch.cuda.get_device_properties(0)
    return {
        "gpu": properties.name,
        "gpu_memory_bytes": properties.total_memory,
        "cuda": torch.version.cuda,
        "driver": driver_version(),
    }


def _output(command: list[str]) -> str:
    """Standard output of a short command. Empty when it cannot run, because a snapshot never makes a run fail."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=False).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""
