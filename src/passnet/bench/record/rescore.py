"""Scores older measurements: a run directory or a log of the upstream harness. Runs nothing, imports no torch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any, Final

from passnet.bench.record.conventions import MeasuredGraph, conventions_document, measured_graphs
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import RECORDS, SETTINGS, each_record, no_records, read_settings
from passnet.errors import UsageError
from passnet.score import (
    OUTCOME_RULES,
    GraphResult,
    Interpretation,
    Owner,
    ScoreError,
    ScoreParams,
    load_weights,
    read_upstream_log,
    score_document,
)

# A larger file of records takes long enough that its reader is told of it.
_LARGE_BYTES: Final = 32_000_000
_SAID_EVERY: Final = 20_000


@dataclass(frozen=True)
class Published:
    """A published row (PassNet paper, arXiv 2605.29357, and its leaderboard of 2026-05-29).

    The two agree where both have the row. The machine is one NVIDIA A30, with 200 tasks and 2,060 graphs. Shares
    are of 1.
    """

    system: str
    aggregated: float
    speedup_gmean: float
    subgraph_correct: float
    fast_1: float


PUBLISHED: Final = (
    Published("eager", 1.0, 1.0, 1.0, 1.0),
    Published("TorchInductor, default mode", 0.706, 0.846, 0.850, 0.203),
    Published("Claude Sonnet 4.6", 0.448, 0.835, 0.619, 0.092),
    Published("Claude Opus 4.6", 0.410, 0.922, 0.486, 0.098),
    Published("GPT-5.4", 0.410, 0.821, 0.546, 0.074),
    Published("Qwen3-30B-A3B fine-tuned", 0.371, 0.809, 0.488, 0.053),
    Published("GLM-5.1", 0.240, 0.844, 0.335, 0.048),
    Published("Qwen3-4B fine-tuned", 0.240, 0.808, 0.285, 0.030),
    Published("MiniMax-M2.7", 0.208, 0.653, 0.230, 0.010),
    Published("Qwen3-30B-A3B", 0.139, 0.693, 0.118, 0.006),
    Published("Qwen3-4B", 0.108, 0.953, 0.013, 0.002),
)


@dataclass(frozen=True)
class Options:
    """The settings of a score. `keep_reference_errors` None: kept for a foreign log, left out for a run of ours."""

    b: float = 0.1
    p: float = 0.0
    interpretation: str = Interpretation.DEFAULT.value
    weights: Path | None = None
    keep_reference_errors: bool | None = None


@dataclass(frozen=True)
class MeasuredRun:
    """Graph results and their source. `source` goes into the document, `notes` are for people.

    `foreign`: from another harness. Its reference errors count unless asked otherwise.
    `measured`: its right graphs with their figures by convention. None for a log, which does not name its own.
    """

    results: tuple[GraphResult, ...]
    source: Mapping[str, Any]
    foreign: bool
    notes: tuple[str, ...] = ()
    statuses: Mapping[str, int] = field(default_factory=dict)
    measured: tuple[MeasuredGraph, ...] | None = None


@dataclass(frozen=True)
class Rescored:
    """The document of `passnet score --json`, and what a reader should be told beside it."""

    document: dict[str, Any]
    measured: MeasuredRun
    params: ScoreParams

    @property
    def counted(self) -> list[str]:
        """The graphs that count."""
        left_out = {name for names in self.left_out.values() for name in names}
        return [name for name in map(full_name, self.measured.results) if name not in left_out]

    @property
    def left_out(self) -> dict[str, list[str]]:
        """Outcome -> the graphs that do not count because the failure is not the candidate's."""
        kept = self.document["params"]["keep_reference_errors"]
        found: dict[str, list[str]] = {}
        for result in self.measured.results:
            owner = OUTCOME_RULES[result.outcome].owner
            if owner is Owner.HARNESS or (owner is Owner.REFERENCE and not kept):
                found.setdefault(result.outcome.value, []).append(full_name(result))
        return found


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a score needs of a record. A million whole records take 16 GB."""

    result: GraphResult
    measured: MeasuredGraph | None
    tamper_proof: bool
    protocol_hash: str

    @classmethod
    def of(cls, record: GraphRecord) -> _Kept:
        measured = next(iter(measured_graphs([record])), None)
        return cls(record.result(), measured, record.tamper_proof, intern(record.protocol_hash))


def quiet(_: str) -> None:
    """The default of those who do not watch."""


def rescore(path: Path, options: Options, say: Callable[[str], None] = quiet) -> Rescored:
    """Score a log or a run directory. `say` is told how far the reading of a large run is.

    Errors: `UsageError` for what is neither, is malformed, or has no score.
    """
    try:
        measured = read_measured(path, say)
        params = _params(options, foreign=measured.foreign)
        document = score_document(measured.results, params)
    except ScoreError as error:
        raise UsageError(str(error)) from error
    document["conventions"] = conventions_document(measured.measured) if measured.measured is not None else None
    document["source"] = dict(measured.source)
    if measured.statuses:
        document["statuses"] = dict(measured.statuses)
    document["notes"] = list(measured.notes)
    return Rescored(document, measured, params)


def read_measured(path: Path, say: Callable[[str], None] = quiet) -> MeasuredRun:
    """The results at a path.  Errors: `UsageError`, `ScoreError`."""
    if path.is_dir():
        return _read_run(path, say)
    if not path.exists():
        raise UsageError(
            "no such file or directory",
            path=path,
            hint="give a run directory or a validation log of the upstream harness",
        )
    if path.name in (RECORDS, SETTINGS) and (path.parent / SETTINGS).is_file():
        raise UsageError("is a file of a run", path=path, expected="the run's directory", hint=f"give {path.parent}")
    _told_if_large(path, say)
    log = read_upstream_log(path)
    return MeasuredRun(log.results, {"kind": "log", "path": str(path)}, True, log.notes, log.statuses)


def full_name(result: GraphResult) -> str:
    return f"{result.task}/{result.name}" if result.task else result.name


def _told_if_large(file: Path, say: Callable[[str], None]) -> bool:
    """Tells those who watch that the reading of a file takes long. Whether it does."""
    size = file.stat().st_size if file.is_file() else 0
    if size > _LARGE_BYTES:
        say(f"reading {file}, {size / 1e6:.0f} MB")
    return size > _LARGE_BYTES


def _kept(path: Path, say: Callable[[str], None]) -> list[_Kept]:
    """Of each graph what its last record says, in the order of the first ones."""
    large = _told_if_large(path / RECORDS, say)
    kept: dict[tuple[str, ...], _Kept] = {}
    for number, record in enumerate(each_record(path), 1):
        kept[tuple(map(intern, record.key()))] = _Kept.of(record)
        if number % _SAID_EVERY == 0:
            say(f"{number} records read")
    if large:
        say(f"scoring {len(kept)} graphs")
    return list(kept.values())


def _read_run(path: Path, say: Callable[[str], None]) -> MeasuredRun:
    settings = read_settings(path)
    records = _kept(path, say)
    if not records:
        raise no_records(path)
    source: dict[str, Any] = {"kind": "run", "path": str(path)}
    source |= {name: settings.get(name) for name in ("compiler", "device")}
    source["tamper_proof"] = all(record.tamper_proof for record in records)
    hashes = Counter(record.protocol_hash for record in records)
    notes = [f"records of {len(hashes)} protocols are mixed"] if len(hashes) > 1 else []
    if not source["tamper_proof"]:
        notes.append("measured by a protocol that is not tamper-proof")
    graphs = tuple(kept.measured for kept in records if kept.measured is not None)
    return MeasuredRun(tuple(kept.result for kept in records), source, False, tuple(notes), measured=graphs)


def _params(options: Options, *, foreign: bool) -> ScoreParams:
    keep = foreign if options.keep_reference_errors is None else options.keep_reference_errors
    weights = {} if options.weights is None else {"weights": load_weights(options.weights)}
    known = [interpretation.value for interpretation in Interpretation]
    if options.interpretation not in known:
        raise UsageError(
            f"unknown interpretation {options.interpretation!r}", field="--interpretation", expected=" or ".join(known)
        )
    interpretation = Interpretation(options.interpretation)
    return ScoreParams(options.b, options.p, interpretation, keep_reference_errors=keep, **weights)
