"""The part of the page about one task: figures per variant, why it fails, passes, graphs, where time goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from passnet.agent.record.records import steps_of
from passnet.authored import one_line
from passnet.bench.record.conventions import CONVENTIONS
from passnet.bench.record.records import GraphRecord, MaxError, Timing
from passnet.graph import Graph
from passnet.report.run.caution import doubts_of
from passnet.report.run.commands import task_command
from passnet.report.run.drawing import draw
from passnet.report.run.figures import task_scores, verdict
from passnet.report.run.kernels import kernel_times, why_no_times
from passnet.report.run.measured import device_time, shares_of
from passnet.report.run.names import short_names, shown_name
from passnet.report.run.reading import RunData
from passnet.report.run.reasons import percent, reason
from passnet.report.run.sources import RunSources
from passnet.report.run.tables import shown_speed
from passnet.score import Outcome

_LONGEST: Final = 60_000
_MOST_NOTES: Final = 20
_MOST_ROWS: Final = 40
# An error so many times eager's own is one where eager has next to none.
_OF_NOTHING: Final = 100.0


def task_block(task: str, sources: Sequence[RunSources], texts: Mapping[str, bool]) -> dict[str, Any]:
    """Everything that is known of a task, by run. `texts`: which long texts there is room for."""
    by_run = [(found, found.run.by_task.get(task, ())) for found in sources]
    judged = [(number, found, rows) for number, (found, rows) in enumerate(by_run) if rows]
    names = short_names(record.graph for _, _, rows in judged for record in rows)
    blocks = [_run_block(number, found, rows, names, texts) for number, found, rows in judged]
    return {
        "task": shown_name(task),
        "runs": blocks,
        "sources": _graphs(judged, names) if texts["sources"] else [],
        "times": list(_times(sources, task, names)),
    }


def _run_block(
    number: int,
    sources: RunSources,
    records: Sequence[GraphRecord],
    names: Mapping[str, str],
    texts: Mapping[str, bool],
) -> dict[str, Any]:
    passes = sources.passes(records[0]) if texts["passes"] else {}
    judged = any(record.pass_set_hash for record in records)
    return {
        "run": number,
        "score": task_scores(records)[records[0].task],
        "command": task_command(sources.run, records[0].task, sources.place(records[0].task)),
        "graphs": [_graph(sources.run, record, names[record.graph]) for record in records],
        "passes": {name: clip(text) for name, text in sorted(passes.items())},
        "passes_missing": judged and not passes,
    }


def _graph(run: RunData, record: GraphRecord, name: str) -> dict[str, Any]:
    timing = record.timing
    speeds = {key: shown_speed(record, key) for key in CONVENTIONS}
    return {
        "name": name,
        "full": shown_name(record.graph),
        "outcome": record.outcome.value,
        "verdict": verdict(record),
        "why": reason(record, run.fp64_factor) or None,
        "detail": clip(record.detail) if record.detail else None,
        "speeds": {key: value for key, value in speeds.items() if value is not None},
        "interval": list(timing.speedup_ci) if timing else None,
        "scored_at": timing.scored_at if timing else None,
        "eager_us": timing.eager_us if timing else None,
        "compiled_us": timing.compiled_us if timing else None,
        "facts": _facts(run, record),
        "kernel_times": kernel_times(record),
        "doubts": list(doubts_of(timing).values()) if timing else [],
        "findings": [[one_line(f.exploit), one_line(f.layer), clip(f.evidence)] for f in record.findings[:_MOST_NOTES]],
        "near": [{one_line(k): clip(v, 600) for k, v in miss.items()} for miss in record.near_misses[:_MOST_NOTES]],
        "processes": _processes(timing) if timing else [],
    }


def _facts(run: RunData, record: GraphRecord) -> list[list[str]]:
    """What else the record says, as names and texts. What it does not say is left out."""
    error, timing = record.max_error, record.timing
    solved, unknown = record.solution
    # Of a graph that failed otherwise the errors are those of the calls that were compared until then.
    before = "" if record.outcome in (Outcome.CORRECT, Outcome.ACCURACY) else ", in calls before it failed"
    facts: dict[str, object] = {
        "solved": unknown if solved is None else "yes" if solved else "no",
        "right from t": record.correct_at if record.outcome in (Outcome.CORRECT, Outcome.ACCURACY) else None,
        f"largest difference from eager{before}": _differences(error) if error is not None else None,
        f"largest error against float64{before}": _errors(error) if error is not None else None,
        "compared calls": record.compared_calls or None,
        "calls that chose other indices, as good": record.followed_calls or None,
        "unseen shapes": f"{record.unseen.answer}, {len(record.unseen.shapes)} shapes" if record.unseen else None,
        "replaced": ", ".join(f"{one_line(rule)} x {count}" for rule, count in record.replacements.items()) or None,
        "not replayed": "; ".join(f"{one_line(k)}: {one_line(v)}" for k, v in record.not_frozen.items()) or None,
        "kernels seen": ", ".join(map(one_line, record.kernels)) if record.kernels else None,
        "time by kernel": why_no_times(run, record),
        "kernels of its own": None if record.own_kernels is None else "yes, proved" if record.own_kernels else "no",
        "measured": _measured(timing) if timing else None,
        "regime": timing.regime if timing else None,
        "device time": _device(timing) if timing else None,
        "least time of the work": _bound(record, timing) if timing else None,
        "no captured figure": one_line(timing.not_captured) if timing and timing.not_captured else None,
        "A/A control": f"{timing.control_ratio:.3f}" if timing and timing.control_ratio is not None else None,
        "done without, for want of memory": ", ".join(map(one_line, record.given_up)) or None,
        "sandbox": None if record.sandbox is None else ", ".join(map(one_line, record.sandbox)) or "none",
        "tamper-proof": "yes" if record.tamper_proof else "no",
        "seed of the inputs": record.input_seed,
        "judged in": f"{record.seconds:.1f} s",
        "hash of the graph": record.graph_hash[:16],
        "hash of the passes": record.pass_set_hash[:16] if record.pass_set_hash else None,
    }
    return [[name, clip(str(value), 2000)] for name, value in facts.items() if value is not None]


def _differences(found: MaxError) -> str | None:
    """Of single elements. Near zero a relative one is large and says nothing alone."""
    near = "elements near zero make this large and say nothing" if found.rel is not None and found.rel > 1 else ""
    said = [f"{found.abs:.4g} in an element"] if found.abs is not None else []
    said += [f"{found.rel:.3g} times the size of an element{f' ({near})' if near else ''}"] if found.rel else []
    return ", ".join(said) or None


def _errors(found: MaxError) -> str | None:
    said = [f"{found.scaled:.3g} of the outputs' spread (RMS)"] if found.scaled is not None else []
    if found.fp64_ratio is not None:
        exact = " (one in which eager's is next to nothing)" if found.fp64_ratio > _OF_NOTHING else ""
        said.append(f"at most {found.fp64_ratio:.3g} times eager's own in a call{exact}")
    return ", ".join(said) or None


def _measured(timing: Timing) -> str:
    end = f", ended: {timing.ended}" if timing.ended else ""
    low = "; the interval is wide, so its lower end is scored" if timing.scored_at == "low" else ""
    return f"{len(timing.processes)} pairs of processes, half width {100 * timing.half_width:.1f} %{end}{low}"


def _device(timing: Timing) -> str | None:
    sides = (("eager", timing.eager_busy_us), ("the candidate", timing.compiled_busy_us))
    return ", ".join(f"{side} {device_time(us)}" for side, us in sides if us is not None) or None


def _bound(record: GraphRecord, timing: Timing) -> str | None:
    if timing.bound_us is None:
        return None
    sides = zip(("eager", "the candidate"), shares_of(record), strict=True)
    shares = ", ".join(f"{percent(share)} of what {side} takes" for side, share in sides if share is not None)
    return f"{timing.bound_us:.3g} us by {timing.bound_by}; {shares or 'no time of the device to compare it with'}"


def _processes(timing: Timing) -> list[list[float]]:
    return [
        [p.quads, p.calls, p.ratio, p.eager_us, p.compiled_us, p.control_ratio] for p in timing.processes[:_MOST_ROWS]
    ]


def _graphs(
    judged: Sequence[tuple[int, RunSources, Sequence[GraphRecord]]], names: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The graphs that are at hand, each text once with the variants that have it, and a picture of each structure."""
    found: dict[str, dict[str, Any]] = {}
    drawn: dict[str, list[str]] = {}
    for _, sources, records in judged:
        for record in records:
            graph = sources.graph(record)
            if graph is None:
                continue
            kept = found.setdefault(graph.source_hash, _graph_source(graph, drawn))
            name = names[record.graph]
            if name not in [known for known, _ in kept["variants"]]:
                kept["variants"].append([name, _inputs(graph)])
                drawn[graph.structure_hash].append(name)
    return list(found.values())


def _graph_source(graph: Graph, drawn: dict[str, list[str]]) -> dict[str, Any]:
    """A text with its picture, if no other text has the same. `drawn`: structure -> the variants that have it."""
    picture = None if graph.structure_hash in drawn else draw(graph)
    alike = drawn.setdefault(graph.structure_hash, [])
    return {
        "text": clip(graph.source),
        "drawing": picture.to_json() if picture is not None else None,
        "stands_for": alike if picture is not None else [],
        "variants": [],
    }


def _inputs(graph: Graph) -> list[list[str]]:
    return [
        [one_line(spec.name), f"{spec.dtype}[{', '.join(map(str, spec.shape))}]"] for spec in graph.specs[:_MOST_ROWS]
    ]


def _times(sources: Sequence[RunSources], task: str, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """What authors measured of eager in their episodes: time by statement and kernel, and the bound of the device."""
    for found in sources:
        bounds: dict[str, Mapping[str, Any]] = {}
        profiles: dict[str, Mapping[str, Any]] = {}
        for data in _measurements(found.run, task):
            if "graphs" in data and isinstance(data["graphs"], list):
                bounds |= {g["graph"]: g["roofline"] for g in data["graphs"] if _is_bound(g)}
            elif isinstance(data.get("graph"), str) and isinstance(data.get("total_us"), (int, float)):
                profiles[data["graph"]] = data
        for graph in dict.fromkeys([*profiles, *bounds]):
            yield _time_row(found.run, task, graph, names, profiles.get(graph, {}), bounds.get(graph, {}))


def _is_bound(row: object) -> bool:
    return isinstance(row, dict) and isinstance(row.get("graph"), str) and isinstance(row.get("roofline"), dict)


def _measurements(run: RunData, task: str) -> Iterator[Mapping[str, Any]]:
    for episode in run.episodes:
        if episode.start.task == task:
            for step in steps_of(list(episode.records)):
                if step.tool in ("inspect_graph", "profile") and step.observation.ok:
                    yield step.observation.data


def _time_row(
    run: RunData,
    task: str,
    graph: str,
    names: Mapping[str, str],
    profile: Mapping[str, Any],
    bound: Mapping[str, Any],
) -> dict[str, Any]:
    judged = next((r for r in run.by_task.get(task, ()) if r.graph == graph and r.timing is not None), None)
    return {
        "run": run.name,
        "graph": names.get(graph, shown_name(graph)),
        "eager_us": number(profile.get("total_us")),
        "compiled_us": judged.timing.compiled_us if judged is not None and judged.timing is not None else None,
        "bound_us": number(bound.get("bound_us")),
        "limited_by": one_line(str(bound.get("limited_by", ""))),
        "launch_us": number(bound.get("launch_us")),
        "statements": _timed(profile.get("statements")),
        "kernels": _timed(profile.get("kernels")),
    }


def _timed(rows: object) -> list[list[object]]:
    """Names and microseconds, the longest first."""
    known = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    found = [[clip(one_line(str(row.get("name", ""))), 160), number(row.get("us")) or 0.0] for row in known]
    return sorted(found, key=lambda row: -float(str(row[1])))[:_MOST_ROWS]


def number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def clip(text: str, limit: int = _LONGEST) -> str:
    """The beginning of a long text, and how much follows."""
    return text if len(text) <= limit else f"{text[:limit]}\n... {len(text) - limit} characters more ..."
