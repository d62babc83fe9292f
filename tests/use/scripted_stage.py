"""Stands where the processes of forms do: times and reasons from a table, and a clock that only calls move."""

from __future__ import annotations

from passnet.use.forms.stage import FormFailed, one_by_one
from passnet.use.forms.wire import FormBuilt


class ScriptedClock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class ScriptedStage:
    """`times`: seconds of a round by the form's name; "*" for all others. `wrong`, `broken`, `dying`: reasons by name.

    `drift`: how much slower every further second of the clock makes everything. `ends`: what takes longer than its
    limit is ended then, as by another process. `raising`: forms that raise an error of their own, by name.
    """

    apart = False

    def __init__(self, times, *, wrong=None, broken=None, dying=None, clock=None, build_s=1.0, drift=0.0, ends=False,
                 raising=None):  # fmt: skip
        self.raising = raising or {}
        self.times, self.wrong, self.broken, self.dying = times, wrong or {}, broken or {}, dying or {}
        self.clock, self.build_s, self.drift = clock or ScriptedClock(), build_s, drift
        self.ends = ends
        self.built, self.closed, self.limits = [], False, []

    def build(self, form, limit_s=None):
        took = self._spend(self.build_s, limit_s)
        self.built.append(form.name)
        self.limits.append(limit_s)
        if took < self.build_s:
            return FormBuilt(seconds=took, right=None, reason=f"it took longer than {limit_s:.0f} s")
        if form.name in self.broken:
            return FormBuilt(seconds=self.build_s, right=None, reason=self.broken[form.name])
        if form.name in self.raising:
            return FormBuilt(seconds=self.build_s, right=None, reason=self.raising[form.name], raised=True)
        if form.name in self.wrong:
            return FormBuilt(seconds=self.build_s, right=False, reason=self.wrong[form.name])
        return FormBuilt(seconds=self.build_s, right=True)

    def made(self, forms, limit):
        return one_by_one(self, forms, limit)

    def seconds(self, form, rounds, limit_s=None):
        if form.name in self.dying:
            raise FormFailed(self.dying[form.name])
        time = self.times.get(form.name, self.times.get("*", 1.0)) * rounds * (1 + self.drift * self.clock.now)
        if self._spend(time, limit_s) < time:
            raise FormFailed(f"it took longer than {limit_s:.0f} s")
        return time

    def _spend(self, seconds, limit_s):
        spent = min(seconds, limit_s) if self.ends and limit_s is not None else seconds
        self.clock.now += spent
        return spent

    def close(self):
        self.closed = True
