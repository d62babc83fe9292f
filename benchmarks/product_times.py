"""How good the first setting of a product is, and how long one takes, by the estimate of `agent/lowering/products.py`.

    python benchmarks/product_times.py             # of the times in results/product-times-cuda.jsonl
    python benchmarks/product_times.py --parts 7   # beside it: what weights do for kernels that they were not fitted to

The times are of kernels that compute a convolution of one point, with the settings that Inductor would try. They were
measured with `launch_settings.py write` and `time` on an H200. `--parts` fits the weights anew, without a part of the
kernels at a time, by a random walk. It takes minutes.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from passnet.agent.lowering import products
from passnet.agent.lowering.launch_model import LaunchSettings
from passnet.agent.lowering.products import ProductSizes

ROWS = Path(__file__).resolve().parent / "results" / "product-times-cuda.jsonl"
WEIGHTS = (
    "_WARPS", "_LAUNCH_US", "_STEP_US", "_LOAD_US", "_DOT_US", "_BYTES_PER_US", "_DOTS_PER_US", "_WIDE_COST"
)  # fmt: skip
# How much the time itself counts in fitting, beside which setting is taken; how many steps a walk has.
_ABSOLUTE, _STEPS = 0.25, 4000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path, nargs="?", default=ROWS)
    parser.add_argument("--parts", type=int, default=0, help="parts of the kernels, each left out once")
    options = parser.parse_args()
    kernels = [json.loads(line) for line in options.rows.read_text().splitlines()]
    print(f"{len(kernels)} kernels, {sum(len(row['us']) for row in kernels)} times; {told(kernels)}")
    if options.parts:
        random.Random(0).shuffle(kernels)
        today = {name: getattr(products, name) for name in WEIGHTS}
        found = []
        for part in range(options.parts):
            fit([row for number, row in enumerate(kernels) if number % options.parts != part], today)
            found += [judged(row) for row in kernels[part :: options.parts]]
            print(f"part {part + 1} of {options.parts}", file=sys.stderr)
        print(f"fitted to the others: {words(found)}")


def told(kernels: Sequence[dict[str, Any]]) -> str:
    return words([judged(row) for row in kernels])


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
    guessed = [sizes.us(settings) for settings in tried]
    first = min(range(len(tried)), key=guessed.__getitem__)
    us = row["us"][first]
    return math.log(us / min(row["us"])), abs(math.log(guessed[first] / us))


def fit(kernels: Sequence[dict[str, Any]], begin: dict[str, float]) -> None:
    """Set the weights that are best for these kernels, from what they are today."""
    rng = random.Random(1)

    def cost(weights: dict[str, float]) -> float:
        for name, value in weights.items():
            setattr(products, name, value)
        return statistics.fmean(chosen + _ABSOLUTE * error for chosen, error in map(judged, kernels))

    # Not from the weights of today, which know all kernels.
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
