"""`passnet bisect`: the smallest piece of a graph that still goes wrong, or still loses, under a compiler.

Wrong: the piece ends as the whole does. Loses: it is slower than eager beyond its interval, and by at least
half of the microseconds that the whole loses. So an operator that is only called clumsily does not count.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from passnet import environment
from passnet.bench.engine.engine import SAME_MACHINE
from passnet.bench.evaluate import admit, read_passes
from passnet.bench.names import WITH_PASSES, PolicyLevel, file_word, package_of
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import SETTINGS, Run, read_settings
from passnet.bench.wire.requests import PassFiles
from passnet.diagnose.halving import Halving, Range
from passnet.diagnose.ranges import RangePiece, Ranges
from passnet.diagnose.search_judge import Look, SearchJudge
from passnet.errors import UsageError, first_line
from passnet.graph import Graph, Task
from passnet.graph.targets import Target, find_targets
from passnet.graph.task import PASS_DIR
from passnet.score import OUTCOME_RULES, Outcome, Owner

Trouble = Literal["wrong", "slow"]
TROUBLES: tuple[Trouble, ...] = ("wrong", "slow")
# A piece counts as losing when it loses this share of what the whole loses.
_SHARE = 0.5
# Building and the first call of one piece. A compiler that hangs is asked some ten times.
_BUILD_S, _FIRST_CALL_S = 120.0, 60.0


@dataclass(frozen=True)
class BisectRequest:
    """The settings of `passnet bisect`. `out`: the task that is written. `graph`: one of a task. None: the first bad.

    `look_for`: which trouble. None: a wrong one, and where nothing is wrong a slow one. `minutes`: 0 for any time.
    """

    path: Path
    compiler: str
    out: Path
    device: str = "cpu"
    graph: str | None = None
    look_for: Trouble | None = None
    minutes: float = 15.0
    policy: PolicyLevel = "strict"
    threads: int = 1
    sandbox: bool = True
    overwrite: bool = False
    overrides: dict[str, object] = field(default_factory=dict)

    def protocol(self) -> Protocol:
        """It ends a timing as soon as it is sure on which side of eager a piece is."""
        settings: dict[str, object] = {"build_s": _BUILD_S, "first_call_s": _FIRST_CALL_S}
        chosen = {"precision": 0.05, "question": "decided", "threads": self.threads, "sandbox": self.sandbox}
        return make("direct", device=self.device, policy=self.policy, **(settings | chosen | self.overrides))

    @property
    def work(self) -> Path:
        """The directory of the records, from which the same command goes on."""
        return self.out.with_name(f"{self.out.name}.run")


@dataclass(frozen=True)
class BisectStep:
    """One range was tried. `record`: None where it gives no graph, for the `reason`."""

    graph: str
    place: Range
    shows: bool
    record: GraphRecord | None
    reason: str | None = None


@dataclass(frozen=True)
class Bisected:
    """What was found. `trouble`: None where the graphs show none. `piece`, `record`: the smallest that shows it.

    `complete`: the search came to its end. `untried`: ranges that give no graph of their own, or no verdict.
    """

    task: str
    graph: str
    trouble: Trouble | None
    whole: GraphRecord
    operators: int
    piece: RangePiece | None = None
    record: GraphRecord | None = None
    out: Path | None = None
    complete: bool = True
    untried: int = 0

    def to_json(self) -> dict[str, Any]:
        found = None
        if self.piece is not None and self.record is not None:
            start, end = self.piece.place
            found = {"start": start, "end": end, "ops": list(self.piece.ops), "verified": self.piece.verified}
            found |= _figures(self.record)
        return {
            "task": self.task,
            "graph": self.graph,
            "shows": self.trouble,
            "operators": self.operators,
            "whole": _figures(self.whole),
            "piece": found,
            "out": None if self.out is None else str(self.out),
            "complete": self.complete,
            "untried": self.untried,
        }


def bisect(request: BisectRequest, report: Callable[[BisectStep], None]) -> Bisected:
    """Judge the graphs, search in the first that shows a trouble, and write the piece as a task.

    Errors: UsageError for paths and passes that cannot be read, for an existing `out`, and for a graph whose whole
    cannot be judged.
    """
    environment.check_device(request.device)
    target = _target(request)
    passes = _passes(request, target)
    machine = environment.snapshot(request.device)
    settings = _settings(request, target, passes, machine)
    _make_way(request, settings)
    run = Run.open(request.work, settings, machine, checks=True, elsewhere="name another place with --out")
    judged = SearchJudge(run, target.name, request.compiler, request.device, request.protocol(), passes)
    with closing(judged):
        return _Search(request, target, judged, report).all()


def default_out(path: Path, compiler: str) -> Path:
    """The task that is written where none is named."""
    return Path("bisected") / f"{path.resolve().name}-{file_word(compiler)}"


@dataclass
class _Search:
    """One command's way: the whole graphs, then ranges of the first that is bad."""

    request: BisectRequest
    target: Target
    judged: SearchJudge
    report: Callable[[BisectStep], None]
    untried: int = 0
    _deadline: float = 0.0

    def all(self) -> Bisected:
        self._deadline = time.monotonic() + (self.request.minutes * 60 or float("inf"))
        seen: GraphRecord | None = None
        for trouble in (self.request.look_for,) if self.request.look_for else TROUBLES:
            for name, _, graph in self.target.graphs:
                ranges = Ranges(replace(graph, name=name))
                seen = self._record(ranges.graph, trouble)
                self._refuse_unjudged(name, seen)
                shows = _shows(seen, seen, trouble)
                self.report(BisectStep(name, ranges.whole, shows, seen))
                if shows:
                    return self._found(name, ranges, trouble, seen)
        assert seen is not None
        last, _, graph = self.target.graphs[-1]
        return Bisected(self.target.name, last, None, seen, len(Ranges(graph).parent.calls))

    def _record(self, graph: Graph, trouble: Trouble) -> GraphRecord:
        look: Look = "checked" if trouble == "wrong" else "timed"
        return self.judged.record(graph, look)

    def _refuse_unjudged(self, name: str, record: GraphRecord) -> None:
        if OUTCOME_RULES[record.outcome].owner is Owner.CANDIDATE or record.outcome is Outcome.UNSTABLE:
            return
        why = first_line(record.detail or "no reason is known")
        raise UsageError(f"cannot be judged: {record.outcome}: {why}", path=self.request.path, field=name)

    def _found(self, name: str, ranges: Ranges, trouble: Trouble, whole: GraphRecord) -> Bisected:
        halving = Halving(lambda place: self._try(name, ranges, trouble, whole, place), ranges.whole)
        complete = True
        try:
            halving.run()
        except _TimeIsUp:
            complete = False
        piece = ranges.piece(halving.best)
        assert isinstance(piece, RangePiece)
        self._write(piece)
        record = whole if piece.place == ranges.whole else self._record(piece.graph, trouble)
        return Bisected(
            self.target.name, name, trouble, whole, ranges.whole[1], piece, record, self.request.out, complete,
            self.untried,
        )  # fmt: skip

    def _try(self, name: str, ranges: Ranges, trouble: Trouble, whole: GraphRecord, place: Range) -> Range | None:
        """The range that shows the trouble as the whole does. None where it does not, or nobody can tell."""
        if time.monotonic() >= self._deadline:
            raise _TimeIsUp
        piece = ranges.piece(place)
        if isinstance(piece, str):
            self.untried += 1
            self.report(BisectStep(name, place, False, None, piece))
            return None
        record = self._record(piece.graph, trouble)
        shows = _shows(record, whole, trouble)
        self.untried += OUTCOME_RULES[record.outcome].owner is not Owner.CANDIDATE
        self.report(BisectStep(name, piece.place, shows, record))
        return piece.place if shows else None

    def _write(self, piece: RangePiece) -> None:
        graph = piece.graph if piece.verified else replace(piece.graph, name="whole")
        Task.write(self.request.out, [graph], overwrite=True)  # `_make_way` has looked
        for file, text in (self.judged.passes.files if self.judged.passes else {}).items():
            (self.request.out / PASS_DIR / file).write_text(text, encoding="utf-8", newline="")


class _TimeIsUp(Exception):
    """The minutes are used up. What was found so far counts."""


def _shows(record: GraphRecord, whole: GraphRecord, trouble: Trouble) -> bool:
    if trouble == "wrong":
        rule = OUTCOME_RULES[record.outcome]
        bad = rule.owner is Owner.CANDIDATE and record.outcome not in (Outcome.CORRECT, Outcome.NO_MATCH)
        return bad and _alike(record.outcome) == _alike(whole.outcome)
    loss, of_whole = _loss_us(record), _loss_us(whole)
    return loss is not None and of_whole is not None and loss >= _SHARE * of_whole


def _alike(outcome: Outcome) -> Outcome:
    """Wrong values count as one trouble, whether the next operators make numbers or NaN of them."""
    return Outcome.ACCURACY if outcome is Outcome.NAN_INF else outcome


def _loss_us(record: GraphRecord) -> float | None:
    """Microseconds that a call loses against eager. None where it is not surely slower, or was not timed."""
    timing = record.timing
    if timing is None or timing.speedup_ci[1] >= 1.0:
        return None
    return timing.compiled_us - timing.eager_us


def _figures(record: GraphRecord) -> dict[str, Any]:
    timing = record.timing
    return {
        "outcome": record.outcome.value,
        "detail": record.detail,
        "correct_at": record.correct_at,
        "max_error": None if record.max_error is None else record.max_error.model_dump(),
        "speedup": None if timing is None else timing.speedup,
        "speedup_ci": None if timing is None else list(timing.speedup_ci),
        "eager_us": None if timing is None else timing.eager_us,
        "compiled_us": None if timing is None else timing.compiled_us,
        "compile_s": record.compile_s,
    }


def _target(request: BisectRequest) -> Target:
    """The one task or graph of the path, with the graphs that are asked for."""
    targets = find_targets([request.path])
    if len(targets) != 1:
        raise UsageError("is not one task or graph", path=request.path, expected="one", found=f"{len(targets)} of them")
    target = targets[0]
    if request.graph is None:
        return target
    wanted = tuple(graph for graph in target.graphs if graph[0] == request.graph)
    if not wanted:
        names = ", ".join(name for name, _, _ in target.graphs[:8])
        raise UsageError(
            "no such graph in the task", path=request.path, field="--graph", expected=f"one of {names}",
            found=repr(request.graph),
        )  # fmt: skip
    return replace(target, graphs=wanted)


def _passes(request: BisectRequest, target: Target) -> PassFiles | None:
    if request.compiler not in WITH_PASSES:
        return None
    passes, decided = admit(read_passes(target), request.policy)
    if decided is not None:
        raise UsageError(f"the passes are refused before anything runs: {decided.detail}", path=request.path)
    return passes


def _make_way(request: BisectRequest, settings: dict[str, Any]) -> None:
    """Refuse what others wrote, unless it may be replaced. What an earlier run of this very search wrote is not."""
    known = read_settings(request.work) if (request.work / SETTINGS).exists() else None
    if known is not None and {key: known.get(key) for key in settings} == settings:
        return
    for path in (request.out, request.work):
        if path.exists() and not request.overwrite:
            what = "already exists" if known is None or path == request.work else "is of another search"
            raise UsageError(what, path=path, field="--out", hint="name another, or --overwrite")
    if known is not None and known.get("command") == settings["command"]:
        shutil.rmtree(request.work)


def _settings(
    request: BisectRequest, target: Target, passes: PassFiles | None, machine: dict[str, Any]
) -> dict[str, Any]:
    return {
        "command": "bisect",
        "graphs": {name: graph.content_hash for name, _, graph in target.graphs},
        "passes": passes.content_hash if passes else None,
        "compiler": request.compiler,
        "compiler_package": package_of(request.compiler),
        "device": request.device,
        "protocol": request.protocol().model_dump(),
        "machine": {key: machine.get(key) for key in SAME_MACHINE},
    }
