"""The main job: from paths to records. Finds the tasks, opens the run, keeps the pairs, judges each graph in turn."""

from __future__ import annotations

import fcntl
import logging
import os
import secrets
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import torch

from passnet import environment
from passnet.bench.isolation import limits
from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.isolation.worker_pair import Cores, WorkerPair
from passnet.bench.isolation.worker_process import memory_share
from passnet.bench.names import WITH_PASSES, PolicyLevel
from passnet.bench.outcome import full_disk
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import Finding, GraphRecord
from passnet.bench.record.run import Run, to_result
from passnet.bench.verdict.evidence import GraphTrial, record_of
from passnet.bench.verdict.judge import Judge
from passnet.bench.verdict.reference import Job
from passnet.bench.wire.requests import PassFiles
from passnet.errors import InfrastructureError, UsageError
from passnet.graph.targets import Target, find_targets
from passnet.rewrite import PassSet, check_policy, read_pass_set
from passnet.score import Outcome, ScoreError, Solved, score_results, solved_of

_log = logging.getLogger(__name__)
# Modules that workers import anyway, once per server instead of once per worker. Inductor's modules initialise CUDA
# where there is a GPU, and then the server could fork no worker. There each worker imports them itself.
_PRELOAD: dict[str, tuple[str, ...]] = {
    "eager": (),
    "inductor": ("torch._inductor.compile_fx",),
    "inductor-max-autotune": ("torch._inductor.compile_fx",),
    "passes": ("passnet.rewrite.apply.rewriting", "passnet.rewrite.rules.load", "passnet.kernels.native"),
    "passes+inductor": (
        "passnet.rewrite.apply.rewriting",
        "passnet.rewrite.rules.load",
        "passnet.kernels.native",
        "torch._inductor.compile_fx",
    ),
}
# A sandboxed worker compiles by itself. A pool of processes would work while the worker has no request.
_ENVIRONMENT = {"passes+inductor": {"TORCHINDUCTOR_COMPILE_THREADS": "1"}}
# Workers of different servers differ in address layout. A third server would only delay the start.
_MAX_ZYGOTES = 2


@dataclass(frozen=True)
class EvaluationRequest:
    """The request to `passnet eval`."""

    paths: tuple[Path, ...]
    device: str
    compiler: str
    protocol: Protocol
    run_path: Path
    graphs: int | None = None

    def settings(self) -> dict[str, Any]:
        """The settings that must be the same for a run to be resumed."""
        return {
            "paths": [str(path) for path in self.paths],
            "device": self.device,
            "compiler": self.compiler,
            "graphs": self.graphs,
            "protocol": self.protocol.model_dump(),
        }


@dataclass(frozen=True)
class Progress:
    """The last event: a record that is new, or one that was there already."""

    done: int
    total: int
    record: GraphRecord
    resumed: bool


@dataclass(frozen=True)
class TaskScore:
    """One task's records and score. `aggregated` is None when nothing in it counts. `solved`: ties told apart."""

    task: str
    records: tuple[GraphRecord, ...]
    aggregated: float | None
    es: dict[int, float] | None
    solved: Solved

    def to_json(self) -> dict[str, Any]:
        return {
            "task": self.task,
            "AS": self.aggregated,
            **self.solved.to_json(),
            "ES": {str(t): value for t, value in self.es.items()} if self.es else None,
            "graphs": [record.summary() for record in self.records],
        }


def evaluate(request: EvaluationRequest, report: Callable[[Progress], None]) -> list[TaskScore]:
    """Judge every graph of every task. All user errors are raised before anything is written."""
    environment.check_device(request.device)
    targets = find_targets(request.paths)
    jobs = [job for target in targets for job in _jobs(target, request, lenient=len(targets) > 1)]
    if not jobs:
        raise UsageError("no graph to evaluate", path=request.paths[0])
    machine = environment.snapshot(request.device)
    # Figures of two machines or two torch versions must not end up in one run.
    same = {key: machine.get(key) for key in ("passnet", "torch", "cpu", "gpu")}
    run = Run.open(request.run_path, request.settings() | {"machine": same}, machine)
    try:
        return _evaluate(run, jobs, request, report)
    finally:
        run.close()


def _evaluate(
    run: Run,
    jobs: Sequence[tuple[Job, GraphRecord | None]],
    request: EvaluationRequest,
    report: Callable[[Progress], None],
) -> list[TaskScore]:
    records: dict[str, list[GraphRecord]] = {}
    pending = [job for job, decided in jobs if decided is None and run.done(record_key(job)) is None]
    with _bench(request, run.path, needed=bool(pending)) as judge:
        for number, (job, decided) in enumerate(jobs, 1):
            known = run.done(record_key(job))
            record = known or decided or judge.judge(job)
            if known is None:
                run.append(record)
            records.setdefault(job.task, []).append(record)
            report(Progress(number, len(jobs), record, known is not None))
    scores = [score_task(task, rows) for task, rows in records.items()]
    for score in scores:
        run.write_score(score.task, score.aggregated)
    return scores


def score_task(task: str, records: Sequence[GraphRecord]) -> TaskScore:
    """AS and ES of one task's records by the default parameters."""
    results = [to_result(record) for record in records]
    solved = solved_of(results)
    try:
        score = score_results(results)
    except ScoreError:  # every graph failed for a reason that is not the candidate's
        return TaskScore(task, tuple(records), None, None, solved)
    return TaskScore(task, tuple(records), score.aggregated, dict(score.es), solved)


def solved_in_all(scores: Sequence[TaskScore]) -> Solved:
    """The score over all graphs of all tasks that count, as one pool."""
    return solved_of([to_result(record) for score in scores for record in score.records])


def read_passes(target: Target) -> PassSet:
    """The pass set of a task as data. UsageError when there is none or it is malformed."""
    if target.pass_dir is None:
        raise UsageError(
            f"{target.name} is a graph without passes",
            hint="use --compiler eager or inductor, or give a task directory",
        )
    return read_pass_set(target.pass_dir, target.const_pass_dir)


def pass_files(pass_set: PassSet) -> PassFiles:
    """The judged bytes as they are sent to candidates."""
    return PassFiles(pass_set.texts(), pass_set.content_hash)


def _jobs(target: Target, request: EvaluationRequest, *, lenient: bool) -> Iterator[tuple[Job, GraphRecord | None]]:
    """Each graph of a target, with its record where the verdict is clear before anything runs.

    With several tasks, a malformed pass set is its own task's compile error and does not stop the others.
    """
    passes, decided = None, None
    if request.compiler in WITH_PASSES:
        try:
            passes, decided = admit(read_passes(target), request.protocol.policy)
        except UsageError as error:
            if not lenient:
                raise
            decided = Verdict(Outcome.COMPILE_ERROR, str(error))
    graphs = target.graphs[: request.graphs] if request.graphs is not None else target.graphs
    variants = tuple(graph for _, _, graph in target.graphs)
    for name, path, graph in graphs:
        job = Job(target.name, name, path, graph, request.compiler, request.device, passes, variants)
        yield job, decided_record(job, request.protocol, decided) if decided else None


def admit(pass_set: PassSet, level: PolicyLevel) -> tuple[PassFiles, Verdict | None]:
    """The bytes to be judged, and the verdict if the source policy already has one."""
    files = pass_files(pass_set)
    violations = check_policy(pass_set, level)
    if not violations:
        return files, None
    findings = tuple(
        Finding(**{"class": f"policy:{v.rule}", "layer": "source policy", "evidence": v.text()}) for v in violations
    )
    return files, Verdict(Outcome.INTEGRITY, findings[0].evidence, findings)


def decided_record(job: Job, protocol: Protocol, verdict: Verdict) -> GraphRecord:
    """The record of a graph on which nothing was run."""
    return record_of(GraphTrial(job), protocol, verdict)


def record_key(job: Job) -> tuple[str, ...]:
    pass_set_hash = job.passes.content_hash if job.passes else ""
    return (job.task, job.name, job.graph.content_hash, pass_set_hash, job.compiler, job.device)


@contextmanager
def _bench(request: EvaluationRequest, run_path: Path, *, needed: bool) -> Iterator[Judge]:
    """A judge on started pairs, under the device lock. Nothing is started when every record is there already."""
    if not needed:
        yield Judge([], request.protocol, 0)
        return
    with (
        device_lock(request.device),
        Bench(request.device, request.compiler, request.protocol, run_path / "logs") as bench,
    ):
        yield Judge(bench.pairs, request.protocol, secrets.randbits(63))


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
    ) -> None:
        self.scratch = Path(tempfile.mkdtemp(prefix="passnet-"))
        self._device = device
        self._cores = Cores.divide(protocol.threads)
        modules = () if device == "cuda" and "inductor" in compiler else _PRELOAD.get(compiler, ())
        env = _ENVIRONMENT.get(compiler, {}) | (env or {})
        count = protocol.processes if pairs is None else pairs
        self._fork_servers = [
            ForkServer(self.scratch / "shared", threads=protocol.threads, modules=modules, env=env, device=device)
            for _ in range(min(count, _MAX_ZYGOTES))
        ]
        share = memory_share(count)
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
            )
            for index in range(count)
        ]
        self._affinity = os.sched_getaffinity(0)

    def __enter__(self) -> Bench:
        if self._device == "cpu":  # CUDA opens files of its own process that this would close to it
            limits.forbid_inspection()
        if self._cores.controller:
            os.sched_setaffinity(0, self._cores.controller)
        torch.set_num_threads(1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pair in self.pairs:
            pair.close()
        for fork_server in self._fork_servers:
            fork_server.close()
        os.sched_setaffinity(0, self._affinity)
        full_disk.remove(self.scratch)


@contextmanager
def device_lock(device: str) -> Iterator[None]:
    """One evaluation at a time on a device, because two would disturb each other's measurement."""
    path = Path(tempfile.gettempdir()) / f"passnet-{os.getuid()}-{device}.lock"
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise InfrastructureError(f"{path}: the device lock cannot be opened: {error.strerror}") from error
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _log.warning("waiting for another evaluation on %s to finish", device)
            fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)
