"""From failures to outcomes: the owner of a failure, and the name of its outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.outcome.integrity_checks import BY_NAME
from passnet.bench.record.records import Finding, Timing
from passnet.bench.wire.memory import NoRoom, Stage
from passnet.bench.wire.replies import FailureKind, NearMissRow
from passnet.score import Outcome

# Kinds of worker failures whose outcome does not depend on the stage.
_KINDS: dict[FailureKind, Outcome] = {
    "timeout": Outcome.TIMEOUT,
    "dtype_mismatch": Outcome.DTYPE_MISMATCH,
    "shape_mismatch": Outcome.SHAPE_MISMATCH,
    "no_match": Outcome.NO_MATCH,
    "load": Outcome.COMPILE_ERROR,
    "compile": Outcome.COMPILE_ERROR,
}
# Kinds of worker failures that are findings by the check of that name.
_BREACHES: frozenset[FailureKind] = frozenset(
    {"kernel_source", "kept_state", "background_work", "late_output", "guard_changed", "output_alias", "lazy_output"}
)
_USUAL: dict[Stage, Outcome] = {"build": Outcome.COMPILE_ERROR, "call": Outcome.RUNTIME_ERROR}


class Verdict(Exception):
    """The decision on a graph. It is raised from the place that found it, and returned where all was compared.

    `detail`: the reason, None where the graph is right. `near_misses`: why the rules of a pass set matched nothing.
    """

    def __init__(
        self,
        outcome: Outcome,
        detail: str | None,
        findings: Sequence[Finding] = (),
        *,
        timing: Timing | None = None,
        near_misses: Sequence[NearMissRow] = (),
    ) -> None:
        super().__init__(detail)
        self.outcome, self.detail, self.findings = outcome, detail, tuple(findings)
        self.timing, self.near_misses = timing, tuple(near_misses)


def violation(exploit: str, layer: str, evidence: str) -> Verdict:
    """A verdict `integrity` with one finding."""
    finding = Finding(**{"class": exploit, "layer": layer, "evidence": evidence})
    return Verdict(Outcome.INTEGRITY, evidence, [finding])


def found(check: str, evidence: str) -> Verdict:
    """A verdict `integrity` by one of the checks of the table."""
    return violation(check, BY_NAME[check].layer, evidence)


def short_of_memory(short: NoRoom) -> Verdict:
    """The candidate's own failure. There was enough memory for what eager needs."""
    return Verdict(_USUAL[short.stage], str(short))


@contextmanager
def owned_by(stage: Stage) -> Iterator[None]:
    """Turn a worker failure inside into the verdict of its owner: the reference, or the candidate at build or call.

    NoRoom where memory was too little. The judge finds out whose fault that is.
    """
    try:
        yield
    except WorkerFailure as error:
        if error.kind == "out_of_memory":
            raise NoRoom(f"the {stage} ran out of memory: {error}", stage=stage) from error
        if stage == "reference":
            raise Verdict(Outcome.REFERENCE_ERROR, f"eager: {error}") from error
        if error.kind == "policy":
            raise violation("policy:replacement_args computes", "source policy", str(error)) from error
        if error.kind in _BREACHES:
            raise found(error.kind, str(error)) from error
        raise Verdict(_KINDS.get(error.kind, _USUAL[stage]), str(error), near_misses=error.near_misses) from error
