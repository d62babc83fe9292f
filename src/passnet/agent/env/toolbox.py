"""The tools of an episode as plain methods: their docstrings and types are what models are told."""

from __future__ import annotations

from typing import Any

from passnet import authored
from passnet.agent.env import render, render_graph
from passnet.agent.env.episode import Episode, MeasuredStep, ToolAnswer, Unscored, tool
from passnet.agent.env.files import ROOTS, FileError
from passnet.agent.record.names import ExitReason
from passnet.agent.record.observation import Observation
from passnet.agent.workbench.live import Evaluation, Workbench, graph_of
from passnet.bench.record.solved import result_of_summary
from passnet.graph.targets import Target
from passnet.rewrite.passes.pass_set import OUTPUT_MANIFEST
from passnet.score import solved_of

# Of a name that there is not, so much is repeated.
_NAME_SHOWN = 200
# What is told of one variant only: an overview of many would fill the records.
_LONG = frozenset({"ops", "matchable", "inputs", "outputs"})


class Toolbox(Episode):
    """All tools. `labels`: short names of the variants."""

    workbench: Workbench
    task: Target
    labels: dict[str, str]

    # --- files -----------------------------------------------------------------------------------------------

    @tool
    def view(self, path: str = ".", first: int = 1, last: int = 0) -> ToolAnswer:
        """Show a file of the pass directory with line numbers, or list the directory.

        Args:
            path: File name; "." lists the directory.
            first: First line to show, from 1.
            last: Last line to show; 0 means to the end.
        """
        if path in ROOTS:
            return ToolAnswer(render.listing(self.files()), {"files": sorted(self.files())})
        return ToolAnswer(render.numbered(self.folder.read(path), max(1, first), max(0, last)))

    @tool
    def create(self, path: str, text: str) -> ToolAnswer:
        """Write a file of the pass directory, new or over an old one.

        Passes are .py files; sorted_output_pass_rule_names.json lists their stems in order of application.

        Args:
            path: File name, for example FuseGelu.py.
            text: The whole text of the file.
        """
        self.folder.write(path, text)
        return ToolAnswer(f"wrote {path}, {len(text.splitlines())} lines{_syntax(path, text)}")

    @tool
    def str_replace(self, path: str, old: str, new: str) -> ToolAnswer:
        """Replace a piece of a file that occurs exactly once.

        Args:
            path: File name.
            old: The piece as it stands in the file, blanks and line ends included.
            new: What takes its place.
        """
        text = self.folder.read(path)
        count = text.count(old) if old else 0
        if count != 1:
            raise FileError(f"{path}: the piece occurs {count} times; give one that occurs once" if old else
                            "the piece to replace is empty")  # fmt: skip
        text = text.replace(old, new)
        self.folder.write(path, text)
        return ToolAnswer(f"changed {path}{_syntax(path, text)}")

    @tool
    def insert(self, path: str, line: int, text: str) -> ToolAnswer:
        """Insert text into a file after a line.

        Args:
            path: File name.
            line: Number of the line after which the text goes; 0 puts it at the beginning.
            text: The lines to insert.
        """
        lines = self.folder.read(path).splitlines(keepends=True)
        if not 0 <= line <= len(lines):
            raise FileError(f"{path} has {len(lines)} lines; line must be between 0 and that")
        if line and not lines[line - 1].endswith("\n"):
            lines[line - 1] += "\n"
        whole = "".join([*lines[:line], text if text.endswith("\n") else text + "\n", *lines[line:]])
        self.folder.write(path, whole)
        return ToolAnswer(f"inserted after line {line} of {path}{_syntax(path, whole)}")

    @tool
    def delete(self, path: str) -> ToolAnswer:
        """Remove a file of the pass directory.

        Args:
            path: File name.
        """
        self.folder.delete(path)
        return ToolAnswer(f"removed {path}")

    # --- looking at graphs -----------------------------------------------------------------------------------

    @tool
    def inspect_graph(self, graph: str = "") -> ToolAnswer:
        """Show the statements of one variant: shapes, bytes, kernels, and what a pattern can match.

        Without a variant: an overview of all, how fast the device could be at best, and the statements of the first.

        Args:
            graph: Number or name of a variant; empty for the overview.
        """
        names = [self._variant(graph)] if graph else [name for name, _, _ in self.task.graphs]
        found = [self.workbench.inspect(self.task, name) for name in names]
        text = render_graph.statements(found[0], graph_of(self.task, names[0]), self.labels[names[0]])
        if not graph:
            text = f"{render_graph.overview(found, self.labels)}\n\n{text}"
        rest = [{key: value for key, value in info.items() if key not in _LONG} for info in found[1:]]
        return ToolAnswer(text, {"graphs": [found[0], *rest]})

    @tool
    def profile(self, graph: str = "") -> ToolAnswer:
        """Show where eager's time goes in one variant: per statement, and per kernel on a GPU.

        Args:
            graph: Number or name of a variant; empty for the first.
        """
        name = self._variant(graph)
        found = self.workbench.profile(self.task, name)
        return ToolAnswer(
            render.profile(found, render_graph.sources(graph_of(self.task, name)), self.labels[name]), found
        )

    @tool
    def kernel_source(self, graph: str = "", first: int = -1, last: int = -1) -> ToolAnswer:
        """Show the kernels that TorchInductor generates: Triton on a GPU, C++ on the CPU. Runs nothing.

        Args:
            graph: Number or name of a variant; empty for the first.
            first: Index of the first statement; -1 for the beginning.
            last: Index of the last statement, included; -1 for the end.
        """
        name = self._variant(graph)
        begin, end = (None if index < 0 else index for index in (first, last))
        source = self.workbench.kernel_source(self.task, name, begin, end)
        return ToolAnswer(source, {"source": source})

    def _variant(self, text: str) -> str:
        names = [name for name, _, _ in self.task.graphs]
        number = text.partition(" ")[0] or "0"
        found = text if text in names else {str(place): name for place, name in enumerate(names)}.get(number)
        if found is None:
            raise FileError(f"no variant {text[:_NAME_SHOWN]!r}; give a number from 0 to {len(names) - 1} or a name")
        return found

    # --- judging ---------------------------------------------------------------------------------------------

    @tool
    def check(self) -> ToolAnswer:
        """Check the pass set in seconds, without timing: source policy, matches, near misses, one guarded run."""
        report = self.workbench.check(self.task)
        return ToolAnswer(render.check(report, self.labels), report)

    @tool
    def evaluate(self, graphs: str = "", quick: bool = False) -> ToolAnswer:
        """Prove the pass set right and time it against eager on every variant; the best set is kept.

        Args:
            graphs: Numbers or names of some variants, separated by commas, for a partial look; empty for all.
            quick: Time shortly, to compare candidates. Partial and quick evaluations have no score.
        """
        names = [name for name, _, _ in self.task.graphs]
        chosen = [self._variant(part.strip()) for part in graphs.split(",")] if graphs.strip() else names
        found = self.workbench.evaluate(self.task, frozenset(chosen), quick=quick)
        partial = quick or set(chosen) != set(names)
        best = not partial and found.score is not None and (self.best is None or found.score > self.best.score)
        data = self._evaluated(found, partial=partial, best=best)
        text = render.evaluation(data, found.gains, self.labels)
        answer = ToolAnswer(text, data, None if partial else found.score, counted=not found.repeated)
        self.remember(Observation(tool="evaluate", ok=True, text="", data=data), self.used.steps + 1)
        return answer

    def _evaluated(self, found: Evaluation, *, partial: bool, best: bool) -> dict[str, Any]:
        known = found.score if best else self.best.score if self.best is not None else None
        step = self.used.steps + 1 if best else self.best.step if self.best is not None else None
        return {
            "AS": found.score,
            **found.solved.to_json(),
            "partial": partial,
            "repeated": found.repeated,
            "best": best,
            "best_AS": known,
            "best_step": step,
            "pass_set_hash": found.pass_set_hash,
            "graphs": found.graphs,
            "gains": found.gains,
        }

    def remember(self, observation: Observation, step: int) -> None:
        """Keep the pass set of an evaluation that has a score, and what was the best so far as the best.

        Of those without a score the best look at all variants is kept until there is one.
        """
        data = observation.data
        if data["partial"] or data["AS"] is None:
            if len(data["graphs"]) == len(self.task.graphs):
                self.without_score(Unscored(step, data["AS"], asked=not data["partial"]))
            return
        measured = MeasuredStep(step, float(data["AS"]), self.files(), str(data["pass_set_hash"]), list(data["graphs"]))
        self.measured[step] = measured
        if data["best"]:
            self.new_best(measured)

    @tool
    def submit(self, step: int = 0) -> ToolAnswer:
        """End the episode with the best pass set that was evaluated, or with another one; later changes are dropped.

        Args:
            step: Number of the evaluation whose pass set is to count, where it is not the one with the best score.
        """
        if self.best is None:
            raise FileError("nothing was evaluated on all variants yet, so there is nothing to submit; call evaluate")
        if step:
            self.choose(step)
        dropped = "" if self.best.files == self.files() else "; changes made after it are dropped"
        told = render.solved(solved_of([result_of_summary(row) for row in self.best.graphs]).to_json())
        text = f"submitted the pass set of step {self.best.step}, AS {self.best.score:.3f}{told}{dropped}"
        return ToolAnswer(text, {"best_step": self.best.step, "AS": self.best.score}, ends=ExitReason.SUBMITTED)


def _syntax(path: str, text: str) -> str:
    """What is wrong with the text of a Python file or a manifest, as far as reading it says."""
    try:
        if path.endswith(".py"):
            authored.parse_python(text)
        elif path.endswith(OUTPUT_MANIFEST):
            authored.parse_json(text)
    except (SyntaxError, ValueError) as error:
        line = f"line {error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
        return f"; but {line}{getattr(error, 'msg', error)}"
    return ""
