"""Episodes for the page: their figures, the best score after each step, and what each step did."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from passnet.agent.record.figures import VariantFigures
from passnet.agent.record.records import End, EpisodeStep, Message, Resume, steps_of
from passnet.agent.run.summary import best_at_k, pass_at_k
from passnet.authored import one_line
from passnet.report.marks import Drawing
from passnet.report.plots import lines
from passnet.report.run.file_edits import EditedFiles
from passnet.report.run.names import shown_name
from passnet.report.run.reading import EpisodeData, RunData
from passnet.score import Outcome, ScoreParams

# The worth of a task without passes: what a failure counts.
FLOOR: Final = ScoreParams().b
_TEXT: Final = 12_000
_RESAMPLES: Final = 1000


@dataclass(frozen=True)
class EpisodeFigures:
    """One row of the table of episodes. `key`: its name in links. `course`: the best score so far, by step."""

    key: str
    task: str
    attempt: int
    author: str
    seed: bool
    finished: bool
    score: float | None
    first_score: float | None
    best_step: int | None
    steps: int
    evaluations: int
    tokens: int
    cost_usd: float | None
    seconds: float
    exit_reason: str
    all_right: bool
    course: tuple[tuple[int, float], ...]


def figures_of(run: RunData, episode: EpisodeData) -> EpisodeFigures:
    """The figures of an episode, finished or open."""
    start, steps = episode.start, steps_of(list(episode.records))
    end = next((record for record in reversed(episode.records) if isinstance(record, End)), None)
    scored = [(step.number, step.observation.score) for step in steps if step.observation.score is not None]
    used = end.used if end is not None else steps[-1].used if steps else None
    return EpisodeFigures(
        key=f"{run.name}/{one_line(episode.place).removeprefix('tasks/')}",
        task=shown_name(start.task),
        attempt=start.attempt,
        author=one_line(start.author),
        seed=episode.seed,
        finished=episode.finished,
        score=end.score if end is not None else None,
        first_score=scored[0][1] if scored else None,
        best_step=end.best_step if end is not None else None,
        steps=len(steps),
        evaluations=used.evaluations if used else 0,
        tokens=used.tokens if used else 0,
        cost_usd=used.cost_usd if used else 0.0,
        seconds=used.wall_s if used else 0.0,
        exit_reason=end.exit_reason.value if end is not None and episode.finished else "open",
        all_right=_all_right(episode, end),
        course=tuple(_course(scored, len(steps))),
    )


def _course(scored: Sequence[tuple[int, float]], steps: int) -> Iterator[tuple[int, float]]:
    """The best score after each step at which it rose, from the floor on, and at the end."""
    best = FLOOR
    yield 0, best
    for number, score in scored:
        if score > best:
            best = score
            yield number, best
    yield max(steps, 1), best


def mean_course(episodes: Sequence[EpisodeFigures]) -> list[tuple[float, float]]:
    """The mean over episodes of the best score so far, by step. An episode that ended keeps its best."""
    played = [episode.course for episode in episodes if not episode.seed]
    if not played:
        return []
    rises: dict[int, float] = {}
    for course in played:
        before = 0.0
        for step, score in course:
            rises[step] = rises.get(step, 0.0) + score - before
            before = score
    steps = sorted(rises)
    sums = itertools.accumulate(rises[step] for step in steps)
    return [(step, total / len(played)) for step, total in zip(steps, sums, strict=True)]


@dataclass(frozen=True)
class AtK:
    """Means over tasks for k = 1 ... n attempts, with intervals that resample tasks."""

    best: tuple[tuple[float, float, float], ...]
    passed: tuple[float, ...]
    tasks: int


def at_k(run: RunData, episodes: Sequence[EpisodeFigures]) -> AtK:
    """best@k and pass@k over the tasks whose attempts are all finished."""
    tasks: dict[str, list[EpisodeFigures]] = {}
    for episode in episodes:
        if not episode.seed:
            tasks.setdefault(episode.task, []).append(episode)
    wanted = run.settings.get("attempts")
    attempts = wanted if isinstance(wanted, int) and wanted > 0 else 1
    done = [rows for rows in tasks.values() if len(rows) == attempts and all(row.finished for row in rows)]
    if not done:
        return AtK((), (), 0)
    curves = [[value or 0.0 for value in best_at_k([row.score for row in rows])] for rows in done]
    passed = [pass_at_k([row.all_right for row in rows]) for rows in done]
    best = tuple(_with_interval([curve[k] for curve in curves]) for k in range(attempts))
    return AtK(best, tuple(sum(curve[k] for curve in passed) / len(passed) for k in range(attempts)), len(done))


def _all_right(episode: EpisodeData, end: End | None) -> bool:
    """Whether every variant was right in what counts of an episode."""
    if end is None:
        return False
    graphs: Sequence[VariantFigures] = end.confirmed.graphs if end.confirmed is not None else ()
    if end.confirmed is None:
        best = next((step for step in steps_of(list(episode.records)) if step.number == end.best_step), None)
        found = best.observation.evaluation if best is not None else None
        graphs = found.graphs if found is not None else ()
    return bool(graphs) and all(graph.outcome is Outcome.CORRECT for graph in graphs)


def _with_interval(values: Sequence[float]) -> tuple[float, float, float]:
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, mean, mean
    draw = random.Random(0)
    means = sorted(math.fsum(draw.choices(values, k=len(values))) / len(values) for _ in range(_RESAMPLES))
    return mean, means[round(0.025 * (_RESAMPLES - 1))], means[round(0.975 * (_RESAMPLES - 1))]


def course_drawing(episode: EpisodeFigures) -> Drawing:
    """The best score so far of one episode."""
    return lines("Best AS so far", {"best AS": episode.course}, x="step", y="AS", steps=True)


def costs(episodes: Sequence[EpisodeFigures]) -> dict[str, float | None]:
    """What all episodes of a run used. None where one did not say."""
    known = [episode.cost_usd for episode in episodes]
    return {
        "episodes": len(episodes),
        "finished": sum(episode.finished for episode in episodes),
        "steps": sum(episode.steps for episode in episodes),
        "evaluations": sum(episode.evaluations for episode in episodes),
        "tokens": sum(episode.tokens for episode in episodes),
        "cost_usd": None if None in known else math.fsum(cost for cost in known if cost is not None),
        "hours": math.fsum(episode.seconds for episode in episodes) / 3600,
    }


def tools_used(run: RunData) -> Counter[str]:
    return Counter(one_line(step.tool)[:40] for episode in run.episodes for step in steps_of(list(episode.records)))


def block_of(episode: EpisodeData, figures: EpisodeFigures, *, texts: bool = True) -> dict[str, Any]:
    """An episode as its viewer shows it. Without `texts` only tools, scores and times are kept."""
    folder = EditedFiles(dict(episode.start.seed_files))
    items = [item for record in episode.records if (item := _item(record, folder, texts=texts)) is not None]
    return {
        "key": figures.key,
        "task": figures.task,
        "author": figures.author,
        "attempt": figures.attempt,
        "device": one_line(episode.start.device),
        "policy": one_line(episode.start.policy),
        "settings": episode.start.author_settings if texts else {},
        "budget": episode.start.budget.model_dump(),
        "began_with": sorted(episode.start.seed_files),
        "opening": clipped(episode.start.opening) if texts else "",
        "score": figures.score,
        "course": course_drawing(figures).to_json(),
        "texts": texts,
        "items": items,
    }


def _item(record: object, folder: EditedFiles, *, texts: bool) -> dict[str, Any] | None:
    match record:
        case Message():
            usage = record.usage.model_dump() if record.usage is not None else None
            return {
                "is": "message",
                "role": record.role,
                "text": clipped(record.content) if texts else "",
                "usage": usage,
            }
        case EpisodeStep():
            return _step(record, folder, texts=texts)
        case Resume():
            return {"is": "resume"}
        case End():
            detail = one_line(record.detail)[:2000] if record.detail else None
            return {"is": "end", "reason": record.exit_reason.value, "detail": detail, "AS": record.score,
                    "best_AS": record.best_score, "best_step": record.best_step,
                    "confirmed": record.confirmed is not None}  # fmt: skip
    return None


def _step(step: EpisodeStep, folder: EditedFiles, *, texts: bool) -> dict[str, Any]:
    seen = step.observation
    change = folder.apply(step)
    found = seen.evaluation
    item: dict[str, Any] = {
        "is": "step",
        "n": step.number,
        "tool": one_line(step.tool)[:60],
        "ok": seen.ok,
        "AS": seen.score,
        "seconds": step.seconds,
        "best": found.best if found is not None else False,
        "repeated": found.repeated if found is not None else False,
        "graphs": [[g.graph, g.outcome.value, g.speedup] for g in found.graphs] if found is not None and texts else [],
    }
    if texts:
        item |= {
            "arguments": clipped(_arguments(step.arguments, changed=change is not None)),
            "malformed": clipped(step.malformed) if step.malformed is not None else None,
            "text": clipped(seen.text),
            "diff": change,
        }
    return item


def _arguments(arguments: Mapping[str, Any], *, changed: bool) -> str:
    """Arguments one a line. What a diff shows is left out."""
    hidden = {"text", "old", "new"} if changed else set()
    return "\n".join(f"{name} = {value}" for name, value in arguments.items() if name not in hidden)


def clipped(text: str) -> str:
    """The text without its middle when it is too long; it says how much is missing."""
    if len(text) <= _TEXT:
        return text
    return f"{text[: _TEXT // 2]}\n... {len(text) - _TEXT} characters left out ...\n{text[-_TEXT // 2 :]}"
