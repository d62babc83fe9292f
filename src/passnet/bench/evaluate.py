"""The main job: from paths to records. Finds the tasks, opens the run, asks the engine, keeps every record at once."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from passnet.bench.engine.engine import (
    SAME_MACHINE,
    Engine,
    EngineEvent,
    GraphRecorded,
    TriedAgain,
    UnitFinished,
    Unjudged,
)
from passnet.bench.engine.fleets import open_fleet
from passnet.bench.engine.unit import EvaluationUnit
from passnet.bench.names import WITH_PASSES, PolicyLevel, package_of
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.conventions import conventions_document, measured_graphs
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import Finding, GraphRecord
from passnet.bench.record.run import OTHER_RUN, Incident, Run, refuse_names
from passnet.bench.verdict.evidence import GraphTrial, record_of
from passnet.bench.verdict.job import Job
from passnet.bench.wire.requests import PassFiles
from passnet.errors import UsageError, first_line
from passnet.graph import bundled
from passnet.graph.targets import Target, find_targets
from passnet.logs import logger
from passnet.rewrite import PassSet, Violation, check_policy, read_pass_set
from passnet.score import Outcome, ScoreError, Solved, score_results, solved_of

_log = logger(__name__)


@dataclass(frozen=True)
class EvaluationRequest:
    """The request to `passnet eval`. `devices`: their names; None: the one device of this kind, in this process."""

    paths: tuple[Path, ...]
    device: str
    compiler: str
    protocol: Protocol
    run_path: Path
    graphs: int | None = None
    engine: str = "local"
    devices: str | None = None
    lanes: int = 1

    def settings(self) -> dict[str, Any]:
        """The settings that must be the same for a run to be resumed. Another package's compiler is one with its
        version.
        """
        package = package_of(self.compiler)
        return ({"compiler_package": package} if package else {}) | {
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
    targets = find_targets(request.paths)
    refuse_names([target.name for target in targets])
    planned = [plan(target, request, lenient=len(targets) > 1) for target in targets]
    if not any(task.jobs for task in planned):
        raise UsageError("no graph to evaluate", path=request.paths[0])
    logs = request.run_path / "logs"
    with closing(open_fleet(request.engine, request.device, request.devices, logs, request.lanes)) as fleet:
        machine = fleet.machine()
        # Figures of two machines or two torch versions must not end up in one run.
        same = {key: machine.get(key) for key in SAME_MACHINE}
        settings = request.settings() | {"machine": same}
        run = Run.open(request.run_path, settings, machine, elsewhere=OTHER_RUN)
        try:
            return _Evaluation(run, planned, request, report).all(Engine(fleet, _log.warning, same=same))
        finally:
            run.close()


@dataclass
class _Evaluation:
    """One command's way through the tasks: what is there already, what is judged now, and the scores of both."""

    run: Run
    planned: Sequence[PlannedTask]
    request: EvaluationRequest
    report: Callable[[Progress], None]
    number: int = 0

    def all(self, engine: Engine) -> list[TaskScore]:
        for job in (job for task in self.planned for job in task.jobs):
            known = self.run.done(record_key(job))
            if known is not None:
                self._tell(known, resumed=True)
        for task in self.planned:
            if task.decided is not None:
                for job in self._pending(task):
                    self._keep(decided_record(job, self.request.protocol, task.decided))
        for event in engine.run(self._units(len(engine.fleet.devices))):
            self._take(event)
        return [self._score(task) for task in self.planned if task.jobs]

    def _units(self, devices: int) -> Iterator[EvaluationUnit]:
        """What is left to judge, in parts that keep all devices busy. A unit's id says which task it is of."""
        left = {index: self._pending(task) for index, task in enumerate(self.planned) if task.decided is None}
        most = max(1, math.ceil(sum(map(len, left.values())) / devices))
        for index, jobs in left.items():
            for first in range(0, len(jobs), most):
                part = jobs[first : first + most]
                self._note_again(part)
                variants = self.planned[index].target.graphs
                yield EvaluationUnit.of(f"{index}/{first}", part, variants, self.request.protocol)

    def _pending(self, task: PlannedTask) -> list[Job]:
        return [job for job in task.jobs if self.run.done(record_key(job)) is None]

    def _note_again(self, jobs: Sequence[Job]) -> None:
        """An earlier command left a record that says nothing of the candidate."""
        for job in jobs:
            before = self.run.records.get(record_key(job))
            if before is not None:
                reason = f"{before.outcome}: {first_line(before.detail or 'no detail')}"
                self.run.note(
                    Incident(at=time.time(), task=job.task, graph=job.name, device=None, attempt=1, reason=reason)
                )

    def _take(self, event: EngineEvent) -> None:
        match event:
            case GraphRecorded(record=record):
                self._keep(record)
            case TriedAgain(task=task, graph=graph, device=device, attempt=attempt, reason=reason):
                self.run.note(
                    Incident(at=time.time(), task=task, graph=graph, device=device, attempt=attempt, reason=reason)
                )
            case Unjudged(task=task, graph=graph, reason=reason):
                job = next(job for one in self.planned for job in one.jobs if (job.task, job.name) == (task, graph))
                failure = Verdict(Outcome.INFRASTRUCTURE, f"the machine failed every time: {reason}")
                self._keep(decided_record(job, self.request.protocol, failure))
            case UnitFinished():
                pass

    def _keep(self, record: GraphRecord) -> None:
        self.run.append(record)
        self._tell(record, resumed=False)

    def _tell(self, record: GraphRecord, *, resumed: bool) -> None:
        self.number += 1
        self.report(Progress(self.number, sum(len(task.jobs) for task in self.planned), record, resumed))

    def _score(self, task: PlannedTask) -> TaskScore:
        score = score_task(task.target.name, [self.run.records[record_key(job)] for job in task.jobs])
        self.run.write_score(score.task, score.aggregated)
        return score


def score_task(task: str, records: Sequence[GraphRecord]) -> TaskScore:
    """AS and ES of one task's records by the default parameters."""
    results = [record.result() for record in records]
    solved = solved_of(results)
    try:
        score = score_results(results)
    except ScoreError:  # every graph failed for a reason that is not the candidate's
        return TaskScore(task, tuple(records), None, None, solved)
    return TaskScore(task, tuple(records), score.aggregated, dict(score.es), solved)


def solved_in_all(scores: Sequence[TaskScore]) -> Solved:
    """The score over all graphs of all tasks that count, as one pool."""
    return solved_of([record.result() for score in scores for record in score.records])


def conventions_in_all(scores: Sequence[TaskScore]) -> dict[str, Any]:
    """Speedups by convention and regime over all right graphs of all tasks."""
    return conventions_document(measured_graphs(record for score in scores for record in score.records))


def read_passes(target: Target) -> PassSet:
    """The pass set of a task as data. UsageError when there is none or it is malformed."""
    if target.pass_dir is None:
        raise UsageError(
            f"{target.name} is a graph without passes",
            hint="give a task directory; `passnet eval --compiler inductor` judges a graph alone",
        )
    if not target.pass_dir.is_dir():
        own = target.pass_dir.parent.name
        copied = f"`passnet tasks export {own} --out DIR` makes a copy to put some in"
        hint = f"{copied if bundled.place_of(own) else 'write some there'}; `passnet agent` writes them by itself"
        raise UsageError(f"{target.name} comes without passes", path=target.pass_dir, hint=hint)
    return read_pass_set(target.pass_dir, target.const_pass_dir)


def pass_files(pass_set: PassSet) -> PassFiles:
    """The judged bytes as they are sent to candidates."""
    return PassFiles(pass_set.texts(), pass_set.content_hash)


@dataclass(frozen=True)
class PlannedTask:
    """A task's graphs as jobs. `decided`: the verdict on all of them, where it is clear before anything runs."""

    target: Target
    jobs: tuple[Job, ...]
    decided: Verdict | None


def plan(target: Target, request: EvaluationRequest, *, lenient: bool) -> PlannedTask:
    """The jobs of a target.

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
    jobs = (
        Job(target.name, name, path, graph, request.compiler, request.device, passes, variants)
        for name, path, graph in graphs
    )
    return PlannedTask(target, tuple(jobs), decided)


def admit(pass_set: PassSet, level: PolicyLevel) -> tuple[PassFiles, Verdict | None]:
    """The bytes to be judged, and the verdict if the source policy already has one."""
    return pass_files(pass_set), policy_verdict(check_policy(pass_set, level))


def policy_verdict(violations: Sequence[Violation]) -> Verdict | None:
    """The verdict on passes with these breaches of the source policy. None where there are none."""
    if not violations:
        return None
    findings = tuple(
        Finding(**{"class": f"policy:{v.rule}", "layer": "source policy", "evidence": v.text()}) for v in violations
    )
    return Verdict(Outcome.INTEGRITY, findings[0].evidence, findings)


def decided_record(job: Job, protocol: Protocol, verdict: Verdict) -> GraphRecord:
    """The record of a graph on which nothing was run."""
    return record_of(GraphTrial(job), protocol, verdict)


def record_key(job: Job) -> tuple[str, ...]:
    pass_set_hash = job.passes.content_hash if job.passes else ""
    return (job.task, job.name, job.graph.content_hash, pass_set_hash, job.compiler, job.device)
