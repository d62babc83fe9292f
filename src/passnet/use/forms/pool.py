"""Forms in processes of their own: several are made at a time, for compilers work on the CPU. Then they race.

All share one directory of caches, so what one has compiled or tuned is not compiled again by another.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

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
    """See `Stage`. `opened`: a process that is not started. `jobs`: how many forms are made at a time."""

    opened: Callable[[], RemoteStage]
    jobs: int
    clock: Callable[[], float] = time.monotonic
    _stages: dict[Form, RemoteStage] = field(default_factory=dict)
    _making: dict[Form, _Making] = field(default_factory=dict)

    def prepare(self, forms: Sequence[Form]) -> None:
        """Begin with the first forms, before anybody waits for them."""
        for form in forms[: self.jobs]:
            self._begin(form)

    def made(self, forms: Sequence[Form], limit: Limit) -> Iterator[tuple[Form, FormBuilt]]:
        """See `Stage`. Forms that were prepared and are not wanted are given up."""
        for form in [form for form in self._making if form not in forms]:
            self._making.pop(form).stage.close()
        for form, making in self._making.items():
            making.ends = self._end(limit(form))
        waiting = [form for form in forms if form not in self._making]
        while waiting or self._making:
            while waiting and len(self._making) < self.jobs:
                form = waiting.pop(0)
                limit_s = limit(form)
                if limit_s == 0:
                    yield form, NO_TIME
                    continue
                self._begin(form, self._end(limit_s))
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

    # --- processes at work -----------------------------------------------------------------------------------------

    def _begin(self, form: Form, ends: float | None = None) -> None:
        stage = self.opened()
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
            if found.reason is None:
                self._stages[form] = making.stage
            else:
                making.stage.close()
            yield form, found
