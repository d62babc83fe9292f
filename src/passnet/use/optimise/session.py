"""`passnet optimize`: the fastest right form of one model, with its passes, as a bundle.

First the forms without passes race in a process of their own. Then passes are found: the bench judges them in its
sandbox. Then the forms with passes race beside the best of the others, in a sandboxed process. The answer is measured
once more in fresh processes, and written.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

from passnet import environment
from passnet.bench.isolation.sandbox import SandboxPlan
from passnet.errors import InfrastructureError, PassNetError, UsageError
from passnet.use.bundle import is_bundle
from passnet.use.form import Form, modes_of
from passnet.use.forms.choice import Choice, best_baseline
from passnet.use.forms.contest import Measured
from passnet.use.forms.pool import FormPool, fits, jobs_of
from passnet.use.forms.remote import RemoteStage
from passnet.use.forms.stage import OwnStage, Stage
from passnet.use.forms.user_model import UserModel, user_model
from passnet.use.forms.worker import StagePlan
from passnet.use.library.candidates import LibraryUnit, find_candidates, placed
from passnet.use.model.traced import NotTraced, flattened
from passnet.use.optimise.allowance import Allowance
from passnet.use.optimise.answer import OptimizationEnd, Optimized
from passnet.use.optimise.journal import FormJournal, key_of
from passnet.use.optimise.race import Race, RaceStep, not_compared, plain_order, rows_in_order
from passnet.use.optimise.search import FoundPasses, find_passes
from passnet.use.optimise.subject import ModelSubject, NotOneGraph, subject_of
from passnet.use.optimise.trials import TrialRequest, TrialStep
from passnet.use.passes import load_placed
from passnet.use.time_limit import TimeIsOver, time_limit

# Passes are looked for until this share of the time is spent: an author first, then the bench's own judgement.
AUTHOR_UNTIL, SEARCH_UNTIL = 0.45, 0.55
# What is under way then is ended: a judgement of an author's draft, and one of the bench. Also a trace of the model.
AUTHOR_ENDS, SEARCH_ENDS, TRACE_ENDS = 0.5, 0.65, 0.3
# The same where the forms without passes took long: shares of the time that is left after them.
_OF_THE_REST = {AUTHOR_UNTIL: 0.3, AUTHOR_ENDS: 0.37, SEARCH_UNTIL: 0.45, SEARCH_ENDS: 0.55}
# An author judges whole drafts. With less time none is asked.
LEAST_AUTHOR_S = 30.0
# A process is given so much time to start with its model, even when the time of all is over.
_LEAST_START_S = 5.0
# Half of an interval, relative to the ratio, that says more of the machine than of the forms.
_UNSTEADY = 0.1
# Writes passes for a captured model within so many seconds (None: any time), or finds none.
WritePasses = Callable[[ModelSubject, float | None], Path | None]
Step = RaceStep | TrialStep


@dataclass
class Optimization:
    """One command. `own`: a model of this process, whose forms are then made here.

    `left_s`: seconds until the very end of the command, None for any time.
    """

    request: TrialRequest
    report: Callable[[Step], None]
    write: WritePasses | None
    own: UserModel | None = None
    left_s: Callable[[], float | None] = lambda: None
    notes: list[str] = field(default_factory=list)

    def run(self) -> Optimized:
        """Measure, choose, and write the bundle. Mistakes of the user are raised first."""
        allowance = Allowance(self.request.minutes)
        self.request, self.left_s = replace(self.request, lease=allowance.device), allowance.end_s
        _check_out(self.request)
        with allowance.phase("model"):
            model = self._model()
        with ExitStack() as stack:
            pool = self._pool(model)
            if pool is not None:  # compilers begin while this process traces the model
                stack.enter_context(allowance.device(model.device))
                stack.callback(pool.close)
                pool.prepare(self._plain_order(model))
            with allowance.phase("trace"):
                subject = self._subject(model, allowance)
            if self.request.passes is not None and subject is not None:
                find_candidates(self.request.passes, subject.operations, model.device, self.request.policy)
            race = self._race(model, subject, allowance)
            stage: Stage = pool or stack.enter_context(self._stage(model, None))
            if pool is None:
                stack.enter_context(allowance.device(model.device))
            measured = [race.plain(stage)]
        with allowance.phase("passes"):
            found = self._passes(subject, allowance)
        units = found.units or found.open[:1]
        with self._placed(units) as directory:
            if directory is not None:
                measured += self._with_passes(race, model, directory, measured[0])
            with allowance.device(model.device), allowance.phase("fresh processes"):
                choice, processes, again = race.last(
                    lambda form: self._fresh(model, directory if form.passes else None), measured
                )
        return self._result(model, subject, race, found, units, choice, processes, again)

    def _race(self, model: UserModel, subject: ModelSubject | None, allowance: Allowance) -> Race:
        journal = FormJournal.open(self.request.work / f"forms-{key_of(self._settings(model, subject))}")
        frozen, static = self.request.frozen, self.request.static
        device, calls = model.device, len(model.calls)
        return Race(device, calls, allowance, journal, self.report, frozen, static, model.has_convolutions)

    # --- what is needed first --------------------------------------------------------------------------------------

    def _model(self) -> UserModel:
        """The model, once in this process too: its graph is what the bench judges."""
        request = self.request
        if request.device is not None:
            environment.check_device(request.device)
        model = self.own or user_model(request.spec, request.examples)
        model = model.on(request.device)
        own = torch.get_num_threads()
        if model.device == "cpu" and own != request.threads:
            note = f"measured with {request.threads} thread(s) and torch uses {own} here; --threads {own} measures that"
            self.notes.append(note)
        return model

    def _subject(self, model: UserModel, allowance: Allowance) -> ModelSubject | None:
        """The captured model. None for one that is no single graph, with a note why."""
        try:
            with time_limit(lambda: allowance.until_s(TRACE_ENDS)):
                subject = subject_of(self.request.spec, model.model, model.calls[0])
                flattened(model.model, model.calls[0].args, dict(model.calls[0].kwargs))  # a branch shows only here
        except TimeIsOver:
            self.notes.append("no pass can be applied: tracing the model took too long; --minutes gives more time")
            return None
        except (NotOneGraph, NotTraced) as error:
            self.notes.append(f"no pass can be applied: {error}")
            return None
        self.notes += subject.notes
        if len(model.calls) > 1:
            self.notes.append("passes were judged on the first example call, and checked on all of them")
        return subject

    def _settings(self, model: UserModel, subject: ModelSubject | None) -> dict[str, object]:
        machine = environment.snapshot(model.device)
        shapes = [[str(getattr(leaf, "shape", leaf)) for leaf in call.leaves()] for call in model.calls]
        return {
            "model": self.request.spec,
            "graph": subject.graph.content_hash if subject is not None else str(model.model),
            "calls": shapes,
            "device": model.device,
            "threads": self.request.threads,
            "machine": {key: machine.get(key) for key in ("passnet", "torch", "cpu", "gpu")},
        }

    # --- processes of forms ----------------------------------------------------------------------------------------

    def _opened(self, model: UserModel, passes: Path | None) -> Stage:
        """A fresh process with the model, and with passes in a sandbox. In this process for a model of this process."""
        request = self.request
        if self.own is not None:
            loaded = load_placed(passes, request.policy) if passes is not None else None
            return OwnStage(model.model, model.calls, model.device, loaded)
        stage = self._process(model, passes)
        left_s = self.left_s()
        stage.start(None if left_s is None else max(_LEAST_START_S, left_s))
        return stage

    def _fresh(self, model: UserModel, passes: Path | None) -> Stage:
        """Where the answer is measured. On a GPU all its forms without passes are made at the same time."""
        pool = self._pool(model) if passes is None else None
        return pool if pool is not None else self._opened(model, passes)

    def _process(self, model: UserModel, passes: Path | None) -> RemoteStage:
        """A process that is not started yet."""
        request, box = self.request, None
        if passes is not None and request.sandbox:
            box = SandboxPlan("", "", "", (str(passes),), model.device == "cuda")
        plan = StagePlan(
            spec=request.spec,
            device=model.device,
            examples=request.examples,
            threads=request.threads,
            passes=str(passes) if passes is not None else None,
            policy=request.policy,
            sandbox=box,
        )
        return RemoteStage(plan, request.work)

    def _pool(self, model: UserModel) -> FormPool | None:
        """Processes for the forms without passes: on a GPU with room for all of them."""
        if self.own is not None or model.device != "cuda":
            return None
        if not fits(len(self._plain_order(model)), model.bytes, torch.cuda.mem_get_info()[0]):
            return None
        return FormPool(lambda: self._process(model, None), jobs_of(len(os.sched_getaffinity(0))))

    def _plain_order(self, model: UserModel) -> list[Form]:
        return plain_order(model.device, self.request.frozen, self.request.static, model.has_convolutions)

    @contextmanager
    def _stage(self, model: UserModel, passes: Path | None) -> Iterator[Stage]:
        stage = self._opened(model, passes)
        try:
            yield stage
        finally:
            stage.close()

    def _with_passes(self, race: Race, model: UserModel, directory: Path, before: Measured) -> list[Measured]:
        """The race with passes. Nothing if no process can be had for them."""
        try:
            with self._stage(model, directory) as stage, race.allowance.device(model.device):
                measured = race.passes(stage, before)
        except InfrastructureError as error:
            self.notes.append(f"passes were found, and no form with them was tried: {error}")
            return []
        # Without a mode of torch.compile beside them, nothing is known of forms with passes.
        lacks = best_baseline(before) is not None and best_baseline(measured) is None
        return [] if lacks or not measured.groups else [measured]

    # --- passes ----------------------------------------------------------------------------------------------------

    def _passes(self, subject: ModelSubject | None, allowance: Allowance) -> FoundPasses:
        """The passes that are right in this model. What goes wrong with them is a note: the other forms are there."""
        if subject is None:
            return FoundPasses()
        threads, spent = torch.get_num_threads(), allowance.spent

        def share(usual: float) -> float:
            return max(usual, spent + _OF_THE_REST[usual] * (1.0 - spent))

        try:
            passes = self.request.passes
            if passes is None and self.write is not None:
                passes = self._written(self.write, subject, allowance, share)
            if passes is None:
                return FoundPasses()
            goes_on = lambda: allowance.before(share(SEARCH_UNTIL))  # noqa: E731
            left_s = lambda: allowance.until_s(share(SEARCH_ENDS))  # noqa: E731
            return find_passes(self.request, subject, passes, self.report, goes_on, left_s)
        except PassNetError as error:
            self.notes.append(f"without passes: {error}")
            return FoundPasses()
        finally:
            torch.set_num_threads(threads)  # the bench leaves one thread to its controller

    def _written(
        self, write: WritePasses, subject: ModelSubject, allowance: Allowance, share: Callable[[float], float]
    ) -> Path | None:
        """An author's passes, where there is time for an author. Without passes, with a note why."""
        limit_s = allowance.until_s(share(AUTHOR_UNTIL))
        if limit_s is not None and limit_s < LEAST_AUTHOR_S:
            self.notes.append(f"no time was left for an author: it needs {LEAST_AUTHOR_S:.0f} s; --minutes gives more")
            return None
        try:
            with time_limit(lambda: allowance.until_s(share(AUTHOR_ENDS))):
                passes = write(subject, limit_s)
        except TimeIsOver:
            self.notes.append("the author was ended with its time, and left no passes; --minutes gives more")
            return None
        if passes is None:
            self.notes.append("the author found no passes that make this model faster")
        return passes

    @contextmanager
    def _placed(self, units: tuple[LibraryUnit, ...]) -> Iterator[Path | None]:
        """The files of the passes in a directory of their own, as in a bundle. None without passes."""
        if not units:
            yield None
            return
        with ExitStack() as stack:
            root = Path(tempfile.mkdtemp(prefix="passnet-passes-"))
            stack.callback(shutil.rmtree, root, ignore_errors=True)
            for name, text in placed(units).items():
                file = root / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            yield root

    # --- the answer ------------------------------------------------------------------------------------------------

    def _result(
        self,
        model: UserModel,
        subject: ModelSubject | None,
        race: Race,
        found: FoundPasses,
        units: tuple[LibraryUnit, ...],
        choice: Choice | None,
        processes: int,
        again: bool,
    ) -> Optimized:
        alike = [f"{mode} is {', '.join(same)} too" for mode, same in modes_of(model.device).items() if same]
        self.notes += [f"torch.compile on {model.device}: {'; '.join(alike)}"] if alike else []
        missing = not_compared(race.rows)
        self.notes += [f"not compared with {', '.join(missing)}: see its reason"] if missing and choice else []
        raising = [row.form for form, row in race.rows.items() if form.is_baseline and row.raised]
        self.notes += [f"torch itself fails here in {', '.join(raising)}: see its reason"] if raising else []
        if choice is not None and not again and not (choice.form.is_eager or choice.form.is_baseline):
            self.notes.append("there was no time to measure the answer once more in a fresh process")
        self.notes += unsteadiness(choice)
        answer = OptimizationEnd(
            self.request, model, subject, tuple(rows_in_order(race.rows)), found, units, tuple(self.notes),
            round(race.allowance.spent_s / 60, 2), missing,
            {name: round(seconds, 1) for name, seconds in race.allowance.phases.items()},
        )  # fmt: skip
        return answer.written(choice, processes, again=again)


def unsteadiness(choice: Choice | None) -> list[str]:
    """A note where the interval behind the answer is wide: of what was chosen over eager, or of eager over a mode."""
    if choice is None:
        return []
    mode = choice.baseline if choice.form.is_eager else None
    over, what = (choice.over_baseline, f"eager over {mode.name}") if mode else (choice.over_eager, "over eager")
    if over is None or over.half_width <= _UNSTEADY:
        return []
    width = f"the interval is {over.low:.2f} to {over.high:.2f} {what}"
    return [f"the machine was unsteady ({width}): the same command on a quiet one tells more"]


def _check_out(request: TrialRequest) -> None:
    out = request.out
    if out.exists() and not request.overwrite and (not out.is_dir() or any(out.iterdir())):
        raise UsageError("already exists", path=out, field="--out", hint="choose another directory, or --overwrite")
    if out.exists() and not is_bundle(out) and (not out.is_dir() or any(out.iterdir())):
        raise UsageError("holds something else than a bundle", path=out, field="--out", hint="choose another directory")
