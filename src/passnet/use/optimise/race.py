"""The race of one model's forms: which are tried, in what order, within the time that is given.

The modes of torch.compile come first: they are what a user has without us, and the first answer. Then come our own
forms. The last comparison is made in a fresh process, by measurements that chose nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from passnet.use.bundle import FormRow
from passnet.use.form import EAGER, Form, baselines, plain_forms, with_passes
from passnet.use.forms.choice import Choice, best_baseline, choose
from passnet.use.forms.contest import Contest, Measured
from passnet.use.forms.stage import Stage
from passnet.use.optimise.allowance import Allowance
from passnet.use.optimise.journal import FormJournal

# Groups of a first look at a form, of a comparison of all, and of the last one.
_LOOK, _ALL, _LAST = 3, 12, 40
# A form that was seen to take so many times as long as the fastest is not built again.
_HOPELESS = 1.25
# Shares of the time: our own forms are begun before the first, comparisons of all before the second and third.
PLAIN_UNTIL, ALL_UNTIL, LAST_UNTIL = 0.5, 0.9, 0.97
# The last comparison ends when the interval is so narrow, relative to the ratio.
_NARROW = 0.006
_MOST_PROCESSES = 3


@dataclass(frozen=True)
class RaceStep:
    """What is known after a form was tried. `best`, `over`: the best form so far, and its speedup over torch.compile.

    `left_s`: seconds that are left, None for any time. `known`: the row is of an earlier run of this command.
    """

    row: FormRow
    best: str | None
    over: float | None
    left_s: float | None
    known: bool = False


@dataclass
class Race:
    """Forms on one stage, and their rows. `calls`: how many example calls a round has."""

    device: str
    calls: int
    allowance: Allowance
    journal: FormJournal
    report: Callable[[RaceStep], None]
    frozen: bool = True
    static: bool = False
    rows: dict[Form, FormRow] = field(default_factory=dict)
    seed: int = 0

    def plain(self, stage: Stage, *, until: float = PLAIN_UNTIL) -> Measured:
        """Eager, every mode of torch.compile, and our forms without passes, in one process."""
        contest = self._contest(stage)
        for form in baselines(self.device):
            self._try(contest, form)
        for form in plain_forms(self.device, frozen=self.frozen, static=self.static):
            if self.allowance.before(until):
                self._try(contest, form)
            else:
                self._note(form, FormRow(form=form.name, us=None, right=None, reason="the time was over"))
        return self._all(contest)

    def passes(self, stage: Stage, before: Measured) -> Measured:
        """Forms with passes beside the best of the others, in one process."""
        contest = self._contest(stage)
        best = self._ranked(before)
        for form in dict.fromkeys([EAGER, *_some(best_baseline(before)), *best[:2]]):
            self._try(contest, form, again=True)
        for form in with_passes(best, self.device, static=self.static):
            if self.allowance.before(ALL_UNTIL):
                self._try(contest, form)
        return self._all(contest)

    def again(self, stage: Stage, chosen: Choice) -> Measured | None:
        """The chosen form, the best mode of torch.compile and eager in a fresh process. None when one fails."""
        contest = self._contest(stage)
        forms = list(dict.fromkeys([EAGER, *_some(chosen.baseline), chosen.form]))
        for form in forms:
            if stage.build(form, self.allowance.limit_s()).reason is not None:
                return None
        measured = contest.run(forms, groups=_LAST, goes_on=lambda: self._is_open(contest), needed=forms)
        return None if measured.failed else measured

    def last(self, fresh: Callable[[], Stage], first: Measured) -> tuple[Choice | None, int, bool]:
        """The choice, by how many processes, and whether these are others than those that chose it.

        `fresh` starts another process. While the answer is not sure and there is time, one more is measured.
        """
        choice = choose([first])
        if choice is None or choice.form.is_eager or choice.form.is_baseline:
            return choice, 1, False
        seen: list[Measured] = []
        while len(seen) < _MOST_PROCESSES and self.allowance.before(ALL_UNTIL):
            stage = fresh()
            try:
                measured = self.again(stage, choice)
            finally:
                stage.close()
            if measured is None:
                break
            seen.append(measured)
            found = choose(seen)
            if found is None or found.form == choice.form:
                break
        found = choose(seen) if seen else None
        return (found, len(seen), True) if found is not None else (choice, 1, False)

    # --- one form --------------------------------------------------------------------------------------------------

    def _contest(self, stage: Stage) -> Contest:
        self.seed += 1
        return Contest(stage, self.seed)

    def _try(self, contest: Contest, form: Form, *, again: bool = False) -> None:
        """Make a form and look at its speed beside the best ones."""
        known = self.journal.rows.get(form)
        if known is not None and not again and (known.reason is not None or self._is_hopeless(known)):
            self.rows[form] = known
            self._tell(contest, known, known=True)
            return
        built = contest.stage.build(form, self.allowance.limit_s())
        if built.reason is None:
            beside = [best_baseline(contest.measured), contest.measured.fastest(contest.measured.groups)]
            contest.run(list(dict.fromkeys([*(each for each in beside if each is not None), form])), groups=_LOOK)
        row = self._row(contest, form, built.right, built.reason, built.seconds)
        self._note(form, row)
        self._tell(contest, row)

    def _all(self, contest: Contest) -> Measured:
        """All forms that are still in the race, side by side."""
        racing = list(contest.measured.groups)
        if len(racing) > 1:
            contest.run(racing, groups=_ALL, goes_on=lambda: self.allowance.before(ALL_UNTIL))
        for form in [*racing, *contest.measured.failed]:
            if form in self.rows:
                before = self.rows[form]
                self._note(form, self._row(contest, form, before.right, before.reason, before.compile_s))
        return contest.measured

    def _row(
        self, contest: Contest, form: Form, right: bool | None, reason: str | None, compile_s: float | None
    ) -> FormRow:
        seconds = contest.measured.seconds(form)
        reason = reason or contest.measured.failed.get(form)
        us = None if seconds is None else seconds / self.calls * 1e6
        return FormRow(form=form.name, us=us, right=right, reason=reason, compile_s=compile_s)

    def _note(self, form: Form, row: FormRow) -> None:
        self.rows[form] = row
        if row.us is not None or row.right is False:  # what the machine or the time prevented is tried again
            self.journal.append(form, row)

    def _tell(self, contest: Contest, row: FormRow, *, known: bool = False) -> None:
        best, baseline = contest.measured.fastest(contest.measured.groups), best_baseline(contest.measured)
        over = None
        if best is not None and baseline is not None:
            ours, theirs = contest.measured.seconds(best), contest.measured.seconds(baseline)
            over = theirs / ours if ours and theirs else None
        self.report(RaceStep(row, best.name if best else None, over, self.allowance.left_s, known))

    def _is_hopeless(self, row: FormRow) -> bool:
        times = [each.us for each in self.journal.rows.values() if each.us is not None]
        return row.us is not None and row.us > _HOPELESS * min(times)

    def _ranked(self, measured: Measured) -> list[Form]:
        """Our own forms, the fastest first."""
        ours = [form for form in measured.groups if not form.is_eager and not form.is_baseline]
        return sorted(ours, key=lambda form: measured.seconds(form) or float("inf"))

    def _is_open(self, contest: Contest) -> bool:
        """Whether the last comparison goes on: the time is not over and the interval is not narrow yet."""
        if not self.allowance.before(LAST_UNTIL):
            return False
        found = choose([contest.measured])
        return found is None or found.over_baseline is None or found.over_baseline.half_width > _NARROW


def _some(form: Form | None) -> Iterable[Form]:
    return () if form is None else (form,)


def rows_in_order(rows: dict[Form, FormRow]) -> Sequence[FormRow]:
    """The fastest first, then those without a time."""
    return sorted(rows.values(), key=lambda row: (row.us is None, row.us or 0.0))
