"""Forms in a process of their own: one that hangs or dies costs its form, not the command. The clock is ours."""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeVar

from passnet.bench.isolation import limits
from passnet.bench.isolation.leftovers import remove
from passnet.bench.isolation.sandbox import SandboxPlan
from passnet.bench.layers import open_doors
from passnet.bench.wire.channel import Channel, ChannelError, ChannelTimeout
from passnet.bench.wire.message import MalformedMessage, WireMessage, read
from passnet.errors import InfrastructureError, UsageError
from passnet.use.form import Form
from passnet.use.forms.stage import FormFailed, Limit, one_by_one
from passnet.use.forms.wire import BuildForm, CallForm, CallsMade, FormBuilt, FormOrder, StageReady
from passnet.use.forms.worker import StagePlan
from passnet.writing import copy_tree

_BOOT = (
    "import json, sys; paths, *rest = json.loads(sys.argv[1]); sys.path[:] = paths; "
    "from passnet.use.forms.worker import boot; boot(paths, *rest)"
)
_START_S, _CALL_S = 300.0, 60.0
_EMPTY_CALLS = 7
# Inductor's caches below the home, which processes without passes write and load: code with the user's rights.
_TRUSTED = "inductor"
M = TypeVar("M", bound=WireMessage)


class StageLost(Exception):
    """The process ended, hung, or broke the rules of the wire."""


class StageTimeout(StageLost):
    """The process took too long."""


@dataclass
class RemoteStage:
    """See `Stage`. A process that is lost is started again, with the forms that it had.

    `plan`: what it holds. `home`: a directory for its log and its caches, by which the next process starts faster.
    """

    apart: ClassVar[bool] = False
    plan: StagePlan
    home: Path
    device: str = ""
    _channel: Channel | None = None
    _process: subprocess.Popen[bytes] | None = None
    _rooms: list[Path] = field(default_factory=list)
    _empty_s: float = 0.0
    _start_s: float = 0.0
    _built: list[Form] = field(default_factory=list)

    def start(self, limit_s: float | None = None) -> None:
        """Start the process and wait for its model. UsageError for what is wrong with the model."""
        self.launch()
        if self.device:
            return
        try:
            ready = self._answer(StageReady, _least(_START_S, limit_s))
        except StageLost as lost:
            self._end()
            raise InfrastructureError(f"the process of the forms did not start: {lost}; see {self._log}") from None
        self._accept(ready)

    def _accept(self, ready: StageReady) -> None:
        """Errors: UsageError for what is wrong with the model, InfrastructureError for a sandbox that is refused."""
        if ready.problem is not None:
            self._end()
            raise UsageError(ready.problem)
        doors = open_doors(ready.layers) if self.plan.sandbox is not None else []
        if doors:
            self._end()
            names = ", ".join(door.name for door in doors)
            raise InfrastructureError(f"this system grants no sandbox against {names}; `passnet doctor` says more")
        self.device, self._start_s = ready.device, ready.seconds

    # --- one form, without waiting for it ------------------------------------------------------------------------

    def launch(self) -> None:
        """Start the process, and wait for nothing. See `begin`."""
        if self._channel is None:
            self._launch()

    def begin(self, form: Form) -> None:
        """Give the process, which is started if it is not, the order to make a form. `answered` has the result."""
        self.launch()
        assert self._channel is not None, "the process was started"
        with contextlib.suppress(ChannelError):  # it has ended already: `answered` says so
            self._channel.send(FormOrder(order=BuildForm(form=form)).encoded())

    def answers(self) -> bool:
        """Whether `answered` need not wait."""
        assert self._channel is not None, "the process was started"
        return self._channel.poll()

    def fileno(self) -> int:
        """For `select`."""
        assert self._channel is not None, "the process was started"
        return self._channel.fileno()

    def answered(self, form: Form) -> FormBuilt | None:
        """The result of `begin`. None when the process said only that its model is ready. Errors: as `start`."""
        try:
            if not self.device:
                self._accept(self._answer(StageReady, _START_S))
                return None
            found = self._answer(FormBuilt, _START_S)
        except StageLost as lost:
            self._end()
            return FormBuilt(seconds=0.0, right=None, reason=str(lost))
        if found.reason is None:
            self._built.append(form)
        return self._with_start(found)

    # --- as a stage ------------------------------------------------------------------------------------------------

    def build(self, form: Form, limit_s: float | None = None) -> FormBuilt:
        """See `Stage`. A form that takes longer than the limit is ended with its process."""
        began = time.monotonic()
        try:
            self._again(limit_s)
            left_s = None if limit_s is None else max(0.0, limit_s - (time.monotonic() - began))
            found = self._ask(FormBuilt, BuildForm(form=form), left_s)
        except StageTimeout:
            self._end()
            reason = f"it took longer than {limit_s:.0f} s"
            return FormBuilt(seconds=time.monotonic() - began, right=None, reason=reason)
        except (StageLost, FormFailed) as lost:
            self._end()
            return FormBuilt(seconds=time.monotonic() - began, right=None, reason=str(lost))
        if found.reason is None and form not in self._built:
            self._built.append(form)
        return self._with_start(found)

    def _with_start(self, found: FormBuilt) -> FormBuilt:
        """The start of a process counts for the first form in it."""
        start_s, self._start_s = self._start_s, 0.0
        return found.model_copy(update={"start_s": start_s})

    def made(self, forms: Sequence[Form], limit: Limit) -> Iterator[tuple[Form, FormBuilt]]:
        """See `Stage`."""
        return one_by_one(self, forms, limit)

    def seconds(self, form: Form, rounds: int, limit_s: float | None = None) -> float:
        """See `Stage`. An order and its answer take some tenths of a millisecond, which are measured and taken off."""
        try:
            self._again(limit_s)
            self._call(form, 1, limit_s)
            if not self._empty_s:
                self._empty_s = statistics.median(self._timed(form, 0, limit_s) for _ in range(_EMPTY_CALLS))
            return max(1e-9, self._timed(form, rounds, limit_s) - self._empty_s)
        except StageLost as lost:
            self._end()
            self._built = [each for each in self._built if each != form]
            raise FormFailed(str(lost)) from None

    def close(self) -> None:
        """See `Stage`."""
        self._end()
        self._built.clear()

    # --- the process ---------------------------------------------------------------------------------------------

    @property
    def _log(self) -> Path:
        return self.home / "forms.log"

    def _launch(self) -> None:
        """Start the process. Its first answer is that the model is built."""
        ours, theirs = Channel.pair()
        self._channel, self._empty_s, self.device = ours, 0.0, ""
        self.home.mkdir(parents=True, exist_ok=True)
        plan = self._in_sandbox()
        arguments = json.dumps(
            [sys.path, os.getcwd(), theirs.fileno(), plan.model_dump_json(), time.monotonic()]
        )  # fmt: skip
        # A pool of compilers would work beside the forms that are timed, and cannot start in a sandbox.
        alone = {"TORCHINDUCTOR_COMPILE_THREADS": "1"} if plan.sandbox is not None or plan.device != "cuda" else {}
        alone["TORCHINDUCTOR_CACHE_DIR"] = str((self.home / _TRUSTED).resolve())
        if plan.sandbox is not None:  # it has no list of users, so a name cannot be looked up there
            alone["USER"] = os.environ.get("USER") or "passnet"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BOOT, arguments],
                env={**os.environ, **alone},
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        theirs.close()

    def _in_sandbox(self) -> StagePlan:
        """The plan with directories for the sandbox that no process has seen before.

        Whatever passes leave there, links too, is neither written to nor read: it is removed with their process.
        """
        if self.plan.sandbox is None:
            return self.plan
        room = self._room()
        cache = self._room(self.home.resolve())  # on a disk where the bundle is: a sandbox's memory is small
        root, work = room / "root", room / "work"
        for place in (root, work):
            place.mkdir()
        if (self.home / _TRUSTED).is_dir():  # what was compiled outside may be read inside, never the other way
            copy_tree(self.home / _TRUSTED, cache / _TRUSTED, links=True)
        readable, gpu = self.plan.sandbox.readable, self.plan.sandbox.gpu
        box = SandboxPlan(str(root), str(work), str(cache), readable, gpu)
        return self.plan.model_copy(update={"sandbox": box})

    def _room(self, parent: Path | None = None) -> Path:
        """A new directory, which is removed when the process ends. `parent`: None for that of temporary files."""
        self._rooms.append(Path(tempfile.mkdtemp(prefix="passnet-forms-", dir=parent)).resolve())
        return self._rooms[-1]

    def _again(self, limit_s: float | None) -> None:
        """A process with all forms so far, after the last one was lost."""
        if self._channel is not None:
            return
        ends = None if limit_s is None else time.monotonic() + limit_s
        self.start(limit_s)
        for form in list(self._built):
            left_s = None if ends is None else max(0.0, ends - time.monotonic())
            found = self._ask(FormBuilt, BuildForm(form=form), _least(_START_S, left_s))
            if found.reason is not None:
                self._built.remove(form)

    def _call(self, form: Form, rounds: int, limit_s: float | None) -> None:
        done = self._ask(CallsMade, CallForm(form=form, rounds=rounds), _least(_CALL_S, limit_s))
        if done.reason is not None:
            raise FormFailed(done.reason)

    def _timed(self, form: Form, rounds: int, limit_s: float | None) -> float:
        began = time.perf_counter()
        self._call(form, rounds, limit_s)
        return time.perf_counter() - began

    def _ask(self, kind: type[M], order: BuildForm | CallForm, limit_s: float | None) -> M:
        assert self._channel is not None, "the process was started"
        try:
            self._channel.send(FormOrder(order=order).encoded())
        except ChannelError as error:
            raise StageLost(self._end_in_words(str(error))) from None
        return self._answer(kind, limit_s)

    def _answer(self, kind: type[M], limit_s: float | None) -> M:
        assert self._channel is not None, "the process was started"
        try:
            return read(kind, self._channel.receive(limit_s))
        except ChannelTimeout:
            raise StageTimeout(f"it took longer than {limit_s:.0f} s") from None
        except (ChannelError, MalformedMessage) as error:
            raise StageLost(self._end_in_words(str(error))) from None

    def _end_in_words(self, what: str) -> str:
        """How the process ended."""
        assert self._process is not None, "the process was started"
        try:
            status = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return what
        killed = {-9: " (is there enough memory?)"}.get(status, "")
        return f"its process ended with status {status}{killed}; see {self._log}"

    def _end(self) -> None:
        if self._process is not None:
            limits.kill_group(self._process.pid)
            self._process.wait()
        if self._channel is not None:
            self._channel.close()
        for room in self._rooms:
            remove(room)
        self._rooms.clear()
        self.device = ""
        self._channel, self._process = None, None


def _least(usual_s: float, limit_s: float | None) -> float:
    return usual_s if limit_s is None else min(usual_s, limit_s)
