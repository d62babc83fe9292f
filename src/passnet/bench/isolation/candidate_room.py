"""Where a candidate lives: its sandbox and whether that holds, the graphs it may read, the name of its kernels."""

from __future__ import annotations

import hashlib
from pathlib import Path

import torch

import passnet
from passnet import authored
from passnet.bench.isolation.namespaces import lies_in_memory
from passnet.bench.isolation.sandbox import SandboxPlan
from passnet.bench.isolation.worker_process import Worker, WorkerFailure
from passnet.bench.layers import open_doors
from passnet.bench.record.protocol import Protocol
from passnet.bench.wire.memory import NoRoom
from passnet.bench.wire.requests import Hello, PassFiles
from passnet.errors import InfrastructureError
from passnet.graph import CONTENT_FILES
from passnet.writing import new_directory

_HELLO_S = 60.0


def sandbox_plan(work: Path, cache: Path, graphs: Path, *, device: bool) -> SandboxPlan:
    """The sandbox of a candidate that writes to `work` and `cache`, and reads `graphs`. `device`: it has a GPU."""
    root = work / "root"
    for path in (root, cache, graphs):
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return SandboxPlan(str(root), str(work), str(cache), (str(graphs),), device)


def entered(worker: Worker, device: str, work: Path) -> tuple[str, ...]:
    """The layers of the sandbox that a worker is in. Nothing untrusted has run yet, so the worker's word is good.

    InfrastructureError where a door is open, or the device cannot be used inside. NoRoom where memory is short.
    """
    try:
        layers = worker.request(Hello(device=device), _HELLO_S).layers
    except WorkerFailure as error:
        if error.kind == "out_of_memory":
            raise NoRoom("a further process of this device") from error
        raise InfrastructureError(
            f"{device} cannot be used from inside the sandbox: {error}; see {worker.options.log}; "
            "--unsandboxed evaluates without and marks every record"
        ) from error
    missing = open_doors(layers)
    if missing:
        doors = ", ".join(f"{door.name} ({door.words})" for door in missing)
        raise InfrastructureError(
            f"this system cannot close to a candidate: {doors}; `passnet doctor` says how to get the layers, "
            "--unsandboxed evaluates without and marks every record"
        )
    if "namespaces:files" not in layers and lies_in_memory(work):
        raise InfrastructureError(
            f"temporary files lie in memory ({work.parent.parent}), and this system cannot bound what a candidate "
            "writes there; set TMPDIR to a directory on a disk"
        )
    return layers


def kernels_key(passes: PassFiles, protocol: Protocol, device: str) -> str:
    """The key of compiled kernels, shared by the processes of one pass set and of no other.

    What lies there may outlive the run. So it belongs to one policy, one kind of device and one version of the
    compilers. What an unsandboxed candidate left is never loaded by a sandboxed one.
    """
    sandbox = "sandboxed" if protocol.sandbox else "unsandboxed"
    made_by = (passes.content_hash, protocol.policy, device, sandbox, passnet.__version__, torch.__version__)
    return hashlib.sha256("\n".join(made_by).encode()).hexdigest()[:24]


def graphs_of(scratch: Path) -> Path:
    """The directory of the graphs that workers can read."""
    return scratch / "graphs"


def staged(graph: Path, graphs: Path) -> Path:
    """A copy of a graph's files in a directory that workers can read."""
    target = graphs / hashlib.sha256(str(graph.resolve()).encode()).hexdigest()[:16] / graph.name
    if not target.exists():
        with new_directory(target) as partial:
            for name in CONTENT_FILES:
                if (graph / name).exists():
                    (partial / name).write_bytes(authored.read_inside(graph / name))
    return target
