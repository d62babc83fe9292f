"""Writes graph results as a validation log of the upstream harness, so that its scripts compute our score.

A reader takes each line of the log as a verdict. Text of an author therefore never gets into the log. Only the names of
graphs do, and only their plain characters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from passnet.score.outcome import JUDGED, Outcome
from passnet.score.result import GraphResult
from passnet.score.tolerances import T_RANGE_EXTENDED, tolerance

PROMPT: Final = "graph-net-test-compiler-log"
# Our records hold one verdict for all outputs of a graph. It is written as the verdict on one output, with the tags of
# every dtype that upstream knows. The dtype named here therefore decides nothing.
_DTYPE: Final = "float32"
_DTYPES: Final = ("float16", "bfloat16", "float32", "float64")
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._+/-]")
_MARK: Final = "all_close"

_EAGER: Final = f"[Datatype][eager]: {_DTYPE}"
_COMPILED: Final = f"[Datatype][compiled]: {_DTYPE}"
_SHAPES: Final = "[Shape] match:{}"
_SAME: Final = f"[DataType] eager:['{_DTYPE}'] compiled:['{_DTYPE}'] match:True"
_OTHER: Final = f"[DataType] eager:['{_DTYPE}'] match:False"
_COMPILED_FAILED: Final = "[Fail due to compiled model execution error.]"

_LINES: Final[Mapping[Outcome, tuple[str, ...]]] = {
    # Upstream never forgives a graph that lacks the line of eager's dtypes. These outcomes are never forgiven here
    # either.
    Outcome.NO_MATCH: (_COMPILED_FAILED,),
    Outcome.INTEGRITY: (_COMPILED_FAILED,),
    Outcome.REFERENCE_ERROR: ("[Fail due to eager model execution error.]",),
    Outcome.COMPILE_ERROR: (_EAGER, _COMPILED_FAILED),
    Outcome.SHAPE_MISMATCH: (_EAGER, _COMPILED, _SHAPES.format(False), _SAME),
    Outcome.DTYPE_MISMATCH: (_EAGER, _COMPILED, _SHAPES.format(True), _OTHER),
    Outcome.RUNTIME_ERROR: (_EAGER, _COMPILED, _SHAPES.format(True), _SAME, "RuntimeError: the candidate raised"),
    Outcome.TIMEOUT: (_EAGER, _COMPILED, _SHAPES.format(True), _SAME, "RuntimeError: the candidate took too long"),
    Outcome.NAN_INF: (_EAGER, _COMPILED, _SHAPES.format(True), _SAME, "RuntimeError: an output is not finite"),
}
"""The log lines of an outcome that is not judged number by number. `UNSTABLE` has no counterpart upstream."""


class Times(NamedTuple):
    """Median times of a call in milliseconds, and the speedup on the device if one was measured."""

    eager_ms: float
    compiled_ms: float
    gpu_speedup: float | None = None


def writable(outcome: Outcome) -> bool:
    """Whether a log can state the outcome of this graph."""
    return outcome in JUDGED or outcome in _LINES


def log_path(name: str) -> str:
    """A graph's name as a log may hold it: one word of plain characters that no reader takes for a verdict."""
    return _UNSAFE.sub("_", name).replace(_MARK, "all-close") or "_"


def log_block(result: GraphResult, times: Times | None = None, config: Mapping[str, str] | None = None) -> list[str]:
    """The lines of one graph. Its outcome must be `writable`."""
    lines = [f"[Processing] {log_path(result.name)}"]
    lines += [f"[Config] {key}: {_UNSAFE.sub('_', value) or '-'}" for key, value in (config or {}).items()]
    lines += _verdict(result) if result.outcome in JUDGED else _LINES[result.outcome]
    lines.append(f"[Result] status: {'success' if result.correct else 'failed'}")
    if result.outcome in JUDGED:
        lines += _timing(result, times)
    return [f"{PROMPT} {line}" for line in lines]


def log_text(blocks: Iterable[list[str]]) -> str:
    """A whole log."""
    return "".join(f"{line}\n" for block in blocks for line in block)


def _verdict(result: GraphResult) -> list[str]:
    # Upstream counts outputs by the line of bit-equality. Our records do not hold bit-equality, and no verdict on
    # float32 depends on it.
    lines = [_EAGER, _COMPILED, _SAME, "[Correctness][equal]: 0"]
    # At t = 0 all pairs are the same pair, so they must come from one level.
    tags = {tolerance(dtype, t).tag: result.right_at(t) for t in T_RANGE_EXTENDED for dtype in _DTYPES}
    return lines + [f"[Correctness][{tag}]: {int(right)}" for tag, right in tags.items()]


def _timing(result: GraphResult, times: Times | None) -> list[str]:
    lines = []
    if times is not None:
        for side, value in (("eager", times.eager_ms), ("compiled", times.compiled_ms)):
            lines.append(f"[Performance][{side}]: {json.dumps({'e2e': {'median': value}})}")
    if result.speedup is not None:
        lines.append(f"[Speedup][e2e]: {result.speedup!r}")
    if times is not None and times.gpu_speedup is not None:
        lines.append(f"[Speedup][gpu]: {times.gpu_speedup!r}")
    return lines
