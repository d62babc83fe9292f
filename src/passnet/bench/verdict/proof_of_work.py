"""Proof of work: a pass's outputs must come from its own kernels.

On a GPU the profiler must have seen kernels of the pass and none of a library inside its wrappers; on every device the
outputs must go wrong when the kernels of the helpers and of Triton are switched off.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.outcome.ownership import Verdict, found
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing import blocks
from passnet.bench.timing.blocks import BlockPlan, Mode
from passnet.bench.timing.draws import SecretInputs
from passnet.bench.verdict.reference import Reference

_MOST_ROWS, _MOST_KERNELS = 200, 50
# Kernels that vendors' libraries and torch bring along: no author writes such names.
_LIBRARY = re.compile(
    r"(?:void )?(?:at|cutlass|cublas\w*|cudnn\w*|cufft\w*|cusparse\w*|flash\w*|pytorch_flash|fmha\w*)::"
    r"|(?:void )?(?:gemm(?:SN|v2N|v2T|k1)\w*|gemv\w*|dot_kernel|splitKreduce_kernel)<"
    r"|(?:sm\d+_xmma|sm\d+_\w*gemm|ampere_\w*gemm|volta_\w*gemm|turing_\w*gemm|maxwell_\w*gemm|hopper_\w*gemm|nvjet|cutlass_\d)"
)
# What allocating, filling and laying out anew runs, as a wrapper may.
_PLUMBING = re.compile(r"Memcpy|Memset|.*(?:FillFunctor|copy_kernel_cuda)")


@dataclass(frozen=True)
class WrapperRun:
    """One call of a wrapper as the worker reports it: what ran on the device in it, and whether it made an output."""

    wrapper: str
    kernels: dict[str, int]
    fresh: bool

    @property
    def library(self) -> list[str]:
        """Kernels of libraries, other than for allocating and copying."""
        return [name for name in self.kernels if _LIBRARY.match(name) and not _PLUMBING.match(name)]

    @property
    def own(self) -> list[str]:
        """Kernels that can be the pass's."""
        return [name for name in self.kernels if not _LIBRARY.match(name) and not _PLUMBING.match(name)]


@dataclass(frozen=True)
class WorkShown:
    """What the proof found. `kernels`: those that were seen on the device; None without a GPU or a profiler.

    `own`: whether kernels of the pass make its outputs; None where nobody could tell.
    """

    kernels: tuple[str, ...] | None
    own: bool | None


@dataclass(frozen=True)
class Proof:
    """Asks the candidate of one pair for proof, on a few draws; comes last, for it leaves the program unfit."""

    pair: WorkerPair
    reference: Reference
    given: SecretInputs
    protocol: Protocol
    rng: random.Random

    def demand(self) -> WorkShown:
        """Verdict `integrity` without proof, where there should be any."""
        runs = self._profiled() if self.reference.shape.device != "cpu" and self.protocol.ghost_draws else None
        look_at_kernels(runs or ())
        skipped = self._ghosts()
        if runs is None:
            return WorkShown(None, self._by_ghosts(skipped))
        own = sorted({name for run in runs for name in run.own})
        if skipped and not own and any(run.fresh for run in runs):
            raise found("no_work", f"of {skipped} kernel calls of the pass the profiler saw none on the device")
        return WorkShown(tuple(own[:_MOST_KERNELS]), bool(own))

    def _by_ghosts(self, skipped: int | None) -> bool | None:
        """Without a profiler: where kernels were skipped, the outputs followed from them, or there would be a finding.

        Where none was skipped there is none, unless the policy admits kernels that cannot be switched off.
        """
        if skipped:
            return True
        return False if skipped == 0 and self.protocol.policy == "strict" else None

    def _profiled(self) -> list[WrapperRun] | None:
        try:
            return wrapper_runs(self._block("profiled", 0).reply)
        except (WorkerFailure, Verdict):  # as likely the profiler's failure as the pass's: it proves nothing
            return None

    def _ghosts(self) -> int | None:
        """Switch the pass's kernels off: its outputs must go wrong, and how they do is of no interest.

        How many calls of kernels were skipped; None where nothing was tried, or the candidate failed before it said.
        """
        skipped, draws = None, min(self.protocol.ghost_draws, len(self.given.draws))
        for draw in range(draws):
            try:
                block = self._block("ghost", draw)
                claimed = block.reply.get("skipped")
                if not isinstance(claimed, int) or not claimed:
                    return 0  # nothing of it can be switched off: native code of its own, or only views
                skipped = claimed
                if not self.reference.compare_block(self.given, block, self.rng)[0].strict:
                    return skipped
            except (WorkerFailure, Verdict):  # NaN, an exception, a crash: its outputs depend on its kernels
                return skipped
        if draws:
            raise found("no_work", f"outputs stayed right on {draws} draws with {skipped} kernel calls switched off")
        return skipped

    def _block(self, mode: Mode, draw: int) -> blocks.Block:
        """Two calls on one draw, the second one kept."""
        plan = BlockPlan("direct", 1, 1, frozenset({1}), draw=draw, mode=mode)
        with self.pair.awake("candidate") as worker:
            buffers = self.pair.lent["candidate", "timing"]
            return blocks.run(worker, buffers, self.given, plan, self.rng, self.protocol.first_call_s)


def wrapper_runs(reply: dict[str, Any]) -> list[WrapperRun] | None:
    """The worker's report of what ran in its wrappers; None where its profiler saw nothing or the form is another."""
    rows = reply.get("activity")
    if not isinstance(rows, list) or not rows or not all(_is_row(row) for row in rows[:_MOST_ROWS]):
        return None
    return [WrapperRun(row["wrapper"], row["kernels"], row["fresh"]) for row in rows[:_MOST_ROWS]]


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and isinstance(row.get("wrapper"), str)
        and isinstance(row.get("fresh"), bool)
        and isinstance(row.get("kernels"), dict)
        and all(isinstance(name, str) and type(count) is int for name, count in row["kernels"].items())
    )


def look_at_kernels(runs: Sequence[WrapperRun]) -> None:
    """Verdict `integrity` when a wrapper ran a library's kernel, or made an output while the device did nothing."""
    for run in runs:
        if run.library:
            raise found("library_kernel", f"wrapper {run.wrapper} ran {run.library[0]} on the device")
        if run.fresh and not run.kernels:
            raise found("no_work", f"wrapper {run.wrapper} returned new memory while nothing ran on the device")
