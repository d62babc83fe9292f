"""The most useful next fix: one piece of advice from the outcomes of a measurement, by tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passnet.agent.record.figures import VariantFigures
from passnet.score import Outcome

_LAUNCH_BOUND_US = 150.0

# For each outcome: its usual cause, and where to look.
HINTS: Mapping[Outcome, str] = {
    Outcome.INTEGRITY: "the pass does what passes may not do; nothing else counts until that is gone",
    Outcome.COMPILE_ERROR: "the pass set does not load or a kernel does not compile; the message has file and line",
    Outcome.RUNTIME_ERROR: "the wrapper raised; check every dtype, shape and stride that the variants have",
    Outcome.TIMEOUT: "loading or the first call takes too long; compile less, autotune nothing at call time",
    Outcome.NO_MATCH: "no rule matched this variant; compare the pattern with its statements (inspect_graph, check)",
    Outcome.SHAPE_MISMATCH: "allocate outputs by the shapes of the inputs, not by numbers of one variant",
    Outcome.DTYPE_MISMATCH: "allocate outputs in the dtype that eager gives; cast where eager casts",
    Outcome.NAN_INF: "eager is finite here; look at division, exp and masks, and accumulate in float32",
    Outcome.ACCURACY: "accumulate in float32 and round where eager rounds; 16-bit variants fail first",
    Outcome.UNSTABLE: "the machine was too unsteady to tell; evaluate again",
    Outcome.REFERENCE_ERROR: "eager itself fails or gives nothing that can be compared; not your fault, not scored",
    Outcome.OUT_OF_MEMORY: "this machine has too little memory to measure the variant; not your fault, not scored",
    Outcome.INFRASTRUCTURE: "the machine failed at the variant; not your fault, not scored; evaluate again",
}
_NOT_YOURS = frozenset({Outcome.UNSTABLE, Outcome.REFERENCE_ERROR, Outcome.OUT_OF_MEMORY, Outcome.INFRASTRUCTURE})


def fix_first(graphs: Sequence[VariantFigures], labels: Mapping[str, str], gains: Mapping[str, float]) -> str:
    """One or two lines about the fix that would gain most. `labels` are short names of the variants."""
    failing = [row for row in graphs if row.outcome is not Outcome.CORRECT and row.outcome not in _NOT_YOURS]
    if failing:
        return _failure(failing, labels, gains)
    timed = [(row.speedup, row) for row in graphs if row.speedup is not None]
    if not timed:
        return HINTS[graphs[0].outcome] if graphs else "nothing was evaluated"
    return _slowest(*min(timed, key=lambda pair: pair[0]), labels)


def _failure(failing: Sequence[VariantFigures], labels: Mapping[str, str], gains: Mapping[str, float]) -> str:
    """The kind of failure that most variants share. Integrity comes before all others."""
    kinds = [row.outcome for row in failing]
    kind = Outcome.INTEGRITY if Outcome.INTEGRITY in kinds else max(kinds, key=kinds.count)
    same = [row for row in failing if row.outcome is kind]
    names = ", ".join(labels[row.graph] for row in same)
    gain = max((gains[row.graph] for row in same if row.graph in gains), default=None)
    worth = f"; one of them mended, and no faster than eager, makes AS {gain:.3f}" if gain is not None else ""
    return f"{kind} on {names}: {same[0].detail or HINTS[kind]}\n  {HINTS[kind]}{worth}"


def _slowest(speedup: float, row: VariantFigures, labels: Mapping[str, str]) -> str:
    assert row.eager_us is not None, "what has a speedup was timed"
    where = f"{labels[row.graph]} gains least ({speedup:.3f}x of {row.eager_us:.1f} us)"
    if row.eager_us < _LAUNCH_BOUND_US and row.not_frozen:
        rule, why = next(iter(row.not_frozen.items()))
        return f"{where}: every call of {rule} runs its whole wrapper, for it is not replayed ({why})"
    if row.busy_speedup is not None and row.busy_speedup > 1.0 > speedup:
        device = f"{row.busy_speedup:.2f}x on the device"
        return f"{where}: its kernels are faster ({device}), so the wrapper is too slow on the host"
    if row.eager_us < _LAUNCH_BOUND_US:
        return f"{where}: so short a graph is decided by calls and launches; cover more statements, allocate less"
    return f"{where}: read and write everything once; profile says which statement takes the time"
