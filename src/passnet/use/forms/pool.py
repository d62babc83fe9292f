"""Forms in processes of their own: several are made at a time, for compilers work on the CPU. Then they race.

All share one directory of caches, so what one has compiled or tuned is not compiled again by another. The first form
that tunes therefore does so alone, and modes of torch.compile tune before forms of ours. A process for the next form
starts with its model while others are still compiling.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from passnet.use.form import Form
from passnet.use.forms.remote import RemoteStage
from passnet.use.forms.stage import NO_TIME, FormFailed, Limit
from passnet.use.forms.wire import FormBuilt

# Device memory of a process besides the model's: its context and libraries. And how many times a process may hold the
# model: its own weights, constants that were folded from them, results between layers, and memory of a CUDA graph.
_CONTEXT_BYTES, _COPIES = 2 << 30, 5
_MOST_JOBS = 8


def fits(forms: int, model_bytes: int, free_bytes: int) -> bool:
    """Whether so many processes with a model find room on a device at once."""
    return forms * (_CONTEXT_BYTES + _COPIES * model_bytes) <= free_bytes


def jobs_of(cores: int) -> int:
    """How many forms are made at a time. Each has a compiler with processes of its own, and the first ones are the most
    wanted: others beside them would make these late.
    """
    return max(1, min(_MOST_JOBS, cores // 4))


@dataclass
class _Making:
    stage: RemoteStage
    began: float
    ends: float | None = None


@dataclass
class FormPool:
    """See `Stage`. `opened`: a process that is not started. `jobs`: how many forms are compiled at a time."""

    apart: ClassVar[bool] = True
    opened: Callable[[], RemoteStage]
    jobs: int
    clock: Callable[[], float] = time.monotonic
    _stages: dict[Form, RemoteStage] = field(default_factory=dict)
    _making: dict[Form, _Making] = field(default_factory=dict)
    _spare: RemoteStage | None = None
    _has_tuned: bool = False

    def prepare(self, forms: Sequence[Form]) -> None:
        """Begin with the first forms, before anybody waits for them."""
        waiting = list(forms)
        while (form := self._next(waiting)) is not None:
            waiting.remove(form)
            self._begin(form)
        self._keep_spare(waiting)

    def made(self, forms: Sequence[Form], limit: Limit) -> Iterator[tuple[Form, FormBuilt]]:
        """See `Stage`. Forms that were prepared and are not wanted are given up."""
        for form in [form for form in self._making if form not in forms]:
            self._making.pop(form).stage.close()
        for form, making in self._making.items():
            making.ends = self._end(limit(form))
        waiting = [form for form in forms if form not in self._making]
        while waiting or self._making:
            while (next_one := self._next(waiting)) is not None:
                waiting.remove(next_one)
                limit_s = limit(next_one)
                if limit_s == 0:
                    yield next_one, NO_TIME
                    continue
                self._begin(next_one, self._end(limit_s))
            self._keep_spare([form for form in waiting if limit(form) != 0])
            for form, found in self._answers():
                yield form, found

    def build(self, form: Form, limit_s: float | None = None) -> FormBuilt:
        """See `Stage`."""
        ((_, found),) = self.made([form], lambda form: limit_s)
        return found

    def seconds(self, form: Form, rounds: int, limit_s: float | None = None) -> float:
        """See `Stage`."""
        if form not in self._stages:
            raise FormFailed("it was not made")
        return self._stages[form].seconds(form, rounds, limit_s)

    def close(self) -> None:
        """See `Stage`."""
        for stage in [*self._stages.values(), *(making.stage for making in self._making.values())]:
            stage.close()
        self._stages.clear()
        self._making.clear()
        self._end_spare()

    # --- processes at work -----------------------------------------------------------------------------------------

    def _next(self, waiting: Sequence[Form]) -> Form | None:
        """The first form that may begin now. Eager compiles nothing, so it takes no one's place."""
        has_room = sum(not form.is_eager for form in self._making) < self.jobs
        tuning = [form for form in self._making if form.tunes]
        may_tune = not tuning or (self._has_tuned and not any(form.is_baseline for form in tuning))
        allowed = (form for form in waiting if form.is_eager or (has_room and (may_tune or not form.tunes)))
        return next(allowed, None)

    def _keep_spare(self, waiting: Sequence[Form]) -> None:
        """A started process for the next form, as long as one is waiting."""
        if not waiting:
            self._end_spare()
        elif self._spare is None:
            self._spare = self.opened()
            self._spare.launch()

    def _end_spare(self) -> None:
        if self._spare is not None:
            self._spare.close()
            self._spare = None

    def _begin(self, form: Form, ends: float | None = None) -> None:
        stage, self._spare = self._spare or self.opened(), None
        self._making[form] = _Making(stage, self.clock(), ends)
        stage.begin(form)

    def _end(self, limit_s: float | None) -> float | None:
        return None if limit_s is None else self.clock() + limit_s

    def _answers(self) -> Iterator[tuple[Form, FormBuilt]]:
        """Wait until a process answers or its time is over. Nothing when only a model was ready."""
        if not self._making:
            return
        ends = [making.ends for making in self._making.values() if making.ends is not None]
        wait_s = max(0.0, min(ends) - self.clock()) if ends else None
        if not any(making.stage.answers() for making in self._making.values()):
            select.select([making.stage for making in self._making.values()], [], [], wait_s)
        for form, making in list(self._making.items()):
            found = making.stage.answered(form) if making.stage.answers() else None
            now = self.clock()
            if found is None and making.ends is not None and now >= making.ends:
                took = now - making.began
                found = FormBuilt(seconds=took, right=None, reason=f"it took longer than {took:.0f} s")
            if found is None:
                continue
            del self._making[form]
            self._has_tuned = self._has_tuned or form.tunes
            if found.reason is None:
                self._stages[form] = making.stage
            else:
                making.stage.close()
            yield form, found
