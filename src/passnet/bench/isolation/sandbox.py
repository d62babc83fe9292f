"""The sandbox of a candidate: the layers that this system offers, set up in a forked worker before it reads a pass.

Each layer is entered separately. The worker says which layers it is in before it has run an untrusted byte. At
least one layer must close each of these: files, network and other processes. `passnet.bench.layers` says which layer
closes what.
"""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from passnet.bench.isolation import landlock, limits, namespaces, seccomp
from passnet.logs import logger

_log = logger(__name__)
# Libraries read these parts of /proc where it shows all processes: their own entry, and data that is not secret.
_HARMLESS_PROC = ("self", "cpuinfo", "meminfo", "stat", "version", "filesystems", "sys", "driver", "devices", "modules")
_GPU_DEVICES = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "nvidia-caps")


_NAMESPACE = "namespaces:"
_ALONE = {"namespaces:files", "namespaces:processes"}


@dataclass(frozen=True)
class SandboxPlan:
    """The things that one worker may see: its own directory, the kernel cache of its pass set, readable paths, a GPU.

    `root`: an empty directory on which its own file system is built. `namespaces`: false tries what remains on
    systems that grant none.
    """

    root: str
    work: str
    cache: str
    readable: tuple[str, ...]
    gpu: bool
    namespaces: bool = True


def enter(plan: SandboxPlan) -> tuple[str, ...]:
    """Put the calling process into every layer that the system grants. Returns their names. Call it with one thread
    only.

    If the system grants a process namespace, it returns in a grandchild. The child stays to report how the
    grandchild ends.
    """
    readable, writable = [*needed_paths(), *map(Path, plan.readable)], [Path(plan.work), Path(plan.cache)]
    layers = _namespaces(plan, readable, writable) if plan.namespaces else []
    _settle(plan, private_tmp="namespaces:files" in layers)
    try:
        system = [Path(path) for path in namespaces.SYSTEM_PATHS]
        proc = [Path("/proc")] if set(layers) >= _ALONE else [Path("/proc", name) for name in _HARMLESS_PROC]
        # Without files of its own /dev is the system's, and /dev/shm there is memory. Only drivers of GPUs need it.
        private = "namespaces:files" in layers or plan.gpu
        devices = [Path("/dev")] if private else [Path("/dev", name) for name in namespaces.DEVICE_FILES]
        # CUDA names its threads there. What else lies there says whom a system without memory ends first.
        threads = [Path("/proc/self/task")] if plan.gpu else []
        changed = [*writable, *devices, *threads, Path(tempfile.gettempdir())]
        layers += [f"landlock:{name}" for name in landlock.restrict([*system, *readable, *proc], changed)]
    except landlock.LandlockUnavailable as error:
        _log.warning("%s", error)  # an older kernel: the doors say whether the rest is enough
    try:
        # Last of all that needs one, because root without namespaces has them too.
        namespaces.drop_capabilities()
        layers.append("capabilities")
    except OSError as error:
        _log.warning("%s", error)  # as above
    try:
        own = [layer.removeprefix(_NAMESPACE) for layer in layers if layer.startswith(_NAMESPACE)]
        seccomp.install(gpu=plan.gpu, own=own)
        layers.append("seccomp")
    except seccomp.SeccompUnavailable as error:
        _log.warning("%s", error)  # as above
    return (*layers, "rlimits")


def _namespaces(plan: SandboxPlan, readable: Sequence[Path], writable: Sequence[Path]) -> list[str]:
    try:
        granted = list(namespaces.own_users_and_more())
    except OSError as error:  # switched off on this system, which `doctor` explains
        _log.warning("%s", error)
        return []
    if "processes" in granted:
        namespaces.fork_into_processes()
        limits.die_with_parent()
    if "files" in granted:
        try:
            namespaces.own_files(Path(plan.root), readable, writable, _gpu_devices() if plan.gpu else [])
        except OSError as error:
            granted.remove("files")
            _log.warning("no file system of its own: %s", error)  # into the worker's log
    return [f"{_NAMESPACE}{name}" for name in granted]


def _settle(plan: SandboxPlan, *, private_tmp: bool) -> None:
    """Send temporary files and homes to a writable place, for this process and the compilers it starts."""
    private = "/tmp" if private_tmp else plan.work
    caches = {"TRITON_CACHE_DIR": "triton", "TORCHINDUCTOR_CACHE_DIR": "inductor"}
    os.environ.update({name: str(Path(plan.cache, place)) for name, place in caches.items()})
    os.environ.update(TMPDIR=private, HOME=private)
    tempfile.tempdir = private
    os.chdir(private)


@functools.cache
def needed_paths() -> tuple[Path, ...]:
    """The paths that imports and compilers read: the interpreter's own directories, installed packages, and this
    package.

    A server calls this before it forks, so no worker has to look again.
    """
    named = [
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
        *sysconfig.get_paths().values(),
        os.path.dirname(os.__file__),
    ]
    packages = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    libraries = [part for name in ("CUDA_HOME", "LD_LIBRARY_PATH") for part in os.environ.get(name, "").split(":")]
    ours = str(Path(__file__).resolve().parents[2])
    roots = [path for path in (*named, *packages, *libraries, ours) if path.startswith("/")]
    # The real place of a linked interpreter too, because a virtual environment points to it.
    roots += [str(Path(path).resolve()) for path in (*roots, os.path.dirname(os.path.realpath(sys.executable)))]
    kept = tuple(f"{root}/" for root in roots)
    loaded = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
    # Modules that a server was told to import from elsewhere, such as a test's. They may still read their own text.
    elsewhere = [file for file in loaded if file.startswith("/") and not file.startswith(kept)]
    return tuple(sorted({path for path in map(Path, roots + elsewhere) if os.path.exists(path) and path != Path("/")}))


def _gpu_devices() -> list[Path]:
    numbered = sorted(Path("/dev").glob("nvidia[0-9]*"))
    return [*numbered, *(Path("/dev", name) for name in _GPU_DEVICES)]
