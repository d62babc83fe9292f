"""The race of one model's forms: which are tried, in what order, within the time that is given.

The modes of torch.compile come first: they are what a user has without us, and the first answer. Then come our own
forms. The last comparison is made in a fresh process, by measurements that chose nothing.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from passnet.errors import InfrastructureError
from passnet.use.bundle import FormRow, FormSeconds
from passnet.use.form import EAGER, Form, baselines, plain_forms, with_passes
from passnet.use.forms.choice import Choice, best_baseline, choose
from passnet.use.forms.contest import Contest, Measured, speedup
from passnet.use.forms.stage import NO_TIME, Stage
from passnet.use.forms.wire import FormBuilt
from passnet.use.optimise.allowance import Allowance
from passnet.use.optimise.journal import FormJournal

# Groups of a first look at a form; at least those of a comparison of all, and of the last one; and at most.
_LOOK, _ALL, _LAST, _MOST = 3, 8, 12, 60
# Where eager takes longer than this, a block is that long too, and a third of the groups says as much.
_LONG_S = 0.1
# A form that was seen to take so many times as long as the fastest is not built again.
_HOPELESS = 1.25
# Shares of the time: our own forms are begun before the first, comparisons of all before the second and third.
PLAIN_UNTIL, ALL_UNTIL, LAST_UNTIL = 0.5, 0.9, 0.97
# What is being made is ended then, so that those that are ready can be compared.
MAKING_ENDS = 0.75
# The same where each form has a process of its own: to end one ends no other, and the fresh processes start together.
PLAIN_UNTIL_APART, MODES_END_APART = 0.6, 0.8
_BEGIN_ON_GPU = ("reduce-overhead", "default")
# Half of an interval, relative to the ratio: one process cannot tell more than the first, several not than the second.
_NARROW, _NARROWEST = 0.025, 0.008
# So many processes are measured at most, while it is open whether our form is faster.
_MOST_PROCESSES = 4


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
    """Forms on one stage, and their rows. `calls`: how many example calls a round has.

    `frozen`, `static`: what the user allows. `convolutions`: whether the model has any.
    """

    device: str
    calls: int
    allowance: Allowance
    journal: FormJournal
    report: Callable[[RaceStep], None]
    frozen: bool = True
    static: bool = False
    convolutions: bool = False
    rows: dict[Form, FormRow] = field(default_factory=dict)
    seed: int = 0

    def plain(self, stage: Stage, *, until: float = PLAIN_UNTIL) -> Measured:
        """Eager, every mode of torch.compile, and our forms without passes, in one process."""
        contest = self._contest(stage)
        wanted = [
            form
            for form in plain_order(self.device, self.frozen, self.static, self.convolutions)
            if not self._known(contest, form)
        ]

        def limit(form: Form) -> float | None:
            ours = not form.is_eager and not form.is_baseline
            left_s = self.allowance.until_s(MODES_END_APART if stage.apart and not ours else MAKING_ENDS)
            over = ours and not self.allowance.before(max(until, PLAIN_UNTIL_APART) if stage.apart else until)
            hopeless = not stage.apart and left_s is not None and left_s < self._quickest_s()
            return 0.0 if over or hopeless else left_s

        with self.allowance.phase("forms"):
            for form, built in stage.made(wanted, limit):
                self._look(contest, form, built)
        return self._all(contest)

    def passes(self, stage: Stage, before: Measured) -> Measured:
        """Forms with passes beside the best of the others, in one process."""
        contest = self._contest(stage)
        best = self._ranked(before)
        with self.allowance.phase("forms with passes"):
            for form in dict.fromkeys([EAGER, *_some(best_baseline(before)), *best[:1]]):
                self._try(contest, form, again=True)
            for form in with_passes(best, self.device, static=self.static):
                self._try_in_time(contest, form, ALL_UNTIL)
        return self._all(contest)

    def again(self, stage: Stage, form: Form, baseline: Form | None) -> Measured | None:
        """The form, the best mode of torch.compile and eager in a fresh process. None when one of them fails."""
        contest = self._contest(stage)
        forms = list(dict.fromkeys([EAGER, *_some(baseline), form]))
        limit_s = self.allowance.end_s()
        made = stage.made(forms, lambda form: limit_s) if stage.apart else self._one_by_one(stage, forms)
        if any(built.reason is not None for _, built in made):
            return None
        least = self._groups(contest, _LAST)
        goes_on = lambda: self._goes_on(contest, least, LAST_UNTIL)  # noqa: E731
        measured = contest.run(forms, groups=_MOST, goes_on=goes_on, needed=forms)
        return None if measured.failed else measured

    def _one_by_one(self, stage: Stage, forms: Sequence[Form]) -> Iterator[tuple[Form, FormBuilt]]:
        return ((form, stage.build(form, self.allowance.limit_s())) for form in forms)

    def last(self, fresh: Callable[[Form], Stage], before: Sequence[Measured]) -> tuple[Choice | None, int, bool]:
        """The choice, by how many processes, and whether these are others than those `before`, which found the form.

        `fresh` starts another process for a form. There our fastest form meets the best mode of torch.compile, by
        measurements that chose nothing. While it is open which is faster and there is time, one more is measured.
        """
        first, choice = before[-1], choose(before)
        form = next(iter(self._ranked(first)), None)
        if choice is None or form is None or self._is_behind(first, form, choice):
            return choice, len(before), False
        form = form if choice.form.is_eager or choice.form.is_baseline else choice.form
        seen: list[Measured] = []
        while len(seen) < _MOST_PROCESSES and self.allowance.before(ALL_UNTIL):
            try:
                with contextlib.closing(fresh(form)) as stage:
                    measured = self.again(stage, form, choice.baseline)
            except InfrastructureError:  # no process could be had in time: what is known so far is the answer
                break
            if measured is None:
                break
            seen.append(measured)
            if not is_open(seen, form, _NARROWEST):
                break
        found = choose(seen) if seen else None
        for each in seen[-1].groups if seen else ():  # the table shows the times by which the answer was found
            row, seconds = self.rows[each], seen[-1].seconds(each)
            if seconds is not None:
                self._note(each, row.model_copy(update={"us": seconds / self.calls * 1e6}))
        return (found, len(seen), True) if found is not None else (choice, len(before), False)

    def _is_behind(self, first: Measured, form: Form, choice: Choice) -> bool:
        """Whether our fastest form is slower than what is chosen without us, eager or a mode of torch.compile."""
        ours, theirs = first.seconds(form), first.seconds(choice.form)
        plain = choice.form.is_eager or choice.form.is_baseline
        return plain and (ours is None or theirs is None or ours >= theirs)

    # --- one form --------------------------------------------------------------------------------------------------

    def _contest(self, stage: Stage) -> Contest:
        self.seed += 1
        return Contest(stage, self.seed, left_s=self.allowance.end_s)

    def _try_in_time(self, contest: Contest, form: Form, until: float) -> None:
        if self.allowance.before(until):
            self._try(contest, form)
        else:
            self._note(form, FormRow(form=form.name, us=None, right=None, reason="the time was over"))

    def _try(self, contest: Contest, form: Form, *, again: bool = False) -> None:
        """Make a form and look at its speed beside the best ones."""
        if again or not self._known(contest, form):
            self._look(contest, form, contest.stage.build(form, self.allowance.limit_s()))

    def _known(self, contest: Contest, form: Form) -> bool:
        """Whether an earlier run of this command found a form wrong or far behind. Every figure needs eager."""
        known = self.journal.rows.get(form)
        if form.is_eager or known is None or not (known.reason is not None or self._is_hopeless(form, known)):
            return False
        self.rows[form] = known
        self._tell(contest, known, known=True)
        return True

    def _look(self, contest: Contest, form: Form, built: FormBuilt) -> None:
        """A first look at the speed of a form that was made, beside the best ones."""
        began = self.allowance.spent_s
        if built.reason is None:
            beside = [best_baseline(contest.measured), contest.measured.fastest(contest.measured.groups)]
            forms = list(dict.fromkeys([*(each for each in beside if each is not None), form]))
            contest.run(forms, groups=self._groups(contest, _LOOK))
        row = FormRow(
            form=form.name, us=None, right=built.right, reason=built.reason, raised=built.raised,
            compile_s=built.seconds,
        )  # fmt: skip
        if built != NO_TIME:
            row = row.model_copy(update={"seconds": self._seconds(built, self.allowance.spent_s - began)})
        row = self._measured(contest, form, row)
        self._note(form, row)
        self._tell(contest, row)

    def _all(self, contest: Contest) -> Measured:
        """All forms that are still in the race, side by side."""
        racing = list(contest.measured.groups)
        contest.rounds.clear()  # first looks may have been beside compilers, which make calls look longer
        if len(racing) > 1:
            least = self._groups(contest, _ALL)
            with self.allowance.phase("comparison"):
                contest.run(racing, groups=_MOST, goes_on=lambda: self._goes_on(contest, least, ALL_UNTIL))
        for form in [*racing, *contest.measured.failed]:
            if form in self.rows:
                self._note(form, self._measured(contest, form, self.rows[form]))
        return contest.measured

    def _quickest_s(self) -> float:
        """How long the quickest compiled form took to make. With less time none is begun: to end it ends the process
        that holds the others.
        """
        made = [row for form, row in self.rows.items() if not form.is_eager and row.us is not None]
        return min((row.compile_s for row in made if row.compile_s is not None), default=0.0)

    def _groups(self, contest: Contest, usual: int) -> int:
        """How many groups are enough for this model."""
        seconds = contest.measured.seconds(EAGER)
        known = self.journal.rows.get(EAGER)
        if seconds is None and known is not None and known.us is not None:
            seconds = known.us * self.calls / 1e6
        return max(2, math.ceil(usual / 3)) if seconds is not None and seconds > _LONG_S else usual

    def _measured(self, contest: Contest, form: Form, row: FormRow) -> FormRow:
        """The row with what the contest knows now."""
        seconds = contest.measured.seconds(form)
        us = None if seconds is None else seconds / self.calls * 1e6
        return row.model_copy(update={"us": us, "reason": row.reason or contest.measured.failed.get(form)})

    def _seconds(self, built: FormBuilt, look_s: float) -> FormSeconds:
        made_s = built.seconds - built.verify_s
        found = (built.start_s, made_s, built.verify_s, look_s, self.allowance.spent_s)
        start_s, made_s, verify_s, look_s, ended_s = (round(max(0.0, each), 2) for each in found)
        return FormSeconds(start_s=start_s, make_s=made_s, verify_s=verify_s, look_s=look_s, ended_s=ended_s)

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

    def _is_hopeless(self, form: Form, row: FormRow) -> bool:
        """Whether it was far behind; a mode of torch.compile, behind the best mode."""
        rows = self.journal.rows.items()
        alike = [each for other, each in rows if other.is_baseline or not form.is_baseline]
        times = [each.us for each in alike if each.us is not None]
        return row.us is not None and row.us > _HOPELESS * min(times)

    def _ranked(self, measured: Measured) -> list[Form]:
        """Our own forms, the fastest first."""
        ours = [form for form in measured.groups if not form.is_eager and not form.is_baseline]
        return sorted(ours, key=lambda form: measured.seconds(form) or float("inf"))

    def _goes_on(self, contest: Contest, least: int, until: float) -> bool:
        """Whether a comparison goes on: the time is not over, and the answer is open or has few groups yet."""
        if not self.allowance.before(until):
            return False
        groups = contest.measured.groups
        best = contest.measured.fastest([form for form in groups if not form.is_eager and not form.is_baseline])
        most = max((len(each) for each in groups.values()), default=0)
        return most < least or (best is not None and is_open([contest.measured], best, _NARROW))


def plain_order(device: str, frozen: bool, static: bool, convolutions: bool) -> list[Form]:
    """Eager, every mode of torch.compile, and our forms without passes, as they are tried.

    On a CPU the most promising of ours come before the modes that are seldom the best. On a GPU `reduce-overhead` is
    the mode to beat, so it is the first to be compiled. Several are made at a time there, and the modes that tune take
    longest: `max-autotune` is among the first to begin. What else tunes begins after it (see `FormPool`).
    """
    modes, ours = baselines(device), plain_forms(device, frozen=frozen, static=static, convolutions=convolutions)
    if device != "cuda":
        return [*modes[:2], *ours[:2], *modes[2:], *ours[2:]]
    begin = [form for mode in _BEGIN_ON_GPU for form in modes if form.mode == mode and form.is_baseline]
    quick = [form for form in ours if not form.tunes and form.graph != "none"]
    tuning = [form for form in (*modes, *ours) if form.tunes]
    return list(dict.fromkeys([EAGER, *begin, *quick[:1], *tuning[:1], *modes, *quick[:2], *tuning[:3], *quick, *ours]))


def _some(form: Form | None) -> Iterable[Form]:
    return () if form is None else (form,)


def rows_in_order(rows: dict[Form, FormRow]) -> Sequence[FormRow]:
    """The fastest first, then those without a time."""
    return sorted(rows.values(), key=lambda row: (row.us is None, row.us or 0.0))


def is_open(processes: Sequence[Measured], form: Form, narrow: float) -> bool:
    """Whether it is not known yet if a form is faster than the best mode of torch.compile, and could become known."""
    baseline = best_baseline(processes[-1])
    found = speedup(processes, form, baseline or EAGER) if form != baseline else None
    return found is not None and found.low <= 1.0 <= found.high and found.half_width > narrow


def not_compared(rows: Mapping[Form, FormRow]) -> tuple[str, ...]:
    """Modes of torch.compile that were not measured and may be faster. One that is wrong or raises is none to have."""
    return tuple(
        row.form
        for form, row in rows.items()
        if form.is_baseline and row.us is None and row.right is not False and not row.raised
    )
