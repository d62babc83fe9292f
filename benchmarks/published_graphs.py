"""Which published graphs read, run and survive being written: every sample of a checkout, each in a process of its own.

    python benchmarks/published_graphs.py --checkout PATH [--run DIR] [--seed S --limit N] [--max-mb 300]

Every graph below PATH is read, its shapes are propagated, it is written anew and read again, and the copy must be the
same graph with the same shapes. Those whose inputs are at most `--max-mb` are then run on the CPU beside their copies,
on inputs of the default policy: same inputs, same outputs, bit by bit. `--limit N` runs only N of them, drawn with
`--seed`. With `--run` what is done is kept there and an interrupted run goes on. Nothing of the graphs is stored but
their names.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
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
from passnet.dataset.pipeline.settings import Machine, Step
from passnet.dataset.pipeline.stages import Stages
from passnet.dataset.pipeline.workfiles import digest, packed
from passnet.errors import PassNetError
from passnet.graph import Graph, degenerate, fake_inputs, find_graphs, propagate, tensors_of
from passnet.graph.allowed import DEVICE_TYPES
from passnet.graph.program import DeviceConstant, Program

SEED = 0
MEGABYTE = 1_000_000
Json = dict[str, Any]


class Broken(Exception):
    """What is wrong with a graph, in a sentence."""


def read(directory: Path) -> Json:
    """The graph without running it: read, propagated, written, read again."""
    found: Json = {}
    graph = attempt(found, "read", lambda: Graph.read(directory))
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


def attempt(found: Json, step: str, work: Callable[[], Any]) -> Any:
    """What a step gives; `found` says that it went well (None), or why not."""
    try:
        result = work()
    except PassNetError as error:
        found[step] = f"{type(error).__name__}: {error}"
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


def named_devices(program: Program) -> set[str]:
    values = [value for op in program.ops for value in (*op.args, *(value for _, value in op.kwargs))]
    found = {value.type for value in values if isinstance(value, DeviceConstant)}
    return found | {value.partition(":")[0] for value in values if isinstance(value, str)}


# --- all of them -----------------------------------------------------------------------------------------------


def job(work: Callable[[], Json]) -> Callable[[], bytes]:
    return lambda: packed(work())


def chosen(reads: Mapping[str, Json], options: argparse.Namespace) -> list[str]:
    """The graphs that are to be run: all small enough that build, or `--limit` of them."""
    small = sorted(name for name, found in reads.items() if found.get("mb", 0) <= options.max_mb)
    built = [name for name in small if reads[name].get("built", "unread") is None]
    order = random.Random(options.seed).sample(built, len(built))
    return order if options.limit is None else order[: options.limit]


def documents(stages: Stages, stage: str, names: Sequence[str]) -> dict[str, Json]:
    return {name: stages.document(stage, name) for name in names}


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


def result(reads: Mapping[str, Json], runs: Mapping[str, Json], options: argparse.Namespace) -> Json:
    small = [name for name, found in reads.items() if found.get("mb", 0) <= options.max_mb]
    both = {name: {**reads[name], **found} for name, found in runs.items()}
    return {
        "samples": len(reads),
        "max_mb": options.max_mb,
        "at_most_max_mb": len(small),
        "seed": options.seed,
        "limit": options.limit,
        "unit_seconds": options.seconds,
        "unit_gib": options.gib,
        "most_flops": options.flops,
        "read": went_well(reads, "read"),
        "built": went_well(reads, "read", "built"),
        "propagated": went_well(reads, "propagated"),
        "written": went_well(reads, "written"),
        "to_run": len(runs),
        "ran": went_well(runs, "ran"),
        "ran_with_the_same_values": went_well(runs, "ran", "same_values"),
        "whole": went_well(both, "read", "propagated", "written", "ran", "same_values"),
        "tell": sum("tells" in found and found["tells"] is None for found in runs.values()),
        "inputs_not_finite": sum(found.get("finite_inputs") is False for found in runs.values()),
        "devices": dict(Counter(found.get("device", "unread") for found in reads.values()).most_common()),
        "causes": {
            "read": causes(reads, "read"),
            "built": causes(reads, "built"),
            "propagated": causes(reads, "propagated"),
            "written": causes(reads, "written"),
            "ran": causes(runs, "ran"),
            "same_values": causes({n: f for n, f in runs.items() if "failure" not in f}, "same_values"),
            "tells": causes({n: f for n, f in runs.items() if "failure" not in f}, "tells"),
        },
        "tells_by_published_inputs_alone": sorted(
            name for name, one in runs.items() if one.get("tells") and one.get("tells_by_published_inputs") is None
        ),
        "names_of_run": digest(sorted(runs)),
    }


def report(step: Step) -> None:
    if step.failure or step.done % 50 == 0 or step.done == step.total:
        line = f"{step.stage} [{step.done}/{step.total}] {step.key} {step.failure or ''}".rstrip()
        print(line, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, required=True, help="a tree of published graphs, one directory each")
    parser.add_argument("--run", type=Path, help="keep what is done here, and go on with what is there")
    parser.add_argument("--seed", type=int, default=0, help="which graphs --limit runs")
    parser.add_argument("--limit", type=int, help="run only N graphs; all are read, propagated and written")
    parser.add_argument("--max-mb", type=float, default=300.0, help="run only graphs whose inputs are at most as large")
    parser.add_argument("--seconds", type=float, default=180.0, help="processor seconds that one graph may take")
    parser.add_argument("--gib", type=int, default=6, help="memory that one graph may take, in GiB")
    parser.add_argument("--flops", type=float, default=2e12, help="floating operations that one run may take")
    parser.add_argument("--workers", type=int, default=2)
    options = common.parsed(parser)
    directories = {place.relative_to(options.checkout).as_posix(): place for place in find_graphs(options.checkout)}
    if not directories:
        parser.error(f"{options.checkout}: no graph below it")
    with tempfile.TemporaryDirectory() as scratch:
        work = options.run or Path(scratch) / "run"
        common.of_one_revision(work, options.revision)
        units.prepare()
        stages = Stages(work, Machine(options.workers, False, options.seconds, options.gib << 30), report)
        stages.run("read", {name: job(partial(read, place)) for name, place in directories.items()})
        reads = documents(stages, "read", list(directories))
        names = chosen(reads, options)
        stages.run("run", {name: job(partial(execute, directories[name], options.flops)) for name in names})
        runs = documents(stages, "run", names)
    common.save(options, "published-graphs", "published-graphs", "cpu", result(reads, runs, options))


if __name__ == "__main__":
    main()
