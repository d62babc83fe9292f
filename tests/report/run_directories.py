"""Run directories as `passnet eval` and `passnet agent` write them, made from a seed. Nothing is measured."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from passnet.agent.env.tools import DECLARED
from passnet.agent.record.budget import Budget, Usage, Used
from passnet.agent.record.names import ExitReason
from passnet.agent.record.observation import Observation
from passnet.agent.record.records import End, EpisodeRecord, EpisodeStep, Message, Start
from passnet.bench.layers import LAYERS
from passnet.bench.names import WITH_PASSES
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import Finding, GraphRecord, MaxError, ProcessTiming, Timing
from passnet.graph import Task
from passnet.rewrite import read_pass_set
from passnet.score import Outcome

BUNDLED = Path(__file__).parents[2] / "data" / "tasks"
ENVIRONMENT = {
    "passnet": "0.1.0", "revision": "0123456789ab", "python": "3.11.7", "torch": "2.13.0", "system": "Linux 6.1",
    "cpu": "a processor", "gpu": "a device", "cores": 16, "device": "cuda",
}  # fmt: skip
_OUTCOMES = [
    (Outcome.CORRECT, 80), (Outcome.ACCURACY, 6), (Outcome.NO_MATCH, 5), (Outcome.RUNTIME_ERROR, 3),
    (Outcome.COMPILE_ERROR, 2), (Outcome.INTEGRITY, 2), (Outcome.UNSTABLE, 1), (Outcome.TIMEOUT, 1),
]  # fmt: skip


@dataclass(frozen=True)
class Named:
    """What a record says of a graph. A hash that no graph has: the graph is not at hand."""

    task: str
    graph: str
    graph_hash: str = "0" * 64
    pass_set_hash: str | None = "1" * 64


def tasks_at(directory: Path, count: int) -> list[Path]:
    """So many task directories: the bundled ones under other names. Their files are shared where the disk can."""
    bundled = sorted(path for path in BUNDLED.iterdir() if path.is_dir())
    made = []
    for number in range(count):
        source = bundled[number % len(bundled)]
        made.append(directory / f"{source.name}_{number:03d}")
        shutil.copytree(source, made[-1], copy_function=_shared)
    return made


def _shared(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def named(paths: Sequence[Path], graphs: int) -> list[Named]:
    """The first graphs of tasks with their hashes. A task with fewer has those that it has."""
    found = []
    for path in paths:
        task = Task.read(path)
        passes = read_pass_set(task.pass_dir).content_hash
        found += [Named(task.name, ref.name, ref.load().content_hash, passes) for ref in task.refs[:graphs]]
    return found


def record(of: Named, draw: random.Random, outcome: Outcome | None = None, **fields: Any) -> GraphRecord:
    """One verdict. Its figures are drawn; `fields` replace what was drawn."""
    kinds, weights = zip(*_OUTCOMES, strict=True)
    outcome = outcome or draw.choices(kinds, weights)[0]
    known: dict[str, Any] = {
        "task": of.task, "graph": of.graph, "graph_hash": of.graph_hash, "pass_set_hash": of.pass_set_hash,
        "protocol_hash": Protocol().content_hash, "compiler": "passes", "device": "cpu", "outcome": outcome,
        "seconds": draw.uniform(2, 20), "compared_calls": 40, "input_seed": draw.randrange(2**31),
        "sandbox": LAYERS,
    }  # fmt: skip
    if fields.get("compiler", "passes") not in WITH_PASSES:
        known |= {"pass_set_hash": None, "sandbox": None}
    known |= _of_outcome(outcome, draw)
    return GraphRecord(**(known | fields))


def _of_outcome(outcome: Outcome, draw: random.Random) -> dict[str, Any]:
    if outcome is Outcome.CORRECT:
        error = MaxError(abs=draw.random() * 1e-5, rel=1e-6, fp64_ratio=1.1)
        return {"correct_at": draw.randint(-10, -5), "timing": timing(draw.lognormvariate(0.25, 0.35), draw),
                "max_error": error, "replacements": {"Fuse": 1}, "own_kernels": draw.random() > 0.02}  # fmt: skip
    if outcome is Outcome.NO_MATCH:
        miss = {"graph": "g", "rule": "Fuse", "pattern_node": "add", "expected": "add", "found": "mul",
                "reason": "the graph has another operation here"}  # fmt: skip
        return {"near_misses": (miss,), "detail": "no rule matched"}
    if outcome is Outcome.INTEGRITY:
        layer = draw.choice(["run-time guard", "output truth", "clock truth", "proof of work"])
        found = Finding(**{"class": "kept_state", "layer": layer, "evidence": "a tensor was kept between calls"})
        return {"findings": (found,), "detail": found.evidence}
    return {"detail": f"{outcome}: output 0 is off by {draw.random():.4f} at {draw.randrange(4096)}"}


def timing(speedup: float, draw: random.Random, **fields: Any) -> Timing:
    eager, wide = draw.uniform(20, 900), draw.uniform(0.005, 0.04)
    off, control = draw.uniform(1.001, 1.01), draw.gauss(1, 0.003)
    pairs = tuple(
        ProcessTiming(quads=12, calls=40, ratio=speedup * off**by, eager_us=eager * off**by,
                      compiled_us=eager / speedup, control_ratio=control, harness_us=1.5)
        for by in (-1, 0, 1)
    )  # fmt: skip
    known: dict[str, Any] = {
        "speedup": speedup, "speedup_ci": (speedup / (1 + wide), speedup * (1 + wide)), "precision": 0.05,
        "ended": "narrow", "eager_us": eager, "compiled_us": eager / speedup, "control_ratio": control,
        "processes": pairs, "deployed_speedup": speedup * draw.uniform(0.85, 1.0),
        "cold_speedup": speedup * draw.uniform(0.9, 1.1),
    }  # fmt: skip
    known |= fields
    low, high = known["speedup_ci"]
    if "ended" not in fields and high > low * (1 + known["precision"]) ** 2:
        known["ended"] = "limit"
    return Timing(**known)


def write_evaluation(path: Path, records: Sequence[GraphRecord], **settings: Any) -> Path:
    """A run of `passnet eval` with these records."""
    known = {"schema": 1, "paths": [], "device": "cpu", "compiler": "passes", "graphs": None,
             "protocol": Protocol().model_dump()}  # fmt: skip
    _begin(path, known | settings)
    (path / "records.jsonl").write_text("".join(f"{one.model_dump_json(by_alias=True)}\n" for one in records))
    return path


def _begin(path: Path, settings: dict[str, Any]) -> None:
    path.mkdir(parents=True)
    (path / "environment.json").write_text(json.dumps(ENVIRONMENT))
    (path / "settings.json").write_text(json.dumps(settings))


def write_agent(
    path: Path, records: Sequence[GraphRecord], attempts: int, draw: random.Random, **settings: Any
) -> Path:
    """A run of `passnet agent` with episodes for every task of the records."""
    agent = {"kind": "agent", "author": "openai:some-model", "attempts": attempts, "budget": Budget().model_dump()}
    write_evaluation(path, records, **(agent | settings))
    tasks = list(dict.fromkeys(one.task for one in records))
    for task in tasks:
        for attempt in range(attempts):
            write_episode(path / "tasks" / task.replace("/", "_") / f"attempt-{attempt}", episode(task, attempt, draw))
    (path / "summary.json").write_text(json.dumps({"tasks_total": len(tasks)}))
    return path


def write_episode(directory: Path, records: Sequence[EpisodeRecord]) -> Path:
    directory.mkdir(parents=True)
    (directory / "episode.jsonl").write_text("".join(f"{one.model_dump_json()}\n" for one in records))
    return directory


def episode(task: str, attempt: int, draw: random.Random, rounds: int = 6, **fields: Any) -> list[EpisodeRecord]:
    """One finished episode: a look, and rounds of writing, checking and evaluating."""
    start = Start(
        at=0, task=task, task_hash="h", attempt=attempt, seed=1, author="openai:some-model",
        author_settings={"model": "some-model"}, device="cpu", protocol_hash=Protocol().content_hash, policy="strict",
        budget=Budget(), opening=f"Make the graphs of {task} faster. {_prose(draw, 300)}",
        tools=[declared.schema for declared in DECLARED.values()],
    ).model_copy(update=fields)  # fmt: skip
    builder = _Episode(draw)
    builder.step("inspect_graph", {}, _prose(draw, 500), data={"graphs": [_bound(draw)]})
    builder.step("profile", {}, _prose(draw, 200), data=_profile(draw))
    best = 0.0
    for number in range(rounds):
        builder.say(_prose(draw, 120))
        text = _pass_text(draw)
        builder.step("create", {"path": "Fuse.py", "text": text}, f"wrote Fuse.py, {len(text.splitlines())} lines")
        builder.step("check", {}, _prose(draw, 60))
        score = draw.lognormvariate(0.1, 0.4) if number else 0.1
        data = _evaluated(score, score > best, builder.number + 1)
        builder.step("evaluate", {}, _prose(draw, 150), data=data, score=score, counted=True)
        best = max(best, score)
    builder.step("submit", {}, "submitted", data={"best_step": 3, "AS": best}, done=True)
    end = End(at=1, exit_reason=ExitReason.SUBMITTED, score=best, best_score=best, best_step=builder.best_step,
              used=builder.used())  # fmt: skip
    return [start, *builder.records, end]


class _Episode:
    """Records in the making."""

    def __init__(self, draw: random.Random) -> None:
        self.draw, self.number, self.best_step, self.evaluations = draw, 0, 0, 0
        self.records: list[EpisodeRecord] = []

    def used(self) -> Used:
        steps, spent = self.number, 900 * self.number
        return Used(steps=steps, evaluations=self.evaluations, tokens=spent, cost_usd=spent * 2e-6, wall_s=9.0 * steps)

    def say(self, text: str) -> None:
        usage = Usage(prompt_tokens=800, completion_tokens=100, cost_usd=0.001)
        self.records.append(Message(at=0, role="assistant", content=text, usage=usage, used=self.used()))

    def step(
        self, tool: str, arguments: dict[str, Any], text: str, data: dict[str, Any] | None = None, **fields: Any
    ) -> None:
        counted = fields.pop("counted", False)
        self.number += 1
        self.evaluations += counted
        if data is not None and data.get("best"):
            self.best_step = self.number
        seen = Observation(tool=tool, ok=True, text=text, data=data or {}, **fields)
        self.records.append(
            EpisodeStep(
                at=0, number=self.number, tool=tool, arguments=arguments, call_id=f"c{self.number}", said=True,
                observation=seen, files_hash="f", counted=counted, used=self.used(), seconds=self.draw.uniform(0, 9),
            )
        )  # fmt: skip


def _evaluated(score: float, best: bool, step: int) -> dict[str, Any]:
    row = {"graph": "float32/0", "outcome": "correct", "speedup": score, "speedup_ci": [score, score], "correct_at": -6}
    return {"AS": score, "partial": False, "repeated": False, "best": best, "best_AS": score, "best_step": step,
            "pass_set_hash": "p", "graphs": [row], "gains": {}}  # fmt: skip


def _bound(draw: random.Random) -> dict[str, Any]:
    return {
        "graph": "float32/0",
        "roofline": {"bound_us": draw.uniform(5, 20), "limited_by": "memory", "launch_us": 9.0},
    }


def _profile(draw: random.Random) -> dict[str, Any]:
    rows = [{"index": n, "name": f"tmp_{n}", "us": draw.uniform(1, 40)} for n in range(6)]
    kernels = [{"name": f"void at::native::kernel_{n}<float>", "count": 1, "us": draw.uniform(1, 20)} for n in range(4)]
    return {"graph": "float32/0", "device": "cuda", "total_us": 120.0, "statements": rows, "kernels": kernels}


def _prose(draw: random.Random, words: int) -> str:
    """Text about as hard to compress as what a model writes."""
    return " ".join(draw.choice(_WORDS) for _ in range(words))


_WORDS = sorted({word for path in sorted(BUNDLED.glob("*/pass_dir/*.py"))[:12] for word in path.read_text().split()})
_PASSES = [path.read_text() for path in sorted(BUNDLED.glob("*/pass_dir/*.py"))]


def _pass_text(draw: random.Random) -> str:
    """A pass of a bundled task, with some lines changed."""
    lines = draw.choice(_PASSES).splitlines()
    for _ in range(6):
        lines[draw.randrange(len(lines))] = f"    value_{draw.randrange(10**6)} = {draw.random()}"
    return "\n".join(lines) + "\n"
