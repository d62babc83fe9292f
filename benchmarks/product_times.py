"""How good the first setting of a product is, and what products bring, by stored times and records of an H200.

    python benchmarks/product_times.py             # by the estimate of agent/lowering/products.py
    python benchmarks/product_times.py --parts 7   # and by weights that are fitted without the kernels in question
    python benchmarks/product_times.py --drafts    # drafts with products beside earlier ones and Inductor

The kernels compute convolutions of one point. Their times are of the settings that Inductor would try, and of
neighbours of two of these, measured with `launch_settings.py`. The first setting is one of Inductor's own, as in a
first draft. `--parts` fits the weights by a random walk, which takes minutes. The drafts of `--drafts` were made with
a wider rule than today's. By these same graphs it was decided afterwards which convolutions become products.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import stored_runs
from device_time import FIGURES, by_graph, ratio

from passnet.agent.lowering import products
from passnet.agent.lowering.launch_model import LaunchSettings
from passnet.agent.lowering.products import ProductSizes
from passnet.bench.record.run import read_records

RESULTS = Path(__file__).resolve().parent / "results"
ROWS, RUNS = RESULTS / "product-times-cuda.jsonl", RESULTS / "products-cuda.tar.xz"
WEIGHTS = (
    "_WARPS", "_LAUNCH_US", "_STEP_US", "_LOAD_US", "_DOT_US", "_BYTES_PER_US", "_DOTS_PER_US", "_WIDE_COST"
)  # fmt: skip
# How much the time itself counts in fitting, beside which setting is taken; how many steps a walk has.
_ABSOLUTE, _STEPS = 0.25, 4000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path, nargs="?", default=ROWS)
    parser.add_argument("--parts", type=int, default=0, help="parts of the kernels, each left out once")
    parser.add_argument("--drafts", action="store_true", help="what whole drafts took instead")
    options = parser.parse_args()
    if options.drafts:
        beside(RUNS)
        return
    kernels = [json.loads(line) for line in options.rows.read_text().splitlines()]
    if options.parts and not 2 <= options.parts <= len(kernels):
        parser.error(f"--parts: expected 2 to {len(kernels)}, found {options.parts}")
    found = [judged(row) for row in kernels]
    print(f"{len(kernels)} kernels, {sum(len(row['us']) for row in kernels)} times; {words(found)}")
    if options.parts:
        random.Random(0).shuffle(kernels)
        today = {name: getattr(products, name) for name in WEIGHTS}
        found = []
        for part in range(options.parts):
            fit([row for number, row in enumerate(kernels) if number % options.parts != part], today)
            found += [judged(row) for row in kernels[part :: options.parts]]
            print(f"part {part + 1} of {options.parts}", file=sys.stderr)
        print(f"fitted to the others: {words(found)}")


def beside(file: Path) -> None:
    """Print what the new drafts' speedups are in units of the others', over graphs that both got right."""
    with tempfile.TemporaryDirectory() as scratch:
        runs = {run.name: by_graph(read_records(run)) for run in stored_runs.unpack(file, Path(scratch) / "runs")}
    new = runs.pop("new")
    for name, others in runs.items():
        for figure in FIGURES:
            pairs = [(record.timing, others[graph].timing) for graph, record in new.items() if graph in others]
            ratios = [ratio(ours, theirs, figure) for ours, theirs in pairs if ours is not None and theirs is not None]
            known = [each for each in ratios if each is not None]
            mean = math.exp(statistics.fmean(math.log(each["ratio"]) for each in known))
            slower, faster = sum(each["high"] < 1 for each in known), sum(each["low"] > 1 for each in known)
            print(f"new over {name}, {figure}: {mean:.2f} times; {len(known)} graphs, {slower} slower, {faster} faster")


def words(found: Sequence[tuple[float, float]]) -> str:
    chosen, error = (statistics.fmean(each) for each in zip(*found, strict=True))
    return (
        f"the setting that is taken first needs {math.exp(chosen):.3f} times as long as the best (geometric mean), "
        f"and its time is misjudged by a factor of {math.exp(error):.2f}"
    )


def judged(row: dict[str, Any]) -> tuple[float, float]:
    """Logarithms: the time of the likely fastest setting over the best one, and how wrong its estimate is."""
    sizes = ProductSizes(row["batch"], row["rows"], row["columns"], row["depth"], row["itemsize"])
    tried = [LaunchSettings(tuple(values.items()), warps, stages) for values, warps, stages in row["settings"]]
    guessed = [sizes.us(settings) for settings in tried[: row["inductors"]]]
    first = min(range(len(guessed)), key=guessed.__getitem__)
    us = row["us"][first]
    return math.log(us / min(row["us"])), abs(math.log(guessed[first] / us))


def fit(kernels: Sequence[dict[str, Any]], begin: dict[str, float]) -> None:
    """Set the weights that are best for these kernels. The walk begins far from those of today, which know them all."""
    rng = random.Random(1)

    def cost(weights: dict[str, float]) -> float:
        for name, value in weights.items():
            setattr(products, name, value)
        return statistics.fmean(chosen + _ABSOLUTE * error for chosen, error in map(judged, kernels))

    here = {name: value * math.exp(rng.gauss(0.0, 1.0)) for name, value in begin.items()}
    best = least = cost(here)
    kept = here
    for step in range(_STEPS):
        there = {name: v * math.exp(rng.gauss(0.0, 0.3)) if rng.random() < 0.4 else v for name, v in here.items()}
        now = cost(there)
        if now < least or rng.random() < math.exp((least - now) / (0.02 * (1.0 - step / _STEPS) + 1e-6)):
            here, least = there, now
            if now < best:
                kept, best = there, now
    cost(kept)


if __name__ == "__main__":
    main()
