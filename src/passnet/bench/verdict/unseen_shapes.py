"""Unseen shapes: sizes between those of a task's variants, drawn after the pass set was loaded.

Only sizes change that differ between the declared variants. They change in steps that the variants have in common.
Sizes that change in one proportion keep that proportion. So a pass meets only new numbers. Its task announces all
else.
"""

from __future__ import annotations

import math
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.verdict.job import Job
from passnet.bench.wire.replies import FailureKind
from passnet.graph import Graph, TensorSpec
from passnet.score import Outcome

# Eager may refuse a draw, because sizes can depend on each other in other ways. Then another draw follows.
TRIES = 3
_MOST_BYTES = 2  # in units of the largest variant
# The ways in which a pass may say that it does not serve a shape. A wrong output, a crash or another size is none.
_REFUSALS: frozenset[FailureKind] = frozenset({"no_match", "exception", "compile", "timeout"})


class UnseenRefused(Exception):
    """The pass set does not serve the shapes, and says so."""


def jobs(job: Job, scratch: Path, rng: random.Random) -> Iterator[Job]:
    """The job on new shapes, up to `TRIES` times. `scratch`: a directory under which the graphs are written."""
    place = Path(tempfile.mkdtemp(dir=scratch, prefix="unseen-"))
    for number, graph in enumerate(graphs((job.graph, *job.variants), rng)):
        path = place / str(number)
        graph.write(path)
        yield replace(job, name=graph.name, path=path, graph=graph, variants=())


@contextmanager
def tried(job: Job) -> Iterator[None]:
    """Turn a failure on unseen shapes into `UnseenRefused`, or into the verdict with these shapes in its reason."""
    try:
        yield
    except Verdict as verdict:
        if verdict.outcome is Outcome.REFERENCE_ERROR:
            raise
        if isinstance(verdict.__cause__, WorkerFailure) and verdict.__cause__.kind in _REFUSALS:
            raise UnseenRefused from verdict
        detail = f"on shapes {shapes_of(job.graph)}, drawn between those of the task's variants: {verdict.detail}"
        raise Verdict(verdict.outcome, detail, verdict.findings, near_misses=verdict.near_misses) from verdict


def shapes_of(graph: Graph) -> tuple[tuple[int, ...], ...]:
    return tuple(spec.shape for spec in graph.specs)


def graphs(variants: Sequence[Graph], rng: random.Random) -> Iterator[Graph]:
    """Up to `TRIES` graphs of new shapes. There are none when the variants differ in more than shapes.

    variants: graphs of one source, with the one on trial among them. Graphs of other dtypes do not count.
    """
    first = variants[0]
    alike = [graph for graph in variants if _comparable(graph, first)]
    sizes = [_sizes(graph.specs) for graph in alike]
    dims = _dims(sizes)
    if not dims:
        return
    largest = max(graph.nbytes for graph in alike)
    seen = {tuple(row) for row in sizes}
    for _ in range(TRIES):
        row = list(sizes[0])
        for dim in dims:
            for position, size in dim.draw(rng).items():
                row[position] = size
        graph = replace(first, name=f"{first.name}-unseen", specs=_with_sizes(first.specs, row), constraints=None)
        if tuple(row) not in seen and graph.nbytes <= _MOST_BYTES * largest:
            seen.add(tuple(row))
            yield graph


@dataclass(frozen=True)
class _Dim:
    """Sizes that change together: positions among all sizes, each a multiple of `steps`, which take known values."""

    factors: dict[int, int]
    steps: tuple[int, ...]

    def draw(self, rng: random.Random) -> dict[int, int]:
        """New sizes: a number of steps that no variant has.

        It lies between the fewest and the most steps where such a number exists.
        """
        known = set(self.steps)
        between = [n for n in range(min(known) + 1, max(known)) if n not in known]
        chosen = rng.choice(between) if between else max(known) + 1
        return {position: factor * chosen for position, factor in self.factors.items()}


def _comparable(graph: Graph, first: Graph) -> bool:
    """Whether two graphs are the same except for sizes.

    Numbers that are stored one by one cannot get another size. Indices can.
    """
    pairs = list(zip(graph.specs, first.specs, strict=False))
    return (
        graph.source == first.source
        and len(graph.specs) == len(first.specs)
        and all(one.dtype == other.dtype and len(one.shape) == len(other.shape) for one, other in pairs)
        and all(one.shape == other.shape for one, other in pairs if _literal(one) or _literal(other))
    )


def _literal(spec: TensorSpec) -> bool:
    return spec.data is not None and not spec.is_integer


def _sizes(specs: Sequence[TensorSpec]) -> list[int]:
    return [size for spec in specs for size in spec.shape]


def _dims(sizes: Sequence[Sequence[int]]) -> list[_Dim]:
    """The sizes that differ, grouped by how they change."""
    groups: dict[tuple[int, ...], dict[int, int]] = {}
    for position, values in enumerate(zip(*sizes, strict=True)):
        if len(set(values)) > 1 and min(values) > 0:
            unit = math.gcd(*values)
            groups.setdefault(tuple(value // unit for value in values), {})[position] = unit
    return [_Dim(factors, steps) for steps, factors in groups.items()]


def _with_sizes(specs: Sequence[TensorSpec], row: Sequence[int]) -> tuple[TensorSpec, ...]:
    left = iter(row)
    return tuple(_resized(spec, tuple(next(left) for _ in spec.shape)) for spec in specs)


def _resized(spec: TensorSpec, shape: tuple[int, ...]) -> TensorSpec:
    """A spec of the new shape. Stored indices become a range from which new ones are drawn."""
    if shape == spec.shape or not spec.data:
        return replace(spec, shape=shape)
    numbers = [int(number.real) for number in spec.data]
    return replace(spec, shape=shape, data=None, min_val=min(numbers), max_val=max(numbers), fields=())
