"""How well one scheduling of a whole graph tells the kernels, and the fusible ranges, of all its prefixes.

    python benchmarks/fusible_agreement.py CAPTURES [--graphs 60] [--max-ops 24]
    python benchmarks/fusible_agreement.py CAPTURES --graphs 300 --max-ops 12 --pack sample.json.gz
    python benchmarks/fusible_agreement.py sample.json.gz --device cuda --graphs 300 --jobs 15 --seconds 480
    python benchmarks/fusible_agreement.py sample.json.gz --graphs 300 --launches fusible-agreement-cuda.json

CAPTURES is the directory of a build's captured graphs, a data set, a tree of published graph directories, or a sample
that `--pack` wrote. On any machine "one" (a scheduling of the whole) is compared with "prefix" (each prefix by itself);
on a CUDA device both also with "launches", the kernels that each compiled prefix launches. `--launches` takes these
from an earlier result instead, which tells how well a machine without a GPU, or another torch, foresees them. Graphs
with more than `--max-ops` operators are cut: a stretch of that many at a place drawn with `--seed`, its borders made
tensors. When `--seconds` are over, what is done is written.
"""

from __future__ import annotations

import argparse
import collections
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from common import parsed, quantiles, save
from fusible_sample import sample

from passnet.dataset.cut.fusible import fusible_ranges
from passnet.dataset.pipeline import workfiles
from passnet.graph import Graph

Row = dict[str, Any]
Counter = Callable[[Graph], list[int]]
# What can only be measured comes first: when time runs out, the rest can be counted anywhere.
WAYS = {"cpu": ("one", "prefix"), "cuda": ("launches", "one", "prefix")}
# Each is compared with the one before it.
PAIRS = (("launches", "one"), ("launches", "prefix"), ("prefix", "one"))


def main() -> None:
    options = arguments()
    graphs = sample(options.path, options.graphs, options.max_ops, options.seed)
    if options.pack:
        options.pack.write_bytes(workfiles.packed({"graphs": [workfiles.graph_to_json(graph) for graph in graphs]}))
        print(f"{len(graphs)} graphs, {options.pack.stat().st_size / 1e6:.2f} MB, in {options.pack}")
        return
    started = time.perf_counter()
    rows = count_all(graphs, WAYS[options.device], options.jobs, started + options.seconds)
    if options.launches:
        earlier = json.loads(options.launches.read_text())
        add_launches(rows, earlier["rows"])
    result = {
        "graphs": {"given": len(graphs), "done": len(rows), "max_ops": options.max_ops, "seed": options.seed},
        "wall_seconds": round(time.perf_counter() - started, 1),
        "jobs": options.jobs,
        "counted_for": "CUDA, pretended" if options.device == "cpu" else "CUDA",
        "launches_from": earlier["environment"] if options.launches else None,
        **summary(rows),
        "rows": sorted(rows, key=lambda row: str(row["graph"])),
    }
    print(json.dumps({key: result[key] for key in result if key != "rows"}, indent=1))
    variant = options.device + ("-launches" if options.launches else "")
    save(options, f"fusible-agreement-{variant}", "fusible-agreement", options.device, result)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--device", choices=sorted(WAYS), default="cpu")
    parser.add_argument("--graphs", type=int, default=60, help="at most so many")
    parser.add_argument("--max-ops", type=int, default=16, help="longer graphs are cut to so many operators")
    parser.add_argument("--seconds", type=float, default=480.0, help="for the counting as a whole")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pack", type=Path, help="write the sample to this file and count nothing")
    parser.add_argument("--launches", type=Path, help="result file of a CUDA device on the same sample")
    return parsed(parser)


# Counting


def counter(way: str) -> Counter:
    """Graph -> kernels of each of its prefixes, counted in one of the ways; imports only what that way needs."""
    if way == "launches":
        from passnet.dataset.cut.prefix import launch_counts

        return launch_counts
    from passnet.dataset.cut.schedule import kernel_counts, prefix_counts

    # Both schedule for CUDA on any machine; a device that is missing is pretended.
    if way == "prefix":
        return lambda graph: prefix_counts(graph.module(), graph.specs)
    return lambda graph: list(kernel_counts(graph.module(propagated=False), graph.specs).counts)


def computing(graph: Graph) -> list[int]:
    """Places of the operators that compute something: a fusible range holds two of them."""
    from passnet.dataset.cut.schedule import kernel_counts

    return sorted(kernel_counts(graph.module(propagated=False), graph.specs).computing)


def count_one(graph: Graph, ways: Sequence[str], find: Callable[[str], Counter] = counter) -> Row:
    """The counts of one graph in each way, with seconds; `errors` tells why there are none in a way."""
    row: Row = {"graph": graph.name, "ops": len(graph.statements()), "counts": {}, "seconds": {}, "errors": {}}
    for way in ways:
        started = time.perf_counter()
        try:
            row["counts"][way] = list(find(way)(graph))
        except Exception as error:  # noqa: BLE001  Inductor and operators raise what they like; the row carries it
            row["errors"][way] = _reason(error)
            continue
        row["seconds"][way] = round(time.perf_counter() - started, 3)
    try:
        row["computing"] = computing(graph)
    except Exception:  # noqa: BLE001  the same as in the way "one": then all operators are taken to compute
        row["computing"] = list(range(row["ops"]))
    return row


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}"


def add_launches(rows: Sequence[Row], measured: Sequence[Row]) -> None:
    """Put the launches of an earlier result into rows of the same graphs."""
    known = {row["graph"]: row["counts"]["launches"] for row in measured if "launches" in row["counts"]}
    for row in rows:
        if row["graph"] in known:
            row["counts"]["launches"] = known[row["graph"]]


def count_all(graphs: Sequence[Graph], ways: Sequence[str], jobs: int, deadline: float) -> list[Row]:
    """All rows that are there by the deadline; each process takes every `jobs`-th graph."""
    context = multiprocessing.get_context("spawn")
    readers: dict[Connection, Any] = {}
    for number in range(jobs):
        reader, writer = context.Pipe(duplex=False)
        share = [workfiles.graph_to_json(graph) for graph in graphs[number::jobs]]
        process = context.Process(target=_work, args=(share, ways, writer), daemon=True)
        process.start()
        writer.close()
        readers[reader] = process
    rows: list[Row] = []
    while readers and time.perf_counter() < deadline:
        for reader in wait(list(readers), timeout=max(0.0, deadline - time.perf_counter())):
            assert isinstance(reader, Connection)
            try:
                rows.append(reader.recv())
            except EOFError:
                readers.pop(reader).join()
                continue
            print(_line(rows[-1], len(rows), len(graphs)), file=sys.stderr, flush=True)
    for process in readers.values():
        process.kill()
    return rows


def _work(share: Sequence[Row], ways: Sequence[str], writer: Connection) -> None:
    """A process: counts its graphs one after the other."""
    import torch
    from torch._inductor import config

    torch.set_num_threads(1)
    # There are as many processes as processors already.
    config.compile_threads = 1
    for data in share:
        torch._dynamo.reset()
        writer.send(count_one(workfiles.graph_from_json(data), ways))
    writer.close()


def _line(row: Row, done: int, total: int) -> str:
    parts = [f"{way} {seconds} s" for way, seconds in row["seconds"].items()]
    found = ", ".join(parts + [f"{way}: {reason}" for way, reason in row["errors"].items()])
    return f"[{done}/{total}] {row['graph']} ({row['ops']} operators): {found}"


# What is reported


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """Agreement of each pair of ways on the graphs that both could count, and the seconds and failures of each."""
    ways = [way for way in WAYS["cuda"] if any(way in row["counts"] or way in row["errors"] for row in rows)]
    seconds = {way: [row["seconds"][way] for row in rows if way in row["seconds"]] for way in ways}
    return {
        "prefixes": sum(row["ops"] for row in rows),
        "counted": {way: sum(way in row["counts"] for row in rows) for way in ways},
        "errors": {way: _frequencies(row["errors"].get(way) for row in rows) for way in ways},
        "agreement": {
            f"{way} with {reference}": agreement(
                [row for row in rows if {reference, way} <= row["counts"].keys()], reference, way
            )
            for reference, way in PAIRS
            if reference in ways and way in ways
        },
        "seconds": {way: quantiles(found) | {"sum": round(sum(found), 1)} for way, found in seconds.items() if found},
    }


def _frequencies(reasons: Iterator[str | None]) -> dict[str, int]:
    return dict(collections.Counter(reason for reason in reasons if reason is not None).most_common(8))


def agreement(rows: Sequence[Row], reference: str, way: str) -> dict[str, Any]:
    """Shares of equal counts and of equal fusible ranges; Jaccard indices are over all graphs together.

    `steps` compares what ranges follow from: does an operator need more kernels, as many, or fewer? `joined` compares
    neighbouring operators that are in one range.
    """
    if not rows:
        return {}
    counts = [(row["counts"][reference], row["counts"][way]) for row in rows]
    ranges = [(ranges_of(row, reference), ranges_of(row, way)) for row in rows]
    joined = [(_joined(left), _joined(right)) for left, right in ranges]
    return {
        "graphs": len(rows),
        "prefix_counts_equal": _share(a == b for left, right in counts for a, b in zip(left, right, strict=True)),
        "steps_equal": _share(a == b for pair in counts for a, b in zip(*map(_steps, pair), strict=True)),
        "graphs_with_all_counts_equal": _share(left == right for left, right in counts),
        "graphs_with_all_ranges_equal": _share(left == right for left, right in ranges),
        "ranges": {reference: sum(len(left) for left, _ in ranges), way: sum(len(right) for _, right in ranges)},
        "ranges_jaccard": _jaccard(ranges),
        "joined_jaccard": _jaccard(joined),
        "mean_difference": round(statistics.fmean(right[-1] - left[-1] for left, right in counts), 3),
    }


def ranges_of(row: Row, way: str) -> set[tuple[int, int]]:
    """The fusible ranges that would be cut: those with two operators that compute."""
    computing = set(row["computing"])
    return {
        (start, end)
        for start, end in fusible_ranges(row["counts"][way])
        if len(computing.intersection(range(start, end))) > 1
    }


def _joined(ranges: set[tuple[int, int]]) -> set[int]:
    return {place for start, end in ranges for place in range(start, end - 1)}


def _steps(counts: Sequence[int]) -> list[int]:
    return [(after > before) - (after < before) for before, after in zip([0, *counts], counts, strict=False)]


def _share(answers: Iterator[bool]) -> float:
    return round(statistics.fmean(map(float, answers)), 4)


def _jaccard(pairs: Sequence[tuple[set[Any], set[Any]]]) -> float:
    union = sum(len(left | right) for left, right in pairs)
    return round(sum(len(left & right) for left, right in pairs) / union, 4) if union else 1.0


if __name__ == "__main__":
    main()
