"""`PassEnv`: one task, one pass directory, and the tools through which an author works on them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from passnet import authored
from passnet.agent.env import render
from passnet.agent.env.episode import PASS_DIR, EpisodeOver, ToolAnswer, files_hash, task_hash
from passnet.agent.env.files import FileError
from passnet.agent.env.schema import BadArguments, Tool
from passnet.agent.env.toolbox import Toolbox
from passnet.agent.record.budget import Budget
from passnet.agent.record.names import ExitReason
from passnet.agent.record.observation import Observation
from passnet.agent.record.records import EpisodeRecord, EpisodeStep, Message, Start
from passnet.agent.workbench.live import Workbench
from passnet.errors import UsageError
from passnet.graph.targets import Target, find_targets

__all__ = ["EpisodeOver", "PassEnv", "tool_table"]
_EDITS = frozenset({"create", "str_replace", "insert", "delete"})


class PassEnv(Toolbox):
    """A multi-step environment: `reset(task)`, then tools until `done`. Pass code never runs in this process.

    `directory` receives the episode's files; the task's own directory is only read. After a reset `task` is the task
    with its graphs, and with the pass directory of the episode. Author, its settings, attempt and seed are recorded.
    """

    def __init__(
        self,
        workbench: Workbench,
        directory: Path,
        *,
        budget: Budget | None = None,
        sink: Callable[[EpisodeRecord], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        author: str = "",
        author_settings: Mapping[str, Any] | None = None,
        attempt: int = 0,
        seed: int = 0,
    ) -> None:
        super().__init__(directory, budget or Budget(), sink, clock)
        self.workbench = workbench
        self.author, self.author_settings = author, dict(author_settings or {})
        self.attempt, self.seed = attempt, seed

    # --- the episode -----------------------------------------------------------------------------------------

    @property
    def device(self) -> str:
        return self.workbench.device

    @property
    def policy(self) -> str:
        return self.workbench.rules.policy

    def reset(self, task: Target | Path | str, seed_files: Mapping[str, str] | None = None) -> Observation:
        """Begin an episode on a task with an empty pass directory, or with `seed_files`. UsageError for a bad task."""
        self._enter(task)
        files = dict(seed_files or {})
        text = render.opening(self.task, self.device, self.policy, self.budget, files)
        self.begin(
            Start(
                at=time.time(),
                task=self.task.name,
                task_hash=task_hash(self.task),
                attempt=self.attempt,
                seed=self.seed,
                author=self.author,
                author_settings=self.author_settings,
                device=self.device,
                protocol_hash=self.workbench.rules.content_hash,
                policy=self.policy,
                budget=self.budget,
                seed_files=files,
                opening=text,
                tools=self.tools(),
            )
        )
        return Observation(
            tool="reset", ok=True, text=text, data={"variants": [name for name, _, _ in self.task.graphs]}
        )

    def save(self) -> list[EpisodeRecord]:
        """The state: an episode is what was recorded of it."""
        return list(self.records)

    def restore(self, task: Target | Path | str, records: Sequence[EpisodeRecord]) -> None:
        """Take up a saved episode: edits are made again, measurements are taken from the records.

        UsageError when the records are of another task or device, or do not lead to the files that they tell of.
        """
        self._enter(task)
        start = records[0] if records else None
        if not isinstance(start, Start) or start.task_hash != task_hash(self.task) or start.device != self.device:
            raise UsageError("the records are not of this task on this device", path=self.task.name)
        sink, self._sink = self._sink, None
        try:
            self.begin(start)
            self.budget = start.budget
            for record in records[1:]:
                self._redo(record)
        finally:
            self._sink = sink
        self.take_over(records)
        self._began = self._clock() - self.used.wall_s

    def _redo(self, record: EpisodeRecord) -> None:
        if isinstance(record, Message | EpisodeStep):
            self.used = record.used
        if not isinstance(record, EpisodeStep):
            return
        if record.tool in _EDITS and record.observation.ok:
            # The plain function, so that nothing is recorded.
            getattr(PassEnv, record.tool).__wrapped__(self, **record.arguments)
        if record.tool == "evaluate" and record.observation.ok:
            self.remember(record.observation, record.number)
        if record.tool == "submit" and record.observation.done and record.arguments.get("step"):
            self.choose(record.arguments["step"])
        if record.observation.done:
            self.stop(ExitReason.SUBMITTED if record.tool == "submit" else self._limit_reached())
        if files_hash(self.files()) != record.files_hash and not self.done:
            raise UsageError(f"the records do not fit: other files after step {record.number}", path=self.directory)

    def _limit_reached(self) -> ExitReason:
        return self.used.exhausted(self.budget) or ExitReason.AUTHOR_STOPPED

    def _enter(self, task: Target | Path | str) -> None:
        if not isinstance(task, Target):
            found = find_targets([Path(task)])
            if len(found) != 1:
                raise UsageError("an episode takes one task", path=task, found=f"{len(found)} tasks")
            task = found[0]
        self.task = Target(task.name, task.graphs, self.directory / PASS_DIR, task.const_pass_dir)
        self.labels = render.labels_of(self.task)

    # --- calls by name ---------------------------------------------------------------------------------------

    def tools(self) -> list[dict[str, Any]]:
        """The tools as OpenAI describes them."""
        return [entry.schema for entry in tool_table().values()]

    def call(self, name: object, arguments: object = None, call_id: str | None = None) -> Observation:
        """A tool by name, with arguments as an object or as JSON text. What is wrong with them is a step too.

        `call_id`: as the model's answer has it; a call with one belongs to the last message.
        """
        name = name if isinstance(name, str) else type(name).__name__
        entry = tool_table().get(name)
        if entry is None:
            return self.malformed(name, f"no tool {name!r}; there are: {', '.join(tool_table())}", call_id, arguments)
        try:
            checked = entry.arguments(arguments)
        except BadArguments as error:
            return self.malformed(name, str(error), call_id, arguments)
        self._call_id = call_id
        try:
            found: Observation = getattr(self, name)(**checked)
        finally:
            self._call_id = None
        return found

    def malformed(self, name: str, reason: str, call_id: str | None = None, raw: object = None) -> Observation:
        """Record a call that is none, or an answer without a call, as a step of its own."""

        def refuse() -> ToolAnswer:
            raise FileError(reason)

        self._call_id = call_id
        try:
            return self.perform(name, {}, refuse, _as_written(raw))
        finally:
            self._call_id = None


def _as_written(raw: object) -> str:
    """What stood where a call should have been, as far as it can be put down."""
    if isinstance(raw, str):
        return authored.as_text(raw)
    problem = authored.refusal(raw)
    return json.dumps(raw) if problem is None else f"<{problem}>"


_TOOLS = (
    "view", "create", "str_replace", "insert", "delete", "inspect_graph", "check", "evaluate", "profile",
    "kernel_source", "submit",
)  # fmt: skip
_TABLE: dict[str, Tool] = {}


def tool_table() -> dict[str, Tool]:
    """The tools by name, in the order in which they are described."""
    if not _TABLE:
        _TABLE.update({name: Tool(name, getattr(PassEnv, name)) for name in _TOOLS})
    return _TABLE
