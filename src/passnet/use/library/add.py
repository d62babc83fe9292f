"""Adds the pass sets of bench runs to a library: those that were right on every graph, with the results of the run."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field, ValidationError

from passnet import authored
from passnet.bench.engine.bench import Bench
from passnet.bench.evaluate import pass_files, read_passes
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.layers import open_doors
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import ENVIRONMENT, SETTINGS, read_environment, read_records, read_settings
from passnet.bench.wire.replies import RuleNeeds
from passnet.bench.wire.requests import Describe
from passnet.errors import UsageError, counted, first_line
from passnet.graph.targets import Target, find_targets, placed
from passnet.rewrite import PassSet, read_pass_set
from passnet.rewrite.passes.pass_set import RuleSource
from passnet.score import Outcome
from passnet.use.library.store import (
    PASSES,
    Evidence,
    LibraryEntry,
    PassLibrary,
    RuleEntry,
    is_library,
    plain_name,
    write_index,
)
from passnet.writing import locked, new_directory, writing

_SHORT_HASH = 8


def _path(text: str) -> str:
    if not authored.is_path(text):
        raise ValueError("no path")
    return text


class _Rules(BaseModel):
    policy: Literal["strict", "native"] = "strict"


class _Settings(BaseModel):
    """The settings of a run that are used here."""

    compiler: str
    device: Literal["cpu", "cuda"]
    paths: tuple[Annotated[str, AfterValidator(_path)], ...] = ()
    graphs: int | None = Field(None, ge=1)
    protocol: _Rules = _Rules()


@dataclass(frozen=True)
class Added:
    """The result for one task of a run."""

    task: str
    what: Literal["added", "updated", "left out"]
    reason: str | None = None


def add_run(library: Path, run: Path) -> Iterator[Added]:
    """Add every pass set of a finished run of `passnet eval` that was right on all graphs of its task.

    Only records count that judged these passes on these graphs, in a sandbox (see `_objection`). A missing library is
    created for the first set. Each set is written before the index that names it, so the library is complete whenever
    the command stops.

    Several commands may add at a time. Errors: UsageError for a path that is no run of passes, for tasks that have
    moved, and for a directory that holds something else.
    """
    settings, environment, records = _settings(run), _environment(run), read_records(run)
    if settings.compiler != "passes":
        raise UsageError("not a run of passes", path=run, found=f"compiler {settings.compiler}")
    if library.exists():
        with locked(library):
            _opened(library)
    targets = {target.name: target for target in _targets(run, settings)}
    by_task: dict[str, list[GraphRecord]] = {}
    for record in records:
        by_task.setdefault(record.task, []).append(record)
    if not by_task:
        raise UsageError("the run holds no records", path=run, hint="let `passnet eval` finish first")
    with _Reader(settings.device) as reader:
        for task, rows in sorted(by_task.items()):
            if task not in targets:
                yield Added(task, "left out", "the task is not among the run's paths any more")
                continue
            target = targets[task]
            try:
                pass_set = read_passes(target)
            except UsageError as error:
                yield Added(task, "left out", first_line(str(error)))
                continue
            objections = [(row, _objection(row, pass_set, target, settings)) for row in rows]
            fit = [row for row, objection in objections if objection is None]
            said = _said([f"{row.graph}: {objection}" for row, objection in objections if objection is not None])
            reason = _reason_against(fit, target, settings)
            if reason is not None:
                yield Added(task, "left out", "; ".join(filter(None, (reason, said))))
                continue
            files = pass_files(pass_set).files
            entry = _entry(task, files, reader, settings)
            evidence = _evidence(run, environment, settings, fit, target)
            yield Added(task, _put(library, entry, evidence, files), said)


def _put(
    library: Path, entry: LibraryEntry, evidence: Evidence, files: Mapping[str, str]
) -> Literal["added", "updated"]:
    """Write a set and the index, which another command may have changed since this one began."""
    with writing(library):
        library.mkdir(parents=True, exist_ok=True)
    with locked(library):
        known = _opened(library)
        before = known.get(entry.name)
        if before is not None and before.content_hash != entry.content_hash:  # the short hashes are the same
            entry = entry.model_copy(update={"name": f"{entry.name}-{entry.content_hash}"})
            before = known.get(entry.name)
        known[entry.name] = _with(_merged(before, entry) if before else entry, evidence)
        with new_directory(library / PASSES / entry.name, overwrite=True) as directory:
            written(directory, files)
        write_index(library, known.values())
    return "updated" if before else "added"


def written(directory: Path, files: Mapping[str, str]) -> PassSet:
    """Write the files of a pass set into a directory of their own, and read it back."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (directory / name).write_text(text, encoding="utf-8")
    return read_pass_set(directory)


def _opened(library: Path) -> dict[str, LibraryEntry]:
    """The sets of a library, or of an empty directory. UsageError for one that holds something else."""
    if is_library(library):
        return {entry.name: entry for entry in PassLibrary.read(library).entries}
    if any(library.iterdir()):
        raise UsageError("holds something else than a pass library", path=library, hint="give another directory")
    return {}


def _settings(run: Path) -> _Settings:
    try:
        return _Settings.model_validate(read_settings(run))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or None
        raise UsageError(f"not the settings of a run: {first['msg']}", path=run / SETTINGS, field=place) from None


def _environment(run: Path) -> dict[str, object]:
    try:
        return dict(read_environment(run) or {})
    except (OSError, ValueError) as error:
        raise UsageError(f"unreadable environment of a run: {error}", path=run / ENVIRONMENT) from None


def _targets(run: Path, settings: _Settings) -> list[Target]:
    paths = [Path(path) for path in settings.paths]
    missing = [path for path in paths if not placed(path).exists()]
    if missing:
        raise UsageError(
            "the tasks of this run are not here",
            path=run,
            found=str(missing[0]),
            hint="run it in the directory where `passnet eval` ran",
        )
    return find_targets(paths)


def _objection(record: GraphRecord, pass_set: PassSet, target: Target, settings: _Settings) -> str | None:
    """Why a record says nothing of these passes on the task as it is now. None for one that does."""
    graph = next((graph for name, _, graph in target.graphs if name == record.graph), None)
    if graph is None:
        return "the task no longer has this graph"
    if record.pass_set_hash != pass_set.content_hash:
        return "the passes have changed since"
    if record.graph_hash != graph.content_hash:
        return "the graph has changed since"
    if (record.device, record.compiler) != (settings.device, settings.compiler):
        return f"judged on {record.device} by {record.compiler}, and the run is one of {settings.device}"
    # Of a wrong result nothing more is asked: perhaps nothing was run.
    if record.outcome is Outcome.CORRECT and (not record.tamper_proof or open_doors(record.sandbox or ())):
        return "not judged in a sandbox, so not tamper-proof"
    return None


def _said(objections: Sequence[str]) -> str | None:
    """The records that count for nothing, in one line."""
    if not objections:
        return None
    more = f"; and {len(objections) - 1} more" if len(objections) > 1 else ""
    return f"{counted(len(objections), 'record')} left aside: {authored.one_line(objections[0])}{more}"


def _reason_against(rows: Sequence[GraphRecord], target: Target, settings: _Settings) -> str | None:
    """Why a task's pass set has not shown that it is right. `rows`: records of it, on graphs as they are."""
    wrong = [record for record in rows if record.outcome is not Outcome.CORRECT]
    if wrong:
        return f"{wrong[0].graph}: {wrong[0].outcome}"
    asked = [name for name, _, _ in target.graphs[: settings.graphs]]
    judged = {record.graph for record in rows}
    if not judged.issuperset(asked):
        return f"{sum(name in judged for name in asked)} of {len(asked)} graphs were judged"
    if any(record.timing is None for record in rows):
        return "no timing"
    return None


def _entry(task: str, files: Mapping[str, str], reader: _Reader, settings: _Settings) -> LibraryEntry:
    with tempfile.TemporaryDirectory(prefix="passnet-library-") as scratch:
        pass_set = written(Path(scratch), files)
    known = {row.rule: row for row in reader.described(pass_set)}
    rules = [_rule_entry(rule, known.get(rule.name)) for rule in pass_set.rules]
    name = plain_name(f"{task}-{pass_set.content_hash[:_SHORT_HASH]}")
    return LibraryEntry(
        name=name, content_hash=pass_set.content_hash, policy=settings.protocol.policy, rules=tuple(rules)
    )


def _rule_entry(rule: RuleSource, needs: RuleNeeds | None) -> RuleEntry:
    """`needs` is a claim, and is used only to leave out sets that could not match."""
    if needs is None:
        return RuleEntry(rule=rule.name, devices=rule.devices)
    return RuleEntry(rule=rule.name, devices=rule.devices, operations=needs.operations, structure=needs.structure)


def _merged(before: LibraryEntry, entry: LibraryEntry) -> LibraryEntry:
    """The known entry, completed for rules that could not be loaded before, for example on another device."""
    rules = [old if old.structure else new for old, new in zip(before.rules, entry.rules, strict=True)]
    return before.model_copy(update={"rules": tuple(rules)})


class _Reader:
    """A sandboxed worker that reports the needs of the rules for a device. Started on first use."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._stack = ExitStack()
        self._pair: WorkerPair | None = None

    def __enter__(self) -> _Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def described(self, pass_set: PassSet) -> tuple[RuleNeeds, ...]:
        """A row for each rule. No rows when the rules cannot be loaded here (for example without Triton): such sets are
        always tried.
        """
        if self._pair is None:
            logs = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="passnet-library-"))
            bench = self._stack.enter_context(Bench("cpu", "passes", Protocol(), Path(logs), pairs=1))
            self._pair = bench.pairs[0]
            self._pair.rules_for = None if self._device == "cpu" else self._device
        try:
            self._pair.load(pass_files(pass_set))
            return self._pair.ask("candidate", Describe()).rules
        except WorkerFailure:
            return ()


def _evidence(
    run: Path, environment: dict[str, object], settings: _Settings, rows: Sequence[GraphRecord], target: Target
) -> Evidence:
    graphs = {name: graph for name, _, graph in target.graphs}
    judged = [graphs[record.graph] for record in rows]
    timings = [record.timing for record in rows if record.timing is not None]
    device = settings.device
    return Evidence(
        run=run.resolve().name,
        device=device,
        hardware=str(environment.get("gpu" if device != "cpu" else "cpu")),
        torch=str(environment.get("torch")),
        protocol_hash=rows[0].protocol_hash,
        tamper_proof=all(record.tamper_proof for record in rows),
        graphs=len(rows),
        dtypes=tuple(sorted({str(graph.meta.get("captured_dtype", "unknown")) for graph in judged})),
        structures=tuple(sorted({graph.structure_hash for graph in judged})),
        speedup=statistics.geometric_mean(timing.speedup for timing in timings),
        lowest=min(timing.speedup_ci[0] for timing in timings),
    )


def _with(entry: LibraryEntry, evidence: Evidence) -> LibraryEntry:
    """The entry with one more piece of evidence, which takes the place of an older one of the same machine."""
    same = (evidence.device, evidence.hardware)
    kept = [each for each in entry.evidence if (each.device, each.hardware) != same]
    return entry.model_copy(update={"evidence": (*kept, evidence)})
