"""How good is the estimate for products and convolutions of ours, and how fast are they beside a library's?

    python benchmarks/product_times.py write build/products TASKS_OR_DATASET... [--each 60]   # no GPU is needed
    python benchmarks/product_times.py time build/products OUT.jsonl [--workers 14] [--seconds 250]   # on a GPU
    python benchmarks/product_times.py tell [OUT.jsonl] [--fit]   # anywhere; without a file the stored times

`write` takes single products and convolutions out of graphs, drawn by a seed, whether a kernel of ours is worth it or
not, and writes their kernels with Inductor's settings and with those of `agent/lowering/products.py`. Every second
graph in float32 is made one of half precision. `time` times each launch alone, as `launch_settings.py` does, and the
same product by eager and by Inductor. `tell` says how much longer the setting takes that the author takes first than
the best one, how wrong its estimate is, and what the rule for own kernels takes and leaves. `--fit` fits the weights of
the estimate by a random walk. The stored times have convolutions of four bytes made of one product each (`tf32`). The
author makes them of three since, because one was not exact enough.
"""

from __future__ import annotations

import argparse
import dataclasses
import fcntl
import json
import lzma
import math
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import launch_settings
import torch

from passnet.agent.authors.distill.candidates import Candidates
from passnet.agent.authors.distill.recipes import triton_kernel
from passnet.agent.lowering import inductor, own_products, products
from passnet.agent.lowering.convolutions import Convolution
from passnet.agent.lowering.inductor import NotGenerated
from passnet.agent.lowering.launch_model import LaunchSettings
from passnet.agent.lowering.launches import heuristics
from passnet.agent.lowering.pieces import LoweredPiece, Pieces
from passnet.agent.lowering.products import ProductSizes
from passnet.dataset.capture.nodes import call_nodes
from passnet.dataset.pipeline.workfiles import graph_from_json, graph_to_json
from passnet.dataset.tables import store
from passnet.errors import PassNetError
from passnet.graph import Graph
from passnet.graph.targets import find_targets

Row = dict[str, Any]
STORED = Path(__file__).resolve().parent / "results" / "product-times-cuda.jsonl.xz"
SEED, MOST_BYTES = 11, 300e6
HALVES = ("float16", "bfloat16")
WEIGHTS = (
    "_WARPS", "_LAUNCH_US", "_STEP_US", "_LOAD_US", "_DOT_US", "_GATHER_US", "_AHEAD", "_WIDE_AHEAD", "_SPLIT_COST",
    "_BYTES_PER_US", "_DOTS_PER_US",
)  # fmt: skip
# Products of four bytes that are one product of shorter numbers take so many times as long as one of two bytes.
_ONE_COST = 3.56
# How much the time itself counts in fitting, beside which setting is taken; how many steps a walk has.
_ABSOLUTE, _STEPS = 0.25, 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ways = parser.add_subparsers(dest="what", required=True)
    writing = ways.add_parser("write", help="take products out of graphs and write their kernels")
    writing.add_argument("out", type=Path)
    writing.add_argument("sources", type=Path, nargs="+", help="directories of tasks, or a data set")
    writing.add_argument("--each", type=int, default=60, help="products of each kind")
    timing = ways.add_parser("time", help="time all of them on a GPU")
    timing.add_argument("out", type=Path, help="what was written")
    timing.add_argument("rows", type=Path, help="JSON lines, a line for each product")
    timing.add_argument("--workers", type=int, default=14)
    timing.add_argument("--seconds", type=float, default=250.0, help="begin nothing after this")
    timing.add_argument("--part", help="number/of: what one of several processes does")
    telling = ways.add_parser("tell", help="how good the estimate is")
    telling.add_argument("rows", type=Path, nargs="?", default=STORED)
    telling.add_argument("--fit", action="store_true", help="print weights that fit these times best")
    options = parser.parse_args()
    {"write": write, "time": timed, "tell": tell}[options.what](options)


# --- write -----------------------------------------------------------------------------------------------------


def write(options: argparse.Namespace) -> None:
    options.out.mkdir(parents=True, exist_ok=True)
    chance, found, seen = random.Random(SEED), Counter[str](), set[object]()
    graphs = [graph for source in options.sources for graph in graphs_of(source)]
    chance.shuffle(graphs)
    always = mock.patch.object(
        Convolution, "is_worth_a_kernel", lambda self, *, is_followed: self.is_a_sum or self.is_a_product
    )
    with always, mock.patch.object(inductor, "write_products", written):
        for graph in graphs:
            for kind, key, piece in pieces_of(graph):
                if key in seen or found[kind] >= options.each or piece.graph.nbytes > MOST_BYTES:
                    continue
                seen.add(key)
                row = kernels_of(retyped(piece, chance))
                if row is not None:
                    found[kind] += 1
                    (options.out / f"{kind}_{found[kind]:03}.json").write_text(json.dumps([row | {"kind": kind}]))
    print(dict(found))


def graphs_of(source: Path) -> Iterator[Graph]:
    if store.is_store(source):
        wanted = store.Where(splits=frozenset({"train", "reserve"}))
        yield from (row.graph() for row in store.read_rows(source, wanted) if own_products.OPERATORS & leaves(row))
        return
    for target in find_targets([source]):
        yield target.graphs[0][2]


def leaves(row: Any) -> set[str]:
    return {name.rpartition(".")[2] for name in row.op_names}


def pieces_of(graph: Graph) -> Iterator[tuple[str, object, LoweredPiece]]:
    """The single products of a graph: kind, what makes it differ from others, and the statement as a graph."""
    parent = None
    for place, (op, node) in enumerate(zip(graph.statements(), call_nodes(graph.module()), strict=True)):
        convolution = own_products.convolution_of(node)
        if convolution is None and op.leaf not in ("matmul", "bmm"):
            continue
        kind = "matrices" if convolution is None else "sum" if convolution.is_a_sum else convolution.kind
        shapes = tuple(tuple(each.meta["val"].shape) for each in node.all_input_nodes if "val" in each.meta)
        parent = parent or Pieces(graph, "cuda")
        try:
            yield kind, convolution or shapes, parent.cut(place, place)
        except PassNetError:
            continue


def retyped(piece: LoweredPiece, chance: random.Random) -> LoweredPiece:
    if chance.random() < 0.5:
        return piece
    dtype = chance.choice(HALVES)
    specs = (dataclasses.replace(spec, dtype=dtype) for spec in piece.graph.specs)
    return dataclasses.replace(piece, graph=dataclasses.replace(piece.graph, specs=tuple(specs)))


def written(aten: torch.fx.GraphModule) -> own_products.WrittenProducts:
    """All products are ours, whether that is worth it or not."""
    found = own_products.write_products(aten)
    if not found.settings and not found.summed:
        found.multiplied |= {node.meta["val"].dtype for node in aten.graph.nodes if node.op == "placeholder"}
    return found


def kernels_of(piece: LoweredPiece) -> Row | None:
    """What `launch_settings.py` times: the kernel of one product with all settings. None where there is not one."""
    candidates = Candidates([piece.graph], "cuda", parted=False)
    plan = candidates.plans.get((0, 0))
    if plan is None or len(plan.kernels) != 1:
        return None
    known = heuristics(plan.kernels[0].text)
    tried = list(known.likely) if known.product else launch_settings.all_settings(known)[:12]
    sources = []
    for settings in tried:
        try:
            made = triton_kernel(lambda _, __, now=settings: now)(candidates.regions[0].pieces[0], plan, 0)
        except NotGenerated:
            return None
        sources.append("\n".join(made.prelude))
    return {
        "graph": graph_to_json(piece.graph), "places": list(made.inputs), "sources": sources,
        "buffers": [[each.size, each.stride, each.dtype] for each in made.buffers],
        "kernels": [launch_settings.facts(known, tried, plan.kernels[0])],
    }  # fmt: skip


# --- time ------------------------------------------------------------------------------------------------------


def timed(options: argparse.Namespace) -> None:
    if options.part is None:
        command = [sys.executable, __file__, "time", str(options.out), str(options.rows), "--seconds"]
        command.append(str(options.seconds))
        parts = [f"{number}/{options.workers}" for number in range(options.workers)]
        started = [subprocess.Popen([*command, "--part", part]) for part in parts]
        ends = [each.wait() for each in started]
        if any(ends):
            raise SystemExit("some parts did not end")
        return
    number, of = map(int, options.part.split("/"))
    until = time.monotonic() + options.seconds
    for file in sorted(options.out.glob("*.json"))[number::of]:
        if time.monotonic() > until:
            break
        try:
            row = times_of(file, options.rows, until)
        except Exception as error:  # noqa: BLE001 - one product must not end the others
            print(f"{file.stem}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            continue
        with options.rows.open("a") as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            log.write(f"{json.dumps(row)}\n")


def times_of(file: Path, log: Path, until: float) -> Row:
    document = json.loads(file.read_text())[0]
    graph = graph_from_json(document["graph"])
    inputs, module = graph.examples(7, "cuda"), graph.module("cuda")
    (kernel,) = launch_settings.times_of(file, log, until)
    tried = [[dict(each["values"]), each["warps"], each["stages"]] for each in kernel["settings"]]
    row = {"kind": document["kind"], "shapes": [spec.shape for spec in graph.specs], "us": kernel["us"]}
    row |= {"settings": tried[: len(kernel["us"])]}
    known = heuristics(kernel["text"]).product
    if known is not None:
        form = "ieee" if products.SLOW in kernel["text"] else "tf32x3"
        row |= dataclasses.asdict(known) | {"form": form}
    with torch.no_grad():
        compiled = torch.compile(module)
        for name, function in (("eager_us", module), ("inductor_us", compiled)):
            for _ in range(3):
                made = function(*inputs)
            with log.with_suffix(".lock").open("a") as held:
                fcntl.flock(held, fcntl.LOCK_EX)
                row[name] = launch_settings.us_of(lambda now=function: now(*inputs))
    return row | {"made": list(made[0].shape)}


# --- tell ------------------------------------------------------------------------------------------------------


def tell(options: argparse.Namespace) -> None:
    given = options.rows.read_bytes()
    text = (lzma.decompress(given) if options.rows.suffix == ".xz" else given).decode()
    rows = [json.loads(line) for line in text.splitlines()]
    multiplied = [row for row in rows if "form" in row and row["kind"] != "linear"]
    print(f"{len(rows)} kernels, {sum(len(row['us']) for row in rows)} times")
    for form in sorted({row["form"] for row in multiplied}):
        print(f"{form}: {words([judged(row) for row in multiplied if row['form'] == form])}")
    for kind in ("points", "window", "groups", "matmul", "matrices"):
        for size in (2, 4):
            beside(
                f"{kind}, {size} bytes", [row for row in multiplied if (row["kind"], row["itemsize"]) == (kind, size)]
            )
    sums = [math.log(library_us(row) / min(row["us"])) for row in rows if row["kind"] == "sum"]
    if sums:
        print(f"sums: {len(sums)}; a library takes {math.exp(statistics.fmean(sums)):.2f} times as long, "
              f"{math.exp(min(sums)):.2f} at least")  # fmt: skip
    if options.fit:
        print({name: float(f"{value:.3g}") for name, value in fitted(multiplied).items()})


def library_us(row: Row) -> float:
    """What the faster one of eager and Inductor took."""
    return float(min(each for each in (row["eager_us"], row["inductor_us"]) if each is not None))


def beside(name: str, rows: Sequence[Row]) -> None:
    """Of the products that the rule takes and leaves: eager's time in units of the first setting's."""
    taken, left = [], []
    for row in rows:
        kind = "matrices" if row["kind"] == "matmul" else row["kind"]
        factors = sum(math.prod(shape) for shape in row["shapes"])
        known = (kind, row["itemsize"]) in products._LIBRARY
        is_taken = known and sizes(row).is_worth_a_kernel(kind, factors, is_followed=False)
        (taken if is_taken else left).append(math.log(row["eager_us"] / row["us"][first(row)]))
    if taken:
        print(f"{name}: {len(taken)} taken, eager takes {math.exp(statistics.fmean(taken)):.2f} times as long, "
              f"{math.exp(min(taken)):.2f} at least; {sum(each < -0.05 for each in taken)} lose, "
              f"of {len(left)} left {sum(each > 0.1 for each in left)} would gain")  # fmt: skip


def sizes(row: Row) -> ProductSizes:
    names = ("batch", "rows", "columns", "depth", "itemsize", "is_gathered")
    return ProductSizes(*(row[name] for name in names))


def guesses(row: Row) -> list[float]:
    cost = _ONE_COST if row["form"] == "tf32" else products._SPLIT_COST
    with mock.patch.object(products, "_SPLIT_COST", cost):
        return [
            sizes(row).us(LaunchSettings(tuple(values.items()), warps, stages))
            for values, warps, stages in row["settings"][: len(row["us"])]
        ]


def first(row: Row) -> int:
    guessed = guesses(row)
    return min(range(len(guessed)), key=guessed.__getitem__)


def judged(row: Row) -> tuple[float, float]:
    """Logarithms: the time of the likely fastest setting over the best one, and how wrong its estimate is."""
    guessed = guesses(row)
    taken = min(range(len(guessed)), key=guessed.__getitem__)
    us = row["us"][taken]
    return math.log(us / min(row["us"])), abs(math.log(guessed[taken] / us))


def words(found: Sequence[tuple[float, float]]) -> str:
    chosen, error = (statistics.fmean(each) for each in zip(*found, strict=True))
    return (
        f"{len(found)} kernels; the setting that is taken first needs {math.exp(chosen):.3f} times as long as the best "
        f"(geometric mean), and its time is misjudged by a factor of {math.exp(error):.2f}"
    )


def fitted(rows: Sequence[Row]) -> dict[str, float]:
    """The weights that are best for these kernels, from those of today on."""
    rng = random.Random(1)

    def cost(weights: dict[str, float]) -> float:
        with mock.patch.multiple(products, **weights):
            return statistics.fmean(chosen + _ABSOLUTE * error for chosen, error in map(judged, rows))

    here = {name: getattr(products, name) * math.exp(rng.gauss(0.0, 0.5)) for name in WEIGHTS}
    kept, least = here, cost(here)
    best = least
    for step in range(_STEPS):
        there = {name: v * math.exp(rng.gauss(0.0, 0.3)) if rng.random() < 0.4 else v for name, v in here.items()}
        now = cost(there)
        if now < least or rng.random() < math.exp((least - now) / (0.02 * (1.0 - step / _STEPS) + 1e-6)):
            here, least = there, now
            if now < best:
                kept, best = there, now
    return kept


if __name__ == "__main__":
    main()
