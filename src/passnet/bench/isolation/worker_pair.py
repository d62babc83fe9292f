"""Pairs of workers, a reference and a candidate, forked from their own fork server. One worker is awake at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Literal

from passnet.bench.isolation.allowance import CandidateTime
from passnet.bench.isolation.candidate_room import entered, graphs_of, kernels_key, sandbox_plan, staged
from passnet.bench.isolation.drawer import Drawer
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.isolation.kept_kernels import KernelPlace, KernelPlaces
from passnet.bench.isolation.sandbox import SandboxPlan
from passnet.bench.isolation.worker_process import (
    Worker,
    WorkerFailure,
    WorkerOptions,
    candidate_limits,
    reference_limits,
)
from passnet.bench.record.protocol import Protocol
from passnet.bench.wire import staying
from passnet.bench.wire.memory import NoRoom
from passnet.bench.wire.replies import R
from passnet.bench.wire.requests import LendBuffers, LoadPasses, PassFiles, Request
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.errors import InfrastructureError

_REQUEST_S = 60.0
Role = Literal["reference", "candidate"]
ROLES: tuple[Role, ...] = ("reference", "candidate")


@dataclass(frozen=True)
class UnderWay(Generic[R]):
    """A request that a worker is answering. It is awake until the answer is taken."""

    worker: Worker
    request: Request[R]
    timeout_s: float
    awake: ExitStack

    def answer(self) -> R:
        """Wait for the answer. WorkerFailure as `Worker.answer` raises it."""
        with self.awake:
            return self.worker.answer(self.request, self.timeout_s)


@dataclass(frozen=True)
class _Expecting:
    """A candidate that waits for the pass set with this hash: nothing untrusted has run in it. `cache`, `work`: its
    places. `layers`: of its sandbox.
    """

    passes: str
    worker: Worker
    cache: KernelPlace
    work: Path
    layers: tuple[str, ...]

    def close(self) -> None:
        self.worker.close()
        self.cache.close()


def allow(pairs: Iterable[WorkerPair], limit_s: float | None) -> None:
    """From now on the candidates of these pairs together may take so long, over all graphs. None: no bound.

    Then the graph at hand is a timeout, and so are those that follow.
    """
    allowance = CandidateTime() if limit_s is None else CandidateTime(limit_s)
    for pair in pairs:
        pair.allowance = allowance


@dataclass
class WorkerPair:
    """One pair of fresh processes. Both sleep (SIGSTOP), except during a request.

    `rules_for`: load the rules of this device instead of the pair's own, to check CUDA rules without a GPU.
    `trusted`: the candidate is a compiler, not passes. Inductor alone starts a process per core to compile kernels.
    `layers`: the active layers of the sandbox. Any candidate that is not trusted is sandboxed, unless the protocol
    says otherwise.
    `memory_bytes`: its candidate's share of this machine's memory. The protocol's limit holds too.
    `drawer`: draws the inputs of calls. Where it does not, each worker draws its own.
    `kernels`: places of compiled kernels, shared with the other pairs of the run. `wrote`: the directory of the last
    pass set, whether or not it is still used.
    `readable`: this system lets us read the candidate's memory. Without that, outputs are delivered by copies.
    `cpus`: the cores of its workers where `place` named no others. Empty: any.
    `expecting`: the candidate of a pass set that is to come. It sleeps.
    `allowance`: the time of the candidates of this pass set, in all pairs.
    """

    index: int
    fork_server: ForkServer
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
    memory_bytes: int | None = None
    drawer: Drawer | None = None
    kernels: KernelPlaces | None = None
    layers: tuple[str, ...] = ()
    cache: KernelPlace | None = None
    wrote: Path | None = None
    readable: bool = False
    work: Path | None = None
    expecting: _Expecting | None = None
    allowance: CandidateTime = field(default_factory=CandidateTime)
    lent: dict[tuple[Role, str], SharedBuffers] = field(default_factory=dict)
    places: dict[Role, tuple[tuple[int, ...], bool]] = field(default_factory=dict)

    def ask(self, role: Role, request: Request[R], timeout_s: float = _REQUEST_S, fds: tuple[int, ...] = ()) -> R:
        """Send one request to a worker. The worker is started if there is none. WorkerFailure as `Worker.request`
        raises it.
        """
        with self.awake(role) as worker:
            return worker.request(request, timeout_s, fds)

    def begin(self, role: Role, request: Request[R], timeout_s: float = _REQUEST_S) -> UnderWay[R]:
        """Send one request to a worker, to take the answer later. Meanwhile no other worker may be measured."""
        with ExitStack() as stack:
            worker = stack.enter_context(self.awake(role))
            worker.send(request)
            return UnderWay(worker, request, timeout_s, stack.pop_all())

    def timing_buffers(self, role: Role) -> SharedBuffers:
        """The buffers that a worker was lent for timed calls. WorkerFailure where it ended and its program is lost."""
        try:
            return self.lent[role, "timing"]
        except KeyError:
            raise WorkerFailure("dead", f"the {role} worker that had the program has ended") from None

    def serves(self, role: Role) -> bool:
        """Whether a worker has lived on since it was lent the buffers of its timed calls."""
        worker: Worker | None = getattr(self, role)
        return worker is not None and worker.alive and (role, "timing") in self.lent

    def place(self, role: Role, cores: tuple[int, ...], *, first: bool = False) -> None:
        """Have a worker run on these cores when it is next awake. `first`: before other processes there."""
        if self.cpus:
            self.places[role] = cores, first

    @contextmanager
    def spread(self, role: Role, cores: tuple[int, ...]) -> Iterator[None]:
        """A worker runs on all of these cores meanwhile, when it is awake. Then where it was."""
        before = self.places.get(role, (self.cpus, False))
        self.place(role, cores or before[0], first=True)
        try:
            yield
        finally:
            self.place(role, before[0], first=before[1])

    @contextmanager
    def awake(self, role: Role) -> Iterator[Worker]:
        worker = self._worker(role)
        if role == "candidate":
            worker.allowance = self.allowance
        if role in self.places:
            worker.place(*self.places[role])
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
        self.forget_kernels()
        expecting, self.expecting = self.expecting, None
        if expecting is not None and expecting.passes == passes.content_hash and not expecting.worker.ended():
            self.candidate, self.cache, self.work = expecting.worker, expecting.cache, expecting.work
            self.layers, self.readable = expecting.layers, staying.may_read(expecting.worker.inner_pid)
        else:
            if expecting is not None:
                expecting.close()
            self.cache = self._kernel_place(passes)
        cache = self.cache
        self.wrote = cache.path
        self._worker("candidate")
        request = LoadPasses(
            passes=passes,
            scratch=str(self._work() / "passes"),
            cache=str(cache.path),
            device=self._for_device,
            simulate=self.rules_for is not None,
            on_processor=self._on_processor,
        )
        self.ask("candidate", request, self.protocol.build_s)
        self._kernels().loaded(cache)
        self.loaded = passes.content_hash

    def expects(self, passes: PassFiles) -> bool:
        """Whether a candidate waits for this pass set, or none can."""
        expecting = self.expecting
        sandboxed = self.protocol.sandbox and not self.trusted
        return not sandboxed or (expecting is not None and expecting.passes == passes.content_hash)

    def expect(self, passes: PassFiles, cores: tuple[int, ...]) -> None:
        """Start the candidate of a pass set that is to come, on these cores, and let it sleep. Nothing is loaded.

        If it does not start, nobody waits for the pass set: `load` starts a candidate then, and says what is wrong.
        """
        self.expect_nothing()
        work, cache = self._new_work(), self._kernel_place(passes)
        worker: Worker | None = None
        try:
            worker = Worker(self.fork_server, self._options("candidate", cores, self._plan(work, cache.path)))
            layers = entered(worker, self.device, work)
            worker.stop()
        except (WorkerFailure, InfrastructureError, NoRoom):
            if worker is not None:
                worker.close()
            cache.close()
        else:
            self.expecting = _Expecting(passes.content_hash, worker, cache, work, layers)

    def retired(self, passes: PassFiles) -> Worker | None:
        """The candidate of another pass set, where the one that waits for this pass set takes its place. The caller
        closes it. None where there is none: `load` ends it then.
        """
        expecting, old = self.expecting, self.candidate
        if old is None or expecting is None or expecting.passes != passes.content_hash:
            return None
        self.candidate = None
        self.end("candidate")  # what it was lent
        return old

    def expect_nothing(self) -> None:
        """End the candidate that waits for a pass set."""
        if self.expecting is not None:
            self.expecting.close()
            self.expecting = None

    @property
    def kernel_places(self) -> tuple[KernelPlace, ...]:
        """The places for compiled kernels that its candidates use."""
        expecting = None if self.expecting is None else self.expecting.cache
        return tuple(place for place in (self.cache, expecting) if place is not None)

    def renew(self) -> None:
        """Let the next load take a fresh candidate, whatever it loads. The old one ends then, beside other work."""
        self.loaded = None

    def forget_kernels(self) -> None:
        """End the candidate, and use its place for compiled kernels no more."""
        self.end("candidate")
        if self.cache is not None:
            self.cache.close()
            self.cache = None

    @property
    def _on_processor(self) -> bool:
        """Whether code of a pass runs on the processor that the policy did not read as Python."""
        return self._for_device == "cpu" or self.protocol.policy == "native"

    @property
    def _for_device(self) -> str:
        return self.rules_for or self.device

    def _kernels(self) -> KernelPlaces:
        self.kernels = self.kernels or KernelPlaces(self.scratch / "kernels")
        return self.kernels

    def _kernel_place(self, passes: PassFiles) -> KernelPlace:
        return self._kernels().open(kernels_key(passes, self.protocol, self._for_device), shared=not self._on_processor)

    def lend(self, role: Role, name: str, layout: BufferLayout, *more: int) -> SharedBuffers:
        """Give a worker new buffers under a name. The previous buffers of that name are released.

        `more`: descriptors that come beside the memory's.
        """
        previous = self.lent.pop((role, name), None)
        buffers = SharedBuffers.create(layout)
        request = LendBuffers(name=name, layout=layout, handle=buffers.device_handle)
        try:
            self.ask(role, request, fds=(buffers.fd, *more))
        except WorkerFailure:
            buffers.close()
            raise
        if previous is not None:
            previous.close()
        self.lent[role, name] = buffers
        return buffers

    def lend_for_calls(self, role: Role, layout: BufferLayout, write: Callable[[SharedBuffers], None]) -> None:
        """Give a worker the buffers of its calls. `write`: puts tables and held inputs into the memory given to it.

        With a drawer, the tables are in memory that no worker has, and the worker gets the bell that calls the drawer.
        """
        if self.device == "cpu":
            self._worker("candidate")  # whether it can be read holds for both sides
            layout = layout.outputs_staying() if self.readable else layout
        if self.drawer is None or not self.drawer.draws:
            write(self.lend(role, "timing", layout))
            return
        places, tables = layout.parted()
        buffers, theirs = self.lend(role, "timing", places, self.drawer.page.bell.fd), SharedBuffers.create(tables)
        write(buffers)
        write(theirs)
        buffers.drawn = self.drawer.add(buffers, theirs)

    def end(self, role: Role) -> None:
        worker: Worker | None = getattr(self, role)
        if worker is not None:
            worker.close()
            setattr(self, role, None)
        for key in [key for key in list(self.lent) if key[0] == role]:
            self.lent.pop(key).close()
        if role == "candidate":
            self.loaded, self.work = None, None

    def release(self) -> None:
        """Give back the memory lent for one graph. The workers stay."""
        for key in list(self.lent):
            self.lent.pop(key).close()

    def close(self) -> None:
        self.expect_nothing()
        self.forget_kernels()
        self.end("reference")

    def _worker(self, role: Role) -> Worker:
        worker: Worker | None = getattr(self, role)
        if worker is None or not worker.alive:
            self.end(role)
            cpus = self.places[role][0] if role in self.places else self.cpus
            plan = None
            if role == "candidate":
                plan = self._plan(self._work(), self.cache.path if self.cache is not None else self._work() / "cache")
            worker = Worker(self.fork_server, self._options(role, cpus, plan))
            setattr(self, role, worker)
            if plan is not None:
                try:
                    self.layers = entered(worker, self.device, self._work())
                except (InfrastructureError, NoRoom):
                    self.end("candidate")
                    raise
            if role == "candidate":
                self.readable = staying.may_read(worker.inner_pid)
        return worker

    def _options(self, role: Role, cpus: tuple[int, ...], plan: SandboxPlan | None) -> WorkerOptions:
        protocol = self.protocol
        bounds = (
            candidate_limits(protocol.memory_bytes, protocol.max_processes, self.device, self.memory_bytes)
            if role == "candidate" and not self.trusted
            else reference_limits()
        )
        return WorkerOptions(
            f"{role} worker",
            bounds,
            cpus,
            protocol.threads,
            self.logs / f"{role}-{self.index}.log",
            sandbox=plan,
            # CUDA opens files of its own process, and this would block them.
            private=role == "reference" and self.device == "cpu",
        )

    def _plan(self, work: Path, cache: Path) -> SandboxPlan | None:
        """The sandbox of a candidate. None where there is none."""
        if self.trusted or not self.protocol.sandbox:
            return None
        return sandbox_plan(work, cache, graphs_of(self.scratch), device=self.device != "cpu")

    def _work(self) -> Path:
        """The directory of this candidate process. Only this process writes to it."""
        if self.work is None:
            self.work = self._new_work()
        return self.work

    def _new_work(self) -> Path:
        work = self.scratch / f"work-{self.index}-{os.urandom(4).hex()}"
        work.mkdir(parents=True, mode=0o700)
        return work

    def staged(self, graph: Path) -> str:
        """A copy of a graph's files, where workers can read it. They can see no other files of the user."""
        return str(staged(graph, graphs_of(self.scratch)))
