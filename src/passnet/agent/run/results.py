"""The results of a task after its attempts: the best pass set, and its records where scoring finds them."""

from __future__ import annotations

from pathlib import Path

from passnet.agent.env.state import BEST_DIR, UNSCORED_DIR
from passnet.agent.record.journal import Journal, end_of
from passnet.agent.run.request import SEED, AgentRequest, plans, task_path
from passnet.agent.run.starting_passes import read_passes
from passnet.agent.run.summary import TaskAttempt, TaskResult
from passnet.agent.workbench.protocol import RecordingWorkbench
from passnet.agent.workbench.variants import task_hash
from passnet.bench.evaluate import decided_record, pass_files, score_task
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import Run
from passnet.bench.verdict.job import Job
from passnet.graph.targets import Target
from passnet.rewrite import read_pass_set
from passnet.score import Outcome
from passnet.writing import new_directory


def collect(request: AgentRequest, target: Target, bench: RecordingWorkbench, run: Run) -> TaskResult:
    """Choose the best attempt at a task. Copy its passes and write its records, once."""
    rows = [(Journal(plan.directory).read(), plan.directory) for plan in plans(request, [target])]
    attempts = tuple(TaskAttempt.of(records, directory) for records, directory in rows)
    best = TaskResult(target.name, task_hash(target), attempts, (), None).best
    found = best.directory / BEST_DIR
    passes = _copied(found, task_path(request, target) / BEST_DIR) if found.is_dir() else None
    unscored = best.directory / UNSCORED_DIR if passes is None else None
    records = _records(request, target, bench, passes or unscored)
    for record in records:
        if run.records.get(record.key()) != record:
            run.append(record)
    run.write_score(target.name, score_task(target.name, records).aggregated)
    return TaskResult(target.name, task_hash(target), attempts, tuple(records), passes, _seed(request, target))


def _seed(request: AgentRequest, target: Target) -> TaskAttempt | None:
    directory = task_path(request, target) / SEED
    known = Journal(directory).read()
    return TaskAttempt.of(known, directory) if end_of(known) is not None else None


def _copied(source: Path, to: Path) -> Path:
    with new_directory(to, overwrite=True) as directory:
        for name, text in read_passes(source).items():
            (directory / name).write_text(text, encoding="utf-8", newline="")
    return to


def _records(
    request: AgentRequest, target: Target, bench: RecordingWorkbench, passes: Path | None
) -> list[GraphRecord]:
    """The last full measurement of the chosen pass set.

    This is the best set, or the last set that an unsteady machine could not score. Without either, every variant counts
    as not compiled.
    """
    if passes is not None and passes.is_dir():
        files = pass_files(read_pass_set(passes, target.const_pass_dir))
        records = bench.records(target, files)
        if len(records) == len(target.graphs):
            return records
    verdict = Verdict(Outcome.COMPILE_ERROR, "the author left no pass set that was evaluated")
    jobs = [Job(target.name, name, path, graph, "passes", request.device, None) for name, path, graph in target.graphs]
    return [decided_record(job, request.protocol, verdict) for job in jobs]
