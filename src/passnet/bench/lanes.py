"""Lanes: each a reference worker and a candidate worker forked from a zygote of their own, awake one at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from passnet.bench.arena import Arena, ArenaLayout
from passnet.bench.protocol import Protocol
from passnet.bench.session import Worker, WorkerFailure, WorkerOptions, candidate_limits, reference_limits
from passnet.bench.zygote import Zygote

_REQUEST_S = 60.0


@dataclass(frozen=True)
class PassFiles:
    """The judged bytes of a pass set, by relative file name, and their content hash."""

    files: dict[str, str]
    content_hash: str


@dataclass(frozen=True)
class Cores:
    """Which cores the controller and the workers run on; empty where there are too few to part them."""

    controller: tuple[int, ...]
    workers: tuple[int, ...]

    @classmethod
    def divide(cls, threads: int) -> Cores:
        """The last `threads` allowed cores for the workers, the rest for the controller, which spins on one of them.

        Reads this process's affinity, so it must be called before the controller narrows it.
        """
        allowed = sorted(os.sched_getaffinity(0))
        if len(allowed) <= threads:
            return cls((), ())
        workers = tuple(allowed[-threads:])
        others = tuple(core for core in allowed if core not in workers)
        apart = tuple(core for core in others if not _siblings(core) & set(workers))
        return cls(
            (apart or others)[-1:], workers
        )  # one core, near the workers': a spinning controller must not migrate


def _siblings(core: int) -> set[int]:
    """Hardware threads that share a core with this one, itself included."""
    path = Path(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list")
    try:
        text = path.read_text().strip()
    except OSError:
        return {core}
    found: set[int] = set()
    for part in text.split(","):
        low, _, high = part.partition("-")
        found |= set(range(int(low), int(high or low) + 1))
    return found


@dataclass
class Lane:
    """One pair of fresh processes. Both sleep (SIGSTOP) except while asked for something.

    `rules_for`: load the rules of this device instead of the lane's own, for checking CUDA rules without a GPU.
    `trusted`: the candidate is a compiler, not passes; Inductor alone starts a process per core to compile kernels.
    """

    index: int
    zygote: Zygote
    protocol: Protocol
    device: str
    logs: Path
    scratch: Path
    cpus: tuple[int, ...]
    reference: Worker | None = None
    candidate: Worker | None = None
    loaded: str | None = None
    rules_for: str | None = None
    trusted: bool = False
    arenas: dict[tuple[str, str], Arena] = field(default_factory=dict)

    def ask(
        self, role: str, message: dict[str, Any], timeout_s: float = _REQUEST_S, fds: tuple[int, ...] = ()
    ) -> dict[str, Any]:
        """One request to `reference` or `candidate`, which is started if there is none."""
        with self.awake(role) as worker:
            return worker.request(message, timeout_s, fds)

    @contextmanager
    def awake(self, role: str) -> Iterator[Worker]:
        worker = self._worker(role)
        worker.resume()
        try:
            yield worker
        finally:
            if worker.alive:
                worker.stop()

    def load(self, passes: PassFiles) -> None:
        """Load a pass set into the candidate, once per process and set."""
        if self.candidate is not None and self.candidate.alive and self.loaded == passes.content_hash:
            return
        self.end("candidate")  # modules of another pass set must not linger in the process
        # One directory per process, since the loader writes the judged bytes there; compiled kernels are shared.
        message = {
            "do": "load_passes",
            "files": passes.files,
            "scratch": str(self.scratch / f"passes-{self.index}-{os.urandom(4).hex()}"),
            "cache": str(self.scratch / "kernels" / passes.content_hash[:16]),
            "device": self.rules_for or self.device,
            "simulate": self.rules_for is not None,
        }
        self.ask("candidate", message, self.protocol.build_s)
        self.loaded = passes.content_hash

    def lend(self, role: str, name: str, layout: ArenaLayout) -> Arena:
        """Give a worker a new arena under a name; the previous one of that name is released."""
        previous = self.arenas.pop((role, name), None)
        arena = Arena.create(layout)
        message = {"do": "arena", "name": name, "layout": layout.to_json(), "handle": arena.device_handle}
        try:
            self.ask(role, message, fds=(arena.fd,))
        except WorkerFailure:
            arena.close()
            raise
        if previous is not None:
            previous.close()
        self.arenas[role, name] = arena
        return arena

    def end(self, role: str) -> None:
        worker: Worker | None = getattr(self, role)
        if worker is not None:
            worker.close()
            setattr(self, role, None)
        for key in [key for key in self.arenas if key[0] == role]:
            self.arenas.pop(key).close()
        if role == "candidate":
            self.loaded = None

    def release(self) -> None:
        """Give back the memory lent for one graph; the workers stay."""
        for key in list(self.arenas):
            self.arenas.pop(key).close()

    def close(self) -> None:
        self.end("candidate")
        self.end("reference")

    def _worker(self, role: str) -> Worker:
        worker: Worker | None = getattr(self, role)
        if worker is None or not worker.alive:
            self.end(role)
            worker = Worker(self.zygote, self._options(role))
            setattr(self, role, worker)
        return worker

    def _options(self, role: str) -> WorkerOptions:
        protocol = self.protocol
        bounds = (
            candidate_limits(protocol.memory_bytes, protocol.max_processes, self.device)
            if role == "candidate" and not self.trusted
            else reference_limits()
        )
        log = self.logs / f"{role}-{self.index}.log"
        return WorkerOptions(f"{role} worker", bounds, self.cpus, protocol.threads, log)
