"""`PassEnv`: one task, one pass directory, and the tools through which an author works on them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from passnet.agent.env import render, render_graph
from passnet.agent.env.files import ROOTS, FileError, syntax_problem
from passnet.agent.env.redo import redo_all
from passnet.agent.env.state import PASS_DIR, EpisodeOver, EpisodeState, MeasuredStep
from passnet.agent.env.tools import (
    DECLARED,
    BadArguments,
    Effect,
    Tool,
    ToolAnswer,
    VariantName,
    answered,
    as_written,
    tool,
)
from passnet.agent.record.budget import Budget, Usage, Used
from passnet.agent.record.names import ExitReason
from passnet.agent.record.observation import Observation
from passnet.agent.record.records import EpisodeRecord, Start
from passnet.agent.workbench.protocol import Workbench
from passnet.agent.workbench.variants import graph_of, names_of, task_hash, variant_named
from passnet.errors import UsageError
from passnet.graph.targets import Target, find_targets
from passnet.rewrite.policy.names import Level
from passnet.score import solved_of

__all__ = ["TOOLS", "EpisodeOver", "PassEnv"]
# These documents show one variant only. An overview of many variants would fill the records.
_LONG = frozenset({"ops", "matchable", "inputs", "outputs"})


class PassEnv:
    """A multi-step environment: call `reset(task)`, then tools until `done`. Pass code never runs in this process.

    `directory` receives the episode's files. The task's own directory is only read. After a reset, `task` is the task
    with its graphs and with the pass directory of the episode. `labels` are short names of its variants. The author,
    its settings, the attempt and the seed are recorded. `state` holds the progress of the episode and ends it.
    """

    task: Target
    labels: dict[str, str]

    def __init__(
        self,
        workbench: Workbench,
        directory: Path,
        *,
        budget: Budget | None = None,
        sink: Callable[[EpisodeRecord], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        author: str = "",
        author_settings: Mapping[str, object] | None = None,
        attempt: int = 0,
        seed: int = 0,
    ) -> None:
        # Who waits for a device that another holds has not used it.
        self.state = EpisodeState(directory, budget or Budget(), sink, lambda: clock() - workbench.waited_s)
        self.workbench = workbench
        self.author, self.author_settings = author, dict(author_settings or {})
        self.attempt, self.seed = attempt, seed

    # --- the episode -----------------------------------------------------------------------------------------

    def reset(self, task: Target | Path | str, seed_files: Mapping[str, str] | None = None) -> Observation:
        """Begin an episode on a task with an empty pass directory or `seed_files`. Raises UsageError for a bad task."""
        self._enter(task)
        files = dict(seed_files or {})
        text = render.opening(self.task, self.device, self.policy, self.budget, files)
        start = Start(
            at=time.time(), task=self.task.name, task_hash=task_hash(self.task), attempt=self.attempt, seed=self.seed,
            author=self.author, author_settings=self.author_settings, device=self.device,
            protocol_hash=self.workbench.rules.content_hash, policy=self.policy, budget=self.budget, seed_files=files,
            opening=text, tools=self.tools(),
        )  # fmt: skip
        self.state.begin(start)
        names = [name for name, _, _ in self.task.graphs]
        return Observation(tool="reset", ok=True, text=text, data={"variants": names})

    def save(self) -> list[EpisodeRecord]:
        """The state. An episode is its records."""
        return list(self.records)

    def restore(self, task: Target | Path | str, records: Sequence[EpisodeRecord], *, shared: bool = False) -> None:
        """Continue a saved episode: edits are made again, and measurements are taken from the records.

        `shared`: others edit the pass directory too, so it is left as it is.
        Raises UsageError when the records are of another task or device, or do not lead to the recorded files.
        """
        self._enter(task)
        redo_all(self.state, records, self.task, self.device)
        self.state.show(shared=shared)

    def _enter(self, task: Target | Path | str) -> None:
        if not isinstance(task, Target):
            found = find_targets([Path(task)])
            if len(found) != 1:
                raise UsageError("an episode takes one task", path=task, found=f"{len(found)} tasks")
            task = found[0]
        self.task = Target(task.name, task.graphs, self.state.directory / PASS_DIR, task.const_pass_dir)
        self.labels = render.labels_of(self.task)

    # --- what an author may ask of it ------------------------------------------------------------------------

    @property
    def device(self) -> str:
        return self.workbench.device

    @property
    def policy(self) -> Level:
        return self.workbench.rules.policy

    @property
    def budget(self) -> Budget:
        return self.state.budget

    @property
    def used(self) -> Used:
        return self.state.used

    @property
    def records(self) -> list[EpisodeRecord]:
        return self.state.records

    @property
    def best(self) -> MeasuredStep | None:
        return self.state.best

    @property
    def done(self) -> bool:
        return self.state.done

    def left_s(self) -> float | None:
        """Seconds of wall time that are left. None without a limit."""
        return self.state.left_s()

    def files(self) -> dict[str, str]:
        """The files of the pass set as they are now. Edits by other hands count when they are recorded."""
        return self.state.folder.contents()

    @contextmanager
    def judged(self, files: Mapping[str, str]) -> Iterator[Target]:
        """The task with these pass files, in a directory that nobody else works on."""
        with self.state.judged(files) as directory:
            yield replace(self.task, pass_dir=directory)

    def reward(self) -> float:
        """AS of the best pass set so far, or 0 while none was measured."""
        return self.best.score if self.best is not None else 0.0

    def message(self, role: str, content: str, usage: Usage | None = None, **extra: object) -> None:
        """Record a message to or from a model. Its tokens and cost count at once.

        A limit shows at the next tool call. Raises EpisodeOver when the episode has ended. An answer that was paid for
        (`usage`) is recorded even when it comes after a limit was reached.
        """
        self.state.message(role, content, usage, extra)

    # --- calls by name ---------------------------------------------------------------------------------------

    def tools(self) -> list[dict[str, object]]:
        """The tools as OpenAI describes them."""
        return [declared.schema for declared in TOOLS.values()]

    def call(self, name: object, arguments: object = None, call_id: str | None = None) -> Observation:
        """Call a tool by name, with arguments as an object or as JSON text. Wrong arguments are recorded as a step too.

        `call_id` is the id in the model's answer. A call with an id belongs to the last message.
        """
        name = name if isinstance(name, str) else type(name).__name__
        declared = TOOLS.get(name)
        if declared is None:
            return self.malformed(name, f"no tool {name!r}; there are: {', '.join(TOOLS)}", call_id, arguments)
        try:
            checked = declared.arguments(arguments)
        except BadArguments as error:
            return self.malformed(name, str(error), call_id, arguments)
        began = self.state.begin_step()
        answer = answered(declared.function, self, **checked)
        return self.state.end_step(name, checked, answer, began, call_id=call_id)

    def malformed(self, name: str, reason: str, call_id: str | None = None, raw: object = None) -> Observation:
        """Record a step of its own for a malformed call, or for an answer without a call."""
        answer, began = ToolAnswer(reason, ok=False), self.state.begin_step()
        return self.state.end_step(name, {}, answer, began, malformed=as_written(raw), call_id=call_id)

    # --- tools: files ----------------------------------------------------------------------------------------

    @tool(Effect.READS)
    def view(self, path: str = ".", first: int = 1, last: int = 0) -> ToolAnswer:
        """Show a file of the pass directory with line numbers, or list the directory.

        Args:
            path: File name; "." lists the directory.
            first: First line to show, from 1.
            last: Last line to show; 0 means to the end.
        """
        if path in ROOTS:
            return ToolAnswer(render.listing(self.files()), {"files": sorted(self.files())})
        return ToolAnswer(render.numbered(self.state.folder.read(path), max(1, first), max(0, last)))

    @tool(Effect.EDITS, overwrites=True)
    def create(self, path: str, text: str) -> ToolAnswer:
        """Write a file of the pass directory, new or over an old one.

        Passes are .py files; sorted_output_pass_rule_names.json lists their stems in order of application.

        Args:
            path: File name, for example FuseGelu.py.
            text: The whole text of the file.
        """
        self.state.folder.write(path, text)
        return _edited(f"wrote {path}, {len(text.splitlines())} lines", path, text)

    @tool(Effect.EDITS, overwrites=True)
    def str_replace(self, path: str, old: str, new: str) -> ToolAnswer:
        """Replace a piece of a file that occurs exactly once.

        Args:
            path: File name.
            old: The piece as it stands in the file, blanks and line ends included.
            new: What takes its place.
        """
        return _edited(f"changed {path}", path, self.state.folder.replace(path, old, new))

    @tool(Effect.EDITS)
    def insert(self, path: str, line: int, text: str) -> ToolAnswer:
        """Insert text into a file after a line.

        Args:
            path: File name.
            line: Number of the line after which the text goes; 0 puts it at the beginning.
            text: The lines to insert.
        """
        return _edited(f"inserted after line {line} of {path}", path, self.state.folder.insert(path, line, text))

    @tool(Effect.EDITS, overwrites=True)
    def delete(self, path: str) -> ToolAnswer:
        """Remove a file of the pass directory.

        Args:
            path: File name.
        """
        self.state.folder.delete(path)
        return ToolAnswer(f"removed {path}")

    # --- tools: the graphs and the bench ---------------------------------------------------------------------

    @tool(Effect.READS)
    def inspect_graph(self, graph: VariantName = "") -> ToolAnswer:
        """Show the statements of one variant: shapes, bytes, kernels, and what a pattern can match.

        Without a variant: an overview of all, how fast the device could be at best, and the statements of the first.

        Args:
            graph: Number or name of a variant; empty for the overview.
        """
        names = [variant_named(self.task, graph)] if graph else [name for name, _, _ in self.task.graphs]
        found = [self.workbench.inspect(self.task, name) for name in names]
        text = render_graph.statements(found[0], graph_of(self.task, names[0]), self.labels[names[0]])
        if not graph:
            text = f"{render_graph.overview(found, self.labels)}\n\n{text}"
        rest = [{key: value for key, value in info.items() if key not in _LONG} for info in found[1:]]
        return ToolAnswer(text, {"graphs": [found[0], *rest]})

    @tool(Effect.MEASURES)
    def check(self) -> ToolAnswer:
        """Check the pass set without timing: source policy, matches, near misses, one guarded run."""
        with self.judged(self.files()) as task:
            report = self.workbench.check(task)
        return ToolAnswer(render.check(report, self.labels), report)

    @tool(Effect.MEASURES)
    def evaluate(self, graphs: VariantName = "", quick: bool = False) -> ToolAnswer:
        """Prove the pass set right and time it against eager on every variant; the best set is kept.

        Args:
            graphs: Numbers or names of some variants, separated by commas, for a partial look; empty for all.
            quick: Time shortly, to compare candidates. Partial and quick evaluations have no score.
        """
        every = names_of(self.task)
        asked = graphs.split(",") if graphs.strip() else []
        some = frozenset(variant_named(self.task, part.strip()) for part in asked) or every
        files = self.files()
        with self.judged(files) as task:
            found = self.workbench.evaluate(task, some, quick=quick)
        report = self.state.report(found, partial=quick or some != every)
        text = render.evaluation(report, self.labels)
        self.state.remember(report, self.used.steps + 1, files, every_variant=some == every, quick=quick)
        score = None if report.partial else report.score
        return ToolAnswer(text, score=score, counted=not report.repeated, evaluation=report)

    @tool(Effect.MEASURES)
    def profile(self, graph: VariantName = "") -> ToolAnswer:
        """Show where eager's time goes in one variant: per statement, and per kernel on a GPU.

        Args:
            graph: Number or name of a variant; empty for the first.
        """
        name = variant_named(self.task, graph)
        found = self.workbench.profile(self.task, name)
        sources = render_graph.sources(graph_of(self.task, name))
        return ToolAnswer(render.profile(found, sources, self.labels[name]), found)

    @tool(Effect.READS)
    def kernel_source(self, graph: VariantName = "", first: int = -1, last: int = -1) -> ToolAnswer:
        """Show the kernels that TorchInductor generates: Triton on a GPU, C++ on the CPU. Runs nothing.

        Args:
            graph: Number or name of a variant; empty for the first.
            first: Index of the first statement; -1 for the beginning.
            last: Index of the last statement, included; -1 for the end.
        """
        begin, end = (None if index < 0 else index for index in (first, last))
        source = self.workbench.kernel_source(self.task, variant_named(self.task, graph), begin, end)
        return ToolAnswer(source, {"source": source})

    @tool(Effect.ENDS)
    def submit(self, step: int = 0) -> ToolAnswer:
        """End the episode with the best pass set that was evaluated, or with another one; later changes are dropped.

        Args:
            step: Number of the evaluation whose pass set is to count, where it is not the one with the best score.
        """
        if self.best is None:
            raise FileError("nothing was evaluated on all variants yet, so there is nothing to submit; call evaluate")
        if step:
            self.state.choose(step)
        best = self.best
        dropped = "" if best.files == self.files() else "; changes made after it are dropped"
        told = render.solved(solved_of([row.result() for row in best.graphs]))
        text = f"submitted the pass set of step {best.step}, AS {best.score:.3f}{told}{dropped}"
        return ToolAnswer(text, {"best_step": best.step, "AS": best.score}, ends=ExitReason.SUBMITTED)


TOOLS: Mapping[str, Tool] = MappingProxyType(DECLARED)
"""The tools of an episode by name, in the order in which they are described."""


def _edited(what: str, path: str, text: str) -> ToolAnswer:
    problem = syntax_problem(path, text)
    return ToolAnswer(what if problem is None else f"{what}; but {problem}")
