"""The truth about one graph: eager and float64 outputs for any inputs, from the trusted reference worker of pair 0."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from random import Random

import torch

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.comparison import Comparison, Criteria, worst, wrong_indices
from passnet.bench.compare.errors import compare
from passnet.bench.compare.farthest import compare_farthest, sample
from passnet.bench.compare.neighbours import errors_near
from passnet.bench.compare.objections import objection
from passnet.bench.compare.well_slices import Judged
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.outcome.ownership import Verdict, found, owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing import blocks
from passnet.bench.timing.draws import Key, SecretInputs
from passnet.bench.timing.sizing import GraphShape
from passnet.bench.verdict.ahead import MadeProgram
from passnet.bench.verdict.answers import Answers, Expected
from passnet.bench.verdict.job import BUILD_SEED, Job
from passnet.bench.verdict.survival import Sides, only_judged, renumbered
from passnet.bench.verdict.useful_draws import DrawChoice
from passnet.bench.wire.replies import OutputFacts, Probed, ProgramBuilt
from passnet.bench.wire.requests import BuildProgram, Follow, Probe
from passnet.bench.wire.shared_buffers import SharedBuffers
from passnet.graph.tensors.equality import same_values
from passnet.score import Outcome

# This part of a first call's time limit is for the search for choices that no output shows.
_SEARCHED = 4.0
Tensors = Sequence[torch.Tensor]


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

    @functools.cached_property
    def answers(self) -> Answers:
        probed = self.probed
        return Answers(self.pair, self.protocol.first_call_s, self.shape, probed.wide, probed.choosers)

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
    def facts(self) -> OutputFacts:
        return self.probed.facts

    def open(self) -> None:
        """Lend the reference worker the buffers for its answers. Called again after that worker was replaced."""
        self.answers.open()

    def draw(self, seed: int, count: int, hard: int | None = None) -> SecretInputs:
        """Secret inputs on which eager's outputs say something, see `DrawChoice.choose`."""
        given, alike = DrawChoice(self.answers, self.job, self.probed).choose(seed, count, hard)
        self.shape = replace(self.shape, alike=alike)
        return given

    def expected(self, inputs: Tensors) -> Expected:
        return self.answers.expected(inputs)

    def compare_block(self, given: SecretInputs, block: blocks.Block, rng: Random | None = None) -> list[Comparison]:
        """Compare the kept calls of one block."""
        return list(self.compare_blocks(given, [block], rng))

    def compare_blocks(
        self, given: SecretInputs, seen: Iterable[blocks.Block], rng: Random | None = None
    ) -> Iterator[Comparison]:
        """Compare the kept calls of blocks: every element, and the changed inputs where they were kept too.

        With `rng`, elements are drawn at random after the block. This is for timed calls, because there are many.
        A call that read the same inputs as another one and gave the same values is as right as that one.
        """
        kept = [row for block in seen for row in _by_key(block.kept.values()).items()]
        parts = list(self.answers.in_parts(kept))
        with closing(self.answers.in_turn(given, [[key for key, _ in some] for some in parts])) as answers:
            for some, answer in zip(parts, answers, strict=True):
                if isinstance(answer, Verdict):
                    raise answer
                for (key, calls), expected in zip(some, answer, strict=True):
                    inputs, hard, only = given.values(key), given.is_hard(key.draw), given.judged.get(key.draw)
                    told: list[tuple[blocks.KeptCall, Comparison]] = []
                    for call in calls:
                        found = next((each for other, each in told if _alike(call, other)), None)
                        if found is None:
                            found = self._compare_call(call, inputs, expected, rng, hard=hard, only=only)
                            told.append((call, found))
                        yield found

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
                expected, answer = self.answers.ask(request, inputs, outputs)
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
        left = Expected(*expected.left(order), [])
        return self._on_one_side([now[index] for index in order] if now else (), left)


def _by_key(calls: Iterable[blocks.KeptCall]) -> dict[Key, list[blocks.KeptCall]]:
    """The calls that read the same inputs. They are compared with the same outputs."""
    rows: dict[Key, list[blocks.KeptCall]] = {}
    for kept in calls:
        rows.setdefault(kept.key, []).append(kept)
    return rows


def _alike(one: blocks.KeptCall, other: blocks.KeptCall) -> bool:
    """Whether two calls gave the same values, and left the same in their inputs where both were kept."""
    pairs = [*zip(one.outputs, other.outputs, strict=True)]
    if one.inputs is not None and other.inputs is not None:
        pairs += zip(one.inputs, other.inputs, strict=True)
    elif one.inputs is not other.inputs:
        return False
    return all(same_values(left, right) for left, right in pairs)


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
