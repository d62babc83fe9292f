"""The texts of observations. They are short, the same for the same data, and end with the first thing to fix."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from passnet.agent.env.advice import fix_first
from passnet.agent.record.budget import Budget
from passnet.agent.record.figures import EvaluationReport, VariantFigures
from passnet.agent.workbench.documents import CheckDocument, ProfileDocument, TimedKernel
from passnet.bench.record.records import not_replayed
from passnet.errors import counted
from passnet.graph import Graph
from passnet.graph.targets import Target
from passnet.score import Solved

_MISSES, _PROBLEMS, _KERNELS = 5, 12, 12
_DETAIL = 600


def labels_of(target: Target) -> dict[str, str]:
    """Name of a variant -> its number and the shortest beginning of its name that no other variant has."""
    names = [name for name, _, _ in target.graphs]
    parts = {name: name.split("/") for name in names}
    labels = {}
    for number, name in enumerate(names):
        size = next((n for n in range(1, len(parts[name])) if _unique(parts, name, n)), len(parts[name]))
        labels[name] = f"{number} ({'/'.join(parts[name][:size])})"
    return labels


def _unique(parts: Mapping[str, Sequence[str]], name: str, size: int) -> bool:
    return sum(other[:size] == parts[name][:size] for other in parts.values()) == 1


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns as wide as their content, two spaces between them."""
    lines = [list(head), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def opening(target: Target, device: str, policy: str, budget: Budget, files: Iterable[str]) -> str:
    """The first text for an author: the variants, the source of the first, the files, the limits."""
    labels = labels_of(target)
    rows = [(labels[name], _inputs(graph)) for name, _, graph in target.graphs]
    first = target.graphs[0][2]
    same = all(graph.source == first.source for _, _, graph in target.graphs)
    limits = [f"{value:g} {name}" for name, value in budget.model_dump().items() if value]
    return "\n".join(
        [
            f"Task {target.name} on {device}, source policy {policy}: {_variants(len(rows))} of one computation, which "
            "one pass set has to serve. The score AS is 1 for eager's speed; a wrong variant costs more than a fast "
            "one gains.",
            "",
            table(("variant", "inputs"), rows),
            "",
            f"Source of variant 0{'' if same else ' (others may differ in numbers; see inspect_graph)'}:",
            first.source.strip(),
            "",
            f"Files: {', '.join(files) or 'none yet'}. Limits: {', '.join(limits) or 'none'}.",
        ]
    )


def _variants(count: int) -> str:
    return "1 variant" if count == 1 else f"{count} variants"


def _inputs(graph: Graph) -> str:
    return ", ".join(f"{s.name} {s.dtype}[{'x'.join(map(str, s.shape))}]" for s in graph.specs)


def listing(files: Mapping[str, str]) -> str:
    if not files:
        return "the pass directory is empty"
    return "\n".join(f"{name}  {len(text.encode())} bytes" for name, text in files.items())


def numbered(text: str, first: int, last: int) -> str:
    lines = text.splitlines()
    shown = lines[first - 1 : last or None]
    width = len(str(first + len(shown)))
    return "\n".join(f"{number:>{width}}  {line}" for number, line in enumerate(shown, first))


def check(report: CheckDocument, labels: Mapping[str, str]) -> str:
    """Rules, matches, near misses and problems. The first problem is the first thing to fix."""
    lines = []
    for rule in report["rules"]:
        state = {True: "loaded", False: "not loaded", None: "not for this device"}[rule["loaded"]]
        state = "against the source policy, not loaded" if rule["policy"] else state
        matched = [labels[name] for name, count in rule["matches"].items() if count]
        unknown = f", not known on {len(rule['not_known'])}" if rule.get("not_known") else ""
        lines.append(f"{rule['rule']}: {state}, matches {len(matched)} of {len(labels)} variants{unknown}")
        lines += [f"  {_miss(miss, labels)}" for miss in rule["near_misses"][:_MISSES]]
    lines += [f"note: {note}" for note in report["notes"][:_PROBLEMS]]
    problems = _grouped(report["problems"], labels)
    lines += [f"problem: {problem}" for problem in problems[:_PROBLEMS]]
    if len(problems) > _PROBLEMS:
        lines.append(f"and {counted(len(problems) - _PROBLEMS, 'more problem')}")
    lines.append(f"fix first: {problems[0]}" if problems else "ok: every variant that matches is right")
    return "\n".join(lines)


def _grouped(problems: Sequence[str], labels: Mapping[str, str]) -> list[str]:
    """A problem of several variants is told once, with their labels before it."""
    groups: dict[str, list[str]] = {}
    for problem in problems:
        name = next((name for name in labels if problem.startswith(f"{name}: ")), None)
        what = problem if name is None else problem.removeprefix(f"{name}: ")
        groups.setdefault(what, []).extend([] if name is None else [labels[name]])
    return [_shortened(f"{', '.join(where)}: {what}" if where else what, labels) for what, where in groups.items()]


def _shortened(text: str, labels: Mapping[str, str]) -> str:
    """The text with labels in place of the names of variants, cut to a useful length."""
    for name in sorted(labels, key=len, reverse=True):
        text = text.replace(name, f"variant {labels[name]}")
    return text if len(text) <= _DETAIL else text[:_DETAIL] + " ..."


def _miss(miss: Mapping[str, str], labels: Mapping[str, str]) -> str:
    where = labels.get(miss.get("graph", ""), "")
    return (
        f"near miss on {where}: at {miss.get('pattern_node')} of the pattern: expected {miss.get('expected')}, "
        f"found {miss.get('found')} ({miss.get('reason')})"
    )


def evaluation(report: EvaluationReport, labels: Mapping[str, str]) -> str:
    """A row per variant, then details and the first thing to fix."""
    rows = [_row(row, labels) for row in report.graphs]
    head = ("variant", "outcome", "speedup", "interval", "deployed", "eager us", "yours us")
    details = dict.fromkeys(f"{row.outcome}: {_shortened(row.detail, labels)}" for row in report.graphs if row.detail)
    misses = [_miss(miss, labels) for row in report.graphs for miss in row.near_misses]
    ordinary = not_replayed(row.not_frozen for row in report.graphs)
    return "\n".join(
        [
            _headline(report),
            table(head, rows),
            *list(details)[:_PROBLEMS],
            *ordinary[:_PROBLEMS],
            *list(dict.fromkeys(misses))[:_MISSES],
            f"fix first: {_shortened(fix_first(report.graphs, labels, report.gains), labels)}",
        ]
    )


def _headline(report: EvaluationReport) -> str:
    score = "none: nothing in it counts" if report.score is None else f"{report.score:.3f}{solved(report.solved)}"
    if report.partial:
        return f"a look without a score (AS would be {score} by these figures alone)"
    known = " (the same passes were measured before; not measured again)" if report.repeated else ""
    if report.best:
        return f"AS {score}, the best so far{known}"
    best = f"; the best is {report.best_score:.3f} of step {report.best_step}" if report.best_score is not None else ""
    return f"AS {score}{known}{best}"


def solved(found: Solved) -> str:
    """The text beside AS: the share of solved variants, and AS with the other variants floored.

    A variant is solved if a kernel of the passes made it surely faster. If the share is unknown, the text gives the
    reason.
    """
    if found.share is not None:
        return f" (solved {100 * found.share:.0f} % of the variants, with ties floored {found.aggregated:.3f})"
    return f" (solved is not known: {found.reason})"


def _row(row: VariantFigures, labels: Mapping[str, str]) -> tuple[str, ...]:
    interval = "-" if row.speedup_ci is None else "-".join(f"{end:.3f}" for end in row.speedup_ci)
    return (
        labels[row.graph],
        row.outcome.value,
        _number(row.speedup, 3),
        interval,
        _number(row.deployed_speedup, 3),
        _number(row.eager_us, 1),
        _number(row.compiled_us, 1),
    )


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def profile(found: ProfileDocument, sources: Sequence[str], label: str) -> str:
    """Statements in order with their times, and the most expensive ones marked. Kernels follow."""
    rows = found["statements"]
    total = sum(row["us"] for row in rows) or 1.0
    body = [
        (str(row["index"]), f"{row['us']:.1f}", f"{100 * row['us'] / total:.0f} %", source)
        for row, source in zip(rows, sources, strict=False)
    ]
    kind = "kernels on the device" if found["device"] == "cuda" else "statement by statement, one thread"
    lines = [f"variant {label}, eager: {found['total_us']:.1f} us a call; {kind}:"]
    lines.append(table(("index", "us", "share", "statement"), body))
    for kernel in found["kernels"][:_KERNELS]:
        lines.append(f"{kernel['us']:8.1f} us  {kernel['count']:g}x  {kernel['name'][:100]}{_launch(kernel)}")
    return "\n".join(lines)


def _launch(kernel: TimedKernel) -> str:
    """The launch of a kernel, if the profiler recorded it."""
    parts = []
    if "grid" in kernel and "block" in kernel:
        parts.append(f"{math.prod(kernel['grid'])} blocks of {math.prod(kernel['block'])}")
    counters = {
        "registers": kernel.get("registers"),
        "B shared": kernel.get("shared_bytes"),
        "% occupancy": kernel.get("occupancy_percent"),
    }
    parts += [f"{value} {word}" for word, value in counters.items() if value is not None]
    return f"  [{', '.join(parts)}]" if parts else ""
