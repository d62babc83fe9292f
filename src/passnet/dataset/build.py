"""From names of models to a finished dataset, in stages of independent units that can be stopped and resumed.

Each unit's result is one file below `work/<stage>/`, written whole or not at all; a run finds what is there and does
the rest. No result depends on the order in which units ended, so that a killed and resumed build gives the same
dataset as one that was left alone.
"""

from __future__ import annotations

import fcntl
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from passnet.dataset import assemble, build_units, workfiles
from passnet.dataset.capture_run import Model, chosen
from passnet.dataset.dtypes import DTYPES
from passnet.dataset.folding import fold
from passnet.dataset.forks import Bounds, Ended, Unit, run_units
from passnet.dataset.layout import FUSIBLE, SOLE_OP, TYPICAL
from passnet.dataset.model_record import ModelRecord, cluster_of
from passnet.dataset.rows import Row, op_names
from passnet.dataset.shapes import COMBINATIONS
from passnet.dataset.split import SplitSettings
from passnet.errors import UsageError
from passnet.graph import Graph

SCHEMA = 1
SETTINGS, RECORDS, SUMMARY, LOCK, WORK, DATASET = (
    "settings.json", "records.jsonl", "summary.json", "lock", "work", "dataset",
)  # fmt: skip
Json = dict[str, Any]


@dataclass(frozen=True)
class Settings:
    """Everything that decides what a build contains.

    A directory may be built again with others, more models for one: a result is kept as long as what it was made from
    is the same.
    """

    targets: tuple[str, ...] = ("timm", "torchvision", "transformers")
    limit: int | None = None
    per_family: int | None = None
    kinds: tuple[str, ...] = (SOLE_OP, TYPICAL, FUSIBLE)
    folds: int = 256
    window: int = 64
    dtypes: tuple[str, ...] = DTYPES
    shapes: tuple[tuple[int, int], ...] = COMBINATIONS
    eval_tasks: int = 200
    full_graphs: bool = True


@dataclass(frozen=True)
class Machine:
    """How hard a build may work; decides nothing of what it contains, except which units give up.

    `retry` tries again what an earlier run gave up; `unit_seconds` are of processor time.
    """

    workers: int = 2
    retry: bool = False
    unit_seconds: float = 120.0
    unit_memory_bytes: int = 6 << 30


@dataclass(frozen=True)
class Step:
    """One unit is done: the stage, its place in it, and what went wrong with it."""

    stage: str
    done: int
    total: int
    key: str
    failure: str | None
    resumed: int


@dataclass
class Summary:
    """What a build brought, stage by stage; `costs` are those of all units, in earlier runs too: processor seconds,
    and the most memory that one of them took. `stage_seconds` is the wall time of this run.
    """

    models: Mapping[str, int] = field(default_factory=dict)
    full_graphs: int = 0
    full_structures: int = 0
    structures: Mapping[str, int] = field(default_factory=dict)
    variants: int = 0
    drops: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    failed_units: Mapping[str, int] = field(default_factory=dict)
    costs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    stage_seconds: Mapping[str, float] = field(default_factory=dict)


Report = Callable[[Step], None]


def build(out: Path, settings: Settings, machine: Machine, report: Report) -> tuple[Summary, assemble.Assembled]:
    """Build, or go on building, the dataset at `out`; the finished store is `out/dataset`.

    Errors: UsageError for unknown models, a directory that was begun with other versions, that another build is at work
    in, or that cannot be written.
    """
    models = in_turn(chosen(settings.targets), settings.per_family)[: settings.limit]
    _claim(out, settings)
    with _alone_in(out):
        build_units.prepare()
        run = _Build(out, settings, machine, report)
        run.capture(models)
        parents = run.parents()
        run.cut(parents)
        pieces = run.pieces(parents)
        run.vary(pieces)
        return run.summary, run.store(parents, pieces)


@contextmanager
def _alone_in(out: Path) -> Iterator[None]:
    """Holds the directory's lock, which the system lets go when this process ends, however it ends (a child that
    outlives it does not hold it: that is why it is no `flock`).
    """
    with (out / LOCK).open("w") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise UsageError("another build is at work here", path=out, hint="wait for it or stop it") from None
        yield


def _claim(out: Path, settings: Settings) -> None:
    """Write down what this directory is for, or check that its results came from the same libraries."""
    path = out / SETTINGS
    wanted = json.loads(json.dumps({"schema": SCHEMA, **asdict(settings), "versions": versions()}))
    if path.exists():
        found = json.loads(path.read_text(encoding="utf-8"))
        for key in ("schema", "versions"):
            if wanted[key] != found.get(key):
                raise UsageError(
                    "the directory was begun with other versions", path=path, field=key,
                    expected=wanted[key], found=found.get(key), hint="build into another directory",
                )  # fmt: skip
    elif out.exists() and any(out.iterdir()):
        raise UsageError("the directory is not empty and holds no build", path=out, hint="name a new directory")
    try:
        out.mkdir(parents=True, exist_ok=True)
        workfiles.write_whole(path, (json.dumps(wanted, indent=1) + "\n").encode())
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", path=out) from None


def versions() -> dict[str, str]:
    """Versions of the libraries that decide what a model's graph is."""
    import importlib.metadata

    found = {}
    for name in ("torch", "timm", "torchvision", "transformers", "torch_geometric"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


class _Build:
    """One pass over the stages of a directory."""

    def __init__(self, out: Path, settings: Settings, machine: Machine, report: Report) -> None:
        self.out, self.settings, self.machine, self.report = out, settings, machine, report
        self.summary = Summary()
        self.families: dict[str, str] = {}

    # --- units -----------------------------------------------------------------------------------------------

    def _stage(self, name: str) -> Path:
        return self.out / WORK / name

    def _run(self, stage: str, jobs: Mapping[str, build_units.Job]) -> None:
        """Do every unit that has no file yet, in the order given.

        A unit that fails leaves a file that says so, and is not tried again unless asked for.
        """
        directory = self._stage(stage)
        missing = [key for key in jobs if not self._is_done(workfiles.unit_path(directory, key))]
        resumed, began = len(jobs) - len(missing), time.monotonic()
        units = (Unit(key, jobs[key], workfiles.unit_path(directory, key)) for key in missing)
        bounds = Bounds(self.machine.unit_seconds, self.machine.unit_memory_bytes)
        for count, ended in enumerate(run_units(units, self.machine.workers, bounds), 1):
            if ended.failure is not None:
                self._give_up(directory, ended)
            self.report(Step(stage, resumed + count, len(jobs), ended.key, ended.failure, resumed))
        self.summary.stage_seconds = {**self.summary.stage_seconds, stage: round(time.monotonic() - began, 1)}

    def _is_done(self, path: Path) -> bool:
        return path.exists() and not (self.machine.retry and "failure" in workfiles.read(path))

    @staticmethod
    def _give_up(directory: Path, ended: Ended) -> None:
        document = {
            "failure": ended.failure,
            "seconds": round(ended.seconds, 1),
            "cpu_seconds": round(ended.cpu_seconds, 1),
            "peak_memory_mb": round(ended.peak_memory_mb),
        }
        workfiles.write_whole(workfiles.unit_path(directory, ended.key), workfiles.packed(document))

    def _results(self, stage: str, keys: Sequence[str]) -> Iterator[tuple[str, Json]]:
        """The documents of a stage in order of keys; failed units are counted and left out."""
        failed: Counter[str] = Counter()
        seconds = memory = 0.0
        for key in sorted(keys):
            document = workfiles.read(workfiles.unit_path(self._stage(stage), key))
            seconds += document.get("cpu_seconds", 0.0)
            memory = max(memory, document.get("peak_memory_mb", 0.0))
            if "failure" in document:
                failed[f"{stage}: {cluster_of(document['failure'])}"] += 1
            else:
                yield key, document
        cost = {"units": len(keys), "cpu_seconds": round(seconds, 1), "peak_memory_mb": memory}
        self.summary.costs = {**self.summary.costs, stage: cost}
        self.summary.failed_units = {**self.summary.failed_units, **dict(sorted(failed.items()))}

    # --- stages ----------------------------------------------------------------------------------------------

    def capture(self, models: Sequence[Model]) -> None:
        """Every model in a process of its own, in the order given; then all records in one file."""
        self.models = {model.key: model for model in models}
        self.order = {model.key: place for place, model in enumerate(models)}
        self._run("capture", {model.key: build_units.capture(model) for model in models})
        records = [self._record(key) for key in sorted(self.models)]
        self.families = {f"samples/{r.library}/{r.model}": r.family for r in records}
        lines = "".join(record.model_dump_json() + "\n" for record in records)
        workfiles.write_whole(self.out / RECORDS, lines.encode())
        self.summary.models = dict(Counter(f"{r.library} {r.outcome}" for r in records))

    def _record(self, key: str) -> ModelRecord:
        document = workfiles.read(workfiles.unit_path(self._stage("capture"), key))
        if "record" in document:
            return ModelRecord.model_validate(document["record"])
        model, reason = self.models[key], str(document["failure"])
        return ModelRecord(
            library=model.source.library,
            model=model.name,
            family=model.source.family(model.name),
            domain=model.source.domain(model.name),
            outcome="failed",
            stage="capture",
            reason=reason,
            cluster=cluster_of(reason),
            seconds=document["seconds"],
            peak_memory_mb=document["peak_memory_mb"],
        )

    def parents(self) -> dict[str, Json]:
        """The full graphs by key, one for each structure: the first of those whose values are real."""
        best: dict[str, tuple[tuple[bool, int, int], str]] = {}
        found: dict[str, Json] = {}
        origins: dict[str, dict[str, Any]] = {}
        for key, document in self._results("capture", list(self.models)):
            for number, data in enumerate(document["graphs"]):
                name = f"{key}#{number}"
                self.summary.full_graphs += 1
                structure = workfiles.graph_from_json(data).structure_hash
                _merge(origins.setdefault(structure, {}), data["sources"])
                rank = (data["meta"]["capture_method"] != "real", self.order[key], number)
                if structure not in best or rank < best[structure][0]:
                    found.pop(best[structure][1] if structure in best else "", None)
                    best[structure], found[name] = (rank, name), data
        for structure, (_, name) in best.items():
            found[name] = {**found[name], "sources": dict(sorted(origins[structure].items()))}
        self.summary.full_structures = len(found)
        return dict(sorted(found.items()))

    def cut(self, parents: Mapping[str, Json]) -> None:
        """Cut every parent in a process of its own; typical ranges apart, because they depend on the whole corpus."""
        self.cuts: dict[str, dict[str, str]] = {}
        alone = tuple(kind for kind in self.settings.kinds if kind != TYPICAL)
        if alone:
            keys = {f"{name}@{workfiles.digest(alone)}": name for name in parents}
            self._cut(
                "cut", keys, {key: build_units.cut(_alone(parents[name]), (), alone) for key, name in keys.items()}
            )
        if TYPICAL in self.settings.kinds:
            ranges = self._typical_ranges({name: tuple(data["meta"]["op_names"]) for name, data in parents.items()})
            keys = {f"{name}@{workfiles.digest(own)}": name for name, own in ranges.items() if own}
            jobs = {key: build_units.cut(_alone(parents[name]), ranges[name], (TYPICAL,)) for key, name in keys.items()}
            self._cut("typical", keys, jobs)

    def _cut(self, stage: str, keys: dict[str, str], jobs: Mapping[str, build_units.Job]) -> None:
        self.cuts[stage] = keys
        self._run(stage, jobs)

    def _typical_ranges(self, sequences: Mapping[str, tuple[str, ...]]) -> dict[str, list[tuple[int, int]]]:
        """By name of the parent; of equal sequences only one takes part, or twins would outweigh what is shared."""
        unique = sorted(set(sequences.values()))
        began = time.monotonic()
        ranges = fold(unique, window=self.settings.window, folds=self.settings.folds)
        self.summary.stage_seconds = {**self.summary.stage_seconds, "fold": round(time.monotonic() - began, 1)}
        by_sequence = dict(zip(unique, ranges, strict=True))
        return {name: by_sequence[sequence] for name, sequence in sequences.items()}

    def pieces(self, parents: Mapping[str, Json]) -> dict[str, Json]:
        """One piece for each kind and structure, with the places of all of them; verified by values if any is."""
        found: dict[str, tuple[tuple[bool, int, str, int], Json]] = {}
        origins: dict[str, dict[str, Any]] = {}
        drops: Counter[str] = Counter()
        for stage, parent_of in self.cuts.items():
            for key, document in self._results(stage, list(parent_of)):
                drops.update(document["drops"])
                parent = parent_of[key]
                for number, data in enumerate(document["pieces"]):
                    identity = f"{data['meta']['kind']}:{workfiles.graph_from_json(data).structure_hash}"
                    _merge(origins.setdefault(identity, {}), _spread(data["sources"], parents[parent]["sources"]))
                    # Models that join later come later, so that a piece stays the one that was varied.
                    place = self.order[parent.rpartition("#")[0]]
                    rank = (data["meta"].get("verified") != "values", place, parent, number)
                    if identity not in found or rank < found[identity][0]:
                        found[identity] = (rank, data)
        pieces = {
            identity: {**found[identity][1], "sources": dict(sorted(origins[identity].items()))}
            for identity in sorted(found)
        }
        self.summary.structures = dict(sorted(Counter(identity.split(":")[0] for identity in pieces).items()))
        self.summary.drops = {**self.summary.drops, "cut": dict(drops.most_common())}
        return pieces

    def vary(self, pieces: Mapping[str, Json]) -> None:
        """Variants of every piece, each piece in a process of its own."""
        self.varied = {}
        jobs = {}
        for name, data in pieces.items():
            piece = _alone(data)
            key = workfiles.digest([piece, self.settings.dtypes, self.settings.shapes])
            self.varied[key] = name
            jobs[key] = build_units.vary(piece, self.settings.dtypes, self.settings.shapes)
        self._run("vary", jobs)

    def store(self, parents: Mapping[str, Json], pieces: Mapping[str, Json]) -> assemble.Assembled:
        """Split, group and store all of it as Parquet at `out/dataset`, in place of an earlier one."""
        settings = SplitSettings(wanted={FUSIBLE: self.settings.eval_tasks, TYPICAL: self.settings.eval_tasks})
        notes = {"settings": asdict(self.settings), "versions": versions(), "origin": "captured with random weights"}
        began = time.monotonic()
        stored = assemble.assemble(
            self._rows(parents, pieces), self.out / DATASET, notes=notes, split=settings, overwrite=True
        )
        self.summary.stage_seconds = {**self.summary.stage_seconds, "store": round(time.monotonic() - began, 1)}
        workfiles.write_whole(self.out / SUMMARY, (json.dumps(asdict(self.summary), indent=1) + "\n").encode())
        return stored

    def _rows(self, parents: Mapping[str, Json], pieces: Mapping[str, Json]) -> Iterator[Row]:
        if self.settings.full_graphs:
            for data in parents.values():
                yield Row.from_graph(_spelled(workfiles.graph_from_json(data)), families=self.families)
        drops: Counter[str] = Counter()
        for key, document in self._results("vary", list(self.varied)):
            drops.update(document["drops"])
            for data in document["variants"]:
                graph = workfiles.graph_from_json({**data, "sources": pieces[self.varied[key]]["sources"]})
                self.summary.variants += 1
                yield Row.from_graph(_spelled(graph), families=self.families)
        self.summary.drops = {**self.summary.drops, "vary": dict(drops.most_common())}


def in_turn(models: Sequence[Model], per_family: int | None = None) -> list[Model]:
    """The first model of every family, then the second of each, ...: a build that is stopped has seen all families.

    `per_family` is how many models of a family each library gives at most.
    """
    seen: Counter[tuple[str, str]] = Counter()
    ranked = []
    for model in sorted(models, key=lambda one: one.key):
        family = model.source.library, model.source.family(model.name)
        if per_family is None or seen[family] < per_family:
            ranked.append((seen[family], model.key, model))
        seen[family] += 1
    return [model for _, _, model in sorted(ranked, key=lambda row: row[:2])]


def _spelled(graph: Graph) -> Graph:
    """The graph whose meta data names its operators as its text does."""
    names = list(op_names(graph.program))
    return graph if graph.meta.get("op_names") == names else replace(graph, meta={**graph.meta, "op_names": names})


def _alone(data: Json) -> Json:
    """A graph without its many other origins, which are no input of the work on it."""
    return {**data, "sources": dict([min(data["sources"].items())]) if data["sources"] else data["sources"]}


def _merge(into: dict[str, Any], sources: Mapping[str, Any] | None) -> None:
    for origin, ranges in (sources or {}).items():
        known = into.setdefault(origin, [])
        known += [found for found in ranges if found not in known]


def _spread(sources: Mapping[str, Any] | None, parent: Mapping[str, Any]) -> dict[str, Any]:
    """A piece's ranges at every origin of its parent, all of which have the same nodes."""
    ranges = [found for places in (sources or {}).values() for found in places]
    return {origin: list(ranges) for origin in parent}
