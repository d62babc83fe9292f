"""The truth about one graph: eager and float64 outputs for any inputs, from the trusted reference worker of pair 0."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from random import Random

import torch

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.comparison import Comparison, Criteria, no_farther, worst
from passnet.bench.compare.lost import without_lost
from passnet.bench.compare.neighbours import errors_near, is_exact, is_narrow
from passnet.bench.compare.rough_twin import Look
from passnet.bench.compare.steps import beside_steps, between, changes, is_lost, jumps, settled, strays, within_a_step
from passnet.bench.compare.well_slices import Judged
from passnet.bench.draws.secret_inputs import Key, SecretInputs
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.outcome.ownership import Verdict, found, owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing import blocks
from passnet.bench.timing.sizing import GraphShape
from passnet.bench.verdict.ahead import MadeProgram
from passnet.bench.verdict.answers import Answers, Expected, is_raised
from passnet.bench.verdict.cases import CallCase, Placing, measure
from passnet.bench.verdict.explained import explained
from passnet.bench.verdict.job import BUILD_SEED, Job
from passnet.bench.verdict.other_choices import OtherChoices
from passnet.bench.verdict.useful_draws import DrawChoice
from passnet.bench.wire.replies import OutputFacts, Probed, ProgramBuilt
from passnet.bench.wire.requests import BuildProgram, Probe
from passnet.bench.wire.shared_buffers import SharedBuffers
from passnet.graph.tensors.equality import same_values
from passnet.graph.values.distinct import inverts
from passnet.graph.values.finite import also_asked
from passnet.graph.values.steps import behind_rounded_steps
from passnet.score import Outcome

Tensors = Sequence[torch.Tensor]


# So many calls are compared with neighbours in vain, which takes twelve more calls each. One is not enough: all calls
# together may forgive the first, and in a later one eager was lucky.
_NOT_LUCKY = 4
# Eager may raise on so many draws, and on this part of the others. A matrix that is drawn may have no inverse.
_SPARED, _SPARED_PART = 8, 4


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

    `probed`: what eager is like. `on_host`: outputs are compared in host memory. `_not_lucky`: calls in which a
    candidate was not near eager's neighbours either. After a few of them nobody asks again. `_compared_keys`,
    `_left_out`: on how many inputs eager gave an answer, and on how many it raised.
    """

    pair: WorkerPair
    protocol: Protocol
    job: Job
    shape: GraphShape
    probed: Probed
    on_host: bool = False
    _not_lucky: int = 0
    _compared_keys: int = 0
    _left_out: int = 0

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
        also_asked(job.graph, ((index, float(number)) for index, number in probe.asked))
        outputs = [(output.shape, output.dtype) for output in probe.outputs]
        inputs = [(spec.shape, spec.dtype) for spec in job.graph.specs]
        strides = tuple(output.stride for output in probe.outputs)
        ordered = tuple(index for index, output in enumerate(probe.outputs) if output.ordered)
        mutated = tuple(sorted(probe.mutated))
        own = () if pair.trusted else tuple(i for i in range(len(outputs)) if i not in probe.facts.shared)
        shape = GraphShape(job.device, inputs, outputs, mutated, strides, overwritten=own, ordered=ordered)
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
        return DrawChoice(self.answers, self.job, self.probed).choose(seed, count, hard)

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
        A call that read the same inputs as another one and gave the same values is as right as that one. Calls on
        whose inputs eager raises have no comparison.
        """
        kept = [row for block in seen for row in _by_key(block.kept.values()).items()]
        parts = list(self.answers.in_parts(kept))
        with closing(self.answers.in_turn(given, [[key for key, _ in some] for some in parts])) as answers:
            for some, answer in zip(parts, answers, strict=True):
                if not isinstance(answer, Verdict):
                    self._compared_keys += len(some)
                    yield from self._compare_part(given, some, answer, rng)
                elif not is_raised(answer):
                    raise answer
                else:
                    yield from self._compare_alone(given, some, rng)

    def _compare_alone(
        self, given: SecretInputs, rows: Sequence[tuple[Key, Sequence[blocks.KeptCall]]], rng: Random | None
    ) -> Iterator[Comparison]:
        """Compare the calls of each key by themselves. Those on which eager raises are left out, if they are few."""
        for row in rows:
            try:
                expected = self.expected(given.values(row[0]))
            except Verdict as verdict:
                self._left_out += 1
                if not is_raised(verdict) or self._left_out > _SPARED + self._compared_keys // _SPARED_PART:
                    raise
                continue
            self._compared_keys += 1
            yield from self._compare_part(given, [row], [expected], rng)

    def _compare_part(
        self,
        given: SecretInputs,
        rows: Sequence[tuple[Key, Sequence[blocks.KeptCall]]],
        answers: Sequence[Expected],
        rng: Random | None,
    ) -> Iterator[Comparison]:
        """Compare the calls whose answers are known. `rows`: the calls of each key."""
        rows_of_cases: list[list[tuple[blocks.KeptCall, CallCase]]] = []
        order: list[int] = []
        for (key, calls), expected in zip(rows, answers, strict=True):
            criteria, only = self._criteria(hard=given.is_hard(key.draw)), given.judged.get(key.draw)
            before, row = sum(map(len, rows_of_cases)), list[tuple[blocks.KeptCall, CallCase]]()
            for call in calls:
                place = next((place for place, (other, _) in enumerate(row) if _alike(call, other)), len(row))
                if place == len(row):
                    row.append((call, CallCase(self._placing.outputs(call.outputs, expected), criteria, 0, only, rng)))
                order.append(before + place)
            rows_of_cases.append(row)
        measure([case for row in rows_of_cases for _, case in row])
        found: list[Comparison] = []
        for (key, _), row, expected in zip(rows, rows_of_cases, answers, strict=True):
            inputs = given.values(key)
            found += [self._compare_call(call, case, inputs, expected) for call, case in row]
        yield from (found[number] for number in order)

    def _compare_call(self, kept: blocks.KeptCall, case: CallCase, inputs: Tensors, expected: Expected) -> Comparison:
        found = self._compared(case, inputs)
        if self.probed.choosers and not (found.strict and not found.non_finite):
            found = self._other_choices.compare(found, case, inputs, kept.outputs, self._placing)
        comparisons = [found]
        if kept.inputs is not None:
            comparisons += self._compare_inputs(kept.inputs, inputs, expected, case.criteria, case.only)
        return self._finite(worst(comparisons))

    def _compared(self, case: CallCase, inputs: Tensors) -> Comparison:
        """`inputs`: what the call got."""
        found = case.compared()
        if not self.wide or self._not_lucky >= _NOT_LUCKY or (found.strict and not found.non_finite):
            return found
        if found.non_finite and not self._inverts:
            return found
        try:
            return self._beside_neighbours(found, case, inputs)
        except Verdict as verdict:
            if not is_raised(verdict):
                raise
            return found  # beside a matrix that has an inverse there may be one that has none

    def _beside_neighbours(self, found: Comparison, case: CallCase, inputs: Tensors) -> Comparison:
        """The comparison that also knows what eager makes of inputs near these."""
        both = self._left_by_both if case.first else self._both
        placed, rng = self._placing.placed(inputs), case.rng or Random()
        clear: CallCase | None = None
        if not self._jumps:
            try:
                case, clear = self._free_by_a_step(case, placed, both, rng)
            except Verdict as verdict:
                if not (self._inverts and is_raised(verdict)):
                    raise
                _, eager, wide = case.sides
                # A step from here there is a matrix without an inverse. Where eager knows the numbers, they are due.
                return Comparison() if wide is not None and is_lost(eager, wide) else found
            found = case.compared()
            if found.strict or found.non_finite:
                return found
        elif case.first == 0 and self._rounded_steps:
            _, eager, wide = case.sides
            beside = self._free_beside_steps(case, placed, rng)
            if beside is not None:
                case = case.with_sides((beside, eager, wide))
                found = replace(case.compared(), published_at=found.published_at)
                if found.strict:
                    return found
        errors = errors_near(placed, both, rng)
        found = case.compared(case.near(errors))
        if clear is not None and not found.strict:
            found = no_farther(found, clear.compared(case.near(errors)))
        if not found.strict and not case.criteria.coarse:
            found = self._without_lost(found, case, errors, placed, both)
        self._not_lucky = max(0, self._not_lucky - 1) if found.strict else self._not_lucky + 1
        return found

    def _free_by_a_step(
        self, case: CallCase, inputs: Tensors, both: Callable[[Tensors], tuple[Tensors, Tensors]], rng: Random
    ) -> tuple[CallCase, CallCase | None]:
        """The call with float64's numbers where a step of the inputs changes these as much, see `settled`. Also with
        those of `within_a_step`, if there are any.
        """
        outputs, eager, wide = case.sides
        assert wide is not None
        changed = changes(inputs, wide, lambda moved: both(moved)[1], rng, eager)
        well = settled(outputs, eager, wide, changed, inverts=self._inverts) or outputs
        clear = within_a_step(well, eager, wide, changed)
        free = case.with_sides((well, eager, wide))
        return free, None if clear is None else case.with_sides((clear, eager, wide))

    def _without_lost(
        self,
        found: Comparison,
        case: CallCase,
        near: Sequence[Errors],
        inputs: Tensors,
        both: Callable[[Tensors], tuple[Tensors, Tensors]],
    ) -> Comparison:
        """The comparison without what eager itself does not know, where that tells another.

        Elements beside these may be known by its luck alone: those that a step of the inputs changes.
        """
        outputs, eager, wide = case.sides
        assert wide is not None
        left = without_lost(outputs, eager, wide, near, hard=case.criteria.hard)
        if left is None:
            return found
        other = case.with_sides((*left, wide)).compared(case.near(near))
        if not other.strict and not self._jumps:
            changed = changes(inputs, wide, lambda moved: both(moved)[1], case.rng or Random())
            well = settled(*left, wide, changed)
            if well is not None:
                other = case.with_sides((well, left[1], wide)).compared(case.near(near))
        return replace(other, published_at=found.published_at)

    def _free_beside_steps(self, case: CallCase, inputs: Tensors, rng: Random) -> list[torch.Tensor] | None:
        """The outputs of a call with eager's elements where rounding explains others, see `beside_steps`."""
        outputs, eager, wide = case.sides
        assert wide is not None
        strayed = strays(inputs, eager, wide, self._both, rng)
        seed, at_steps = rng.getrandbits(48), self._at_steps if case.only is not None else frozenset[int]()
        whole = [number for number in at_steps if is_exact(eager[number])]

        def rough(look: Look) -> Tensors:
            return self._placing.placed(self.answers.rough(inputs, look, seed))

        ends = between(wide, whole, rough) if whole else {}
        coarse = case.criteria.coarse or any(map(is_narrow, inputs))
        numbers = [number for number in self._rounded_steps if number in whole or number not in at_steps]
        return beside_steps(outputs, eager, wide, strayed, numbers, coarse=coarse, at_steps=ends)

    @functools.cached_property
    def _jumps(self) -> bool:
        return jumps(self.job.graph)

    @functools.cached_property
    def _inverts(self) -> bool:
        return inverts(self.job.graph)

    @functools.cached_property
    def _at_steps(self) -> frozenset[int]:
        """The outputs behind a comparison: a careful draw has numbers at a step on purpose."""
        return frozenset(number for number, whole in self._rounded_steps.items() if not whole)

    @functools.cached_property
    def _rounded_steps(self) -> dict[int, bool]:
        return behind_rounded_steps(self.job.graph)

    def _both(self, inputs: Tensors) -> tuple[Tensors, Tensors]:
        """Eager's outputs and float64's."""
        _, eager, wide = self._placing.outputs((), self.expected(inputs))
        assert wide is not None
        return eager, wide

    def _left_by_both(self, inputs: Tensors) -> tuple[Tensors, Tensors]:
        """The inputs that eager changes, as eager and as float64 leave them."""
        _, eager, wide = self._placing.left((), self.expected(inputs))
        assert wide is not None
        return eager, wide

    def _criteria(self, *, hard: bool) -> Criteria:
        return Criteria(self.protocol.fp64_factor, self.protocol.scale_cap, hard, self.probed.coarse)

    @property
    def _placing(self) -> Placing:
        return Placing(self.on_host, self.shape.changed)

    @functools.cached_property
    def _other_choices(self) -> OtherChoices:
        return OtherChoices(self.answers)

    def compare_inputs(self, given: SecretInputs, block: blocks.Block, buffers: SharedBuffers) -> list[Comparison]:
        """After a timed block: its last call must have left its inputs as eager leaves them."""
        key, place = block.last
        inputs = given.values(key)
        try:
            expected = self.expected(inputs) if self.mutated else None
        except Verdict as verdict:
            if not is_raised(verdict):
                raise
            return []
        criteria, only = self._criteria(hard=given.is_hard(key.draw)), given.judged.get(key.draw)
        return [
            self._finite(each) for each in self._compare_inputs(buffers.places[place], inputs, expected, criteria, only)
        ]

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
        sides = self._placing.left(now, expected)
        return [self._compared(CallCase(sides, criteria, len(self.shape.outputs), only), given)]

    def _finite(self, result: Comparison) -> Comparison:
        if result.non_finite:
            raise Verdict(Outcome.NAN_INF, explained(result, self.job.passes))
        return result


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
