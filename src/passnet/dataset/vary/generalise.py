"""Makes the variants of a graph: three dtypes times the published shapes, each checked, each dropped one explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from passnet.dataset.layout import DTYPES, ORIGINAL
from passnet.dataset.vary.replay import shapes_replay
from passnet.dataset.vary.shapes import COMBINATIONS
from passnet.dataset.vary.trial import VariantTrial, run_for_real
from passnet.dataset.vary.variants import Maker, Variant
from passnet.errors import UsageError
from passnet.graph import Graph

MIB = 1024**2


@dataclass(frozen=True)
class VaryLimits:
    """Limits of a variant.

    `max_nbytes` limits inputs and outputs of a variant at other sizes.  A variant runs for real when all its values
    take at most `run_nbytes` and it has at most `run_operations` operations. Of each dtype, `runs` variants do: the
    original and the smallest others.
    """

    max_nbytes: int = 256 * MIB
    run_nbytes: int = 16 * MIB
    run_operations: int = 30_000_000
    runs: int = 2
    seed: int = 0


@dataclass(frozen=True)
class Generalised:
    """The variants in order of dtype and shape index, and how many were dropped for which reason."""

    variants: tuple[Graph, ...]
    drops: Counter[str]


def generalise(
    graph: Graph,
    *,
    dtypes: Sequence[str] = DTYPES,
    shapes: Sequence[tuple[int, int]] = COMBINATIONS,
    limits: VaryLimits = VaryLimits(),
) -> Generalised:
    """All variants of `graph` that run, over `dtypes` x (`shapes` and the original sizes).

    Every variant runs on fake tensors, and some of each dtype run for real (`meta["checked"]` is "fake" or "run").
    Variants and drops together are len(dtypes) x (len(shapes) + 1).  Sets no thread count and expects one thread.
    Errors: `UsageError` for an unknown dtype or too many shapes.
    """
    unknown = [dtype for dtype in dtypes if dtype not in DTYPES]
    if unknown or not dtypes or len(shapes) > ORIGINAL:
        raise UsageError(
            "cannot generalise so",
            path=graph.name,
            expected=f"some of the dtypes {', '.join(DTYPES)} and at most {ORIGINAL} shapes",
            found=f"dtypes {', '.join(dtypes) or 'none'}, {len(shapes)} shapes",
        )
    replay = shapes_replay(graph.program, graph.specs)
    with replay.session():
        maker = Maker(graph, replay, dtypes, shapes, limits.max_nbytes)
        made = list(maker.variants())
    tester = _Tester(limits, maker.drops)
    kept = [variant for dtype in dtypes for variant in tester.kept([one for one in made if one.dtype == dtype])]
    return Generalised(tuple(kept), +maker.drops)


@dataclass(frozen=True)
class _Tester:
    """Runs some variants of one dtype for real and decides with them about all."""

    limits: VaryLimits
    drops: Counter[str]

    def kept(self, variants: Sequence[Variant]) -> Iterator[Graph]:
        """The variants that ran, and similar ones that were not run, in the given order.

        If the original fails, or every other size that was tried, the variants that were not run are dropped with them.
        """
        trials = {variant.index: run_for_real(variant.graph, self.limits.seed) for variant in self._chosen(variants)}
        failed = {index: trial.failure for index, trial in trials.items() if trial.failure is not None}
        others = [index for index in trials if index != ORIGINAL]
        condemned = failed.get(ORIGINAL)
        if condemned is None and others and all(index in failed for index in others):
            condemned = failed[others[0]]
        for variant in variants:
            trial = trials.get(variant.index)
            if trial is None and variant.cost is None:
                self.drops["run: too large to run, and fake tensors cannot tell"] += 1
            elif trial is None and condemned is not None:
                self.drops[f"run: not tried, a sibling failed with {condemned}"] += 1
            elif trial is not None and trial.failure is not None:
                self.drops[f"run: {trial.failure}"] += 1
            else:
                yield _checked(variant.graph, trial)

    def _chosen(self, variants: Sequence[Variant]) -> list[Variant]:
        """The variants to run: the original first, then from small to large."""
        small = [variant for variant in variants if self._is_small(variant)]
        small.sort(key=lambda one: (one.index != ORIGINAL, one.cost.nbytes if one.cost else 0, one.index))
        return small[: self.limits.runs]

    def _is_small(self, variant: Variant) -> bool:
        if variant.cost is None:
            return variant.graph.nbytes <= self.limits.run_nbytes
        fits = variant.cost.nbytes <= self.limits.run_nbytes
        return fits and variant.cost.operations <= self.limits.run_operations


def _checked(graph: Graph, trial: VariantTrial | None) -> Graph:
    meta: dict[str, object] = {**graph.meta, "checked": "fake" if trial is None else "run"}
    if trial is not None and trial.flag is not None:
        meta["degenerate"] = trial.flag
    program = graph.program
    checked = replace(graph, meta=meta)
    checked.__dict__["program"] = program
    return checked
