"""Builds a dataset from names of models, in stages of independent units that can be stopped and resumed.

Each unit's result is one file below `work/<stage>/`, written whole or not at all. A run finds the existing results and
does the rest. No result depends on the order in which units ended. A build that was killed and resumed therefore gives
the same dataset as one that was not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from passnet.dataset.capture.record import ModelRecord
from passnet.dataset.capture.run import record_of_failure
from passnet.dataset.capture.targets import Model, chosen, in_turn
from passnet.dataset.cut.folding import fold
from passnet.dataset.layout import FUSIBLE, PUBLISHED, TYPICAL
from passnet.dataset.models.registry import NAMES
from passnet.dataset.pipeline import units, workfiles
from passnet.dataset.pipeline.directory import DATASET, KEYS, RECORDS, SUMMARY, WORK, claimed
from passnet.dataset.pipeline.merging import Merged, alone, spread
from passnet.dataset.pipeline.settings import BuildSettings, BuildStep, Machine, Report, Summary, versions
from passnet.dataset.pipeline.stages import Json, Stages
from passnet.dataset.pipeline.whole_graphs import WholeGraph, is_path, of_path
from passnet.dataset.split.assemble import Assembled, assemble
from passnet.dataset.split.split import SplitSettings
from passnet.dataset.tables.rows import Row, op_names
from passnet.graph import Graph
from passnet.writing import write_whole

__all__ = ["BuildSettings", "BuildStep", "Machine", "Report", "Summary", "build"]

Range = tuple[int, int]
# Stage -> key of a unit -> the whole graph that it cuts.
Cuts = dict[str, dict[str, str]]


def build(out: Path, settings: BuildSettings, machine: Machine, report: Report) -> tuple[Summary, Assembled]:
    """Start or resume the build at `out`. The finished store is `out/dataset`.

    Errors: UsageError for unknown models, and for a directory that was begun with other versions, is in use by another
    build, or cannot be written.
    """
    models = in_turn(subjects(settings.targets), settings.per_family)[: settings.limit]
    with claimed(out, settings):
        units.prepare()
        made = Build(models, settings, Stages(out / WORK, machine, report), out)
        return made.summary, made.run()


def subjects(targets: Sequence[str]) -> list[Model | WholeGraph]:
    """The models that are to be captured, and the whole graphs that are there already, each once.

    Errors: UsageError as `chosen` for models, and for a path without whole graphs.
    """
    paths = [target for target in targets if target not in NAMES and is_path(target)]
    found: dict[str, Model | WholeGraph] = {}
    for model in chosen([target for target in targets if target not in paths]):
        found.setdefault(model.key, model)
    for whole in (one for path in paths for one in of_path(path)):
        found.setdefault(whole.key, whole)
    return list(found.values())


class Build:
    """One pass over the stages of a directory."""

    def __init__(
        self, models: Sequence[Model | WholeGraph], settings: BuildSettings, stages: Stages, out: Path
    ) -> None:
        self.models = {model.key: model for model in models}
        self.order = {model.key: place for place, model in enumerate(models)}
        # By today's names, not by those that units noted: all libraries must use the same names.
        self.families = {model.place: model.family for model in models}
        self.settings, self.stages, self.out = settings, stages, out
        self.summary = stages.summary

    def run(self) -> Assembled:
        """All stages, one after the other."""
        captured = self.capture()
        whole, parents = self.whole_graphs(frozenset(captured[: self.settings.cut]))
        pieces = self.pieces(self.cut(parents), parents)
        return self.store(whole, pieces, self.vary(pieces))

    def capture(self) -> list[str]:
        """Captures every model in a process of its own, in turn. All records go to one file. Returns models with
        graphs.
        """
        self.stages.run("capture", {key: units.capture(model) for key, model in self.models.items()})
        records = {key: self._record(key) for key in sorted(self.models)}
        lines = "".join(record.model_dump_json() + "\n" for record in records.values())
        write_whole(self.out / RECORDS, lines.encode())
        self.summary.models = dict(Counter(f"{r.library} {r.outcome}" for r in records.values()))
        return [key for key in self.models if records[key].outcome == "captured"]

    def _record(self, key: str) -> ModelRecord:
        document, model = self.stages.document("capture", key), self.models[key]
        if "record" not in document:
            return record_of_failure(model, str(document["failure"]), document["seconds"], document["peak_memory_mb"])
        return ModelRecord.model_validate(document["record"]).model_copy(update={"family": model.family})

    def whole_graphs(self, cut: Collection[str]) -> tuple[dict[str, Json], dict[str, Json]]:
        """All whole graphs, and those of the models that are cut, by name. Each structure occurs once in either.

        Of equal structures, the first in turn with real values is kept. It names all models that have it.
        """
        found, parents = Merged(), Merged()
        for key, document in self.stages.results("capture", self.models):
            for number, data in enumerate(document["graphs"]):
                rank = (data["meta"]["capture_method"] not in ("real", PUBLISHED), self.order[key], number)
                row = workfiles.structure_of(data), rank, f"{key}#{number}", data, data["sources"]
                self.summary.full_graphs += 1
                found.add(*row)
                if key in cut:
                    parents.add(*row)
        self.summary.models_cut, self.summary.full_structures = len(cut), len(found.best)
        return found.graphs(), parents.graphs(found.places)

    def cut(self, parents: Mapping[str, Json]) -> Cuts:
        """Cut every parent in a process of its own. Typical ranges come later, because they depend on all
        the parents.
        """
        cuts: Cuts = {}
        others = tuple(kind for kind in self.settings.kinds if kind != TYPICAL)
        if others:
            cuts["cut"] = {f"{name}@{workfiles.digest(others)}": name for name in parents}
            jobs = {key: units.cut(alone(parents[name]), (), others) for key, name in cuts["cut"].items()}
            self.stages.run("cut", jobs)
        if TYPICAL in self.settings.kinds:
            ranges = self.typical_ranges({name: tuple(data["meta"]["op_names"]) for name, data in parents.items()})
            cuts["typical"] = {f"{name}@{workfiles.digest(own)}": name for name, own in ranges.items() if own}
            jobs = {
                key: units.cut(alone(parents[name]), ranges[name], (TYPICAL,)) for key, name in cuts["typical"].items()
            }
            self.stages.run("typical", jobs)
        return cuts

    def typical_ranges(self, sequences: Mapping[str, tuple[str, ...]]) -> dict[str, list[Range]]:
        """Ranges by name of the parent. Of equal sequences only one takes part, so that twins do not count twice."""
        unique = sorted(set(sequences.values()))
        with self.stages.timed("fold"):
            ranges = fold(unique, window=self.settings.window, folds=self.settings.folds)
        by_sequence = dict(zip(unique, ranges, strict=True))
        return {name: by_sequence[sequence] for name, sequence in sequences.items()}

    def pieces(self, cuts: Cuts, parents: Mapping[str, Json]) -> dict[str, Json]:
        """One piece for each kind and structure, with all its places. It is one that was verified by values, if any
        was.
        """
        found = Merged()
        drops: Counter[str] = Counter()
        for stage, parent_of in cuts.items():
            for key, document in self.stages.results(stage, parent_of):
                drops.update(document["drops"])
                parent = parent_of[key]
                for number, data in enumerate(document["pieces"]):
                    identity = f"{data['meta']['kind']}:{workfiles.structure_of(data)}"
                    # Models that join later come later, so that a piece stays the one that was varied.
                    place = self.order[parent.rpartition("#")[0]]
                    rank = (data["meta"].get("verified") != "values", place, parent, number)
                    found.add(identity, rank, identity, data, spread(data["sources"], parents[parent]["sources"]))
        self.summary.structures = dict(sorted(Counter(identity.split(":")[0] for identity in found.best).items()))
        self.summary.drops["cut"] = dict(drops.most_common())
        return found.graphs()

    def vary(self, pieces: Mapping[str, Json]) -> dict[str, str]:
        """Variants of every piece, each piece in its own process: key of the unit -> piece.

        A piece keeps its first key, which names one of its places. Later models and changed ranges give it other places
        but do not change its variants.
        """
        dtypes, shapes = self.settings.dtypes, self.settings.shapes
        path = self.stages.work / KEYS
        keys: dict[str, str] = workfiles.read(path) if path.exists() else {}
        varied = {}
        for name, data in pieces.items():
            content = workfiles.digest([{**data, "sources": None}, dtypes, shapes])
            varied[keys.setdefault(content, workfiles.digest([alone(data), dtypes, shapes]))] = name
        write_whole(path, workfiles.packed(keys))
        self.stages.run("vary", {key: units.vary(alone(pieces[name]), dtypes, shapes) for key, name in varied.items()})
        return varied

    def store(self, whole: Mapping[str, Json], pieces: Mapping[str, Json], varied: Mapping[str, str]) -> Assembled:
        """Split, group and store all of it as Parquet at `out/dataset`, in place of an earlier one."""
        settings = SplitSettings(wanted={FUSIBLE: self.settings.eval_tasks, TYPICAL: self.settings.eval_tasks})
        notes = {"settings": asdict(self.settings), "versions": versions(), "origin": "captured with random weights"}
        rows = self._rows(whole, pieces, varied)
        with self.stages.timed("store"):
            stored = assemble(rows, self.out / DATASET, notes=notes, split=settings, overwrite=True)
        write_whole(self.out / SUMMARY, (json.dumps(asdict(self.summary), indent=1) + "\n").encode())
        return stored

    def _rows(self, whole: Mapping[str, Json], pieces: Mapping[str, Json], varied: Mapping[str, str]) -> Iterator[Row]:
        if self.settings.full_graphs:
            for data in whole.values():
                yield self._row(data)
        drops: Counter[str] = Counter()
        for key, document in self.stages.results("vary", varied):
            drops.update(document["drops"])
            for data in document["variants"]:
                self.summary.variants += 1
                yield self._row({**data, "sources": pieces[varied[key]]["sources"]})
        self.summary.drops["vary"] = dict(drops.most_common())

    def _row(self, data: Json) -> Row:
        graph = workfiles.graph_from_json(data)
        family = self.families[f"samples/{graph.meta['source']}/{graph.meta['model_name']}"]
        return Row.from_graph(_noted(graph, family), families=self.families)


def _noted(graph: Graph, family: str) -> Graph:
    """The graph whose meta data names its operators as its text does, and its family as libraries agree on."""
    known = {"op_names": list(op_names(graph.program)), "family": family}
    if all(graph.meta.get(key) == value for key, value in known.items()):
        return graph
    return replace(graph, meta={**graph.meta, **known})
