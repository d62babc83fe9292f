"""Where forms of one model are made and called: this process, or another one (`remote`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Protocol

import torch
from torch import nn

from passnet.dataset.models.building import quiet
from passnet.errors import UsageError, first_line
from passnet.use.form import Form
from passnet.use.forms.calls import ExampleCall
from passnet.use.forms.rightness import Examiner
from passnet.use.forms.wire import FormBuilt
from passnet.use.model.copies import copied
from passnet.use.model.modes import LIMITS
from passnet.use.passes import Passes
from passnet.use.time_limit import TimeIsOver, time_limit

# How many seconds the making of a form may take from now on, if it begins now. None: any time; 0: it does not begin.
Limit = Callable[[Form], float | None]
NO_TIME = FormBuilt(seconds=0.0, right=None, reason="the time was over")
_LONGEST_REASON = 300
# Programs record CUDA graphs and autotune in their first calls.
_WARM_UP = 3


class FormFailed(Exception):
    """A form that was built cannot be called any more. The text says why."""


class Stage(Protocol):
    """Makes forms and calls them. `apart`: each in a process of its own, so to end one ends no other."""

    apart: ClassVar[bool]

    def build(self, form: Form, limit_s: float | None = None) -> FormBuilt:
        """Make a form and compare its results with the model's. It never raises for what a form does."""
        ...

    def made(self, forms: Sequence[Form], limit: Limit) -> Iterator[tuple[Form, FormBuilt]]:
        """Make forms, each as soon as there is room for it. They are given in the order in which they are ready."""
        ...

    def seconds(self, form: Form, rounds: int, limit_s: float | None = None) -> float:
        """The time of so many rounds of all example calls, after one that is not counted. `FormFailed` if it fails."""
        ...

    def close(self) -> None:
        """Let go of all forms."""
        ...


def one_by_one(stage: Stage, forms: Sequence[Form], limit: Limit) -> Iterator[tuple[Form, FormBuilt]]:
    """Make forms one after the other. Those whose time is over before they are begun say so."""
    for form in forms:
        limit_s = limit(form)
        yield form, NO_TIME if limit_s == 0 else stage.build(form, limit_s)


class OwnStage:
    """Forms in this process."""

    apart: ClassVar[bool] = False

    def __init__(self, model: nn.Module, calls: Sequence[ExampleCall], device: str, passes: Passes | None) -> None:
        """Errors: UsageError when the model fails on an example."""
        self.model, self.device = model, device
        self.calls = [ExampleCall(*copied((call.args, dict(call.kwargs)))) for call in calls]
        self.passes = passes
        self.examiner = Examiner(model, self.calls)
        self._programs: dict[Form, Callable[..., Any]] = {}

    def build(self, form: Form, limit_s: float | None = None) -> FormBuilt:
        """See `Stage`. In the main thread the limit ends a compiler in this process, but not a call of torch."""
        began, verify_s = time.monotonic(), 0.0
        left_s = lambda: None if limit_s is None else max(0.0, limit_s - (time.monotonic() - began))  # noqa: E731
        try:
            with time_limit(left_s), quiet(), torch._dynamo.config.patch(LIMITS), torch.no_grad():
                program = build_form(form, self.model, self.calls, self.passes)
                for _ in range(_WARM_UP):
                    self._round(program)
                ready = time.monotonic()
                reason = self.examiner.reason_against(program)
                verify_s = time.monotonic() - ready
        except TimeIsOver:
            reason = f"it took longer than {limit_s:.0f} s"
            return FormBuilt(seconds=time.monotonic() - began, right=None, reason=reason)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  compilers and kernels raise anything: that is the row's reason
            raised = not _lacks_memory(error)
            return FormBuilt(seconds=time.monotonic() - began, right=None, reason=_words(error), raised=raised)
        if reason is None:
            self._programs[form] = program
        return FormBuilt(
            seconds=time.monotonic() - began, verify_s=verify_s, right=reason is None, reason=reason
        )  # fmt: skip

    def made(self, forms: Sequence[Form], limit: Limit) -> Iterator[tuple[Form, FormBuilt]]:
        """See `Stage`."""
        return one_by_one(self, forms, limit)

    def seconds(self, form: Form, rounds: int, limit_s: float | None = None) -> float:
        """See `Stage`. Calls that have begun are not ended here."""
        self.make_calls(form, 1)
        began = time.perf_counter()
        self.make_calls(form, rounds)
        return time.perf_counter() - began

    def make_calls(self, form: Form, rounds: int) -> None:
        """So many rounds of all example calls, with the device at rest afterwards. `FormFailed` when it raises."""
        program = self._programs[form]
        try:
            with torch.no_grad():
                for _ in range(rounds):
                    self._round(program)
                if self.device == "cuda":
                    torch.cuda.synchronize()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise FormFailed(_words(error)) from error

    def close(self) -> None:
        """See `Stage`."""
        self._programs.clear()
        torch._dynamo.reset()

    def _round(self, program: Callable[..., Any]) -> None:
        for call in self.calls:
            program(*call.args, **call.kwargs)


def build_form(form: Form, model: nn.Module, calls: Sequence[ExampleCall], passes: Passes | None) -> Callable[..., Any]:
    """A program of a form for these calls; other calls are the model's own. Raises what compilers and models raise."""
    if form.is_eager:
        return model
    if form.passes and passes is None:
        raise UsageError("there are no passes here", field=form.name)
    maker = passes.in_form(form) if passes is not None and form.passes else Passes(form=form)
    if form.is_baseline:
        return maker.apply(model, calls[0].args, calls[0].kwargs)
    program: Callable[..., Any] | None = None
    replaced = 0
    for call in reversed(calls):
        made = maker.apply(model, call.args, call.kwargs, otherwise=program)
        program, replaced = made, replaced + made.replaced
    assert program is not None, "there is an example call"
    if form.passes and not replaced:
        raise UsageError("no pass matches")
    return program


def _lacks_memory(error: BaseException) -> bool:
    """Whether the machine was too full for it. Compilers put what happened inside errors of their own."""
    inner: BaseException | None = error
    while inner is not None and not isinstance(inner, (MemoryError, torch.OutOfMemoryError)):
        inner = inner.__cause__ or inner.__context__
    return inner is not None


def _words(error: BaseException) -> str:
    text = first_line(error)
    kind = "" if isinstance(error, UsageError) else f"{type(error).__name__}: "
    return f"{kind}{text}"[:_LONGEST_REASON]
