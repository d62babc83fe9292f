"""What eager and float64 make of inputs, from the trusted reference worker of a pair.

On a CPU the worker answers to the next calls while what it said of these is looked at.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar

import torch

from passnet.bench.compare.rough_twin import Look
from passnet.bench.draws.secret_inputs import Key, SecretInputs
from passnet.bench.isolation.worker_pair import UnderWay, WorkerPair
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.outcome.ownership import Verdict, owned_by
from passnet.bench.timing import sizing
from passnet.bench.timing.sizing import GraphShape
from passnet.bench.wire.memory import free_bytes
from passnet.bench.wire.replies import Done, R
from passnet.bench.wire.requests import Expect, Request, Roughen
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.graph.tensors.stored_bytes import copied

# So many calls are answered at once where the next ones are answered beside.
_AT_ONCE_BESIDE = 4
# A look at what is off runs each operation as often at most.
_RUNS_OF_A_LOOK = 4
Tensors = Sequence[torch.Tensor]
T = TypeVar("T")


@dataclass(frozen=True)
class Expected:
    """The answer for one draw: eager's outputs, the inputs as eager leaves them, and float64 outputs where possible.

    `changed`: the inputs that eager changes, by number, as float64 leaves them.
    """

    eager: list[torch.Tensor]
    wide: list[torch.Tensor] | None
    after: list[torch.Tensor]
    changed: dict[int, torch.Tensor] | None = None

    def left(self, order: Sequence[int]) -> tuple[list[torch.Tensor], list[torch.Tensor] | None]:
        """The inputs with these numbers, as eager and as float64 leave them."""
        wide = [self.changed[index] for index in order] if self.changed is not None else None
        return [self.after[index] for index in order], wide


@dataclass(frozen=True)
class _Asked:
    """What the reference answers to now: so many calls, and where the answer will be."""

    under_way: UnderWay[Done]
    count: int
    coming: Future[list[Expected]]


@dataclass
class Answers:
    """Asks a pair's reference worker about a graph of this shape, one thing at a time.

    `first_call_s`: the time limit of a call. `wide`: it computes in float64 too. `choosers`: how many operations choose
    indices, so that the references may have to follow a candidate's choices.
    """

    pair: WorkerPair
    first_call_s: float
    shape: GraphShape
    wide: bool
    choosers: int
    _asked: _Asked | None = None

    @property
    def _is_beside(self) -> bool:
        """Whether the reference answers while answers are looked at. Processes of a GPU would wait for each other."""
        return self.shape.device == "cpu"

    def open(self) -> None:
        """Lend the reference worker the buffers for its answers. Called again after that worker was replaced."""
        shape = self.shape
        sets = sizing.answered_at_once(shape, free_bytes(shape.device))
        # A last slot is for a candidate's outputs. The references may have to follow their choices.
        slots = sets + 1 if self.choosers else sets
        layout = BufferLayout.plan(
            shape.device,
            shape.inputs,
            shape.outputs,
            places=sets,
            slots=slots,
            wides=sets if self.wide else 0,
            changed=shape.changed,
        )
        with owned_by("reference"):
            self.pair.lend("reference", "expected", layout)

    def of_draws(self, given: SecretInputs, draws: Sequence[int]) -> Iterator[Expected | Verdict]:
        """What the reference says to each of these draws: what is expected, or its failure."""
        keys = [given.key(draw) for draw in draws]
        parts = list(self.in_parts(keys))
        with closing(self.in_turn(given, parts)) as answers:
            for some, answer in zip(parts, answers, strict=True):
                if not isinstance(answer, Verdict):
                    yield from answer
                elif len(some) == 1:
                    yield answer
                else:
                    yield from (self._one(given, key) for key in some)

    def _one(self, given: SecretInputs, key: Key) -> Expected | Verdict:
        try:
            return self.expected(given.values(key))
        except Verdict as verdict:
            return verdict

    def in_turn(
        self, given: SecretInputs, parts: Sequence[Sequence[Key]]
    ) -> Generator[list[Expected] | Verdict, None, None]:
        """What is expected of the calls of each part, or the failure."""
        coming: Future[list[Expected]] | None = None
        try:
            for number, part in enumerate(parts):
                answer = self._taken(coming or self._begin(given, part))
                coming = self._begin(given, parts[number + 1]) if self._is_beside and number + 1 < len(parts) else None
                yield answer
        finally:
            self._settle()

    def _begin(self, given: SecretInputs, keys: Sequence[Key]) -> Future[list[Expected]]:
        """Have the reference answer to calls with these keys, as many as there are places."""
        self._settle()
        buffers, coming = self.pair.lent["reference", "expected"], Future[list[Expected]]()
        for place, key in zip(buffers.places, keys, strict=False):
            _fill(place, given.values(key))
        if buffers.layout.device != "cpu":
            torch.cuda.synchronize()
        try:
            with owned_by("reference"):
                limit_s = self.first_call_s * len(keys)
                under_way = self.pair.begin("reference", Expect(count=len(keys)), limit_s)
            self._asked = _Asked(under_way, len(keys), coming)
        except Verdict as verdict:
            coming.set_exception(verdict)
        return coming

    def _settle(self) -> None:
        """Keep the answer that is under way, so that the reference can be asked something else."""
        asked, self._asked = self._asked, None
        if asked is None:
            return
        try:
            with owned_by("reference"):
                asked.under_way.answer()
            buffers = self.pair.lent["reference", "expected"]
            asked.coming.set_result([self._shown(buffers, number) for number in range(asked.count)])
        except Verdict as verdict:
            asked.coming.set_exception(verdict)

    def _taken(self, coming: Future[list[Expected]]) -> list[Expected] | Verdict:
        if not coming.done():
            self._settle()
        try:
            return coming.result(0)
        except Verdict as verdict:
            return verdict

    def in_parts(self, rows: Sequence[T]) -> Iterator[Sequence[T]]:
        """The rows in parts for which the reference worker answers at once."""
        most = len(self.pair.lent["reference", "expected"].places)
        if self._is_beside:
            most = min(most, _AT_ONCE_BESIDE)
        for first in range(0, len(rows), most):
            yield rows[first : first + most]

    def expected(self, inputs: Tensors) -> Expected:
        expected, _ = self.ask(Expect(), inputs)
        return expected

    def rough(self, inputs: Tensors, look: Look, seed: int) -> list[torch.Tensor]:
        """The outputs where all values on the way are off in one way."""
        shown, _ = self.ask(Roughen(look=look.value, seed=seed), inputs, calls=_RUNS_OF_A_LOOK)
        assert shown.wide is not None
        return shown.wide

    def ask(self, request: Request[R], inputs: Tensors, outputs: Tensors = (), *, calls: int = 1) -> tuple[Expected, R]:
        """Show the reference worker these inputs and the outputs of a candidate. Returns what it expects, and its
        answer.

        It may take as long as this many calls.
        """
        self._settle()
        buffers = self.pair.lent["reference", "expected"]
        _fill(buffers.places[0], inputs)
        for target, source in zip(buffers.slots[-1], outputs, strict=False):
            target.copy_(source)
        if buffers.layout.device != "cpu":
            torch.cuda.synchronize()
        with owned_by("reference"):
            answer = self.pair.ask("reference", request, self.first_call_s * calls)
        return self._shown(buffers, 0), answer

    def _shown(self, buffers: SharedBuffers, number: int) -> Expected:
        """The answer of one place."""
        eager, after = ([copied(t) for t in group[number]] for group in (buffers.slots, buffers.places))
        if not self.wide:
            return Expected(eager, None, after)
        wide = [t.clone() for t in buffers.wide[number]]
        changed = dict(zip(self.shape.changed, wide[len(eager) :], strict=True))
        return Expected(eager, wide[: len(eager)], after, changed)


def is_raised(verdict: Verdict) -> bool:
    """Whether eager raised an error on these inputs. A worker that is lost or late did not."""
    cause = verdict.__cause__
    return isinstance(cause, WorkerFailure) and cause.kind == "exception"


def _fill(place: Tensors, inputs: Tensors) -> None:
    for target, source in zip(place, inputs, strict=True):
        target.copy_(source)
