"""From the chosen form to the bundle, the figures and the two lines that load it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from passnet import environment
from passnet.use.bundle import Best, Bundle, FormRow, KeptPasses, Left, write_bundle
from passnet.use.forms.choice import Choice
from passnet.use.forms.user_model import UserModel
from passnet.use.library.candidates import LibraryUnit, place_of, placed
from passnet.use.optimise.search import FoundPasses
from passnet.use.optimise.subject import ModelSubject
from passnet.use.optimise.trials import BEFORE, TrialRequest


@dataclass(frozen=True)
class Optimized:
    """The result. `choice` and `best` are None where no form was measured; `bundle` also where eager is best.

    `phases`: the seconds of each part of the command.
    """

    name: str
    device: str
    before: str
    choice: Choice | None
    best: Best | None
    bundle: Bundle | None
    rows: tuple[FormRow, ...]
    left: tuple[Left, ...]
    notes: tuple[str, ...]
    minutes: float
    phases: Mapping[str, float]


@dataclass(frozen=True)
class OptimizationEnd:
    """All that is known at the end of a command. `missing`: modes of torch.compile that were not measured."""

    request: TrialRequest
    model: UserModel
    subject: ModelSubject | None
    rows: tuple[FormRow, ...]
    found: FoundPasses
    units: tuple[LibraryUnit, ...]
    notes: tuple[str, ...]
    minutes: float
    missing: tuple[str, ...]
    phases: Mapping[str, float]

    def written(self, choice: Choice | None, processes: int, *, again: bool) -> Optimized:
        """The result, with its bundle on disk where there is one."""
        best = self._best(choice, processes, again=again) if choice is not None else None
        left = self.found.left
        uses_passes = choice is not None and choice.form.passes
        if not uses_passes:
            left += tuple(_unused(unit) for unit in self.found.units)
        bundle = None
        if choice is not None and best is not None and not choice.form.is_eager:
            bundle = self._bundle(choice, best, left)
            files = placed(self.units) if uses_passes else {}
            write_bundle(self.request.out, bundle, files, overwrite=self.request.overwrite)
        return Optimized(
            self.request.spec, self.model.device, BEFORE[self.request.compiler], choice, best, bundle, self.rows, left,
            self.notes, self.minutes, self.phases,
        )  # fmt: skip

    def _best(self, choice: Choice, processes: int, *, again: bool) -> Best | None:
        over, eager = choice.over_baseline, choice.over_eager
        if eager is None:
            return None
        return Best(
            form=choice.form.name,
            us=choice.seconds * 1e6 / len(self.model.calls),
            speedup_over_eager=eager.ratio,
            best_torch_compile=choice.baseline.name if choice.baseline is not None else None,
            speedup_over_best_torch_compile=over.ratio if over is not None else None,
            ci=(over.low, over.high) if over is not None else None,
            processes=processes,
            again=again,
            not_compared=self.missing,
        )

    def _bundle(self, choice: Choice, best: Best, left: tuple[Left, ...]) -> Bundle:
        request = self.request
        return Bundle(
            model=request.spec,
            graph_hash=self.subject.graph.content_hash if self.subject is not None else None,
            before=BEFORE[request.compiler],
            compiler=request.compiler,
            device=self.model.device,
            policy=request.policy,
            form=choice.form,
            best=best,
            forms=self.rows,
            minutes=self.minutes,
            whole=self.found.whole if choice.form.passes else None,
            kept=self._kept() if choice.form.passes else (),
            left=left,
            notes=self.notes,
            snippet=self.snippet(),
            protocol=request.protocol(self.model.device).model_dump(),
            environment=environment.snapshot(self.model.device),
        )

    def _kept(self) -> tuple[KeptPasses, ...]:
        """The passes of the form. Those that the bench did not find faster by themselves have no figure."""
        if self.found.units:
            return self.found.kept
        return tuple(
            KeptPasses(
                directory=place_of(index, unit), source=unit.source, content_hash=unit.content_hash, replacements={},
                speedup=None, speedup_ci=None,
            )
            for index, unit in enumerate(self.units)
        )  # fmt: skip

    def snippet(self) -> tuple[str, str]:
        """Two lines that load the bundle into the user's program."""
        example = "example_inputs, example_kwargs" if self.model.calls[0].kwargs else "example_inputs"
        policy = "" if self.request.policy == "strict" else f', policy="{self.request.policy}"'
        line = f'fast = passnet.load_passes("{self.request.out}"{policy}).apply(model, {example})'
        return ("import passnet", f"{line}  # call it under no_grad")


def _unused(unit: LibraryUnit) -> Left:
    return Left(source=unit.source, rules=unit.rules, reason="the fastest form has no passes")
