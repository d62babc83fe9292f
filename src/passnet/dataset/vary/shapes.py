"""Finds which sizes of a graph may vary and repairs the literals that follow, by running it for its shapes alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from passnet.dataset.vary.dims import Dims, Guesser, leaf
from passnet.dataset.vary.literals import Path, value_at
from passnet.dataset.vary.repairs import Repairs
from passnet.dataset.vary.replay import Arguments, Replay, ReplayStopped, sizes, with_literals
from passnet.dataset.vary.rules import Decision, Rule, Units, VariantUnfit, evaluate
from passnet.graph.names import word_set
from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.program import Op, Ref, Value, refs_of

# The published combinations of batch and sequence length. The index after the last stands for the original sizes.
COMBINATIONS = ((1, 16), (4, 16), (1, 256), (16, 16), (4, 256), (256, 16), (1, 4096), (16, 256), (16, 4096))
# How often one guess is run with other readings of its literals.
MAX_RUNS = 12
_PRIMES = (11, 13, 17, 19)
# Operations that may lose a size.
_ABSORBING = word_set("""
mean sum amax amin max min norm var std var_mean std_mean argmax argmin prod logsumexp all any matmul bmm einsum
baddbmm addmm adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool1d adaptive_max_pool2d getitem select
linalg_vector_norm linalg_norm scaled_dot_product_attention index_select gather embedding topk median mode
nansum nanmean cosine_similarity masked_select count_nonzero item numel size tensordot dot mv
""")

Rules = Mapping[int, Mapping[Path, Rule]]
Chosen = dict[tuple[int, Path], int]


@dataclass(frozen=True)
class ShapePlan:
    """Symbols that may vary, the rules of the literals that follow, and what each symbol must be a multiple of."""

    dims: Dims
    rules: Rules
    multiples: tuple[int, ...]


@dataclass(frozen=True)
class Instance:
    """A program at given symbol values: all its fake values, and the literals as they are now."""

    values: list[Any]
    edits: Mapping[int, Mapping[Path, Value]]


@dataclass(frozen=True)
class _Probe:
    """A run with multiplied symbols: the values and rules, or where and why it stopped."""

    values: list[Any]
    rules: Rules
    decisions: Mapping[tuple[int, Path], Decision]
    stopped: ReplayStopped | None = None

    @property
    def reached(self) -> float:
        return math.inf if self.stopped is None else self.stopped.number


class Planner:
    """Finds the plan of one program, inside a session of its replay. `base` are the values at the original sizes."""

    def __init__(self, replay: Replay, specs: Sequence[TensorSpec], base: list[Any], *, vision: bool = False) -> None:
        self.replay, self.specs, self.base, self.vision = replay, specs, base, vision
        self.program = replay.program
        self.reasons: list[str] = []

    def plan(self) -> ShapePlan | None:
        """The plan with a batch symbol, a sequence or plane symbol, or both. None when no size may vary."""
        guesser = Guesser(self.program, self.specs, vision=self.vision)
        both = self._first(guesser.folded(), None)
        if both is not None:
            return self._planned(*both)
        batch = self._first(guesser.batches(), None)
        joint = self._first(_joined(batch[0], guesser.sequences(batch[0])) if batch else guesser.sequences(None), batch)
        found = joint or batch
        return None if found is None else self._planned(*found)

    def _planned(self, dims: Dims, probe: _Probe) -> ShapePlan:
        return ShapePlan(dims, probe.rules, self._multiples(dims, probe.rules))

    def _first(self, guesses: Iterable[Dims], known: tuple[Dims, _Probe] | None) -> tuple[Dims, _Probe] | None:
        """The first guess that runs and that changes the outputs, beyond the changes of the known symbols."""
        for dims in guesses:
            if not dims.divides(self.specs):
                continue
            probe = self._best_probe(dims)
            if probe.stopped is not None:
                self.reasons.append(f"{self._name(probe.stopped.number)} does not run")
            elif not self._responds(probe, known[1].values if known else self.base):
                self.reasons.append("the outputs do not respond")
            else:
                return dims, probe
        return None

    def _name(self, number: int) -> str:
        return leaf(self.program.ops[number])

    # --- one guess

    def _best_probe(self, dims: Dims) -> _Probe:
        """The probe with the readings of literals that take it farthest."""
        units, chosen = Units(dims), Chosen()
        best, runs = self._probe(units, chosen), 1
        while best.stopped is not None and runs < MAX_RUNS:
            improved = False
            for other in self._alternatives(best, chosen):
                probe, runs = self._probe(units, other), runs + 1
                if probe.reached > best.reached:
                    best, chosen, improved = probe, other, True
                    break
                if runs >= MAX_RUNS:
                    break
            if not improved:
                break
        return best

    def _alternatives(self, probe: _Probe, chosen: Chosen) -> Iterator[Chosen]:
        """Other readings of one literal that the stopped operation depends on, nearest first."""
        assert probe.stopped is not None
        needed = self._ancestors(probe.stopped.number)
        for key in sorted(probe.decisions, key=lambda key: -key[0]):
            if key[0] in needed:
                used = chosen.get(key, 0)
                for choice in range(len(probe.decisions[key].choices)):
                    if choice != used:
                        yield {**chosen, key: choice}

    def _ancestors(self, number: int) -> set[int]:
        count = len(self.program.params)
        found, waiting = {number}, [number]
        while waiting:
            op = self.program.ops[waiting.pop()]
            for ref in _refs(op):
                if ref.index >= count and ref.index - count not in found:
                    found.add(ref.index - count)
                    waiting.append(ref.index - count)
        return found

    def _probe(self, units: Units, chosen: Chosen) -> _Probe:
        dims, count = units.dims, len(self.program.params)
        values: list[Any] = self.replay.inputs(_reshaped(self.specs, dims.shapes(self.specs, units.probe)))
        rules: dict[int, Mapping[Path, Rule]] = {}
        decisions: dict[tuple[int, Path], Decision] = {}
        repairs = Repairs(units, lambda index: sizes(self.base[index]), lambda index: sizes(values[index]))

        def prepare(number: int, made: list[Any]) -> Arguments:
            nonlocal values
            values = made
            op = self.program.ops[number]
            for decision in repairs.of(op, sizes(self.base[count + number])):
                decisions[number, decision.key] = decision
                pick = min(chosen.get((number, decision.key), 0), len(decision.choices) - 1)
                rules[number] = {**rules.get(number, {}), **decision.choices[pick]}
            return self._arguments(number, made, rules.get(number, {}), dims, units.probe)[0]

        try:
            values = self.replay.run(values, prepare)
        except ReplayStopped as stopped:
            return _Probe(values, rules, decisions, stopped)
        return _Probe(values, rules, decisions, self._unlike(values))

    def _unlike(self, values: list[Any]) -> ReplayStopped | None:
        """The first operation that gives another number of results or another rank than in the original."""
        count = len(self.program.params)
        for number, (value, base) in enumerate(zip(values[count:], self.base[count:], strict=True)):
            if _form(value) != _form(base):
                return ReplayStopped(number, "another number of results")
        return None

    def _arguments(
        self, number: int, values: list[Any], rules: Mapping[Path, Rule], dims: Dims, targets: Sequence[int]
    ) -> tuple[Arguments, Mapping[Path, Value]]:
        """The arguments of an operation with its literals as the rules have them.  Errors: `ReplayStopped`."""
        edits: dict[Path, Value] = {}
        for path, rule in rules.items():
            literal: Any = value_at(self.program.ops[number], path)
            try:
                new = evaluate(rule, literal, lambda index: sizes(values[index]), dims, targets)
            except VariantUnfit as error:
                raise ReplayStopped(number, str(error)) from None
            if new != literal:
                edits[path] = new
        return with_literals(self.replay.arguments(number, values), edits), edits

    def _responds(self, probe: _Probe, known: list[Any]) -> bool:
        """Whether the outputs' sizes differ from the known ones, or those of an operation that may lose a size."""
        if _shapes(self.replay.outputs(probe.values)) != _shapes(self.replay.outputs(known)):
            return True
        count = len(self.program.params)
        swallowing = [
            leaf(op)
            for number, op in enumerate(self.program.ops)
            if _shapes(probe.values[count + number]) == _shapes(known[count + number])
            and any(_shapes(probe.values[ref.index]) != _shapes(known[ref.index]) for ref in _refs(op))
        ]
        return bool(swallowing) and all(name in _ABSORBING for name in swallowing)

    # --- a plan at given sizes

    def instance(self, dims: Dims, rules: Rules, targets: Sequence[int]) -> Instance:
        """The program with its symbols at `targets`.  Errors: `ReplayStopped`."""
        edits: dict[int, Mapping[Path, Value]] = {}

        def prepare(number: int, values: list[Any]) -> Arguments:
            arguments, changed = self._arguments(number, values, rules.get(number, {}), dims, targets)
            if changed:
                edits[number] = changed
            return arguments

        inputs = self.replay.inputs(_reshaped(self.specs, dims.shapes(self.specs, targets)))
        values = self.replay.run(inputs, prepare)
        unlike = self._unlike(values)
        if unlike is not None:
            raise unlike
        return Instance(values, edits)

    def _multiples(self, dims: Dims, rules: Rules) -> tuple[int, ...]:
        """For each symbol the smallest divisor of its value whose multiples run.

        The multiple for the trial is the divisor times a prime that does not divide the value.
        """
        values = [symbol.value for symbol in dims.symbols]
        found = []
        for place, value in enumerate(values):
            prime = next(prime for prime in _PRIMES if value % prime)
            divisors = [divisor for divisor in range(1, value) if value % divisor == 0][:8]
            tries = ((divisor, [*values[:place], divisor * prime, *values[place + 1 :]]) for divisor in divisors)
            found.append(next((divisor for divisor, targets in tries if self._runs(dims, rules, targets)), value))
        return tuple(found)

    def _runs(self, dims: Dims, rules: Rules, targets: Sequence[int]) -> bool:
        if any((size * dims.factor(p, targets)).denominator != 1 for size, p in self._moving(dims)):
            return False
        try:
            self.instance(dims, rules, targets)
        except ReplayStopped:
            return False
        return True

    def _moving(self, dims: Dims) -> list[tuple[int, tuple[int, ...]]]:
        return [(self.specs[index].shape[dim], powers) for (index, dim), powers in dims.powers.items()]


def targets_of(plan: ShapePlan, combination: tuple[int, int]) -> tuple[int, ...]:
    """The symbols' values at a published combination.

    A batch symbol that must be a multiple of m (heads or windows folded into it) becomes batch x m.  Sequences and
    planes are rounded up to the required multiple. A plane has as many points as the sequence has tokens.
    """
    batch, length = combination
    found = []
    for symbol, multiple in zip(plan.dims.symbols, plan.multiples, strict=True):
        size = math.isqrt(length) if symbol.axis == "plane" else length
        found.append(batch * multiple if symbol.axis == "batch" else -(-size // multiple) * multiple)
    return tuple(found)


def _joined(batch: Dims, others: Iterable[Dims]) -> Iterator[Dims]:
    return (batch.joined(other) for other in others)


def _reshaped(specs: Sequence[TensorSpec], shapes: Sequence[tuple[int, ...]]) -> list[TensorSpec]:
    pairs = zip(specs, shapes, strict=True)
    return [spec if spec.shape == shape else replace(spec, shape=shape, data=None) for spec, shape in pairs]


def _refs(op: Op) -> Iterator[Ref]:
    yield from refs_of(op.args)
    for _, value in op.kwargs:
        yield from refs_of(value)


def _shapes(value: Any) -> Any:
    """The shapes of tensors in nested tuples. Any other value stands for itself."""
    if isinstance(value, (tuple, list)):
        return tuple(_shapes(item) for item in value)
    return sizes(value) if hasattr(value, "shape") else repr(value)


def _form(value: Any) -> Any:
    """Number of results and their ranks."""
    if isinstance(value, (tuple, list)):
        return tuple(_form(item) for item in value)
    return len(value.shape) if hasattr(value, "shape") else 0
