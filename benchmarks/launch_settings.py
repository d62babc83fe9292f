"""Which launch settings are fastest: kernels of first drafts, with all settings that Inductor would try, and more.

    python benchmarks/launch_settings.py write build/fusible build/settings [--workers 2]   # no GPU is needed
    python benchmarks/launch_settings.py time build/settings OUT.jsonl [--workers 14] [--seconds 300]   # on a GPU
    python benchmarks/launch_settings.py tell OUT.jsonl... [--write] [--machine FILE]   # anywhere

`write` lowers one graph of each task, of each dtype in turn, and writes its kernels with up to `--most` settings each:
those that Inductor would try, then neighbours of the first two. `time` compiles them on all cores and then times each
launch alone, as replays of a CUDA graph of many launches; inputs lie in the caches if they are small. `tell` compares
what the author takes first with the fastest of Inductor's settings and of all: by the weights of today, and by weights
fitted to the kernels of other tasks. `--write` fits to all and makes these the weights of today.
"""

from __future__ import annotations

import argparse
import fcntl
import functools
import importlib.util
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import common
import numpy as np
import torch

from passnet.agent.authors.distill.candidates import Candidates
from passnet.agent.authors.distill.plan import PlannedKernel
from passnet.agent.authors.distill.recipes import triton_kernel
from passnet.agent.lowering import launch_model
from passnet.agent.lowering.inductor import NotGenerated
from passnet.agent.lowering.launch_model import FEATURES, WEIGHTS, LaunchSettings, family, features
from passnet.agent.lowering.launches import LITTLE, KernelHeuristics, heuristics
from passnet.dataset.forks import Bounds, ForkUnit, run_units
from passnet.dataset.pipeline import units
from passnet.dataset.pipeline.workfiles import graph_from_json, graph_to_json
from passnet.graph.targets import find_targets

Document = dict[str, Any]
BOUNDS = Bounds(seconds=300.0, memory_bytes=8 << 30)
_LAUNCHES, _REPLAYS = 24, 5
# Kernels of fewer microseconds are mostly their launch, so they count less. Beyond so much slower (a logarithm), all
# settings are alike. Tasks are left out in so many parts.
_LEAST_US, _SHORT, _SLOWEST, _RIDGE, _PARTS = 1.3, 0.3, 1.5, 1.0, 8
_IMPORTS = "import torch, triton, triton.language as tl\nfrom triton.language.extra import libdevice\n"


def main() -> None:
    options = arguments()
    {"write": write, "time": timed, "tell": tell}[options.what](options)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ways = parser.add_subparsers(dest="what", required=True)
    writing = ways.add_parser("write", help="lower graphs and write their kernels; no GPU is needed")
    writing.add_argument("tasks", type=Path, help="a directory of tasks, as fusible_tasks.py writes it")
    writing.add_argument("out", type=Path)
    writing.add_argument("--most", type=int, default=12, help="settings of a kernel")
    writing.add_argument("--workers", type=int, default=2)
    timing = ways.add_parser("time", help="time all of them on a GPU")
    timing.add_argument("out", type=Path, help="what was written")
    timing.add_argument("rows", type=Path, help="JSON lines, a line for each kernel and setting")
    timing.add_argument("--workers", type=int, default=14)
    timing.add_argument("--seconds", type=float, default=300.0, help="begin nothing after this")
    timing.add_argument("--part", help="number/of: what one of several processes does")
    telling = ways.add_parser("tell", help="how good the author's first setting is")
    telling.add_argument("rows", type=Path, nargs="+")
    telling.add_argument("--machine", type=Path, help="environment of the times, as JSON: then a result is written")
    telling.add_argument("--out", type=Path, default=common.RESULTS, help="directory of the result file")
    telling.add_argument("--write", action="store_true", help=f"write {WEIGHTS}")
    telling.add_argument("--worst", type=int, default=0, help="kernels to name")
    return parser.parse_args()


# --- write -----------------------------------------------------------------------------------------------------


def write(options: argparse.Namespace) -> None:
    units.prepare()
    options.out.mkdir(parents=True, exist_ok=True)
    targets = list(find_targets([options.tasks]))
    places = {target.name: options.out / f"{target.name}.json" for target in targets}
    todo = [
        ForkUnit(target.name, functools.partial(written, target, number, options.most), places[target.name])
        for number, target in enumerate(targets)
        if not places[target.name].exists()
    ]
    for number, ended in enumerate(run_units(iter(todo), options.workers, BOUNDS), 1):
        print(f"[{number}/{len(todo)}] {ended.key} {ended.seconds:.1f} s {ended.failure or ''}", file=sys.stderr)


def written(target: Any, number: int, most: int) -> bytes:
    """The kernels of one graph of a task, as JSON: a row for each region that has any."""
    graphs = [graph for _, _, graph in target.graphs]
    graph = graphs[number % len(graphs)]
    candidates = Candidates([graph], "cuda")
    rows = []
    for place, plan in candidates.plans.items():
        piece = candidates.regions[place[0]].pieces[place[1]]
        known = [heuristics(kernel.text) for kernel in plan.kernels]
        tried = [all_settings(each)[:most] for each in known]
        sources = []
        for turn in range(max(map(len, tried))):
            now = [each[min(turn, len(each) - 1)] for each in tried]
            try:
                made = triton_kernel(lambda kernel, _, now=now: now[kernel])(piece, plan, 0)
            except NotGenerated:
                break
            sources.append("\n".join(made.prelude))
        if not sources:
            continue
        rows.append(
            {
                "graph": graph_to_json(piece.graph),
                "places": list(made.inputs),
                "buffers": [[each.size, each.stride, each.dtype] for each in made.buffers],
                "sources": sources,
                "kernels": [facts(*each) for each in zip(known, tried, plan.kernels, strict=True)],
            }
        )
    return json.dumps(rows).encode()


def all_settings(known: KernelHeuristics) -> list[LaunchSettings]:
    """What Inductor would try, in its own order, then neighbours of the first two. None that a GPU has no room for."""
    near = [step for settings in known.settings[:2] for step in known.neighbours(settings)]
    found = list(dict.fromkeys([*known.settings, *near]))
    return [settings for settings in found if known.product is None or known.product.us(settings) < math.inf]


def facts(known: KernelHeuristics, settings: Sequence[LaunchSettings], kernel: PlannedKernel) -> Document:
    tried, inductors = [asdict(each) for each in settings], sum(each in known.settings for each in settings)
    return {"text": kernel.text, "kind": known.kind, "inductors": inductors, "settings": tried}


# --- time ------------------------------------------------------------------------------------------------------


def timed(options: argparse.Namespace) -> None:
    if options.part is None:
        options.rows.parent.mkdir(parents=True, exist_ok=True)
        command = [
            sys.executable,
            __file__,
            "time",
            str(options.out),
            str(options.rows),
            "--seconds",
            str(options.seconds),
        ]
        parts = [f"{number}/{options.workers}" for number in range(options.workers)]
        started = [subprocess.Popen([*command, "--part", part]) for part in parts]
        ends = [each.wait() for each in started]
        if any(ends):
            raise SystemExit("some parts did not end")
        return
    number, of = map(int, options.part.split("/"))
    files, until = sorted(options.out.glob("*.json"))[number::of], time.monotonic() + options.seconds
    for file in files:
        try:
            rows = times_of(file, options.rows, until)
        except Exception as error:  # noqa: BLE001 - one task's kernels must not end the others
            print(f"{file.stem}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            continue
        with options.rows.open("a") as log:  # short lines are written whole
            fcntl.flock(log, fcntl.LOCK_EX)
            log.writelines(f"{json.dumps(row)}\n" for row in rows)
        print(f"{file.stem}: {len(rows)} kernels", file=sys.stderr)


class _Recorder:
    """Stands for a kernel, and keeps how it was launched."""

    def __init__(self, kernel: Any, launches: list[tuple[str, Any]], name: str) -> None:
        self.kernel, self.launches, self.name = kernel, launches, name

    def __getitem__(self, grid: Any) -> Any:
        def launch(*arguments: Any, **settings: Any) -> Any:
            self.launches.append((self.name, functools.partial(self.kernel[grid], *arguments, **settings)))
            return self.kernel[grid](*arguments, **settings)

        return launch


def times_of(file: Path, log: Path, until: float) -> list[Document]:
    """The times of all kernels of a task, compiled beside others and timed alone."""
    found: list[Document] = []
    for number, region in enumerate(json.loads(file.read_text())):
        graph = graph_from_json(region["graph"])
        inputs = graph.examples(7, "cuda")
        given = [inputs[place] for place in region["places"]]
        given += [
            torch.empty_strided(size, stride, dtype=getattr(torch, dtype), device="cuda")
            for size, stride, dtype in region["buffers"]
        ]
        launches: list[tuple[int, str, Any]] = []
        for turn, source in enumerate(region["sources"]):
            if time.monotonic() > until:
                return found
            for name, launch in launched(file, number, turn, source, given):
                launches.append((turn, name, launch))
        torch.cuda.synchronize()
        with log.with_suffix(".lock").open("a") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            seen: dict[str, list[float]] = defaultdict(list)
            for turn, name, launch in launches:
                kernel = int(name.split("_")[1])
                if turn < len(region["kernels"][kernel]["settings"]):
                    seen[name].append(us_of(launch))
        for name, us in seen.items():
            kernel = region["kernels"][int(name.split("_")[1])]
            found.append({"task": file.stem, "region": number, "kernel": name, **kernel, "us": us})
    return found


def launched(
    file: Path, number: int, turn: int, source: str, given: Sequence[torch.Tensor]
) -> Iterator[tuple[str, Any]]:
    """Run the launches of one source once. Gives each of them, by the name of its kernel."""
    path = Path(tempfile.gettempdir()) / f"settings_{file.stem}_{number}_{turn}.py"
    path.write_text(f"{_IMPORTS}{source}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    launches: list[tuple[str, Any]] = []
    for name in [name for name in vars(module) if name.startswith("kernel_")]:
        setattr(module, name, _Recorder(getattr(module, name), launches, name))
    module.launch_0(*given)
    path.unlink()
    first: Mapping[str, Any] = dict(reversed(launches))
    yield from first.items()


def us_of(launch: Any) -> float:
    """Microseconds of a launch: the least of some replays of many launches."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(_LAUNCHES):
            launch()
    graph.replay()
    best = math.inf
    for _ in range(_REPLAYS):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        best = min(best, begin.elapsed_time(end))
    return best * 1e3 / _LAUNCHES


# --- tell ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Timed:
    """The times of one kernel: the logarithm of each setting's, of which the first are Inductor's."""

    task: str
    name: str
    family: str
    inductors: int
    numbers: np.ndarray
    logs: np.ndarray
    today: int

    @classmethod
    def read(cls, row: Document) -> Timed:
        known, count = heuristics(row["text"]), len(row["us"])
        settings = [
            LaunchSettings(tuple((name, size) for name, size in each["values"]), each["warps"], each["stages"])
            for each in row["settings"][:count]
        ]
        numbers = np.array([list(features(known.facts, each).values()) for each in settings])
        today = settings.index(known.ordered(settings)[0])
        logs = np.log(np.array(row["us"]))
        return cls(row["task"], row["kernel"], family(known.kind, known.facts), row["inductors"], numbers, logs, today)

    def beside(self, choice: int) -> float:
        """The logarithm of a choice's time in units of the fastest of Inductor's settings."""
        return float(self.logs[choice] - self.logs[: self.inductors].min())


def tell(options: argparse.Namespace) -> None:
    kernels = (json.loads(line) for file in options.rows for line in file.read_text().splitlines())
    # Products have an estimate of their own (`product_times.py`).
    rows = [Timed.read(kernel) for kernel in kernels if heuristics(kernel["text"]).product is None]
    weights: dict[str, dict[str, float]] = {}
    result: Document = {"kernels": len(rows), "times": sum(len(row.logs) for row in rows), "families": {}}
    for name in sorted({row.family for row in rows}):
        own = [row for row in rows if row.family == name]
        print(f"{name}: {len(own)} kernels; times in units of Inductor's fastest setting, mean and worst twentieth")
        result["families"][name] = {
            "kernels": len(own),
            "today": told("weights of today", [(row.beside(row.today), row) for row in own], options.worst),
            "other_tasks": told("weights of other tasks", [(row.beside(chosen), row) for row, chosen in crossed(own)]),
            "fastest": told("the fastest", [(row.beside(int(row.logs.argmin())), row) for row in own]),
        }
        weights[name] = dict(zip(FEATURES, fitted(own).tolist(), strict=True))
    if options.write:
        rounded = {name: {key: float(f"{value:.4g}") for key, value in each.items()} for name, each in weights.items()}
        about = {
            "made by": "benchmarks/launch_settings.py",
            "kernels": len(rows),
            "times": sum(len(row.logs) for row in rows),
        }
        place = Path(launch_model.__file__).with_name(WEIGHTS)
        place.write_text(json.dumps({**about, "weights": rounded}, indent=1) + "\n")
    if options.machine is not None:
        measured = json.loads(options.machine.read_text())
        common.save(options, "launch-settings-cuda", "launch-settings", "cuda", result, measured)


def told(what: str, found: Sequence[tuple[float, Timed]], worst: int = 0) -> Document:
    values = sorted(value for value, _ in found)
    mean, twentieth = math.exp(statistics.fmean(values)), math.exp(values[-1 - len(values) // 20])
    print(f"  {what}: {mean:.3f}, {twentieth:.2f}")
    for value, row in sorted(found, key=lambda each: -each[0])[:worst]:
        print(
            f"    {row.task} {row.name}: {math.exp(value):.2f} times {math.exp(row.logs[: row.inductors].min()):.1f} us"
        )

    return {"gmean": round(mean, 4), "worst_twentieth": round(twentieth, 3)}


def crossed(rows: Sequence[Timed]) -> Iterator[tuple[Timed, int]]:
    """What would be taken of each kernel by weights that were fitted to the kernels of other tasks."""
    tasks = sorted({row.task for row in rows})
    random.Random(0).shuffle(tasks)
    for part in range(_PARTS):
        left = set(tasks[part::_PARTS])
        weights = fitted([row for row in rows if row.task not in left])
        for row in rows:
            if row.task in left:
                logs = row.numbers @ weights
                own, best = int(logs[: row.inductors].argmin()), int(logs.argmin())
                yield row, best if logs[best] < logs[own] - LITTLE else own


def fitted(rows: Sequence[Timed]) -> np.ndarray:
    """Weights by ridge regression on the differences between the settings of each kernel."""
    shares = [1.0 if row.logs.min() > math.log(_LEAST_US) else _SHORT for row in rows]
    numbers = np.vstack([share * (row.numbers - row.numbers.mean(0)) for share, row in zip(shares, rows, strict=True)])
    slower = [np.minimum(row.logs - row.logs.min(), _SLOWEST) for row in rows]
    logs = np.concatenate([share * (each - each.mean()) for share, each in zip(shares, slower, strict=True)])
    sizes = numbers.std(0)
    sizes[sizes == 0.0] = 1.0
    scaled = numbers / sizes
    return np.linalg.solve(scaled.T @ scaled + _RIDGE * np.eye(len(sizes)), scaled.T @ logs) / sizes


if __name__ == "__main__":
    main()
