"""The truth about one graph: eager and float64 outputs for any inputs, from the trusted reference worker of pair 0."""

from __future__ import annotations

import functools
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, TypeVar

import torch

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.comparison import Comparison, Criteria, worst, wrong_indices
from passnet.bench.compare.errors import compare
from passnet.bench.compare.farthest import compare_farthest, sample
from passnet.bench.compare.neighbours import error_of, errors_near, is_exact, nudged
from passnet.bench.compare.objections import objection
from passnet.bench.compare.well_slices import Judged
from passnet.bench.isolation.worker_pair import UnderWay, WorkerPair
from passnet.bench.outcome.ownership import Verdict, found, owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing import blocks, sizing
from passnet.bench.timing.draws import Key, OwnInputs, SecretInputs
from passnet.bench.timing.sizing import GraphShape
from passnet.bench.verdict.ahead import MadeProgram
from passnet.bench.verdict.survival import Sides, in_both, only_judged, renumbered, well_computed, well_parts
from passnet.bench.wire.memory import free_bytes
from passnet.bench.wire.replies import Done, OutputFacts, Probed, ProgramBuilt, R
from passnet.bench.wire.requests import AskDull, BuildProgram, Expect, Follow, PassFiles, Probe, Request
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.errors import UsageError
from passnet.graph import Graph, degenerate
from passnet.graph.tensors.equality import same_values
from passnet.graph.values.inputs import hard_distributions
from passnet.graph.values.outputs import constant
from passnet.score import Outcome

if TYPE_CHECKING:
    from passnet.graph import Distribution

DISTRIBUTIONS: tuple[Distribution, ...] = ("normal", "small", "large", "sparse")
BUILD_SEED = 7
# Outputs that are equal on so many draws do not depend on what is drawn.
_FEWEST_ALIKE = 3
# An output of which this share is the same on all draws may be found in the memory of the call before.
_SAME_SHARE = 1 / 64
# Keys of a careful draw on which eager must survive.
_LOOKS = 2
# So many calls are answered at once where the next ones are answered beside.
_AT_ONCE_BESIDE = 4
# This part of a first call's time limit is for the search for choices that no output shows.
_SEARCHED = 4.0
Tensors = Sequence[torch.Tensor]
T = TypeVar("T")


@dataclass(frozen=True)
class Job:
    """One graph to be judged: where it lies, what it is, and what should make it faster.

    `variants`: all graphs of its task. Shapes between theirs are tried too.
    `own`: the graph is judged on these values instead of drawn ones.
    `baseline`: the trusted compiler that it is timed against. Eager always decides what is right.
    """

    task: str
    name: str
    path: Path
    graph: Graph
    compiler: str
    device: str
    passes: PassFiles | None
    variants: tuple[Graph, ...] = ()
    own: OwnInputs | None = None
    baseline: str = "eager"


@dataclass(frozen=True)
class Expected:
    """The answer for one draw: eager's outputs, the inputs as eager leaves them, and float64 outputs where possible.

    `changed`: the inputs that eager changes, by number, as float64 leaves them.
    """

    eager: list[torch.Tensor]
    wide: list[torch.Tensor] | None
    after: list[torch.Tensor]
    changed: dict[int, torch.Tensor] | None = None


def build_baseline(pair: WorkerPair, job: Job, protocol: Protocol) -> ProgramBuilt:
    """Build the baseline in a pair's reference worker."""
    request = BuildProgram(graph=pair.staged(job.path), device=job.device, seed=BUILD_SEED, compiler=job.baseline)
    with owned_by("reference"):
        return pair.ask("reference", request, protocol.build_s)


def build_reference(
    pair: WorkerPair, job: Job, protocol: Protocol, building: Future[MadeProgram] | None = None
) -> Probed:
    """Build the baseline. Returns what the reference worker says about the graph. `building`: it has begun already."""
    if building is None:
        build_baseline(pair, job, protocol)
    else:
        building.result()
    with owned_by("reference"):
        return pair.ask("reference", Probe(seed=BUILD_SEED), protocol.first_call_s)


@dataclass(frozen=True)
class _Asked:
    """What the reference answers to now: so many calls, and where the answer will be."""

    under_way: UnderWay[Done]
    count: int
    coming: Future[list[Expected]]


@dataclass
class Reference:
    """Knows what the outputs should be. Nothing that it holds ever reaches a candidate.

    `probed`: what eager is like. `on_host`: outputs are compared in host memory. `_lucky`: eager may have been lucky
    where a candidate was farther from the truth. After one that was not near eager's neighbours either, it was not.
    """

    pair: WorkerPair
    protocol: Protocol
    job: Job
    shape: GraphShape
    probed: Probed
    on_host: bool = False
    _searching: bool = True
    _lucky: bool = True
    _asked: _Asked | None = None

    @classmethod
    def prepare(
        cls, pair: WorkerPair, protocol: Protocol, job: Job, building: Future[MadeProgram] | None = None
    ) -> Reference:
        """Run eager once. Verdict `reference_error` for a fault of the graph or of the machine."""
        if job.graph.nbytes > protocol.graph_bytes:
            size = f"inputs of {job.graph.nbytes >> 20} MiB; the limit is {protocol.graph_bytes >> 20} MiB"
            raise Verdict(Outcome.REFERENCE_ERROR, size)
        probe = build_reference(pair, job, protocol, building)
        if not probe.steady:
            raise Verdict(Outcome.REFERENCE_ERROR, "eager gives other outputs for the same inputs: not comparable")
        outputs = [(output.shape, output.dtype) for output in probe.outputs]
        inputs = [(spec.shape, spec.dtype) for spec in job.graph.specs]
        strides = tuple(output.stride for output in probe.outputs)
        shape = GraphShape(job.device, inputs, outputs, tuple(sorted(probe.mutated)), strides)
        reference = cls(pair, protocol, job, shape, probe)
        reference.open()
        return reference

    @property
    def mutated(self) -> frozenset[int]:
        """The inputs that eager changes."""
        return frozenset(self.probed.mutated)

    @property
    def wide(self) -> bool:
        """Whether there is a float64 reference."""
        return self.probed.wide

    @property
    def _beside(self) -> bool:
        """Whether the reference answers while answers are looked at. Processes of a GPU would wait for each other."""
        return self.shape.device == "cpu"

    @property
    def facts(self) -> OutputFacts:
        return self.probed.facts

    def open(self) -> None:
        """Lend the reference worker the buffers for its answers. Called again after that worker was replaced."""
        shape = self.shape
        sets = sizing.answered_at_once(shape, free_bytes(shape.device))
        # A last slot is for a candidate's outputs. The references may have to follow their choices.
        slots = sets + 1 if self.probed.choosers else sets
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

    def draw(self, seed: int, count: int, hard: int | None = None) -> SecretInputs:
        """Secret inputs on which eager's outputs say something. A graph without any is not scored.

        `count`: draws of the usual distributions. `hard`: the number of hard draws. The seed picks them, and not
        all are used.
        """
        given = self._given(seed, count, hard)
        useful: list[int] = []
        alike: list[int] = []
        reasons: list[str] = []
        seen: list[Tensors] = []
        alone = given.alone
        for draw, expected in zip(alone, self._answers(given, alone), strict=True):
            if isinstance(expected, Verdict):
                if not useful and draw == alone[-1]:
                    raise expected
                reasons.append(str(expected))
                continue
            reason = degenerate(expected.eager, expected.wide)
            if reason is None:
                useful.append(draw)
                if draw != given.altered:
                    seen.append(expected.eager)
            else:
                reasons.append(reason)
                alike += [draw] if constant(expected.eager, expected.wide) else []
        if not useful:
            raise Verdict(Outcome.REFERENCE_ERROR, f"degenerate graph, any pass would look right: {reasons[0]}")
        useful = self._telling(given, useful)
        hosts = [draw for draw in useful if draw in given.hard] or useful
        # All rows of an alike draw are one number. In a sibling one of them is another.
        heard = {*useful, *alike}
        if heard < set(given.alone):
            backgrounds = [draw for draw in given.timed if draw in heard]
            given.rest_on(backgrounds or given.timed, sorted(heard & given.hard))
        more = [sibling for draw in alike for sibling in given.siblings.get(draw, ())]
        given.survived(more, hosts)
        given.judged = self._surviving(given, given.careful)
        lost = [draw for draw in given.careful if draw not in given.judged]
        given.judged |= self._surviving(given, given.make_plain(lost))
        given.survived([draw for draw in given.careful if draw in given.judged], hosts)
        self._check_sensitivity(seen)
        self.shape = replace(self.shape, alike=() if self.pair.trusted else self._alike(seen))
        given.keep(useful)
        return given

    def _surviving(self, given: SecretInputs, careful: Sequence[int]) -> dict[int, Judged]:
        """The careful draws on which eager computes some outputs well, and which of them."""
        usual = functools.cache(partial(self._usual_errors, given))
        found: dict[int, Judged] = {}
        looks = tuple(careful) * _LOOKS if self.wide else ()
        for draw, expected in zip(looks, self._answers(given, looks), strict=True):
            judged: Judged = {}
            if not isinstance(expected, Verdict):
                pair, roughly = self._all_of(expected), given.is_rough(draw)
                well = well_computed(*pair, usual, roughly=roughly)
                judged = dict.fromkeys(well) if roughly else well_parts(*pair, well)
            found[draw] = in_both(found.get(draw, judged), judged)
        if not self.wide:
            found = {draw: dict.fromkeys(self._steady_on(given, draw)) for draw in careful}
        for draw, judged in found.items():
            unclear = given.unclear.get(draw, frozenset())
            found[draw] = {number: part for number, part in judged.items() if number not in unclear}
        return {draw: judged for draw, judged in found.items() if judged}

    def _all_of(self, expected: Expected) -> tuple[Tensors, Tensors]:
        """Eager's outputs and the inputs that it changes, and float64's."""
        _, left, wide_left = self._changed((), expected)
        return [*expected.eager, *left], [*(expected.wide or ()), *(wide_left or ())]

    def _usual_errors(self, given: SecretInputs) -> list[float]:
        """Eager's largest error of each output on usual draws."""
        rows = []
        for expected in self._answers(given, given.timed):
            if not isinstance(expected, Verdict):
                rows.append([error_of(*pair) for pair in zip(*self._all_of(expected), strict=True)])
        return [max(column) for column in zip(*rows, strict=True)]

    def _steady_on(self, given: SecretInputs, draw: int) -> frozenset[int]:
        """Without float64: the outputs that hardly change where inputs change by a step of their dtype."""
        inputs = [tensor.clone() for tensor in given.values(given.key(draw))]
        try:
            one, other = (self.expected(each) for each in (inputs, nudged(inputs, given.rng)))
        except Verdict:
            return frozenset()
        order = self.shape.changed
        one_left, other_left = ([expected.after[index] for index in order] for expected in (one, other))
        truths = [_widened(tensor) for tensor in (*other.eager, *other_left)]
        eager = [*one.eager, *one_left]
        return well_computed(eager, truths, lambda: [0.0] * len(eager), roughly=given.is_rough(draw))

    def _answers(self, given: SecretInputs, draws: Sequence[int]) -> Iterator[Expected | Verdict]:
        """What the reference says to each of these draws: what is expected, or its failure."""
        keys = [given.key(draw) for draw in draws]
        parts = list(self._in_parts(keys))
        with closing(self._in_turn(given, parts)) as answers:
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

    def _in_turn(
        self, given: SecretInputs, parts: Sequence[Sequence[Key]]
    ) -> Generator[list[Expected] | Verdict, None, None]:
        """What is expected of the calls of each part, or the failure."""
        coming: Future[list[Expected]] | None = None
        try:
            for number, part in enumerate(parts):
                answer = self._taken(coming or self._begin(given, part))
                coming = self._begin(given, parts[number + 1]) if self._beside and number + 1 < len(parts) else None
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
                limit_s = self.protocol.first_call_s * len(keys)
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

    def _in_parts(self, rows: Sequence[T]) -> Iterator[Sequence[T]]:
        """The rows in parts for which the reference worker answers at once."""
        most = len(self.pair.lent["reference", "expected"].places)
        if self._beside:
            most = min(most, _AT_ONCE_BESIDE)
        for first in range(0, len(rows), most):
            yield rows[first : first + most]

    def _telling(self, given: SecretInputs, useful: list[int]) -> list[int]:
        """The draws on which indices say something. Returns all where none of the timed draws does."""
        if not self.probed.choosers:
            return useful
        telling = [draw for draw in useful if not self._ask(AskDull(), given.values(given.key(draw)))[1].dull]
        return telling if set(telling) & set(given.timed) else useful

    def _given(self, seed: int, count: int, most_hard: int | None) -> SecretInputs:
        if self.job.own is not None:
            return SecretInputs.own(self.job.own, seed, self.job.device, self.mutated)
        hard = hard_distributions(self.job.graph)
        if most_hard is not None:
            hard = tuple(Random(seed).sample(hard, min(most_hard, len(hard))))
        names = [*(DISTRIBUTIONS[i % len(DISTRIBUTIONS)] for i in range(count)), *hard]
        try:
            return SecretInputs.draw(self.job.graph, self.job.device, seed, names, hard=len(hard))
        except UsageError as error:
            raise Verdict(Outcome.REFERENCE_ERROR, str(error)) from error

    def expected(self, inputs: Tensors) -> Expected:
        expected, _ = self._ask(Expect(), inputs)
        return expected

    def _ask(self, request: Request[R], inputs: Tensors, outputs: Tensors = ()) -> tuple[Expected, R]:
        """Show the reference worker these inputs and the outputs of a candidate. Returns what it expects, and its
        answer.
        """
        self._settle()
        buffers = self.pair.lent["reference", "expected"]
        _fill(buffers.places[0], inputs)
        for target, source in zip(buffers.slots[-1], outputs, strict=False):
            target.copy_(source)
        if buffers.layout.device != "cpu":
            torch.cuda.synchronize()
        with owned_by("reference"):
            answer = self.pair.ask("reference", request, self.protocol.first_call_s)
        return self._shown(buffers, 0), answer

    def _shown(self, buffers: SharedBuffers, number: int) -> Expected:
        """The answer of one place."""
        eager, after = ([t.clone() for t in group[number]] for group in (buffers.slots, buffers.places))
        if not self.wide:
            return Expected(eager, None, after)
        wide = [t.clone() for t in buffers.wide[number]]
        changed = dict(zip(self.shape.changed, wide[len(eager) :], strict=True))
        return Expected(eager, wide[: len(eager)], after, changed)

    def compare_block(self, given: SecretInputs, block: blocks.Block, rng: Random | None = None) -> list[Comparison]:
        """Compare the kept calls of one block."""
        return list(self.compare_blocks(given, [block], rng))

    def compare_blocks(
        self, given: SecretInputs, seen: Iterable[blocks.Block], rng: Random | None = None
    ) -> Iterator[Comparison]:
        """Compare the kept calls of blocks: every element, and the changed inputs where they were kept too.

        With `rng`, elements are drawn at random after the block. This is for timed calls, because there are many.
        """
        kept = [row for block in seen for row in _by_key(block.kept.values()).items()]
        parts = list(self._in_parts(kept))
        with closing(self._in_turn(given, [[key for key, _ in some] for some in parts])) as answers:
            for some, answer in zip(parts, answers, strict=True):
                if isinstance(answer, Verdict):
                    raise answer
                for (key, calls), expected in zip(some, answer, strict=True):
                    inputs, hard, only = given.values(key), given.is_hard(key.draw), given.judged.get(key.draw)
                    for call in calls:
                        yield self._compare_call(call, inputs, expected, rng, hard=hard, only=only)

    def _compare_call(
        self,
        kept: blocks.KeptCall,
        inputs: Tensors,
        expected: Expected,
        rng: Random | None,
        *,
        hard: bool,
        only: Judged | None,
    ) -> Comparison:
        criteria = self._criteria(hard=hard)
        found = self._compared(self._on_one_side(kept.outputs, expected), inputs, criteria, rng, only=only)
        if self.probed.choosers and not (found.strict and not found.non_finite):
            found = self._followed(found, inputs, kept.outputs, criteria, only)
        comparisons = [found]
        if kept.inputs is not None:
            comparisons += self._compare_inputs(kept.inputs, inputs, expected, criteria, only)
        return _finite(worst(comparisons))

    def _compared(
        self,
        sides: Sides,
        inputs: Tensors,
        criteria: Criteria,
        rng: Random | None = None,
        *,
        left: bool = False,
        only: Judged | None = None,
    ) -> Comparison:
        """Compare tensors of one call, which got these inputs. `left`: they are the inputs that it changed. `only`: the
        numbers of those that are judged. None where all are.
        """
        first = len(self.shape.outputs) if left else 0
        places = list(range(len(sides[1])))
        if only is not None:
            sides, places = only_judged(sides, only, first)
        if not places:
            return Comparison()
        chosen = sides if rng is None else sample(*sides, rng)

        def compared(near: Sequence[Errors] | None = None) -> Comparison:
            found = compare(*chosen, criteria, near, first)
            return found if rng is None else worst([found, compare_farthest(*sides, criteria, near, first)])

        found = compared()
        if self.wide and self._lucky and not (found.strict or found.non_finite):
            draw = [tensor.cpu() for tensor in inputs] if self.on_host else inputs
            near = errors_near(draw, self._left_by_both if left else self._both, rng or Random())
            whole = [only is None or only[first + place] is None for place in places]
            found = compared([near[place] if known else Errors() for place, known in zip(places, whole, strict=True)])
            self._lucky = found.strict
        return renumbered(found, places, first) if only is not None else found

    def _both(self, inputs: Tensors) -> tuple[Tensors, Tensors]:
        """Eager's outputs and float64's."""
        _, eager, wide = self._on_one_side((), self.expected(inputs))
        assert wide is not None
        return eager, wide

    def _left_by_both(self, inputs: Tensors) -> tuple[Tensors, Tensors]:
        """The inputs that eager changes, as eager and as float64 leave them."""
        _, eager, wide = self._changed((), self.expected(inputs))
        assert wide is not None
        return eager, wide

    def _criteria(self, *, hard: bool) -> Criteria:
        return Criteria(self.protocol.fp64_factor, self.protocol.scale_cap, hard, self.probed.coarse)

    def _followed(
        self, found: Comparison, inputs: Tensors, outputs: Tensors, criteria: Criteria, only: Judged | None
    ) -> Comparison:
        """Compare with references that choose as the candidate did, where it chose as well as eager.

        Returns `found` where that makes nothing right. Choices that no output shows are searched for. After one
        search in vain there are no more.
        """
        for hidden in (False, True):
            if hidden and not self._searching:
                continue
            seconds = self.protocol.first_call_s / _SEARCHED
            try:
                request = Follow(hard=criteria.hard, hidden=hidden, seconds=seconds)
                expected, answer = self._ask(request, inputs, outputs)
            except Verdict as verdict:
                raise _unexplained(verdict) from verdict
            if answer.levels is None:
                continue
            sides, places = self._on_one_side(outputs, expected), list(range(len(outputs)))
            levels = [wrong_indices(number, level) for number, level in answer.levels if only is None or number in only]
            if only is not None:
                sides, places = only_judged(sides, only, 0)
            other = worst([renumbered(compare(*sides, criteria), places, 0), *levels])
            if other.strict and not other.non_finite:
                return replace(other, published_at=found.published_at, followed=1)
            if hidden:
                self._searching = False
            elif _earlier(other, found):
                found = replace(other, published_at=found.published_at)
        return found

    def _on_one_side(self, outputs: Tensors, expected: Expected) -> Sides:
        """The tensors to compare: in their place, or on the host where the device has no room for comparing."""
        if not self.on_host:
            return outputs, expected.eager, expected.wide
        wide = [tensor.cpu() for tensor in expected.wide] if expected.wide is not None else None
        return [tensor.cpu() for tensor in outputs], [tensor.cpu() for tensor in expected.eager], wide

    def compare_inputs(self, given: SecretInputs, block: blocks.Block, buffers: SharedBuffers) -> list[Comparison]:
        """After a timed block: its last call must have left its inputs as eager leaves them."""
        key, place = block.last
        inputs = given.values(key)
        expected = self.expected(inputs) if self.mutated else None
        criteria, only = self._criteria(hard=given.is_hard(key.draw)), given.judged.get(key.draw)
        return [_finite(each) for each in self._compare_inputs(buffers.places[place], inputs, expected, criteria, only)]

    def _compare_inputs(
        self,
        now: Tensors,
        given: Tensors,
        expected: Expected | None,
        criteria: Criteria,
        only: Judged | None,
    ) -> list[Comparison]:
        """An input that eager leaves alone must be untouched. One that eager changes is compared like an output."""
        for index, tensor in enumerate(now):
            if index not in self.mutated and not same_values(tensor, given[index]):
                name = self.job.graph.specs[index].name
                raise found("input_mutation", f"input {name} was changed by the call; eager leaves it alone")
        if not self.mutated or expected is None:
            return []
        return [self._compared(self._changed(now, expected), given, criteria, left=True, only=only)]

    def _changed(self, now: Tensors, expected: Expected) -> Sides:
        """The inputs that eager changes: as they are now, as eager and as float64 leave them."""
        order = self.shape.changed
        wide = [expected.changed[index] for index in order] if expected.changed is not None else None
        left = Expected([expected.after[index] for index in order], wide, [])
        return self._on_one_side([now[index] for index in order] if now else (), left)

    def _alike(self, seen: Sequence[Tensors]) -> tuple[int, ...]:
        """The outputs of which a part is the same on all these draws, and that are no inputs or stored content."""
        if len(seen) < 2:
            return ()
        own = set(range(len(seen[0]))) - set(self.facts.shared)
        return tuple(index for index in sorted(own) if _same_share([outputs[index] for outputs in seen]) >= _SAME_SHARE)

    def _check_sensitivity(self, seen: Sequence[Tensors]) -> None:
        """Outputs that follow from stored content alone would be right forever after they were remembered once."""
        alike = all(all(map(same_values, seen[0], other)) for other in seen[1:])
        if len(seen) >= _FEWEST_ALIKE and alike and not self.mutated:
            raise Verdict(
                Outcome.REFERENCE_ERROR, "outputs do not depend on the inputs: any call gives those of another"
            )


def _widened(tensor: torch.Tensor) -> torch.Tensor:
    """A float in the dtype of a truth."""
    if is_exact(tensor):
        return tensor
    return tensor.to(torch.complex128 if tensor.is_complex() else torch.float64)


def _fill(place: Tensors, inputs: Tensors) -> None:
    for target, source in zip(place, inputs, strict=True):
        target.copy_(source)


def _same_share(tensors: Tensors) -> float:
    """The share of elements that have the same bits in all of these tensors."""
    first, *others = (_bits(tensor) for tensor in tensors)
    same = torch.ones(len(first), dtype=torch.bool, device=first.device)
    for other in others:
        same &= (first == other).all(1)
    return float(same.float().mean()) if same.numel() else 0.0


def _bits(tensor: torch.Tensor) -> torch.Tensor:
    """A row of bytes for each element. Not every dtype can be compared itself."""
    return tensor.contiguous().reshape(-1).view(torch.uint8).reshape(tensor.numel(), tensor.element_size())


def _by_key(calls: Iterable[blocks.KeptCall]) -> dict[Key, list[blocks.KeptCall]]:
    """The calls that read the same inputs. They are compared with the same outputs."""
    rows: dict[Key, list[blocks.KeptCall]] = {}
    for kept in calls:
        rows.setdefault(kept.key, []).append(kept)
    return rows


def _unexplained(verdict: Verdict) -> Verdict:
    """The candidate's outputs are not eager's, and a reference worker failed while it followed them.

    This is not the worker's own failure, because it need not follow what is right.
    """
    return Verdict(Outcome.ACCURACY, f"outputs are not right, nor by other choices than eager's ({verdict.detail})")


def _earlier(one: Comparison, other: Comparison) -> bool:
    """Whether the first one is right at a smaller tolerance."""
    if one.non_finite or one.correct_at is None:
        return False
    return other.non_finite or other.correct_at is None or one.correct_at < other.correct_at


def _finite(result: Comparison) -> Comparison:
    if result.non_finite:
        raise Verdict(Outcome.NAN_INF, objection(result))
    return result
