"""The results of a task after its attempts: the best pass set, and its records where scoring finds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from passnet.agent.env.redo import state_after
from passnet.agent.env.state import BEST_DIR, MeasuredStep, UnscoredStep
from passnet.agent.record.journal import Journal, end_of
from passnet.agent.run.request import SEED, AgentRequest, plans, task_path
from passnet.agent.run.summary import MeasuredAgain, TaskAttempt, TaskResult
from passnet.agent.workbench.protocol import RecordingWorkbench
from passnet.agent.workbench.variants import names_of, task_hash
from passnet.bench.evaluate import decided_record, record_key, score_task
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import Run
from passnet.bench.verdict.job import Job
from passnet.bench.wire.requests import PassFiles
from passnet.errors import UsageError
from passnet.graph.targets import Target
from passnet.score import Outcome
from passnet.writing import new_directory


def collect(request: AgentRequest, target: Target, bench: RecordingWorkbench, run: Run) -> TaskResult:
    """Choose the best attempt at a task. Copy its passes and write its records, once.

    Among several attempts with a score it was chosen by its figure, so its pass set is measured once more.
    """
    rows = {plan.directory: Journal(plan.directory).read() for plan in plans(request, [target])}
    attempts = tuple(TaskAttempt.of(records, directory) for directory, records in rows.items())
    best = TaskResult(target.name, task_hash(target), attempts, (), None).best
    # Directories of an attempt are for people, who may have changed them. Its records tell what was measured.
    known = state_after(rows[best.directory], best.directory, target, request.device)
    passes = _written(known.best.files, task_path(request, target) / BEST_DIR) if known.best is not None else None
    again = request.confirm and sum(attempt.end.score is not None for attempt in attempts) > 1
    if again and known.best is not None and passes is not None:
        records = _measured_again(target, bench, run, passes, _jobs(request, target, known.best))
    else:
        records = _records(request, target, bench, run, known.best or known.unscored)
    for record in records:
        if run.records.get(record.key()) != record:
            run.append(record)
    score = score_task(target.name, records).aggregated
    run.write_score(target.name, score)
    seed, last = _seed(request, target), MeasuredAgain(score) if again else None
    return TaskResult(target.name, task_hash(target), attempts, tuple(records), passes, seed, last)


def _seed(request: AgentRequest, target: Target) -> TaskAttempt | None:
    directory = task_path(request, target) / SEED
    known = Journal(directory).read()
    return TaskAttempt.of(known, directory) if end_of(known) is not None else None


def _written(files: Mapping[str, str], to: Path) -> Path:
    with new_directory(to, overwrite=True) as directory:
        for name, text in files.items():
            (directory / name).write_text(text, encoding="utf-8", newline="")
    return to


def _measured_again(
    target: Target, bench: RecordingWorkbench, run: Run, passes: Path, jobs: Sequence[Job]
) -> list[GraphRecord]:
    """The records of another measurement of the best attempt's passes. A run that goes on has them already."""
    if not all(record_key(job) in run.records for job in jobs):
        bench.evaluate(replace(target, pass_dir=passes), names_of(target), quick=False, again=True)
        found = jobs[0].passes
        assert found is not None, "a measured step has passes"
        return bench.records(target, found)
    return [run.records[record_key(job)] for job in jobs]


def _jobs(request: AgentRequest, target: Target, chosen: MeasuredStep | UnscoredStep | None) -> list[Job]:
    passes = PassFiles(chosen.files, chosen.pass_set_hash) if chosen is not None else None
    return [
        Job(target.name, name, path, graph, "passes", request.device, passes) for name, path, graph in target.graphs
    ]


def _records(
    request: AgentRequest,
    target: Target,
    bench: RecordingWorkbench,
    run: Run,
    chosen: MeasuredStep | UnscoredStep | None,
) -> list[GraphRecord]:
    """The last full measurement of the chosen pass set.

    This is the best set, or the last set that an unsteady machine could not score. Without either, every variant counts
    as not compiled. Raises UsageError when the measurement of a set with a score is on record no more.
    """
    passes = PassFiles(chosen.files, chosen.pass_set_hash) if chosen is not None else None
    jobs = _jobs(request, target, chosen)
    if passes is not None:
        earlier = [run.records[key] for job in jobs if (key := record_key(job)) in run.records]
        records = next((found for found in (bench.records(target, passes), earlier) if len(found) == len(jobs)), None)
        if records is not None:
            return records
    if isinstance(chosen, MeasuredStep):
        raise UsageError(
            f"the records of the best pass set of {target.name} are missing", path=request.run_path,
            expected=f"those of the pass set {chosen.pass_set_hash} in evaluations/records.jsonl",
            hint="put the file back, or begin another run",
        )  # fmt: skip
    verdict = Verdict(Outcome.COMPILE_ERROR, "the author left no pass set that was evaluated")
    return [decided_record(replace(job, passes=None), request.protocol, verdict) for job in jobs]
