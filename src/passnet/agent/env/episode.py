"""The state of one episode: files, limits, what was best; and the record of every call, written before its answer."""

from __future__ import annotations

import functools
import hashlib
import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from passnet import authored
from passnet.agent.env.files import FileError, PassFolder
from passnet.agent.record.budget import Budget, Usage, Used
from passnet.agent.record.names import ExitReason
from passnet.agent.record.observation import Observation, clip
from passnet.agent.record.records import End, EpisodeRecord, EpisodeStep, Final, Message, Resume, Start
from passnet.errors import InfrastructureError, PassNetError, UsageError
from passnet.graph.targets import Target
from passnet.writing import new_directory

if TYPE_CHECKING:
    from passnet.agent.env.toolbox import Toolbox

P = ParamSpec("P")
Env = TypeVar("Env", bound="Toolbox")
PASS_DIR, BEST_DIR, UNSCORED_DIR, SCRATCH = "pass_dir", "passes", "unscored", "scratch"


class EpisodeOver(Exception):
    """The episode has ended; no tool answers any more."""

    def __init__(self, reason: ExitReason) -> None:
        super().__init__(f"the episode is over: {reason}")
        self.reason = reason


@dataclass(frozen=True)
class ToolAnswer:
    """What a tool has to say; the environment makes an observation of it."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)
    score: float | None = None
    counted: bool = False
    ends: ExitReason | None = None


@dataclass(frozen=True)
class MeasuredStep:
    """A pass set as a step measured it on all variants."""

    step: int
    score: float
    files: dict[str, str]
    pass_set_hash: str
    graphs: list[dict[str, Any]]


@dataclass(frozen=True)
class Unscored:
    """A pass set without a score: of a look at all variants, or of a machine that could not tell (`asked`)."""

    step: int
    look: float | None
    asked: bool

    @property
    def rank(self) -> tuple[bool, float]:
        """What the author wanted to count before what it only looked at."""
        return self.asked, self.look if self.look is not None else -1.0


def tool(function: Callable[Concatenate[Env, P], ToolAnswer]) -> Callable[Concatenate[Env, P], Observation]:
    """A method as a tool: every call of it is a step, recorded with its arguments and answered by an observation."""

    @functools.wraps(function)
    def recorded(self: Env, /, *args: P.args, **kwargs: P.kwargs) -> Observation:
        arguments = self.bound(function, args, kwargs)
        return self.perform(function.__name__, arguments, lambda: function(self, *args, **kwargs))

    return recorded


def files_hash(files: Mapping[str, str]) -> str:
    """SHA-256 over names and texts of files."""
    digest = hashlib.sha256()
    for name, text in sorted(files.items()):
        digest.update(f"{name}\0{len(text)}\0{text}\0".encode())
    return digest.hexdigest()


def task_hash(target: Target) -> str:
    """SHA-256 over the names and contents of a task's graphs, in order."""
    lines = (f"{name} {graph.content_hash}" for name, _, graph in target.graphs)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


class Episode:
    """What `PassEnv` is built on. `sink` receives each record as soon as it is made; `clock` counts seconds."""

    def __init__(
        self,
        directory: Path,
        budget: Budget,
        sink: Callable[[EpisodeRecord], None] | None,
        clock: Callable[[], float],
    ) -> None:
        self.directory, self.budget, self._sink, self._clock = directory, budget, sink, clock
        self.folder = PassFolder(directory / PASS_DIR)
        self.records: list[EpisodeRecord] = []
        self.used = Used()
        self.best: MeasuredStep | None = None
        self.unscored: Unscored | None = None
        self.measured: dict[int, MeasuredStep] = {}
        self.exit_reason: ExitReason | None = None
        self._began = clock()
        self._call_id: str | None = None

    @property
    def done(self) -> bool:
        return self.exit_reason is not None

    @property
    def scratch(self) -> Path:
        """A directory of the episode for the author's own files; nothing in it is judged."""
        path = self.directory / SCRATCH
        path.mkdir(parents=True, exist_ok=True)
        return path

    def left_s(self) -> float | None:
        """Seconds of wall time that are left; None without a limit."""
        return max(0.0, self.budget.wall_s - self._wall()) if self.budget.wall_s else None

    def files(self) -> dict[str, str]:
        """The pass directory as it is now."""
        return self.folder.contents()

    def reward(self) -> float:
        """AS of the best pass set so far; 0 while none was measured."""
        return self.best.score if self.best is not None else 0.0

    # --- records ---------------------------------------------------------------------------------------------

    def begin(self, start: Start) -> None:
        """Empty the episode and put its first record down."""
        self.records, self.best, self.unscored, self.exit_reason, self.used = [], None, None, None, Used()
        self.measured = {}
        self._began = self._clock()
        self.folder.path.mkdir(parents=True, exist_ok=True)
        self.folder.replace_all(start.seed_files)
        self._keep(start)

    def message(self, role: str, content: str, usage: Usage | None = None, **extra: Any) -> None:
        """Record what a model was told or said. What it took counts at once; the limit shows at the next tool call.

        Raises EpisodeOver when the episode has ended. An answer that was paid for (`usage`) is put down even when it
        comes after a limit was reached.
        """
        if usage is None or self.done:
            self._open_or_raise()
        content, problem = authored.as_text(content), authored.refusal(extra)
        extra = extra if problem is None else {"left_out": problem}
        if usage is not None:
            cost = self.used.cost_with(usage)
            self.used = self._spent(tokens=self.used.tokens + usage.tokens, cost_usd=cost)
        self._keep(
            Message.model_validate(
                {"at": time.time(), "role": role, "content": content, "usage": usage, "extra": extra, "used": self.used}
            )
        )

    def perform(
        self, name: str, arguments: Mapping[str, Any], work: Callable[[], ToolAnswer], malformed: str | None = None
    ) -> Observation:
        """One step: do the work, record it, answer. Raises EpisodeOver when a limit was reached before."""
        self._open_or_raise()
        name = authored.as_text(name)
        began, number = self._clock(), self.used.steps + 1
        answer, ok = self._answer(work)
        self.used = self._spent(steps=number, evaluations=self.used.evaluations + answer.counted)
        ends = answer.ends or self.used.exhausted(self.budget)
        observation = Observation(
            tool=name,
            ok=ok,
            text=clip(authored.as_text(answer.text)),
            data=answer.data,
            score=answer.score,
            done=ends is not None,
        )
        self._keep(
            EpisodeStep(
                at=time.time(),
                number=number,
                tool=name,
                arguments=dict(arguments),
                call_id=self._call_id or f"call_{number}",
                said=self._call_id is not None or not name,
                malformed=malformed,
                observation=observation,
                files_hash=files_hash(self.files()),
                counted=answer.counted,
                used=self.used,
                seconds=round(self._clock() - began, 3),
            )
        )
        if ends is not None:
            self.stop(ends)
        return observation

    def stop(self, reason: ExitReason) -> None:
        """No further tool call is answered; the best pass set takes the place of whatever was tried last."""
        if self.exit_reason is None:
            self.exit_reason = reason
            if self.best is not None:
                self.folder.replace_all(self.best.files)

    def close(self, reason: ExitReason, detail: str | None = None, confirmed: Final | None = None) -> End:
        """The last record."""
        self.stop(reason)
        end = self._end(self.exit_reason or reason, detail, confirmed)
        self._keep(end)
        return end

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

    @staticmethod
    def bound(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Arguments of a tool by name, defaults filled in."""
        bound = inspect.signature(function).bind(None, *args, **kwargs)
        bound.apply_defaults()
        return dict(list(bound.arguments.items())[1:])

    def close_for_now(self, reason: ExitReason, detail: str | None = None, confirmed: Final | None = None) -> None:
        """Say why nothing follows, and what is best so far, in an episode that can be taken up again."""
        self._keep(self._end(reason, detail, confirmed))

    def resume(self, count: int) -> None:
        """Say in the records that the episode goes on."""
        self._keep(Resume(at=time.time(), resumed=count))

    def take_over(self, records: Sequence[EpisodeRecord]) -> None:
        """What was recorded before is part of this episode; nothing is written again."""
        self.records = list(records)

    # --- inside ----------------------------------------------------------------------------------------------

    def _keep(self, record: EpisodeRecord) -> None:
        if self._sink is not None:
            self._sink(record)
        self.records.append(record)

    def _answer(self, work: Callable[[], ToolAnswer]) -> tuple[ToolAnswer, bool]:
        """What the work says, or what is wrong with what was asked."""
        try:
            answer = work()
        except InfrastructureError:
            raise
        except (FileError, UsageError) as error:
            return ToolAnswer(self._without_paths(str(error))), False
        except PassNetError as error:  # what a library of ours could not do with what it was given
            return ToolAnswer(f"{type(error).__name__}: {self._without_paths(str(error))}"), False
        return answer, True

    def _without_paths(self, text: str) -> str:
        """The same for every run: where the run lies is of no use to an author."""
        for path in (self.folder.path, self.directory):
            text = text.replace(f"{path}/", "").replace(str(path), "the pass directory")
        return text

    def _spent(self, **changes: Any) -> Used:
        return self.used.model_copy(update={"wall_s": round(self._wall(), 3), **changes})

    def _wall(self) -> float:
        return self._clock() - self._began

    def _open_or_raise(self) -> None:
        """Raise EpisodeOver after the end, and now when tokens, cost or time are used up."""
        if self.exit_reason is None:
            reason = self._spent().exhausted(self.budget)
            if reason is not None:
                self.stop(reason)
        if self.exit_reason is not None:
            raise EpisodeOver(self.exit_reason)

    def choose(self, step: int) -> None:
        """Let the pass set that this step measured count, whatever others scored. FileError when it measured none."""
        if step not in self.measured:
            known = ", ".join(map(str, self.measured))
            raise FileError(f"step {step} evaluated no pass set on all variants; these did: {known}")
        self.new_best(self.measured[step])

    def new_best(self, best: MeasuredStep) -> None:
        """Remember a pass set and put a copy on disk at once."""
        self.best = best
        self._put(BEST_DIR, best.files)

    def without_score(self, found: Unscored) -> None:
        """Remember a pass set that has no score while none has; where the machine fails, it is what there is."""
        if self.best is None and (self.unscored is None or found.rank >= self.unscored.rank):
            self.unscored = found
            self._put(UNSCORED_DIR, self.files())

    def kept(self) -> str:
        """What is best so far and where it lies, for people."""
        if self.best is not None:
            return f"AS {self.best.score:.3f} of step {self.best.step}, kept in {self.directory / BEST_DIR}"
        if self.unscored is not None:
            look = "" if self.unscored.look is None else f" (AS {self.unscored.look:.3f} by a look, which is no score)"
            return f"the pass set of step {self.unscored.step}{look}, kept in {self.directory / UNSCORED_DIR}"
        return "nothing was evaluated"

    def _put(self, name: str, files: Mapping[str, str]) -> None:
        with new_directory(self.directory / name, overwrite=True) as directory:
            for file, text in files.items():
                (directory / file).write_text(text, encoding="utf-8", newline="")


def _counts(best: MeasuredStep | None, confirmed: Final | None) -> float | None:
    """The confirming figure where there is one."""
    if confirmed is not None and confirmed.score is not None:
        return confirmed.score
    return best.score if best is not None else None
