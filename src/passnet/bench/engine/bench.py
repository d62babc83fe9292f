"""The bench: fork servers and pairs of workers for one device, compiler and protocol."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import TracebackType

import torch

from passnet.bench.isolation import limits
from passnet.bench.isolation.cores import Cores
from passnet.bench.isolation.drawer import Drawer
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.isolation.kept_kernels import KernelPlaces
from passnet.bench.isolation.leftovers import remove
from passnet.bench.isolation.turn import DeviceTurn, Lane
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import memory_share
from passnet.bench.names import WITH_PASSES
from passnet.bench.record.protocol import Protocol

_OF_PASSES = (
    "passnet.rewrite.apply.rewriting",
    "passnet.rewrite.program.frozen",
    "passnet.rewrite.rules.load",
    "passnet.kernels.native",
    "passnet.kernels.triton_check",
)
# Modules that workers import anyway, once per server instead of once per worker. Inductor's modules initialise CUDA
# where there is a GPU, and then the server could fork no worker. There each worker imports them itself. So it is with
# compilers of other packages: nobody knows what their import starts.
_PRELOAD: dict[str, tuple[str, ...]] = {
    "eager": (),
    "inductor": ("torch._inductor.compile_fx",),
    "inductor-cudagraphs": ("torch._inductor.compile_fx",),
    "inductor-max-autotune": ("torch._inductor.compile_fx",),
    "inductor-max-autotune-no-cudagraphs": ("torch._inductor.compile_fx",),
    "passes": _OF_PASSES,
    "passes+inductor": (*_OF_PASSES, "torch._inductor.compile_fx"),
}
# A sandboxed worker compiles by itself. A pool of processes would work while the worker has no request.
_ENVIRONMENT = {"passes+inductor": {"TORCHINDUCTOR_COMPILE_THREADS": "1"}}
# Workers of different servers differ in address layout. A third server would only delay the start.
_MAX_ZYGOTES = 2


class Bench:
    """Fork servers and pairs of workers for one run, with a private scratch directory that disappears with them."""

    def __init__(
        self,
        device: str,
        compiler: str,
        protocol: Protocol,
        logs: Path,
        *,
        pairs: int | None = None,
        env: dict[str, str] | None = None,
        lane: Lane | None = None,
        kernels: Path | None = None,
    ) -> None:
        lane = lane or Lane()
        self.scratch = Path(tempfile.mkdtemp(prefix="passnet-"))
        self.kernels = KernelPlaces(kernels or self.scratch / "kernels")
        self._device = device
        self._cores = Cores.divide(protocol.threads, lane.number, lane.of)
        self.turn = DeviceTurn(self._cores, lane.file)
        modules = () if device == "cuda" and "inductor" in compiler else _PRELOAD.get(compiler, ())
        env = _ENVIRONMENT.get(compiler, {}) | (env or {})
        count = protocol.open_pairs if pairs is None else pairs
        self._fork_servers = [
            ForkServer(self.scratch / "shared", threads=protocol.threads, modules=modules, env=env, device=device)
            for _ in range(min(count, _MAX_ZYGOTES))
        ]
        share = memory_share(count)
        self._affinity = os.sched_getaffinity(0)
        self._drawer: Drawer | None = None
        self.pairs: list[WorkerPair] = []
        try:
            self._drawer = self.turn.drawer = self._started_drawer(logs)
        except BaseException:
            self._close()
            raise
        self.pairs = [
            WorkerPair(
                index,
                self._fork_servers[index % len(self._fork_servers)],
                protocol,
                device,
                logs,
                self.scratch,
                self._cores.workers,
                trusted=compiler not in WITH_PASSES,
                memory_bytes=share,
                drawer=self._drawer,
                kernels=self.kernels,
            )
            for index in range(count)
        ]

    def _started_drawer(self, logs: Path) -> Drawer | None:
        """A drawer, where workers have cores of their own. For a GPU it does not draw: another process's kernels would
        delay theirs.
        """
        if not self._cores.workers:
            return None
        return Drawer.start(self._fork_servers[0], self._cores.workers, logs, draws=self._device == "cpu")

    def __enter__(self) -> Bench:
        if self._device == "cpu":  # CUDA opens files of its own process that this would close to it
            limits.forbid_inspection()
        torch.set_num_threads(1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        for pair in self.pairs:
            pair.close()
        self.kernels.forget()
        if self._drawer is not None:
            self._drawer.close()
        for fork_server in self._fork_servers:
            fork_server.close()
        self.turn.close()
        os.sched_setaffinity(0, self._affinity)
        remove(self.scratch)
