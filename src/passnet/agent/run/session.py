"""A run of an author over tasks. It can be resumed by name, and its one file of results is whole at every moment.

Its progress is shown live.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from passnet import environment
from passnet.agent.authors.base import Author
from passnet.agent.authors.registry import make_author
from passnet.agent.env.redo import state_after
from passnet.agent.record.journal import Journal, end_of
from passnet.agent.record.records import End
from passnet.agent.run.hand_over import ReportingThread, RunStopped
from passnet.agent.run.play import MESSAGES, messages_line, play
from passnet.agent.run.progress import ProgressCounts, RunProgress
from passnet.agent.run.request import SEED, AgentRequest, RunPlan, find_tasks, plans, task_path
from passnet.agent.run.results import collect
from passnet.agent.run.serial_workbench import SerialWorkbench
from passnet.agent.run.starting_passes import PassesOf, starting_author, starting_passes
from passnet.agent.run.summary import SUMMARY, TaskResult, open_episode, summary
from passnet.agent.workbench.live import LiveWorkbench
from passnet.agent.workbench.protocol import RecordingWorkbench, Workbench
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.run import Run
from passnet.errors import UsageError
from passnet.graph.targets import Target
from passnet.writing import write_atomic, write_json

_POLL_S, _GRACE_S = 0.2, 10.0


def machine_of(device: str) -> dict[str, object]:
    """What of the machine must be the same for a run to be resumed."""
    machine = environment.snapshot(device)
    return {key: machine.get(key) for key in ("passnet", "torch", "cpu", "gpu")}


OpenWorkbench = Callable[[str, Protocol, Path], AbstractContextManager[RecordingWorkbench]]


def run_agent(
    request: AgentRequest, report: Callable[[RunProgress], None], open_bench: OpenWorkbench | None = None
) -> dict[str, Any]:
    """Play every unfinished episode. Returns the run's summary. A mistake of the user is raised before writing."""
    with opened(request, make_author(request.author, request.options), open_bench) as session:
        return session.run_all(report)


@contextmanager
def opened(request: AgentRequest, author: Author, open_bench: OpenWorkbench | None = None) -> Iterator[Session]:
    """Open a run, new or resumed, with its bench. A mistake of the user is raised before anything is written."""
    environment.check_device(request.device)
    targets = find_tasks(request)
    begin_with = starting_passes(request.seed_from, request.run_path.parent)
    first_author = starting_author(request.seed_from, request.options)
    _check_jobs(request, author, first_author)
    for target in targets:
        begin_with(target)
    settings = request.settings(author, first_author) | {"machine": machine_of(request.device)}
    run = Run.open(request.run_path, settings, environment.snapshot(request.device), elsewhere=request.elsewhere)
    try:
        with (open_bench or LiveWorkbench)(request.device, request.protocol, request.run_path) as bench:
            yield Session(request, author, first_author, begin_with, run, bench, targets)
    finally:
        run.close()


@dataclass
class Session:
    """The parts that all episodes of one run share.

    `first_author` makes the passes with which a task's episodes begin. Without one, `begin_with` gives them.
    """

    request: AgentRequest
    author: Author
    first_author: Author | None
    begin_with: PassesOf
    run: Run
    bench: RecordingWorkbench
    targets: Sequence[Target]
    results: dict[str, TaskResult] = field(default_factory=dict)
    first_locks: dict[str, threading.Lock] = field(default_factory=lambda: defaultdict(threading.Lock))

    def run_all(self, report: Callable[[RunProgress], None]) -> dict[str, Any]:
        episodes = plans(self.request, self.targets)
        open_ones = [plan for plan in episodes if end_of(Journal(plan.directory).read()) is None]
        done, steps = len(episodes) - len(open_ones), self.request.budget.steps
        progress = ProgressCounts(len(episodes), report, self.request.jobs, steps, done)
        left = {target.name: self.request.attempts for target in self.targets}
        for plan in episodes:
            left[plan.target.name] -= plan not in open_ones
        try:
            for target in self.targets:
                if not left[target.name]:
                    self.finish(target)
            for plan in self._played(open_ones, progress):
                left[plan.target.name] -= 1
                if not left[plan.target.name]:
                    self.finish(plan.target)
        finally:
            document = self.write_up()
        return document

    # --- episodes --------------------------------------------------------------------------------------------

    def _played(self, open_ones: Sequence[RunPlan], progress: ProgressCounts) -> Iterator[RunPlan]:
        """Play the episodes, one after the other or several at a time. Each is given as soon as it is finished."""
        jobs = min(self.request.jobs, len(open_ones))
        if jobs > 1:
            yield from self._in_threads(open_ones, progress, jobs)
            return
        for plan in open_ones:
            self.play(plan, self.bench, progress)
            yield plan

    def play(self, plan: RunPlan, workbench: Workbench, progress: ProgressCounts, *, shared: bool = False) -> End:
        """Play one episode to its end, on the run's bench or through the thread that has it. `shared`: see `play`."""
        return play(
            plan,
            self.author,
            workbench,
            self.request.budget,
            lambda: self._starting_files(plan, workbench, progress),
            confirm=self.request.confirm,
            watch=progress.watcher(plan),
            shared=shared,
        )

    def _starting_files(self, plan: RunPlan, workbench: Workbench, progress: ProgressCounts) -> dict[str, str]:
        """The passes at the start of an episode. An author that makes them plays first, once for all attempts."""
        if self.first_author is None:
            return dict(self.begin_with(plan.target))
        before = RunPlan(plan.target, 0, task_path(self.request, plan.target) / SEED, plan.seed)
        budget = self.request.budget.model_copy(update={"steps": self.first_author.default_steps})
        with self.first_locks[plan.target.name]:
            play(
                before,
                self.first_author,
                workbench,
                budget,
                dict,
                confirm=False,
                watch=progress.watcher(before, seed=True),
            )
        known = Journal(before.directory).read()
        best = state_after(known, before.directory, plan.target, self.request.device).best
        return dict(best.files) if best is not None else {}

    def _in_threads(self, open_ones: Sequence[RunPlan], progress: ProgressCounts, jobs: int) -> Iterator[RunPlan]:
        shared = SerialWorkbench(self.bench)
        waiting, failed = queue.SimpleQueue[RunPlan](), list[BaseException]()
        finished = queue.SimpleQueue[RunPlan]()
        for plan in open_ones:
            waiting.put(plan)

        def work() -> None:
            while not failed and not waiting.empty():
                try:
                    plan = waiting.get_nowait()
                except queue.Empty:
                    return
                self.play(plan, shared, progress)
                finished.put(plan)

        def over(failure: BaseException | None) -> None:
            if failure is not None:
                failed.append(failure)

        threads = [ReportingThread(f"episode-{number}", work, over) for number in range(jobs)]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads) and not failed:
                shared.serve_one(_POLL_S)
                yield from _taken(finished)
        finally:
            shared.close()
            last = time.monotonic() + _GRACE_S
            for thread in threads:  # a thread that waits for an endpoint ends with the process
                thread.join(max(0.0, last - time.monotonic()))
        yield from _taken(finished)
        real = [error for error in failed if not isinstance(error, RunStopped)]
        if real:
            raise real[0]

    # --- results ---------------------------------------------------------------------------------------------

    def finish(self, target: Target) -> None:
        result = collect(self.request, target, self.bench, self.run)
        self.results[target.name] = result
        write_json(self.request.run_path / SUMMARY, self._summary())

    def write_up(self) -> dict[str, Any]:
        """Write the summary and the messages of all episodes that are finished so far."""
        document = self._summary()
        write_json(self.request.run_path / SUMMARY, document)
        self._write_messages(plans(self.request, self.targets))
        return document

    def _summary(self) -> dict[str, Any]:
        results = [self.results[target.name] for target in self.targets if target.name in self.results]
        known = [(plan, Journal(plan.directory).read()) for plan in plans(self.request, self.targets)]
        unfinished = [open_episode(plan, records) for plan, records in known if records and end_of(records) is None]
        return summary(self.request, results, len(self.targets), unfinished)

    def _write_messages(self, episodes: Sequence[RunPlan]) -> None:
        """The messages of all finished episodes in one file, as their records have them."""
        known = [Journal(plan.directory).read() for plan in episodes]
        text = "".join(messages_line(records) for records in known if end_of(records) is not None)
        write_atomic(self.request.run_path / MESSAGES, text)


def dry_run(request: AgentRequest) -> dict[str, Any]:
    """The tasks and episodes of a run. Nothing is written. Raises UsageError as the run itself does."""
    environment.check_device(request.device)
    author = make_author(request.author, request.options)
    targets = find_tasks(request)
    begin_with = starting_passes(request.seed_from, request.run_path.parent)
    _check_jobs(request, author, starting_author(request.seed_from, request.options))
    rows = [
        {
            "task": target.name,
            "graphs": len(target.graphs),
            "begins_with": sorted(begin_with(target)),
            "attempts": [_state(plan) for plan in plans(request, [target])],
        }
        for target in targets
    ]
    settings = author.settings()
    return {
        "schema": 1,
        "run": str(request.run_path),
        "dry_run": True,
        "author": request.author,
        "settings": settings,
        "tasks": rows,
    }


def _taken(plans: queue.SimpleQueue[RunPlan]) -> Iterator[RunPlan]:
    """All items that are in a queue now."""
    while not plans.empty():
        yield plans.get()


def _check_jobs(request: AgentRequest, *authors: Author | None) -> None:
    for author in authors:
        if author is not None and request.jobs > 1 and not author.concurrent:
            raise UsageError(
                f"{author.name} plays one episode at a time",
                field="--jobs",
                found=request.jobs,
                hint=None if author is authors[0] else "let it play first and give that run to --seed-from",
            )


def _state(plan: RunPlan) -> str:
    try:
        known = Journal(plan.directory).read()
    except UsageError:
        return "unreadable"
    return "finished" if end_of(known) is not None else "unfinished" if known else "new"
