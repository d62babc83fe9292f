"""The text of `inspect_graph`: a list of the variants, and every statement of one with cost and matchability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passnet.agent.env.render import table
from passnet.agent.workbench.documents import InspectionDocument, MatchableDocument, TensorDocument
from passnet.graph import Graph

_STATEMENT = 110


def sources(graph: Graph) -> list[str]:
    """The statements as they are spelled in the source."""
    lines = graph.source.splitlines()
    return [lines[op.line - 1].strip()[:_STATEMENT] for op in graph.statements()]


def overview(found: Sequence[InspectionDocument], labels: Mapping[str, str]) -> str:
    """A row per variant: work, bytes, and the lowest possible time."""
    rows = [
        (
            labels[info["graph"]],
            str(sum(info["op_counts"].values())),
            str(info["kernels"]),
            str(info["bytes"]["total"]),
            str(info["bytes"]["eager"]),
            f"{info['flops']['total']:.3g}",
            f"{info['roofline']['bound_us']:.1f}",
            str(info["roofline"]["limited_by"]),
            f"{info['roofline']['launch_us']:.1f}",
        )
        for info in found
    ]
    head = ("variant", "ops", "kernels", "bytes", "eager bytes", "flops", "bound us", "limited by", "launch us")
    words = (
        "bytes: what any program must move; eager bytes: what eager's kernels move; bound us: that or the flops at the "
        "device's best rate; launch us: what eager pays for issuing its kernels"
    )
    return f"{table(head, rows)}\n{words}"


def statements(info: InspectionDocument, graph: Graph, label: str) -> str:
    """A row per statement of one variant."""
    rows = [
        (
            str(op["index"]),
            source,
            ", ".join(_shape(value) for value in op["outputs"]) or "-",
            str(op["kernels"]),
            str(op["bytes"]),
            _matchable(row),
        )
        for op, source, row in zip(info["ops"], sources(graph), info["matchable"], strict=True)
    ]
    head = ("index", "statement", "result", "kernels", "bytes", "match")
    changed = f"\ninputs that the graph changes: {', '.join(info['mutated_inputs'])}" if info["mutated_inputs"] else ""
    words = (
        "match: the name that patterns and graph are compared by; [n]: a run of statements that one pattern may cover; "
        "values used outside of a match must be among its outputs"
    )
    return f"variant {label}\n{table(head, rows)}\n{words}{changed}"


def _matchable(row: MatchableDocument) -> str:
    if row["reason"] is not None:
        return f"{row['operation']}: no ({row['reason']})"
    if row["library"]:
        return f"{row['operation']}: a library does this well"
    return f"{row['operation']} [{row['run']}]"


def _shape(value: TensorDocument) -> str:
    return f"{value['dtype']}[{'x'.join(map(str, value['shape']))}]"
