"""The state of one episode: files, limits and the best pass set. Every call is recorded before its answer."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from passnet import authored
from passnet.agent.env.files import FileError, PassFolder, files_hash, is_directory
from passnet.agent.env.tools import ToolAnswer
from passnet.agent.record.budget import Budget, Usage, Used
from passnet.agent.record.figures import Evaluation, EvaluationReport, VariantFigures
from passnet.agent.record.names import ExitReason
from passnet.agent.record.observation import Observation, clip
from passnet.agent.record.records import End, EpisodeRecord, EpisodeStep, Final, Message, Resume, Start
from passnet.errors import UsageError
from passnet.logs import logger
from passnet.writing import new_directory, put_aside

PASS_DIR, BEST_DIR, UNSCORED_DIR = "pass_dir", "passes", "unscored"
# Here the bench reads a pass set, while other hands may be at work in the pass directory.
_JUDGED_DIR = "judged"
_log = logger(__name__)


class EpisodeOver(Exception):
    """The episode has ended. No tool answers any more."""

    def __init__(self, reason: ExitReason) -> None:
        super().__init__(f"the episode is over: {reason}")
        self.reason = reason


@dataclass(frozen=True)
class MeasuredStep:
    """A pass set as a step measured it on all variants."""

    step: int
    score: float
    files: dict[str, str]
    pass_set_hash: str
    graphs: tuple[VariantFigures, ...]


@dataclass(frozen=True)
class UnscoredStep:
    """A pass set without a score: after a look at all variants, or (`asked`) from a machine that was too unsteady."""

    step: int
    look: float | None
    asked: bool
    files: dict[str, str]
    pass_set_hash: str

    @property
    def rank(self) -> tuple[bool, float]:
        """The order of preference. An asked evaluation counts more than a look."""
        return self.asked, self.look if self.look is not None else -1.0


class EpisodeState:
    """The state that `PassEnv` holds. `sink` receives each record as soon as it is made. `clock` counts seconds.

    `measured` has the pass sets with a score, by step. `seen` has the variants of each pass set, by its hash, of which
    a figure was seen that is kept. `older` are sets with a figure from before the episode. `unscored` is the last best
    set without a score, while no pass set has one.
    """

    def __init__(
        self,
        directory: Path,
        budget: Budget,
        sink: Callable[[EpisodeRecord], None] | None,
        clock: Callable[[], float],
    ) -> None:
        self.directory, self.budget, self._sink, self._clock = directory, budget, sink, clock
        self.folder = PassFolder(directory / PASS_DIR)
        self._writes = True
        self._clear()

    def _clear(self) -> None:
        self.records: list[EpisodeRecord] = []
        self.used = Used()
        self.best: MeasuredStep | None = None
        self.unscored: UnscoredStep | None = None
        self.measured: dict[int, MeasuredStep] = {}
        self.seen: dict[str, set[str]] = {}
        self.older: set[str] = set()
        self.exit_reason: ExitReason | None = None
        self._began = self._clock()

    @property
    def done(self) -> bool:
        return self.exit_reason is not None

    def left_s(self) -> float | None:
        """Seconds of wall time that are left. None without a limit."""
        return max(0.0, self.budget.wall_s - self._wall()) if self.budget.wall_s else None

    # --- records ---------------------------------------------------------------------------------------------

    def begin(self, start: Start) -> None:
        """Empty the episode and record its start."""
        self._clear()
        self.folder.begin(start.seed_files)
        self._keep(start)

    def message(self, role: str, content: str, usage: Usage | None, extra: Mapping[str, object]) -> None:
        """See `PassEnv.message`."""
        if usage is None or self.done:
            self._open_or_raise()
        problem = authored.refusal(dict(extra))
        if usage is not None:
            cost = self.used.cost_with(usage)
            self.used = self._spent(tokens=self.used.tokens + usage.tokens, cost_usd=cost)
        fields = {
            "at": time.time(),
            "role": role,
            "content": authored.as_text(content),
            "usage": usage,
            "extra": dict(extra) if problem is None else {"left_out": problem},
            "used": self.used,
        }
        self._keep(Message.model_validate(fields))

    def begin_step(self) -> float:
        """The time by the clock at the beginning of a step. Raises EpisodeOver when a limit was reached before, and
        UsageError before the first reset.
        """
        if not self.records:
            raise UsageError("no episode has begun", hint="call reset(task) first")
        self._open_or_raise()
        return self._clock()

    def end_step(
        self,
        tool: str,
        arguments: Mapping[str, object],
        answer: ToolAnswer,
        began: float,
        *,
        malformed: str | None = None,
        call_id: str | None = None,
    ) -> Observation:
        """Record a step with its answer. End the episode if the tool or a limit requires it."""
        tool, number = authored.as_text(tool), self.used.steps + 1
        self.used = self._spent(steps=number, evaluations=self.used.evaluations + answer.counted)
        ends = answer.ends or self.used.exhausted(self.budget)
        observation = self._observation(tool, answer, done=ends is not None)
        self._keep(
            EpisodeStep(
                at=time.time(),
                number=number,
                tool=tool,
                arguments=dict(arguments),
                call_id=call_id or f"call_{number}",
                said=call_id is not None or not tool,
                malformed=malformed,
                observation=observation,
                files_hash=files_hash(self.folder.contents()),
                counted=answer.counted,
                used=self.used,
                seconds=round(self._clock() - began, 3),
            )
        )
        if ends is not None:
            self.stop(ends)
        return observation

    def stop(self, reason: ExitReason) -> None:
        """Answer no further tool call. The best pass set replaces the last one that was tried."""
        if self.exit_reason is None:
            self.exit_reason = reason
            if self.best is not None:
                with _shown_only():
                    self.folder.end_with(self.best.files)

    def close(self, reason: ExitReason, detail: str | None = None, confirmed: Final | None = None) -> End:
        """The last record."""
        self.stop(reason)
        end = self._end(self.exit_reason or reason, detail, confirmed)
        self._keep(end)
        return end

    def leave_open(self, reason: ExitReason, detail: str | None = None, confirmed: Final | None = None) -> None:
        """Record why nothing follows, and the best so far, in an episode that can be continued."""
        self._keep(self._end(reason, detail, confirmed))

    def resume(self, count: int) -> None:
        """Record that the episode goes on."""
        self._keep(Resume(at=time.time(), resumed=count))

    @contextmanager
    def restoring(self, records: Sequence[EpisodeRecord]) -> Iterator[None]:
        """Do an episode again from its records inside this context.

        Nothing is written, see `show`. The first record is its start.
        """
        start = records[0]
        assert isinstance(start, Start), "an episode starts with its start"
        sink, self._sink = self._sink, None
        self._writes = False
        try:
            with self.folder.texts_alone():
                self.begin(start)
                self.budget = start.budget
                yield
        finally:
            self._sink, self._writes = sink, True
        self.records = list(records)
        self._began = self._clock() - self.used.wall_s

    def show(self, *, shared: bool) -> None:
        """Write the directories of an episode that was done again. `shared`: the pass directory is left to others."""
        if self.best is not None:
            self._put(BEST_DIR, self.best.files)
        elif self.unscored is not None:
            self._put(UNSCORED_DIR, self.unscored.files)
        if not shared:
            self.folder.show()

    @contextmanager
    def judged(self, files: Mapping[str, str]) -> Iterator[Path]:
        """A directory that holds these files during one measurement, whatever others do in the pass directory."""
        self._put(_JUDGED_DIR, files)
        try:
            yield self.directory / _JUDGED_DIR
        finally:
            shutil.rmtree(self.directory / _JUDGED_DIR, ignore_errors=True)

    # --- what is best ----------------------------------------------------------------------------------------

    def report(self, found: Evaluation, *, partial: bool) -> EvaluationReport:
        """An evaluation, and its place among those before it. Partial evaluations have no score."""
        best = not partial and found.score is not None and (self.best is None or found.score > self.best.score)
        known = self.best
        return EvaluationReport.of(
            found,
            partial=partial,
            best=best,
            best_score=found.score if best else known.score if known is not None else None,
            best_step=self.used.steps + 1 if best else known.step if known is not None else None,
        )

    @property
    def was_chosen(self) -> bool:
        """Whether the figures of the best set may have been lucky: it is one of several, or others looked at it before.

        Looks at some variants count as well, because a later evaluation has their figures. Quick looks do not.
        """
        return self.best is not None and (len(self.seen) > 1 or self.best.pass_set_hash in self.older)

    def remember(
        self, report: EvaluationReport, step: int, files: dict[str, str], *, every_variant: bool, quick: bool
    ) -> None:
        """Keep the files of an evaluation that has a score. If it is the best so far, keep it as the best.

        While no pass set has a score, the best look at all variants is kept.
        """
        if not quick:
            known = self.seen.setdefault(report.pass_set_hash, set())
            if not known.issuperset(report.kept):
                self.older.add(report.pass_set_hash)
            known.update(row.graph for row in report.graphs)
        if report.partial or report.score is None:
            if every_variant:
                self._keep_unscored(UnscoredStep(step, report.score, not report.partial, files, report.pass_set_hash))
            return
        found = MeasuredStep(step, report.score, files, report.pass_set_hash, report.graphs)
        self.measured[step] = found
        if report.best:
            self._keep_best(found)

    def choose(self, step: int) -> None:
        """Make the pass set of this step the one that counts, even if others scored more.

        Raises FileError when the step measured none.
        """
        if step not in self.measured:
            known = ", ".join(map(str, self.measured))
            raise FileError(f"step {step} evaluated no pass set on all variants; these did: {known}")
        self._keep_best(self.measured[step])

    def best_so_far(self) -> str:
        """The best so far and its place on disk, for people."""
        if self.best is not None:
            return f"AS {self.best.score:.3f} of step {self.best.step}, kept in {self.directory / BEST_DIR}"
        if self.unscored is not None:
            look = "" if self.unscored.look is None else f" (AS {self.unscored.look:.3f} by a look, which is no score)"
            return f"the pass set of step {self.unscored.step}{look}, kept in {self.directory / UNSCORED_DIR}"
        return "nothing was evaluated"

    def _keep_best(self, best: MeasuredStep) -> None:
        """Remember a pass set and put a copy on disk at once."""
        self.best = best
        with _shown_only():
            self._put(BEST_DIR, best.files)

    def _keep_unscored(self, found: UnscoredStep) -> None:
        """Remember a pass set without a score while none has one. If the machine fails, this is the only pass set."""
        if self.best is None and (self.unscored is None or found.rank >= self.unscored.rank):
            self.unscored = found
            with _shown_only():
                self._put(UNSCORED_DIR, found.files)

    def _put(self, name: str, files: Mapping[str, str]) -> None:
        """Write a directory of the episode. A link or a file that another hand put at its place is put aside."""
        if not self._writes:
            return
        if os.path.lexists(path := self.directory / name) and not is_directory(path):
            put_aside(path)
        with new_directory(path, overwrite=True) as directory:
            for file, text in files.items():
                (directory / file).write_text(text, encoding="utf-8", newline="")

    # --- inside ----------------------------------------------------------------------------------------------

    def _keep(self, record: EpisodeRecord) -> None:
        if self._sink is not None:
            self._sink(record)
        self.records.append(record)

    def _observation(self, tool: str, answer: ToolAnswer, *, done: bool) -> Observation:
        text = answer.text if answer.ok else self._without_paths(answer.text)
        return Observation(
            tool=tool,
            ok=answer.ok,
            text=clip(authored.as_text(text)),
            data=dict(answer.data) if answer.evaluation is None else answer.evaluation.to_json(),
            score=answer.score,
            done=done,
            evaluation=answer.evaluation,
        )

    def _without_paths(self, text: str) -> str:
        """The text without the paths of the run, so that it is the same for every run. Paths do not help an author."""
        for path in (self.folder.path, self.directory / _JUDGED_DIR, self.directory):
            text = text.replace(f"{path}/", "").replace(str(path), "the pass directory")
        return text

    def _end(self, reason: ExitReason, detail: str | None, confirmed: Final | None) -> End:
        best, look = self.best, self.unscored if self.best is None else None
        return End(
            at=time.time(),
            exit_reason=reason,
            detail=detail,
            score=_counts(best, confirmed),
            best_score=best.score if best is not None else None,
            best_step=best.step if best is not None else None,
            pass_set_hash=best.pass_set_hash if best is not None else None,
            confirmed=confirmed,
            look=look.look if look is not None else None,
            look_step=look.step if look is not None else None,
            used=self._spent(),
        )

    def _spent(self, **changes: float | None) -> Used:
        return self.used.model_copy(update={"wall_s": round(self._wall(), 3), **changes})

    def _wall(self) -> float:
        return self._clock() - self._began

    def _open_or_raise(self) -> None:
        """Raise EpisodeOver after the end, or when tokens, cost or time are used up."""
        if self.exit_reason is None:
            reason = self._spent().exhausted(self.budget)
            if reason is not None:
                self.stop(reason)
        if self.exit_reason is not None:
            raise EpisodeOver(self.exit_reason)


@contextmanager
def _shown_only() -> Iterator[None]:
    """Around what shows people a state that the records have too. Other hands in the way are told, and stop nothing."""
    try:
        yield
    except (FileError, UsageError) as error:
        _log.warning("the records are kept, but a copy of the pass set could not be written: %s", error)


def _counts(best: MeasuredStep | None, confirmed: Final | None) -> float | None:
    """The score of the confirming measurement if there was one. None where it could not tell."""
    if confirmed is not None:
        return confirmed.score
    return best.score if best is not None else None
