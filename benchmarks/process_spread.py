"""How far do fresh processes differ? The spread of the figures of a graph's pairs, from the records of runs.

    python benchmarks/process_spread.py RUN [...] [--device cuda]

For each graph with three pairs or more: the standard deviation over its pairs of the log of eager's time over the
candidate's, and of eager's over that of another pair's eager. It holds some noise of the groups too. Measuring stops
at narrow intervals, so the true spread is rather larger. Nothing is measured here.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import common

from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import each_record

_LEAST_PAIRS = 3


def spreads(records: Iterable[GraphRecord]) -> Iterator[dict[str, Any]]:
    """A row for each record that was timed in enough pairs."""
    for record in records:
        timing = record.timing
        if timing is None or len(timing.processes) < _LEAST_PAIRS:
            continue
        yield {
            "graph": record.graph,
            "compiler": record.compiler,
            "pairs": len(timing.processes),
            "groups": statistics.mean(each.quads for each in timing.processes),
            "candidate": _sd(each.ratio for each in timing.processes),
            "control": _sd(each.control_ratio for each in timing.processes),
        }


def _sd(ratios: Iterable[float]) -> float:
    return statistics.stdev(math.log(ratio) for ratio in ratios)


def _summary(values: list[float]) -> dict[str, float]:
    rms = math.sqrt(statistics.mean(value**2 for value in values))
    return {"median": statistics.median(values), "rms": rms, "max": max(values)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path, help="directories of runs")
    options = common.parsed(parser)
    found = {
        (record.device, record.graph, record.seconds): record for run in options.runs for record in each_record(run)
    }
    devices = {record.device for record in found.values()}
    if len(devices) != 1:
        parser.error(f"these runs were on {' and '.join(sorted(devices)) or 'no device'}; give those of one device")
    rows = list(spreads(found.values()))
    if not rows:
        parser.error(f"no graph of these runs was timed in {_LEAST_PAIRS} pairs")
    result = {"graphs": len(rows), "rows": rows}
    for side in ("candidate", "control"):
        result[side] = _summary([row[side] for row in rows])
        print(f"{side}: {result[side]}")
    (device,) = devices
    common.save(options, f"process-spread-{device}", "process_spread", device, result)


if __name__ == "__main__":
    main()
