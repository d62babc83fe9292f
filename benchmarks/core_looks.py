"""What does a look at the workers' core say of the block before it? Blocks that were timed, by the look after them.

    python benchmarks/core_looks.py TASK... --device cuda [--seconds 60]

After each timed block a fixed piece of work is timed on its core. Where that takes far longer than on a quiet one the
core is slow, and where it takes somewhat longer a second look decides (`bench/isolation/core_speed.py`). For each band
of the factor of the first look, and for each answer: its share of all blocks, and how long the blocks took, relative to
the median of the same side and graph after looks below 1.12. Every graph is timed in two pairs and 24 groups each.
Blocks that were set aside are among them.
"""

from __future__ import annotations

import argparse
import itertools
import secrets
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import common
import numpy as np

from passnet.bench.engine.bench import Bench
from passnet.bench.evaluate import pass_files
from passnet.bench.isolation.core_speed import CoreSpeed
from passnet.bench.record.protocol import make
from passnet.bench.timing.block_maker import BlockMaker
from passnet.bench.timing.blocks import Block
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.graph import Graph
from passnet.rewrite import read_pass_set

BANDS = (0.0, 1.05, 1.12, 1.2, 1.3, 1.4, 1.6, 10.0)
QUIET, LEAST = 1.12, 10


class Look(NamedTuple):
    """The first look after a block: what the work took there by what it takes on a quiet core, and the block's time.

    `slow`: what the look, or the second one, said.
    """

    graph: str
    role: str
    factor: float
    us: float
    slow: bool


class Recorder:
    """Notes the first look after each block of a run."""

    def __init__(self) -> None:
        self.looks: list[Look] = []
        self.graph = ""
        self._block: tuple[str, float] | None = None
        self._wrap_blocks()
        self._wrap_looks()

    def _wrap_blocks(self) -> None:
        make_block = BlockMaker.make

        def block(maker: BlockMaker, pair: Any, role: Any, *args: Any, **settings: Any) -> Block:
            made = make_block(maker, pair, role, *args, **settings)
            self._block = role, made.us_per_call
            return made

        BlockMaker.make = block  # type: ignore[method-assign]

    def _wrap_looks(self) -> None:
        answer, look, factors = CoreSpeed.is_slow, CoreSpeed._looked, list[float]()

        def looked(speed: CoreSpeed, core: int | None) -> float:
            took = look(speed, core)
            factors.append(took / speed.quiet_ns)
            return took

        def is_slow(speed: CoreSpeed, core: int | None) -> bool:
            factors.clear()
            slow = answer(speed, core)
            if self._block is not None:
                role, us = self._block
                self.looks.append(Look(self.graph, role, factors[0], us, slow))
                self._block = None
            return slow

        CoreSpeed._looked = looked  # type: ignore[method-assign]
        CoreSpeed.is_slow = is_slow  # type: ignore[method-assign]


def relative(looks: Iterable[Look]) -> Iterator[tuple[Look, float]]:
    """Each look, and the time of the block before it by what blocks of its side take on a quiet core."""
    sides: defaultdict[tuple[str, str], list[Look]] = defaultdict(list)
    for look in looks:
        sides[look.graph, look.role].append(look)
    for side in sides.values():
        quiet = [look.us for look in side if look.factor < QUIET]
        if len(quiet) >= LEAST:
            yield from ((look, look.us / statistics.median(quiet)) for look in side)


def bands(looks: Iterable[Look]) -> list[dict[str, Any]]:
    """A row for each band and answer that occurred."""
    found = list(relative(looks))
    rows = []
    for (low, high), slow in itertools.product(itertools.pairwise(BANDS), (False, True)):
        times = [time for look, time in found if low <= look.factor < high and look.slow == slow]
        if times:
            row = {"from": low, "to": high, "slow": slow, "blocks": len(times), "share": len(times) / len(found)}
            rows.append(row | {f"p{q}": float(np.percentile(times, q)) for q in (10, 50, 90)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="+", type=Path, help="tasks with a pass_dir; the first graph of each is timed")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--seconds", type=float, default=60.0, help="begin no graph after so many seconds")
    options = common.parsed(parser)
    settings = {"least_pairs": 2, "most_pairs": 2, "open_pairs": 2, "visit_groups": 24, "most_groups": 24}
    protocol = make("direct", device=options.device, precision=0.05, **settings)
    recorder, began = Recorder(), time.monotonic()
    with (
        tempfile.TemporaryDirectory() as logs,
        Bench(options.device, "passes", protocol, Path(logs), pairs=2) as bench,
    ):
        for task in options.tasks:
            if time.monotonic() - began > options.seconds:
                break
            path = min(task.rglob("model.py")).parent
            recorder.graph = f"{task.name}/{path.name}"
            files = pass_files(read_pass_set(task / "pass_dir"))
            job = Job(task.name, path.name, path, Graph.read(path), "passes", options.device, files)
            judge = Judge(bench.pairs, protocol, secrets.randbits(40), turn=bench.turn, profiles=lambda graph: False)
            record = judge.judge(job)
            print(f"{recorder.graph}: {record.outcome.value}, {len(recorder.looks)} looks", flush=True)
    graphs = len({look.graph for look in recorder.looks})
    result = {"protocol": protocol.model_dump(), "graphs": graphs, "bands": bands(recorder.looks)}
    for row in result["bands"]:
        print({name: round(value, 3) for name, value in row.items()}, flush=True)
    common.save(options, f"core-looks-{options.device}", "core_looks", options.device, result)


if __name__ == "__main__":
    main()
