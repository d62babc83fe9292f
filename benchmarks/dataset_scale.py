"""What a dataset costs, stage by stage, and how that grows with the number of models: read from a finished build.

    python benchmarks/dataset_scale.py BUILD [--models 10 100 1000] [--out DIRECTORY]

The units of a build note their processor time and the most memory they held. For each count the first models in turn
are taken out of the build as if it had only those: their units are looked up, nothing is captured, cut or varied
again; what the leading process does itself (folding, merging, splitting, grouping, storing) is really done on them, in
a process of its own. Typical ranges depend on all models of a build: the pieces are those that the whole build cut,
and folding is timed on the few. BUILD is left as it is: its units are linked into a directory beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from passnet.dataset.build import Build
from passnet.dataset.capture.targets import Model, chosen, in_turn
from passnet.dataset.layout import FULL
from passnet.dataset.pipeline.directory import SETTINGS, WORK
from passnet.dataset.pipeline.settings import BuildSettings, Machine
from passnet.dataset.pipeline.stages import Json, Stages

# What the whole build folded, for the processes that look at a part of it.
RANGES = "ranges.json"
Ranges = dict[str, list[tuple[int, int]]]


def main() -> None:
    inside = argparse.ArgumentParser(add_help=False)
    inside.add_argument("build", type=Path, nargs="?")
    inside.add_argument("--inside", type=int)
    part, _ = inside.parse_known_args()
    if part.inside is not None:  # its memory is measured: nothing that only the rest needs is imported
        print(json.dumps(measured(part.build, part.inside)))
    else:
        compare_parts()


def compare_parts() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="directory of `passnet dataset build`")
    parser.add_argument("--models", type=int, nargs="+", default=[10, 100, 1000], help="how many of the first in turn")
    import common

    options = common.parsed(parser)
    # Beside the build, since only there its units can be linked.
    with tempfile.TemporaryDirectory(dir=options.build.resolve().parent, prefix=".scale.") as scratch:
        linked = Path(scratch) / "build"
        shutil.copytree(options.build / WORK, linked / WORK, copy_function=os.link)
        shutil.copy(options.build / SETTINGS, linked)
        total = len(models_of(linked))
        # The whole comes first: it says what was typical and which unit varied which piece.
        rows = [in_a_process(linked, count) for count in [total, *(n for n in options.models if n < total)]]
    rows.sort(key=lambda row: row["models"])
    for row in rows:
        show(row)
    common.save(options, "dataset-scale", "dataset-scale", "cpu", {"build": options.build.name, "rows": rows})


def in_a_process(build: Path, count: int) -> dict[str, Any]:
    """One part in a process that does nothing else, so that its peak memory is that of leading such a build."""
    command = [sys.executable, __file__, str(build), "--inside", str(count)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def settings_of(build: Path) -> BuildSettings:
    """What the build was asked for."""
    stored = json.loads((build / SETTINGS).read_text(encoding="utf-8"))
    known = {field.name: stored[field.name] for field in fields(BuildSettings) if field.name in stored}
    tuples = {name: tuple(value) for name, value in known.items() if isinstance(value, list)}
    return BuildSettings(**{**known, **tuples, "shapes": tuple(tuple(shape) for shape in known["shapes"])})


def models_of(build: Path) -> list[Model]:
    """The models of the build that have been tried, in turn."""
    settings = settings_of(build)
    found = in_turn(chosen(settings.targets), settings.per_family)[: settings.limit]
    stages = Finished(build / WORK)
    return [model for model in found if stages.path("capture", model.key).exists()]


class Finished(Stages):
    """Stages of which nothing is done; `missing` counts units that are not there, `seconds` are those of the leader."""

    def __init__(self, work: Path) -> None:
        super().__init__(work, Machine(), lambda step: None)
        self.missing: dict[str, int] = {}
        self.given: dict[str, int] = {}
        self.seconds: dict[str, float] = {}

    def run(self, stage: str, jobs: Mapping[str, Any]) -> None:
        self.missing[stage] = sum(not self.path(stage, key).exists() for key in jobs)

    def results(self, stage: str, keys: Iterable[str]) -> Iterator[tuple[str, Json]]:
        self.given[stage] = 0
        for key, document in super().results(stage, [key for key in keys if self.path(stage, key).exists()]):
            self.given[stage] += sum(len(document.get(name, ())) for name in ("graphs", "pieces", "variants"))
            yield key, document

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        began = time.process_time()
        yield
        self.seconds[name] = round(time.process_time() - began, 1)


class Part(Build):
    """The first models of a finished build; typical ranges are those of the whole."""

    def __init__(self, models: Sequence[Model], settings: BuildSettings, stages: Finished, out: Path) -> None:
        super().__init__(models, settings, stages, out)
        self.ranges_file = out / RANGES

    def typical_ranges(self, sequences: Mapping[str, tuple[str, ...]]) -> Ranges:
        own = super().typical_ranges(sequences)
        if not self.ranges_file.exists():
            self.ranges_file.write_text(json.dumps(own))
        whole: Ranges = json.loads(self.ranges_file.read_text())
        return {name: whole.get(name, []) for name in sequences}


def measured(build: Path, count: int) -> dict[str, Any]:
    """The figures of the first `count` models."""
    base = peak_mb()
    stages = Finished(build / WORK)
    part = Part(models_of(build)[:count], settings_of(build), stages, build)
    stored = part.run()
    summary = part.summary
    return {
        "models": count,
        "captured": sum(number for key, number in summary.models.items() if key.endswith("captured")),
        "structures": {FULL: summary.full_structures, **summary.structures},
        "graphs_stored": sum(stored.graphs.values()),
        "stages": {stage: costs(dict(cost), stages.given[stage], count) for stage, cost in summary.costs.items()},
        "missing_units": {stage: number for stage, number in stages.missing.items() if number},
        "leader": {
            "cpu_seconds": stages.seconds,
            "stored_per_core_minute": round(60 * sum(stored.graphs.values()) / max(stages.seconds["store"], 0.1)),
            "peak_memory_mb": peak_mb(),
            "imports_mb": base,
        },
    }


def costs(cost: dict[str, float], graphs: int, models: int) -> dict[str, float | None]:
    """A stage's costs with its rates; older builds have not noted the seconds of capture."""
    seconds = cost["cpu_seconds"]
    rate = round(60 * graphs / seconds, 1) if seconds else None
    return {
        **cost,
        "graphs": graphs,
        "graphs_per_core_minute": rate,
        "cpu_seconds_per_model": round(seconds / models, 2),
    }


def peak_mb() -> int:
    """The most memory that this process has held."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def show(row: dict[str, Any]) -> None:
    print(f"{row['models']} models ({row['captured']} captured): {row['graphs_stored']} graphs, {row['structures']}")
    for stage, cost in row["stages"].items():
        rate = "-" if cost["graphs_per_core_minute"] is None else f"{cost['graphs_per_core_minute']:.1f}"
        print(
            f"  {stage:8} {cost['units']:6} units {cost['graphs']:7} graphs {rate:>9} per minute of a core, "
            f"{cost['cpu_seconds_per_model']:6.1f} s per model, {cost['peak_memory_mb']:6.0f} MiB in one unit"
        )
    leader, seconds = row["leader"], row["leader"]["cpu_seconds"]
    spent = ", ".join(f"{name} {seconds[name]} s" for name in ("fold", "store") if name in seconds)
    print(
        f"  leader   {leader['peak_memory_mb']} MiB ({leader['imports_mb']} of it imports); {spent}, "
        f"{leader['stored_per_core_minute']} graphs stored per minute of a core"
    )
    if row["missing_units"]:
        print(f"  missing  {row['missing_units']}")


if __name__ == "__main__":
    main()
