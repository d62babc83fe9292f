"""Which form a user gets: the fastest right one, and the best mode of torch.compile where nothing surely beats it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from passnet.bench.timing.stats import Estimate
from passnet.use.form import EAGER, Form
from passnet.use.forms.contest import Measured, speedup

# Forms within so much of the fastest are equal to it, and the least complicated of them is taken.
_EQUAL = 1.01


@dataclass(frozen=True)
class Choice:
    """The chosen form, and the seconds of one round of the calls.

    `baseline`: the best mode of torch.compile, None when none of them is right.
    `over_baseline` and `over_eager`: its speedups, with intervals; None where there is no figure.
    """

    form: Form
    seconds: float
    baseline: Form | None
    over_baseline: Estimate | None
    over_eager: Estimate | None


def best_baseline(measured: Measured) -> Form | None:
    """The fastest right mode of torch.compile in one process."""
    return measured.fastest([form for form in measured.groups if form.is_baseline])


def choose(processes: Sequence[Measured]) -> Choice | None:
    """The form to use, by the processes' own measurements. None when nothing was measured.

    The last process decides which forms there are. A form of ours must be surely faster than the best mode of
    torch.compile. Else that mode is taken, or eager where it is as fast.
    """
    last = processes[-1]
    forms = [form for form, groups in last.groups.items() if groups]
    if not forms:
        return None
    baseline = best_baseline(last)
    over = baseline or (EAGER if EAGER in forms else forms[0])
    known = {form: found for form in forms if (found := speedup(processes, form, over)) is not None}
    ratios = {form: found.ratio for form, found in known.items()}
    ratios.setdefault(over, 1.0)
    sure = [form for form in known if known[form].low > 1.0 and form != over]
    plain = [form for form in (over, EAGER) if form in ratios]
    among = sure or plain
    fastest = max(ratios[form] for form in among)
    chosen = min((form for form in among if ratios[form] * _EQUAL >= fastest), key=_simplest(ratios))
    return _described(processes, chosen, baseline)


def _simplest(ratios: Mapping[Form, float]) -> Callable[[Form], tuple[int, float]]:
    return lambda form: (form.complexity, -ratios[form])


def _described(processes: Sequence[Measured], form: Form, baseline: Form | None) -> Choice:
    seconds = processes[-1].seconds(form)
    assert seconds is not None, "a form that was chosen was measured"
    over_baseline = None
    if baseline is not None:
        over_baseline = Estimate(1.0, 1.0, 1.0) if form == baseline else speedup(processes, form, baseline)
    over_eager = Estimate(1.0, 1.0, 1.0) if form.is_eager else speedup(processes, form, EAGER)
    return Choice(form, seconds, baseline, over_baseline, over_eager)
