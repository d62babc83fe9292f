"""From failures to outcomes: who owns what went wrong, and what it is called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.outcome.integrity_checks import BY_NAME
from passnet.bench.record.records import Finding
from passnet.bench.wire.memory import NoRoom, Stage
from passnet.score import Outcome

# Kinds of worker failures whose outcome does not depend on the stage.
_KINDS = {
    "timeout": Outcome.TIMEOUT,
    "dtype_mismatch": Outcome.DTYPE_MISMATCH,
    "shape_mismatch": Outcome.SHAPE_MISMATCH,
    "no_match": Outcome.NO_MATCH,
    "load": Outcome.COMPILE_ERROR,
    "trace": Outcome.COMPILE_ERROR,
    "compile": Outcome.COMPILE_ERROR,
}
# Kinds of worker failures that are findings by the check of that name.
_BREACHES = {"kernel_source", "kept_state", "background_work"}
_USUAL: dict[Stage, Outcome] = {"build": Outcome.COMPILE_ERROR, "call": Outcome.RUNTIME_ERROR}


class Verdict(Exception):
    """The graph is decided without a timing; carried up from wherever that became clear."""

    def __init__(self, outcome: Outcome, detail: str, findings: Sequence[Finding] = (), **more: Any) -> None:
        super().__init__(detail)
        self.outcome, self.detail, self.findings, self.more = outcome, detail, tuple(findings), more

    def fields(self) -> dict[str, Any]:
        return {"outcome": self.outcome, "detail": self.detail, "findings": self.findings} | self.more


def violation(exploit: str, layer: str, evidence: str) -> Verdict:
    """A verdict `integrity` with one finding."""
    finding = Finding(**{"class": exploit, "layer": layer, "evidence": evidence})
    return Verdict(Outcome.INTEGRITY, evidence, [finding])


def found(check: str, evidence: str) -> Verdict:
    """A verdict `integrity` by one of the checks of the table."""
    return violation(check, BY_NAME[check].layer, evidence)


def short_of_memory(short: NoRoom) -> Verdict:
    """The candidate's own failure: memory was there for what eager needs."""
    return Verdict(_USUAL[short.stage], str(short))


@contextmanager
def owned_by(stage: Stage) -> Iterator[None]:
    """Turn a worker failure inside into the verdict of its owner: the reference, or the candidate at build or call.

    NoRoom where memory did not suffice: whose fault that is the judge finds out.
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
        misses = error.detail.get("near_misses")
        more = {"near_misses": misses} if misses else {}
        raise Verdict(_KINDS.get(error.kind, _USUAL[stage]), str(error), **more) from error
