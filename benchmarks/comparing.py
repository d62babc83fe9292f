"""What does a comparison of a call cost, measured together with other calls beside one by one?

    python benchmarks/comparing.py --device cuda [--calls 16] [--turns 5]

Outputs of float32, each with eager's and float64's, all right. `verified`: every element is compared. `timed`: elements
drawn at random, and of all elements those that are farthest off. `one by one`: each number is asked for when it is
needed. `together`: the numbers of all calls are worked out in tables (`bench/compare/at_once.py`). Both ways take
turns, and the milliseconds are those of the median turn.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import common
import torch

from passnet.bench.compare.comparison import Comparison, Criteria
from passnet.bench.verdict.cases import CallCase, measure

ELEMENTS = (1 << 6, 1 << 12, 1 << 16, 1 << 20, 1 << 22)
_WIDTH, _SEED = 64, 20
_CRITERIA = Criteria(fp64_factor=4.0, scale_cap=0.1)
_WAYS = ("one by one", "together")
Output = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def main() -> None:
    options = arguments()
    rows = []
    for elements in ELEMENTS:
        outputs = [output(elements, call, options.device) for call in range(options.calls)]
        for kind in ("verified", "timed"):
            rows.append({"elements": elements, "kind": kind, **both(outputs, kind == "timed", options)})
            print(rows[-1], flush=True)
    result = {"calls": options.calls, "turns": options.turns, "rows": rows}
    common.save(options, f"comparing-{options.device}", "comparing", options.device, result)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--calls", type=int, default=16, help="compared together")
    parser.add_argument("--turns", type=int, default=5)
    return common.parsed(parser)


def output(elements: int, seed: int, device: str) -> Output:
    """A candidate's output, eager's and float64's."""
    generator = torch.Generator().manual_seed(_SEED + seed)
    truth = torch.randn(max(1, elements // _WIDTH), _WIDTH, generator=generator, dtype=torch.float64)
    eager = truth.float()
    noise = 1.0 + 1e-7 * torch.randn(eager.shape, generator=generator)
    return (eager * noise).to(device), eager.to(device), truth.to(device)


def both(outputs: Sequence[Output], timed: bool, options: argparse.Namespace) -> Mapping[str, Any]:
    """Milliseconds of a call in both ways, and how many times as long one by one takes."""
    ways: dict[str, Callable[[], list[Comparison]]] = {
        way: lambda way=way: compared(outputs, timed, together=way == "together")
        for way in _WAYS  # type: ignore[misc]
    }
    if not all(each.strict for way in ways.values() for each in way()):
        raise RuntimeError("outputs that are right were called wrong")
    times: dict[str, list[float]] = {way: [] for way in _WAYS}
    for _ in range(options.turns):
        for way, call in ways.items():
            times[way].append(seconds(call, options.device) * 1e3 / len(outputs))
    found: dict[str, Any] = {f"{way}_ms": statistics.median(row) for way, row in times.items()}
    ratios = [one / other for one, other in zip(*times.values(), strict=True)]
    return found | {"ratio": {"median": statistics.median(ratios), "least": min(ratios), "most": max(ratios)}}


def compared(outputs: Sequence[Output], timed: bool, *, together: bool) -> list[Comparison]:
    cases = [
        CallCase(([got], [eager], [truth]), _CRITERIA, rng=Random(_SEED) if timed else None)
        for got, eager, truth in outputs
    ]
    if together:
        measure(cases)
    else:
        for case in cases:
            case.known = case.known_farthest = [None]  # nothing is known, so each is looked at by itself
    return [case.compared() for case in cases]


def seconds(call: Callable[[], object], device: str) -> float:
    began = time.perf_counter()
    call()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
