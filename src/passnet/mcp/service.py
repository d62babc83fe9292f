"""Answers a client's calls with the episodes of a run.

An episode begins at the first call for it, and goes on with later calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from passnet.agent.authors.base import Author
from passnet.agent.env.env import TOOLS, PassEnv
from passnet.agent.env.render import solved, table
from passnet.agent.env.state import BEST_DIR
from passnet.agent.env.tools import BadArguments, Effect, Tool
from passnet.agent.record.journal import Journal, end_of
from passnet.agent.record.names import ExitReason
from passnet.agent.record.records import End, EpisodeRecord, Start, steps_of
from passnet.agent.run.hand_over import RunStopped
from passnet.agent.run.progress import ProgressCounts
from passnet.agent.run.request import AgentRequest, RunPlan, find_tasks, plans
from passnet.agent.run.session import OpenWorkbench, Session, opened
from passnet.agent.run.summary import TaskAttempt, best_step_of
from passnet.authored import one_line
from passnet.errors import InfrastructureError, UsageError
from passnet.mcp.calls import ClientCall, ClientCalls, ClientReply
from passnet.mcp.outside_edits import record_outside_edits

_NEXT = "Another run name (--run) begins a new one."
# The most characters of the client's own name that are recorded.
_NAME_SHOWN = 80


class _OtherTask(RunStopped):
    """The client opens another task. This one stays open."""


class Service(Author):
    """One run for a client. The service is also the author of its episodes: the client's calls are its actions.

    The constructor raises UsageError for anything that is no task. Nothing is written before the first call.
    """

    default_steps = 0
    concurrent = False
    resumes = True

    def __init__(self, calls: ClientCalls, request: AgentRequest) -> None:
        self.name = "mcp"
        self.calls, self.request = calls, request
        self.plans = {plan.target.name: plan for plan in plans(request, find_tasks(request))}
        self._plan: RunPlan | None = None
        self._last: ClientReply | None = None

    def settings(self) -> dict[str, object]:
        return {}

    # --- tools about episodes, beside those of an episode ------------------------------------------------------

    @cached_property
    def own(self) -> dict[str, Tool]:
        """The list of tasks is offered only if there are several."""
        several = [Tool(Service.tasks, Effect.READS)] if len(self.plans) > 1 else []
        return {declared.name: declared for declared in (*several, Tool(Service.open_task, Effect.EDITS))}

    def tools(self) -> list[Tool]:
        return [*self.own.values(), *TOOLS.values()]

    def tasks(self) -> str:
        """List the tasks: how far each has come, its best score so far."""
        rows = [(name, str(len(plan.target.graphs)), _standing(_read(plan))) for name, plan in self.plans.items()]
        return table(("task", "variants", "state"), rows)

    def open_task(self, task: str = "") -> str:
        """Say what a task is; begin its episode, or go on with it. The other tools work on the task opened last.

        Args:
            task: Name of the task; empty for the open one, or for the only one.
        """
        records = _read(self._named(task))
        start = records[0]
        assert isinstance(start, Start), "an episode starts with its start"
        return f"{start.opening}\n\n{_standing(records)}"

    def _named(self, task: str) -> RunPlan:
        if not task and self._plan is not None:
            return self._plan
        if not task and len(self.plans) == 1:
            return next(iter(self.plans.values()))
        if task in self.plans:
            return self.plans[task]
        what = f"no task {task!r}" if task else "no task is open; call open_task with the name of one"
        raise UsageError(f"{what}; there are: {', '.join(self.plans)}")

    # --- the run -----------------------------------------------------------------------------------------------

    def run(self, open_bench: OpenWorkbench | None = None) -> dict[str, Any] | None:
        """Answer until the client leaves. Returns the run's summary.

        Returns None if nothing was asked, and then there is no run. UsageError and InfrastructureError are told to the
        client as the answer of its last call, and then raised.
        """
        try:
            self._wait_for_client()
            with opened(self.request, self, open_bench) as session:
                return self._serve(session)
        except RunStopped:
            return None
        except (UsageError, InfrastructureError) as error:
            self.calls.close(RunStopped(f"{error}. The server stops; what was recorded is kept."))
            raise

    def _answer(self, text: str, *, ok: bool = True) -> None:
        self.calls.answer(ClientReply(text, ok))

    def _wait_for_client(self) -> None:
        """Wait for the first call. The episodes carry the name of the client."""
        client = one_line(self.calls.next().client)[:_NAME_SHOWN]
        self.name = f"mcp:{client}" if client else "mcp"
        self.calls.put_back()

    def _serve(self, session: Session) -> dict[str, Any]:
        over = [plan for plan in self.plans.values() if end_of(_read(plan)) is not None]
        progress = ProgressCounts(len(self.plans), lambda _: None, 1, done=len(over))
        try:
            for plan in over:
                session.finish(plan.target)
            while True:
                self._between_episodes(session, progress)
        except RunStopped:
            pass
        finally:
            document = session.write_up()
        return document

    def _between_episodes(self, session: Session, progress: ProgressCounts) -> None:
        """Answer one call while no episode is played.

        Most calls begin or continue an episode, and are answered there.
        """
        asked = self.calls.next()
        try:
            plan = self._about(asked)
        except (BadArguments, UsageError) as error:
            self._answer(str(error), ok=False)
            return
        if plan is None:
            self._answer(self.tasks())
            return
        self._plan = plan
        end = end_of(_read(plan))
        if end is not None:
            self._answer(_over(plan, end), ok=asked.name in self.own)
            return
        self.calls.put_back()
        self._play(session, plan, progress)

    def _about(self, asked: ClientCall) -> RunPlan | None:
        """The task of a call. None for the list of all tasks. Raises UsageError or BadArguments when there is none."""
        if asked.name not in self.own:
            return self._named("")
        arguments = self.own[asked.name].arguments(dict(asked.arguments))
        return self._named(str(arguments["task"])) if asked.name == "open_task" else None

    def _play(self, session: Session, plan: RunPlan, progress: ProgressCounts) -> None:
        self._last = None
        try:
            end = session.play(plan, session.bench, progress, shared=True)
        except _OtherTask:
            return
        session.finish(plan.target)
        if self.calls.is_open:  # the call that ended the episode waits for the result
            why = f"the call failed: {end.detail}" if end.detail else f"the call was not made: {end.exit_reason}"
            last = self._last or ClientReply(why, ok=False)
            self._answer(f"{last.text}\n\n{_over(plan, end)}", ok=last.ok)

    # --- the author --------------------------------------------------------------------------------------------

    def play(self, env: PassEnv) -> ExitReason | None:
        """Answer calls about the open task.

        Raises RunStopped when the client leaves or opens another task.
        """
        while not env.done:
            asked, self._last = self.calls.next(), None
            if asked.name in self.own:
                self._answer_between_steps(asked)
                continue
            self._last = self._called(env, asked)
            if not env.done:
                self._answer(self._last.text, ok=self._last.ok)
        return None

    def _called(self, env: PassEnv, asked: ClientCall) -> ClientReply:
        refused = record_outside_edits(env)
        if refused is not None:
            return ClientReply(refused, ok=False)
        seen = env.call(asked.name, dict(asked.arguments))
        return ClientReply(seen.text, seen.ok)

    def _answer_between_steps(self, asked: ClientCall) -> None:
        """A call that is no step of the episode."""
        try:
            plan = self._about(asked)
            if plan is not None and plan is not self._plan:
                self.calls.put_back()
                raise _OtherTask
            told = self.tasks() if plan is None else self.open_task()
        except (BadArguments, UsageError) as error:
            self._answer(str(error), ok=False)
        else:
            self._answer(told)


def _read(plan: RunPlan) -> list[EpisodeRecord]:
    return Journal(plan.directory).read()


def _standing(records: Sequence[EpisodeRecord]) -> str:
    """The progress of an episode."""
    if not records:
        return "new"
    steps, end = steps_of(list(records)), end_of(records)
    if end is not None:
        score = "no score" if end.score is None else f"AS {end.score:.3f}{_solved(records)}"
        return f"over ({end.exit_reason}), {score}"
    best = best_step_of(records)
    score = "nothing evaluated"
    if best is not None:
        number, found = best
        score = f"best AS {found.score:.3f}{solved(found.solved)} at step {number}"
    return f"open, {len(steps)} steps, {score}"


def _solved(records: Sequence[EpisodeRecord]) -> str:
    """The solved share from the figures that count in a finished episode."""
    return solved(TaskAttempt.of(records, Path()).solved)


def _over(plan: RunPlan, end: End) -> str:
    what = "no pass set was evaluated on all variants"
    if end.score is not None:
        again = " when measured once more" if end.confirmed is not None else ""
        told = f"AS {end.score:.3f}{_solved(_read(plan))}{again}"
        what = f"{told}, the pass set of step {end.best_step}, kept in {plan.directory / BEST_DIR}"
    elif end.confirmed is not None:
        what = "the machine could not tell when the best pass set was measured once more, so it has no score"
    return f"The episode of {plan.target.name} is over ({end.exit_reason}): {what}. {_NEXT}"
