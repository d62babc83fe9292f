"""A run of an author over tasks: resumed by name, live, one file of results that is whole at every moment."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from passnet.agent.authors.base import Author
from passnet.agent.authors.registry import make_author
from passnet.agent.episode import BEST_DIR
from passnet.agent.journal import Journal, end_of
from passnet.agent.play import MESSAGES, Watcher, play
from passnet.agent.records import End, EpisodeRecord, Step
from passnet.agent.relay import Relay, Stopped
from passnet.agent.request import SEED, AgentRequest, Plan, find_tasks, plans, task_path
from passnet.agent.results import collect
from passnet.agent.seeds import Seeder, files_to_begin_with, read_passes, seed_author
from passnet.agent.summary import SUMMARY, TaskResult, summary
from passnet.agent.workbench import KeptWorkbench, LiveWorkbench, Workbench
from passnet.bench import environment
from passnet.bench.protocol import Protocol
from passnet.bench.run import Run, write_json
from passnet.bench.targets import Target
from passnet.errors import UsageError

_POLL_S, _GRACE_S = 0.2, 10.0


@dataclass(frozen=True)
class Progress:
    """Where a run stands after a record. `done` of `total` episodes, `best`: the episode's score so far."""

    done: int
    total: int
    task: str
    attempt: int
    record: EpisodeRecord
    best: float | None
    cost_usd: float
    eta_s: float | None


@dataclass
class _Board:
    """Counts what happens, for those who watch; called from the threads of all episodes."""

    total: int
    report: Callable[[Progress], None]
    jobs: int
    done: int = 0
    played: int = 0
    cost: dict[str, float] = field(default_factory=dict)
    best: dict[str, float] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def watcher(self, plan: Plan, *, seed: bool = False) -> Watcher:
        """`seed`: the episode only makes what another begins with, and is none of those counted."""

        def watch(record: EpisodeRecord) -> None:
            with self.lock:
                self._count(plan, record, seed)
                self.report(
                    Progress(
                        self.done,
                        self.total,
                        plan.target.name,
                        plan.attempt,
                        record,
                        self.best.get(plan.name),
                        sum(self.cost.values()),
                        self._eta(),
                    )
                )

        return watch

    def _count(self, plan: Plan, record: EpisodeRecord, seed: bool) -> None:
        if isinstance(record, Step | End):
            self.cost[str(plan.directory)] = record.used.cost_usd
        if seed:
            return
        if isinstance(record, Step) and record.observation.data.get("best"):
            self.best[plan.name] = float(record.observation.data["AS"])
        if isinstance(record, End) and record.exit_reason.final:
            self.done += 1
            self.played += 1
            if record.score is not None:
                self.best[plan.name] = record.score

    def _eta(self) -> float | None:
        """Seconds for what is left, at the rate of this session; None until an episode was played."""
        if not self.played:
            return None
        return (time.monotonic() - self.began) / self.played * (self.total - self.done)


Opener = Callable[[str, Protocol, Path], AbstractContextManager[KeptWorkbench]]


def run_agent(
    request: AgentRequest, report: Callable[[Progress], None], open_bench: Opener | None = None
) -> dict[str, Any]:
    """Play every episode that is not finished; the run's summary. What a user got wrong is raised before writing."""
    environment.check_device(request.device)
    author = make_author(request.author)
    targets = find_tasks(request)
    seeder = files_to_begin_with(request.seed_from, request.run_path.parent)
    seeding = seed_author(request.seed_from)
    _check_jobs(request, author, seeding)
    for target in targets:
        seeder(target)
    machine = environment.snapshot(request.device)
    same = {key: machine.get(key) for key in ("passnet", "torch", "cpu", "gpu")}
    run = Run.open(request.run_path, request.settings(author) | {"machine": same}, machine)
    try:
        opened = (open_bench or LiveWorkbench)(request.device, request.protocol, request.run_path)
        with opened as bench:
            return _Session(request, author, seeding, seeder, run, bench, targets).run_all(report)
    finally:
        run.close()


@dataclass
class _Session:
    """All that the episodes of one run share."""

    request: AgentRequest
    author: Author
    seeding: Author | None
    seeder: Seeder
    run: Run
    bench: KeptWorkbench
    targets: Sequence[Target]
    results: dict[str, TaskResult] = field(default_factory=dict)
    seed_locks: dict[str, threading.Lock] = field(default_factory=lambda: defaultdict(threading.Lock))

    def run_all(self, report: Callable[[Progress], None]) -> dict[str, Any]:
        episodes = plans(self.request, self.targets)
        open_ones = [plan for plan in episodes if end_of(Journal(plan.directory).read()) is None]
        board = _Board(len(episodes), report, self.request.jobs, done=len(episodes) - len(open_ones))
        left = {target.name: self.request.attempts for target in self.targets}
        for plan in episodes:
            left[plan.target.name] -= plan not in open_ones
        try:
            for target in self.targets:
                if not left[target.name]:
                    self._finish(target)
            for plan in self._played(open_ones, board):
                left[plan.target.name] -= 1
                if not left[plan.target.name]:
                    self._finish(plan.target)
        finally:
            document = self._summary()
            write_json(self.request.run_path / SUMMARY, document)
            self._write_messages(episodes)
        return document

    # --- episodes --------------------------------------------------------------------------------------------

    def _played(self, open_ones: Sequence[Plan], board: _Board) -> Iterator[Plan]:
        """Plays the episodes, one after the other or several at a time; each as it is finished."""
        jobs = min(self.request.jobs, len(open_ones))
        if jobs > 1:
            yield from self._in_threads(open_ones, board, jobs)
            return
        for plan in open_ones:
            self._play(plan, self.bench, board)
            yield plan

    def _play(self, plan: Plan, workbench: Workbench, board: _Board) -> End:
        return play(
            plan,
            self.author,
            workbench,
            self.request.budget,
            lambda: self._begin_with(plan, workbench, board),
            confirm=self.request.confirm,
            watch=board.watcher(plan),
        )

    def _begin_with(self, plan: Plan, workbench: Workbench, board: _Board) -> dict[str, str]:
        """The passes that an episode begins with; an author that makes them plays first, once for all attempts."""
        if self.seeding is None:
            return dict(self.seeder(plan.target))
        before = Plan(plan.target, 0, task_path(self.request, plan.target) / SEED, plan.seed)
        budget = self.request.budget.model_copy(update={"steps": self.seeding.default_steps})
        with self.seed_locks[plan.target.name]:
            play(before, self.seeding, workbench, budget, dict, confirm=False, watch=board.watcher(before, seed=True))
        best = before.directory / BEST_DIR
        return read_passes(best) if best.is_dir() else {}

    def _in_threads(self, open_ones: Sequence[Plan], board: _Board, jobs: int) -> Iterator[Plan]:
        relay = Relay(self.bench)
        waiting, failed = list(reversed(open_ones)), list[BaseException]()
        finished: list[Plan] = []
        lock = threading.Lock()

        def work() -> None:
            while True:
                with lock:
                    if failed or not waiting:
                        return
                    plan = waiting.pop()
                try:
                    self._play(plan, relay, board)
                except BaseException as error:  # noqa: BLE001  whatever it is, the serving thread raises it
                    failed.append(error)
                    return
                finished.append(plan)

        threads = [threading.Thread(target=work, daemon=True, name=f"episode-{n}") for n in range(jobs)]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads) and not failed:
                relay.serve_one(_POLL_S)
                while finished:
                    yield finished.pop(0)
        finally:
            relay.close()
            for thread in threads:
                thread.join(_GRACE_S)
        yield from finished
        real = [error for error in failed if not isinstance(error, Stopped)]
        if real:
            raise real[0]

    # --- results ---------------------------------------------------------------------------------------------

    def _finish(self, target: Target) -> None:
        result = collect(self.request, target, self.bench, self.run)
        self.results[target.name] = result
        write_json(self.request.run_path / SUMMARY, self._summary())

    def _summary(self) -> dict[str, Any]:
        results = [self.results[target.name] for target in self.targets if target.name in self.results]
        return summary(self.request, results, len(self.targets))

    def _write_messages(self, episodes: Sequence[Plan]) -> None:
        """The messages of all finished episodes in one file."""
        files = [plan.directory / MESSAGES for plan in episodes]
        text = "".join(file.read_text(encoding="utf-8") for file in files if file.exists())
        partial = self.request.run_path / f"{MESSAGES}.partial"
        partial.write_text(text, encoding="utf-8")
        partial.replace(self.request.run_path / MESSAGES)


def dry_run(request: AgentRequest) -> dict[str, Any]:
    """What a run would do, tasks and episodes, without writing anything. UsageError as for the run itself."""
    environment.check_device(request.device)
    author = make_author(request.author)
    targets = find_tasks(request)
    seeder = files_to_begin_with(request.seed_from, request.run_path.parent)
    _check_jobs(request, author, seed_author(request.seed_from))
    rows = [
        {
            "task": target.name,
            "graphs": len(target.graphs),
            "begins_with": sorted(seeder(target)),
            "attempts": [_state(plan) for plan in plans(request, [target])],
        }
        for target in targets
    ]
    return {"schema": 1, "run": str(request.run_path), "dry_run": True, "author": request.author, "tasks": rows}


def _check_jobs(request: AgentRequest, *authors: Author | None) -> None:
    for author in authors:
        if author is not None and request.jobs > 1 and not author.concurrent:
            raise UsageError(f"{author.name} plays one episode at a time", field="--jobs", found=request.jobs)


def _state(plan: Plan) -> str:
    try:
        known = Journal(plan.directory).read()
    except UsageError:
        return "unreadable"
    return "finished" if end_of(known) is not None else "unfinished" if known else "new"
