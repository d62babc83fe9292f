"""Writes a run in the layout of the published harness, so that its scripts score it. Runs nothing, imports no torch."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from passnet import authored
from passnet.bench.names import DEVICES, POLICIES, is_compiler_name
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import ENVIRONMENT, SCORE, no_records, read_records, read_settings
from passnet.bench.record.task_files import TaskFiles
from passnet.dataset.tables.rows import uid_of
from passnet.errors import UsageError
from passnet.graph import Task
from passnet.graph.task import PASS_DIR
from passnet.score import (
    OUTCOME_RULES,
    GraphResult,
    Owner,
    Times,
    log_block,
    log_path,
    log_text,
    score_results,
    writable,
)  # fmt: skip
from passnet.writing import new_directory, write_json

LOG, ENTRY = "validation.log", "entry.sh"
SAMPLES, GRAPHS = "samples", "graphs"
SAMPLE_LIST, UID_LIST = "sample_lists/samples.txt", "graph_lists/graphs.txt"
_US_IN_MS: Final = 1000.0
_EXECUTABLE: Final = 0o755


@dataclass(frozen=True)
class ExportedRun:
    """The written export: every task in the order of the ids, and the score of those with a graph that counts.

    `left_out`: graphs whose failure is not the candidate's, as `task/graph: outcome`. No log names them.
    """

    path: Path
    tasks: tuple[str, ...]
    scores: Mapping[str, float]
    graphs: int
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class _Sample:
    """One task of the run: its place in the export, and the records that count."""

    task: str
    directory: str
    records: tuple[GraphRecord, ...]
    counted: tuple[GraphRecord, ...]

    def place(self, record: GraphRecord) -> str:
        """The place of a graph below the export, in the characters that a log may hold."""
        return log_path(f"{self.directory}/{GRAPHS}/{record.graph.removeprefix(f'{GRAPHS}/')}")


def export_run(run: Path, out: Path, *, logs_only: bool = False, overwrite: bool = False) -> ExportedRun:
    """Write `out` from the records of a run. It is written completely or not at all.

    `samples/TASK/` holds `validation.log` and `aggregated_score.json`. The id is the task's line in
    `sample_lists/samples.txt`. Unless `logs_only`, it also holds the task itself (graphs, `graph_list.txt`, the
    judged passes) with an `entry.sh` that evaluates it.
    `graph_lists/graphs.txt`: uid, tab, path of every graph. `validation.log`: all tasks in one.

    Errors: `UsageError` for a path that is no run, for tasks that were moved or have changed, and for a run of
    which nothing counts.
    """
    settings, records = read_settings(run), read_records(run)
    if not records:
        raise no_records(run)
    samples = _samples(records)
    if not any(sample.counted for sample in samples):
        raise UsageError(
            "nothing in the run counts", path=run, hint="every graph failed for a reason that is not the candidate's"
        )
    tasks = None if logs_only else TaskFiles.of_run(run, settings)
    config = _config(run, settings)
    scores: dict[str, float] = {}
    blocks: list[list[str]] = []
    with new_directory(out, overwrite=overwrite, read=[run, *(tasks.places if tasks is not None else ())]) as directory:
        for number, sample in enumerate(samples, 1):
            here = directory / sample.directory
            if tasks is not None:
                _write_task(here, sample, tasks, _policy(settings))
            if not sample.counted:
                continue
            here.mkdir(parents=True, exist_ok=True)
            own = [_block(sample, record, config) for record in sample.counted]
            (here / LOG).write_text(log_text(own), encoding="utf-8")
            scores[sample.task] = _score(sample.counted)
            write_json(here / SCORE, {"id": number, "score": scores[sample.task]})
            blocks += own
        (directory / LOG).write_text(log_text(blocks), encoding="utf-8")
        _write_lines(directory / SAMPLE_LIST, (sample.directory for sample in samples))
        pairs = [_uid_line(sample, record) for sample in samples for record in sample.records]
        _write_lines(directory / UID_LIST, pairs)
    left_out = [
        f"{record.task}/{record.graph}: {record.outcome.value}"
        for sample in samples
        for record in sample.records
        if record not in sample.counted
    ]
    return ExportedRun(out, tuple(sample.task for sample in samples), scores, len(blocks), tuple(left_out))


def _samples(records: Sequence[GraphRecord]) -> list[_Sample]:
    by_task: dict[str, list[GraphRecord]] = {}
    for record in records:
        by_task.setdefault(record.task, []).append(record)
    _refuse_several(by_task)
    names: dict[str, str] = {}
    for task in by_task:
        name = log_path(task.replace("/", "_"))
        name = f"_{name}" if not name.strip(".") else name
        while name in names.values():
            name += "_"
        names[task] = name
    return [
        _Sample(task, f"{SAMPLES}/{names[task]}", tuple(rows), tuple(row for row in rows if _counts(row)))
        for task, rows in by_task.items()
    ]


def _refuse_several(by_task: Mapping[str, Sequence[GraphRecord]]) -> None:
    """Refuse a run whose pass set changed between two evaluations. It holds records of both, and upstream has room for
    one.
    """
    for task, rows in by_task.items():
        if len({row.graph for row in rows}) < len(rows):
            raise UsageError(
                f"the run holds several records of one graph of {task}",
                expected="one pass set for each task",
                hint="`passnet eval --run NAME` under a new name evaluates the task again",
            )


def _counts(record: GraphRecord) -> bool:
    return OUTCOME_RULES[record.outcome].owner is Owner.CANDIDATE and writable(record.outcome)


def _score(records: Iterable[GraphRecord]) -> float:
    return score_results([record.result() for record in records]).aggregated


def _block(sample: _Sample, record: GraphRecord, config: Mapping[str, str]) -> list[str]:
    found, timing = record.result(), record.timing
    times = None
    if timing is not None:
        times = Times(timing.eager_us / _US_IN_MS, timing.compiled_us / _US_IN_MS, timing.gpu_speedup)
    result = GraphResult(sample.place(record), found.outcome, found.speedup, found.correct_at)
    own = {"model": record.graph, "device": record.device, "compiler": record.compiler}
    return log_block(result, times, own | dict(config))


def _config(run: Path, settings: Mapping[str, Any]) -> dict[str, str]:
    """The machine of a run in upstream's words. Fields that are not recorded are left out."""
    try:
        machine = authored.parse_json(authored.read_bytes(run / ENVIRONMENT))
    except (OSError, ValueError):
        machine = None
    known = settings.get("machine") if not isinstance(machine, dict) else machine
    known = known if isinstance(known, dict) else {}
    hardware = known.get("gpu") if settings.get("device") == "cuda" else known.get("cpu")
    found = {"hardware": hardware, "compile_framework_version": known.get("torch")}
    return {key: value for key, value in found.items() if isinstance(value, str)}


def _policy(settings: Mapping[str, Any]) -> object:
    protocol = settings.get("protocol")
    return protocol.get("policy") if isinstance(protocol, dict) else None


def _uid_line(sample: _Sample, record: GraphRecord) -> str:
    place = sample.place(record)
    return f"{uid_of(place, record.graph_hash)}\t{place}"


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _write_task(here: Path, sample: _Sample, tasks: TaskFiles, policy: object) -> None:
    """The graphs and passes of a task as they were judged, with the script that judges them again."""
    below = f"{sample.directory}/"
    graphs = [tasks.graph(record).renamed(sample.place(record).removeprefix(below)) for record in sample.records]
    uids = tuple(_uid_line(sample, record).split("\t")[0] for record in sample.records)
    Task.write(here, graphs, uids=uids)
    for name, text in tasks.passes(sample.records[0]).items():
        (here / PASS_DIR / name).write_text(text, encoding="utf-8", newline="")
    entry = here / ENTRY
    entry.write_text(_entry_script(sample.records[0], policy), encoding="utf-8")
    entry.chmod(_EXECUTABLE)


def _entry_script(record: GraphRecord, policy: object) -> str:
    """The script, with settings of the run. It contains only known words, because a shell will read them."""
    chosen = {
        "@DEVICE@": (record.device, DEVICES),
        "@COMPILER@": (record.compiler, (record.compiler,) if is_compiler_name(record.compiler) else ("a compiler",)),
        "@POLICY@": (policy, POLICIES),
    }
    text = importlib.resources.files(__package__).joinpath("published_entry.sh").read_text(encoding="utf-8")
    for mark, (value, known) in chosen.items():
        if value not in known:
            raise UsageError(
                "the run has a setting that no entry.sh can have", expected=f"one of {', '.join(known)}",
                found=repr(value), hint="--logs-only leaves it out",
            )  # fmt: skip
        text = text.replace(mark, str(value))
    return text
