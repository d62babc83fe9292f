"""Which published graphs read, run and survive being written: every sample of a checkout, each in a process of its own.

    python benchmarks/published_graphs.py --checkout PATH [--run DIR] [--seed S --limit N] [--max-mb 300] [--minutes M]

Every graph below PATH is read, its shapes are propagated, it is written anew and read again, and the copy must be the
same graph with the same shapes. Those whose inputs are at most `--max-mb` are then run on the CPU beside their copies,
on inputs of the default policy: same inputs, same outputs, bit by bit. `--limit N` runs only N of them, drawn with
`--seed`; `--minutes` ends either half after so long, in the order that the seed gives. The result says how many were
not reached. With `--run` what is done is kept there and the same command goes on. Nothing of the graphs is stored but
their names.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import common
import torch
from torch import fx
from torch.utils.flop_counter import FlopCounterMode

from passnet.dataset.capture.candidate import difference, run
from passnet.dataset.capture.record import cluster_of, shortened
from passnet.dataset.pipeline import units
from passnet.dataset.pipeline.settings import BuildStep, Machine
from passnet.dataset.pipeline.stages import Stages
from passnet.dataset.pipeline.workfiles import digest, packed
from passnet.errors import PassNetError
from passnet.graph import Graph, degenerate, fake_inputs, find_graphs, propagate, tensors_of
from passnet.graph.text.allowed import DEVICE_TYPES
from passnet.graph.text.program import DeviceConstant, ParsedModel

SEED = 0
CHUNK = 50
MEGABYTE = 1_000_000
Json = dict[str, Any]


class Broken(Exception):
    """What is wrong with a graph, in a sentence."""


def read(directory: Path) -> Json:
    """The graph without running it: read, propagated, written, read again."""
    found: Json = {}
    graph = attempt(found, "read", lambda: Graph.read(directory), directory)
    if graph is None:
        return found
    found |= {"mb": round(graph.nbytes / MEGABYTE, 1), "ops": len(graph.statements()), "device": device_of(graph)}
    module = attempt(found, "built", lambda: graph.module(propagated=False))
    if module is None:
        return found
    attempt(found, "propagated", lambda: shapes(module, graph))
    attempt(found, "written", lambda: copied(graph, module))
    return found


def shapes(module: fx.GraphModule, graph: Graph) -> list[str]:
    """Shape and dtype of every output, by fake tensors."""
    reached = propagate(module, fake_inputs(graph.specs))
    if not reached.complete:
        raise Broken(f"{reached.reason}")
    output = next(node for node in module.graph.nodes if node.op == "output")
    values = tensors_of(fx.map_arg(output.args[0], lambda node: node.meta["val"]))
    return [f"{value.dtype} {tuple(value.shape)}" for value in values]


def copied(graph: Graph, module: fx.GraphModule) -> Graph:
    """The graph written anew and read again; it is the same computation, and writing it once more changes nothing."""
    written = Graph.from_fx(module, graph.specs, name=graph.name, meta=graph.meta)
    with tempfile.TemporaryDirectory() as scratch:
        written.write(Path(scratch) / graph.name)
        again = Graph.read(Path(scratch) / graph.name)
    if again != written:
        raise Broken("read again it is another graph than was written")
    if again.structure_hash != graph.structure_hash:
        raise Broken("written and read it has another structure")
    if Graph.from_fx(again.module(propagated=False), again.specs, name=graph.name).source != again.source:
        raise Broken("written twice it has another text")
    if [spec.behaviour()[1:] for spec in again.specs] != [spec.behaviour()[1:] for spec in graph.specs]:
        raise Broken("written and read it has other inputs")
    return again


def execute(directory: Path, most_flops: float) -> Json:
    """The graph beside its written copy, run on the CPU."""
    graph = Graph.read(directory)
    module = graph.module(propagated=False)
    found: Json = {}
    with FlopCounterMode(display=False) as counter:
        propagate(module, fake_inputs(graph.specs))
    if counter.get_total_flops() > most_flops:
        return {"ran": f"too long to run: {counter.get_total_flops():.1e} floating operations"}
    again = copied(graph, module)
    inputs = graph.inputs(SEED)
    finite = all(bool(value.isfinite().all()) for value in inputs)
    outputs = attempt(found, "ran", lambda: run(module, inputs, real=True))
    if outputs is None:
        return found
    attempt(found, "same_values", lambda: compared(again, graph, outputs))
    found["finite_inputs"] = finite
    found["odd_outputs"] = sum(not bool(value.isfinite().all()) for value in outputs)
    found["tells"] = degenerate(outputs)
    if found["tells"] is not None:
        published = run(module, graph.inputs(SEED, policy="published"), real=True)
        found["tells_by_published_inputs"] = degenerate(published)
    return found


def compared(again: Graph, graph: Graph, outputs: Sequence[torch.Tensor]) -> None:
    """The copy draws the same inputs and gives the same outputs."""
    made, known = again.inputs(SEED), graph.inputs(SEED)
    changed = difference(known, made, values=True)
    if changed is not None:
        raise Broken(f"inputs drawn for the copy: {changed}")
    del known
    changed = difference(outputs, run(again.module(propagated=False), made, real=True), values=True)
    if changed is not None:
        raise Broken(f"the copy: {changed}")


def attempt(found: Json, step: str, work: Callable[[], Any], directory: Path | None = None) -> Any:
    """What a step gives; `found` says that it went well (None), or why not, without the place of the checkout."""
    try:
        result = work()
    except PassNetError as error:
        found[step] = f"{type(error).__name__}: {error}".replace(f"{directory}/", "")
    except Broken as error:
        found[step] = str(error)
    except Exception as error:  # noqa: BLE001  operators raise what they like
        found[step] = shortened(error)
    else:
        found[step] = None
        return result
    return None


def device_of(graph: Graph) -> str:
    """The kinds of devices that the text names."""
    return "+".join(kind for kind in DEVICE_TYPES if kind in named_devices(graph.program)) or "none"


def named_devices(program: ParsedModel) -> set[str]:
    values = [value for op in program.ops for value in (*op.args, *(value for _, value in op.kwargs))]
    found = {value.type for value in values if isinstance(value, DeviceConstant)}
    return found | {value.partition(":")[0] for value in values if isinstance(value, str)}


# --- all of them -----------------------------------------------------------------------------------------------


def job(work: Callable[[], Json]) -> Callable[[], bytes]:
    return lambda: packed(work())


def run_stage(stages: Stages, stage: str, jobs: Mapping[str, Callable[[], bytes]], minutes: float) -> dict[str, Json]:
    """Do the jobs in their order, a few at a time until the minutes are over; what is there of all of them."""
    names, until = list(jobs), time.monotonic() + 60 * minutes
    for at in range(0, len(names), CHUNK):
        if time.monotonic() > until:
            break
        stages.run(stage, {name: jobs[name] for name in names[at : at + CHUNK]})
        print(f"{stage}: {min(at + CHUNK, len(names))} of {len(names)}", file=sys.stderr, flush=True)
    return {name: stages.document(stage, name) for name in names if stages.path(stage, name).exists()}


def chosen(order: Sequence[str], reads: Mapping[str, Json], options: argparse.Namespace) -> list[str]:
    """The graphs that are to be run: all that were built and are small enough, or the first `--limit` of them."""
    built = [name for name in order if reads.get(name, {}).get("built", "unread") is None]
    return [name for name in built if reads[name]["mb"] <= options.max_mb][: options.limit]


def causes(found: Mapping[str, Json], step: str) -> list[Json]:
    """Why a step did not work, most frequent first, with the graphs; a step that a process did not survive too."""
    reasons: dict[str, list[str]] = {}
    for name, document in found.items():
        reason = document.get(step) or document.get("failure")
        if reason is not None:
            reasons.setdefault(cluster_of(reason), []).append(name)
    rows = sorted(reasons.items(), key=lambda row: (-len(row[1]), row[0]))
    return [{"cause": cause, "graphs": len(names), "names": sorted(names)} for cause, names in rows]


def went_well(found: Mapping[str, Json], *steps: str) -> int:
    return sum(all(step in document and document[step] is None for step in steps) for document in found.values())


def result(samples: int, to_run: int, reads: Mapping[str, Json], runs: Mapping[str, Json]) -> Json:
    both = {name: {**reads[name], **found} for name, found in runs.items()}
    known = {name: found for name, found in reads.items() if "failure" not in found}
    ended = {name: found for name, found in runs.items() if "failure" not in found}
    alone = [n for n, one in ended.items() if one.get("tells") and one.get("tells_by_published_inputs") is None]
    return {
        "samples": samples,
        "examined": len(reads),
        "read": went_well(reads, "read"),
        "built": went_well(reads, "read", "built"),
        "propagated": went_well(reads, "read", "built", "propagated"),
        "written": went_well(reads, "read", "built", "written"),
        "whole_without_running": went_well(reads, "read", "built", "propagated", "written"),
        "small_enough_to_run": to_run,
        "tried_to_run": len(runs),
        "ran": went_well(runs, "ran"),
        "same_values": went_well(runs, "ran", "same_values"),
        "whole": went_well(both, "read", "built", "propagated", "written", "ran", "same_values"),
        "telling": went_well(runs, "tells"),
        "inputs_not_finite": sum(found.get("finite_inputs") is False for found in runs.values()),
        "devices": dict(Counter(found.get("device", "unread") for found in reads.values()).most_common()),
        "causes": {
            "read": causes(reads, "read"),
            "built": causes(known, "built"),
            "propagated": causes(known, "propagated"),
            "written": causes(known, "written"),
            "ran": causes(runs, "ran"),
            "same_values": causes(ended, "same_values"),
            "telling": causes(ended, "tells"),
        },
        "telling_by_published_inputs_alone": sorted(alone),
        "run_names_digest": digest(sorted(runs)),
    }


def report(step: BuildStep) -> None:
    if step.failure:
        print(f"{step.stage} {step.key}: {step.failure}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, required=True, help="a tree of published graphs, one directory each")
    parser.add_argument("--run", type=Path, help="keep what is done here, and go on with what is there")
    parser.add_argument("--seed", type=int, default=0, help="which graphs --limit runs")
    parser.add_argument("--limit", type=int, help="run only N graphs; all are read, propagated and written")
    parser.add_argument("--max-mb", type=float, default=300.0, help="run only graphs whose inputs are at most as large")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end each half after so long")
    parser.add_argument("--seconds", type=float, default=180.0, help="processor seconds that one graph may take")
    parser.add_argument("--gib", type=int, default=6, help="memory that one graph may take, in GiB")
    parser.add_argument("--flops", type=float, default=2e12, help="floating operations that one run may take")
    parser.add_argument("--workers", type=int, default=2)
    options = common.parsed(parser)
    places = {place.relative_to(options.checkout).as_posix(): place for place in find_graphs(options.checkout)}
    if not places:
        parser.error(f"{options.checkout}: no graph below it")
    order = random.Random(options.seed).sample(sorted(places), len(places))
    with tempfile.TemporaryDirectory() as scratch:
        work = options.run or Path(scratch) / "run"
        common.of_one_revision(work, options.revision)
        units.prepare()
        stages = Stages(work, Machine(options.workers, False, options.seconds, options.gib << 30), report)
        jobs = {name: job(partial(read, places[name])) for name in order}
        reads = run_stage(stages, "read", jobs, options.minutes)
        names = chosen(order, reads, options)
        jobs = {name: job(partial(execute, places[name], options.flops)) for name in names}
        runs = run_stage(stages, "run", jobs, options.minutes)
    settings = {name: getattr(options, name) for name in ("max_mb", "seed", "limit", "seconds", "gib", "flops")}
    found = result(len(places), len(names), reads, runs)
    common.save(options, "published-graphs", "published-graphs", "cpu", {"settings": settings, **found})


if __name__ == "__main__":
    main()
