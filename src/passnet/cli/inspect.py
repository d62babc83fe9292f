"""`passnet inspect`: the operations of a task's graphs and how fast they could be. A table or one JSON document.

JSON, schema 1: {"schema", "task" (null for several), "device", "ceilings": {"hardware", "threads", "levels": [{"name",
"capacity_bytes", "gb_s", "copied_bytes"}], "matmul_gflops", "matmul_size", "dispatch_us", "seconds", "method"},
"graphs": [{"task", "graph", "inputs": [{"name", "shape", "dtype", "bytes", "kind", "role", "read_bytes",
"written_bytes", "mutated"}], "outputs": [{"shape", "dtype", "bytes", "alias_of"}], "ops": [{"index", "name", "op",
"inputs", "outputs", "kernels", "flops", "bytes", "aten", "constant"}], "op_counts", "kernels", "views", "bytes":
{"inputs", "outputs", "total", "eager"}, "flops": {"total", "torch", "estimate", "uncounted"}, "arithmetic_intensity",
"mutated_inputs", "roofline": {"bound_us", "limited_by", "level", "memory_us", "main_memory_us",
"compute_us", "launch_us"}}]}.  Sizes in bytes, times in microseconds. `passnet.roofline.inspect` explains each.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from passnet.bench.names import DEVICES
from passnet.cli.console import number, one_of, print_json, print_table, say

if TYPE_CHECKING:
    from passnet.roofline.inspect import GraphInspection, Inspection
    from passnet.roofline.peaks import Ceilings, Level

_GIB = 1024**3


def command(
    path: Path = typer.Argument(
        ..., metavar="PATH", help="Task, graph, directory of either, list (txt, csv, tsv, jsonl), or bundled name."
    ),
    device: str = typer.Option("cpu", help=f"One of: {', '.join(DEVICES)}."),
    limit_gib: float = typer.Option(4.0, min=0.0, max=1 << 20, help="Refuse graphs whose inputs are larger than this."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
) -> None:
    """Show a graph's operations, shapes, bytes and operation counts, and how fast this device could run it."""
    one_of("--device", device, DEVICES)
    from passnet.roofline.inspect import inspect_path

    found = inspect_path(path, device, limit_bytes=int(limit_gib * _GIB))
    if as_json:
        print_json(found.to_json())
    else:
        _print(found)


def _print(found: Inspection) -> None:
    several = len({info.task for info in found.graphs}) > 1
    for info in () if several else found.graphs:
        _print_graph(info)
    if len(found.graphs) > 1:
        _print_overview(found.graphs)
    say(_ceilings_text(found.ceilings))
    if several:
        say("inspect one of the tasks to see its operations")


def _print_overview(graphs: Sequence[GraphInspection]) -> None:
    rows = [
        (_title(info), str(len(info.ops)), str(info.kernels), size(info.bytes), _scaled(info.total_flops),
         number(info.intensity, 2), number(info.bound.us, 1), info.bound.limited_by, number(info.bound.launch_us, 1))
        for info in graphs
    ]  # fmt: skip
    columns = ("graph", "ops", "kernels", "bytes", "flops", "flops/byte", "bound us", "limited by", "launch us")
    print_table("", columns, rows)
    say()


def _title(info: GraphInspection) -> str:
    return info.graph if info.task in {"", info.graph} else f"{info.task}/{info.graph}"


def _print_graph(info: GraphInspection) -> None:
    inputs = [
        (row.name, str(row.value), size(row.bytes), row.kind, row.role, "yes" if row.mutated else "-")
        for row in info.inputs
    ]
    say(_title(info))
    print_table("", ("input", "value", "bytes", "kind", "role", "mutated"), inputs)
    say()
    ops = [
        (f"{op.index:>3} {op.op}", " ".join(map(str, op.inputs)) or "-", " ".join(map(str, op.outputs)) or "-",
         str(op.kernels), size(op.bytes), _scaled(op.flops), "yes" if op.constant else "-")
        for op in info.ops
    ]  # fmt: skip
    print_table("", ("op", "inputs", "outputs", "kernels", "moved", "flops", "constant"), ops)
    say()
    for line in _summary(info):
        say(line)
    say()


def _summary(info: GraphInspection) -> list[str]:
    limits = info.bound
    flops = info.flops
    lines = [
        "ops        " + ", ".join(f"{count} {op}" for op, count in info.op_counts.items()),
        "outputs    " + ", ".join(_output_text(info, index) for index in range(len(info.outputs))),
        f"bytes      {size(info.input_bytes)} read + {size(info.output_bytes)} written = {size(info.bytes)} at least; "
        f"eager moves {size(info.eager_bytes)} in {info.kernels} kernels and makes {info.views} views",
        f"flops      {_scaled(info.total_flops)}: {_scaled(flops['torch'])} by torch's formulas, "
        f"{_scaled(flops['estimate'])} estimated; {number(info.intensity, 2)} per byte",
        f"roofline   {limits.us:.1f} us, limited by {limits.limited_by} "
        f"(compute {limits.compute_us:.1f} us, memory {limits.memory_us:.1f} us from {limits.level}, "
        f"{limits.main_memory_us:.1f} us from main memory)",
        f"launches   {limits.launch_us:.1f} us for {info.kernels} kernels",
    ]
    if info.mutated_inputs:
        lines.append(f"mutated    {', '.join(info.mutated_inputs)}")
    if info.uncounted:
        lines.append(f"uncounted  {', '.join(info.uncounted)} (no rule for their flops)")
    return lines


def _output_text(info: GraphInspection, index: int) -> str:
    output = info.outputs[index]
    alias = "" if output.alias_of is None else f" (memory of {info.inputs[output.alias_of].name})"
    return f"{output.value}{alias}"


def _ceilings_text(ceilings: Ceilings) -> str:
    levels = ", ".join(f"{_level_text(level)} {level.gb_s:.1f} GB/s" for level in ceilings.levels)
    rates = ", ".join(f"{dtype} {rate:.0f} GFLOP/s" for dtype, rate in ceilings.matmul_gflops.items())
    where = f"{ceilings.threads} thread of {ceilings.hardware}" if ceilings.device == "cpu" else ceilings.hardware
    return (
        f"measured in {ceilings.seconds:.1f} s on {where}: copies (read + written) {levels}; matrix products {rates}; "
        f"{ceilings.dispatch_us:.2f} us for an eager operation on one element"
    )


def _level_text(level: Level) -> str:
    return level.name if level.capacity_bytes is None else f"{level.name} ({size(level.capacity_bytes)})"


def size(count: float) -> str:
    """Bytes for people."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.2f} GiB"


def _scaled(count: float) -> str:
    for unit in ("", "k", "M", "G"):
        if count < 1000:
            return f"{count:.0f}" if not unit else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} T"
