"""Checks what works on this machine and what is missing. A row says why it is needed and how to get it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from passnet.errors import to_install
from passnet.machine import doctor_sandbox, probes, probes_kernels, probes_sandbox
from passnet.machine.probes import ProbeResult, Status, one_line

SCHEMA = 1


class Need(StrEnum):
    """How much depends on a check: every evaluation, the C++ passes, or one feature."""

    ALWAYS = "always"
    PASSES = "passes"
    FEATURE = "feature"


class DoctorVerdict(StrEnum):
    """Whether the main job runs (evaluating tasks on the CPU): as a whole, in part, or not at all."""

    READY = "ready"
    LIMITED = "limited"
    UNABLE = "unable"


@dataclass(frozen=True)
class Check:
    """One row: the probe, how much depends on it, its purpose, and how to get what is missing."""

    name: str
    need: Need
    needed_for: str
    how: str
    probe: Callable[[], ProbeResult]


@dataclass(frozen=True)
class DoctorRow:
    """A check that was run."""

    check: Check
    found: ProbeResult

    @property
    def how(self) -> str | None:
        """How to get it. None when the check works."""
        return None if self.found.status is Status.OK else self.check.how

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.check.name,
            "status": self.found.status.value,
            "found": self.found.text,
            "needed_for": self.check.needed_for,
            "need": self.check.need.value,
            "how": self.how,
        }


_NAMESPACES_HOW = (
    "sysctl kernel.unprivileged_userns_clone=1 (Debian), kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), or a "
    "container started with --security-opt seccomp=unconfined"
)

CHECKS: tuple[Check, ...] = (
    Check("python", Need.ALWAYS, "everything", "install Python 3.11 or newer", probes.python),
    Check("system", Need.ALWAYS, "workers, limits, clocks", "use Linux (a container will do)", probes.system),
    Check("torch", Need.ALWAYS, "everything that computes", "pip install 'torch>=2.9'", probes.torch_build),
    Check(
        "process control", Need.ALWAYS, "stopping the idle worker while the other is timed",
        "Linux 5.4 or newer, and a container that allows pidfd_open and signals", probes_sandbox.process_control,
    ),
    Check(
        "shared memory", Need.ALWAYS, "handing inputs to workers", "Linux 3.17 or newer (memfd_create)",
        probes_sandbox.shared_memory,
    ),
    Check(
        "c++ compiler", Need.PASSES, "passes with C++ kernels; TorchInductor on the CPU",
        "apt install g++ (Debian, Ubuntu), dnf install gcc-c++ (Fedora), or conda install gxx",
        probes_kernels.cpp_compiler,
    ),
    Check(
        "cuda device", Need.FEATURE, "--device cuda",
        "an NVIDIA GPU with its driver, and a CUDA build of torch", probes.cuda_device,
    ),
    Check(
        "cuda compiler", Need.FEATURE, "passes with CUDA C++ kernels",
        "pip install nvidia-cuda-nvrtc (comes with CUDA builds of torch), or the CUDA toolkit",
        probes_kernels.cuda_compiler,
    ),
    Check(
        "triton", Need.FEATURE, "passes with Triton kernels, on CUDA and in `check`", to_install("triton"),
        probes_kernels.triton,
    ),
    Check("numba", Need.FEATURE, "passes with numba kernels", to_install("numba"), probes_kernels.numba),
    Check(
        "sandbox", Need.PASSES, "evaluating passes (without it only with --unsandboxed, which marks every record)",
        "at least one of the layers of the next rows", doctor_sandbox.sandbox,
    ),
    Check(
        "user namespaces", Need.FEATURE, "sandbox: no network, no other processes", _NAMESPACES_HOW,
        probes_sandbox.user_namespaces,
    ),
    Check(
        "landlock", Need.FEATURE, "sandbox: which files a worker may touch",
        "Linux 5.13 or newer with landlock in the kernel's lsm= list; 6.7 for network rules", probes_sandbox.landlock,
    ),
    Check(
        "seccomp", Need.FEATURE, "sandbox: system calls that a worker may not make",
        "a kernel with CONFIG_SECCOMP_FILTER", probes_sandbox.seccomp,
    ),
    Check(
        "bubblewrap", Need.FEATURE, "nothing: workers make the same system calls themselves; shows whether others can",
        "apt install bubblewrap, and user namespaces", probes_sandbox.bubblewrap,
    ),
    Check(
        "cores", Need.FEATURE, "controller and workers side by side",
        "allow at least two cores (taskset, cpuset, --cpus)", probes.cores,
    ),
    Check(
        "pinned cores", Need.FEATURE, "steady times: the workers have a core of their own",
        "allow at least two cores (taskset, cpuset, --cpus)", probes.pinned_cores,
    ),
    Check(
        "allocator", Need.FEATURE, "steady times: memory is not given back between calls",
        "use a system with glibc, without a preloaded allocator", probes.allocator,
    ),
    Check(
        "timing", Need.FEATURE, "small differences in speed (a report, no condition)",
        "stop other work on this machine; fix the processor's frequency", probes.timing,
    ),
    Check("memory", Need.FEATURE, "graphs of up to 4 GiB of inputs", "free at least 4 GiB", probes.memory),
    Check("disk", Need.FEATURE, "runs and compiled kernels", "free at least 2 GiB in writable places", probes.disk),
)  # fmt: skip


def examine(checks: Iterable[Check] = CHECKS) -> Iterator[DoctorRow]:
    """Run the checks in order. Yields each row as soon as it is known."""
    for check in checks:
        yield DoctorRow(check, _probed(check))


def _probed(check: Check) -> ProbeResult:
    try:
        return check.probe()
    except Exception as error:  # noqa: BLE001  a diagnosis must survive whatever is broken, and say what it was
        return ProbeResult.missing(f"the probe failed: {type(error).__name__}: {one_line(str(error))}")


def verdict(rows: Iterable[DoctorRow]) -> DoctorVerdict:
    """Whether the main job can run here: evaluating tasks with their passes on the CPU."""
    lacking = {row.check.need for row in rows if row.found.status is not Status.OK}
    if Need.ALWAYS in lacking:
        return DoctorVerdict.UNABLE
    return DoctorVerdict.LIMITED if Need.PASSES in lacking else DoctorVerdict.READY


def document(rows: Iterable[DoctorRow]) -> dict[str, Any]:
    """The document of `passnet doctor --json`."""
    rows = list(rows)
    outcome = verdict(rows)
    return {
        "schema": SCHEMA,
        "ok": outcome is not DoctorVerdict.UNABLE,
        "verdict": outcome.value,
        "checks": [row.to_json() for row in rows],
    }
