"""Stands where the processes of forms do: times and reasons from a table, and a clock that only calls move."""

from __future__ import annotations

from passnet.use.forms.stage import FormFailed
from passnet.use.forms.wire import FormBuilt


class ScriptedClock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class ScriptedStage:
    """`times`: seconds of a round by the form's name; "*" for all others. `wrong`, `broken`, `dying`: reasons by name.

    `drift`: how much slower every further second of the clock makes everything.
    """

    def __init__(self, times, *, wrong=None, broken=None, dying=None, clock=None, build_s=1.0, drift=0.0):
        self.times, self.wrong, self.broken, self.dying = times, wrong or {}, broken or {}, dying or {}
        self.clock, self.build_s, self.drift = clock or ScriptedClock(), build_s, drift
        self.built, self.closed, self.limits = [], False, []

    def build(self, form, limit_s=None):
        self.clock.now += self.build_s
        self.built.append(form.name)
        self.limits.append(limit_s)
        if form.name in self.broken:
            return FormBuilt(seconds=self.build_s, right=None, reason=self.broken[form.name])
        if form.name in self.wrong:
            return FormBuilt(seconds=self.build_s, right=False, reason=self.wrong[form.name])
        return FormBuilt(seconds=self.build_s, right=True)

    def seconds(self, form, rounds):
        if form.name in self.dying:
            raise FormFailed(self.dying[form.name])
        time = self.times.get(form.name, self.times.get("*", 1.0)) * rounds * (1 + self.drift * self.clock.now)
        self.clock.now += time
        return time

    def close(self):
        self.closed = True
