"""Proof of work: a pass's outputs must come from its own kernels.

On a GPU the profiler must have seen kernels of the pass. It must have seen no library kernel inside the wrappers.
On every device the outputs must go wrong when the kernels of the helpers and of Triton are switched off.
"""

from __future__ import annotations

import itertools
import random
import re
import secrets
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.outcome.ownership import Verdict, found
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing import blocks
from passnet.bench.timing.blocks import BlockPlan
from passnet.bench.verdict.reference import Reference
from passnet.bench.wire.replies import WrapperCall
from passnet.bench.wire.requests import Mode

_MOST_KERNELS = 50
# Calls under the profiler. The first only warms up.
_PROFILED_CALLS = 5
# What memory holds before a call whose kernels are switched off. No value that was not written is right with both.
_FILLS = (0xFF, 0)
# Kernels from vendors' libraries and torch. No author writes such names.
_LIBRARY = re.compile(
    r"(?:void )?(?:at|cutlass|cublas\w*|cudnn\w*|cufft\w*|cusparse\w*|flash\w*|pytorch_flash|fmha\w*)::"
    r"|(?:void )?(?:gemm(?:SN|v2N|v2T|k1)\w*|gemv\w*|dot_kernel|splitKreduce_kernel)<"
    r"|(?:sm\d+_xmma|sm\d+_\w*gemm|ampere_\w*gemm|volta_\w*gemm|turing_\w*gemm|maxwell_\w*gemm|hopper_\w*gemm|nvjet|cutlass_\d)"
)
# Kernels for allocating, filling and a new layout. A wrapper may run them.
_PLUMBING = re.compile(r"Memcpy|Memset|.*(?:FillFunctor|copy_kernel_cuda)")


def library_kernels(run: WrapperCall) -> list[str]:
    """Library kernels in a call of a wrapper, except those for allocating and copying."""
    return [name for name in run.kernels or () if _LIBRARY.match(name) and not _PLUMBING.match(name)]


def own_kernels(run: WrapperCall) -> list[str]:
    """Kernels that can belong to the pass."""
    return [name for name in run.kernels or () if not _LIBRARY.match(name) and not _PLUMBING.match(name)]


def kernel_times(runs: Sequence[WrapperCall], calls: int, names: Sequence[str]) -> dict[str, float]:
    """Microseconds of kernels in one call of the program: the median over all calls but the first.

    Empty where the wrappers did not run equally often in each call.
    """
    each, rest = divmod(len(runs), calls)
    if rest or not each:
        return {}
    later = [runs[call * each : (call + 1) * each] for call in range(1, calls)]
    return {
        name: round(statistics.median(sum(run.us.get(name, 0.0) for run in call) for call in later), 3)
        for name in names
        if all(any(name in run.us for run in call) for call in later)
    }


@dataclass(frozen=True)
class WorkShown:
    """The result of the proof.

    `kernels`: those that were seen on the device. None without a GPU or a profiler.
    `own`: whether kernels of the pass make its outputs. None where this could not be known.
    `us`: microseconds of these kernels in one call, by name. The worker says so.
    """

    kernels: tuple[str, ...] | None
    own: bool | None
    us: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Proof:
    """Asks the candidate of one pair for proof, on a few draws. It comes last, because it leaves the program unfit.

    `profiles`: on a GPU, run the wrappers under the profiler too.
    """

    pair: WorkerPair
    reference: Reference
    given: SecretInputs
    protocol: Protocol
    rng: random.Random
    profiles: bool = True

    def demand(self) -> WorkShown:
        """Ask for the proof. Verdict `integrity` where there should be proof and is none."""
        runs = self._profiled() if self._on_gpu and self.profiles and self.protocol.ghost_draws else None
        look_at_kernels(runs or ())
        skipped = self._ghosts()
        if runs is None:
            return WorkShown(None, self._by_ghosts(skipped))
        own = sorted({name for run in runs for name in own_kernels(run)})
        if skipped and not own and any(run.fresh for run in runs):
            raise found("no_work", f"of {skipped} kernel calls of the pass the profiler saw none on the device")
        kernels = tuple(own[:_MOST_KERNELS])
        return WorkShown(kernels, bool(own), kernel_times(runs, _PROFILED_CALLS, kernels))

    @property
    def _on_gpu(self) -> bool:
        return self.reference.shape.device != "cpu"

    def _by_ghosts(self, skipped: int | None) -> bool | None:
        """The answer without a profiler: skipped kernels made the outputs, or there would be a finding.

        If no kernel was skipped, the pass has none. The exception is a policy that admits kernels that cannot be
        switched off.
        """
        if skipped:
            return True
        return False if skipped == 0 and self.protocol.policy == "strict" else None

    def _profiled(self) -> Sequence[WrapperCall] | None:
        try:
            calls = self._block("profiled", 0).reply.activity
        except (WorkerFailure, Verdict) as failure:  # the profiler may have failed as well as the pass
            refuse_unstoppable(failure)
            return None
        return calls if calls and all(call.kernels is not None for call in calls) else None

    def _ghosts(self) -> int | None:
        """Switch the pass's kernels off. The outputs must go wrong, and it does not matter how.

        A draw is done again with other bytes in the memory that the calls get, because a mask may be all ones.

        Returns how many kernel calls were skipped. None where nothing was tried, or the candidate failed before it
        said.
        """
        skipped, usual = None, min(self.protocol.ghost_draws, len(self.given.draws))
        draws = self._in_turn(usual)
        for (number, draw), fill in itertools.product(enumerate(draws), _FILLS):
            try:
                block = self._block("ghost", draw, fill)
                if not (block.reply.skipped or skipped):
                    return 0  # nothing can be switched off: its own native code, or only views
                skipped = max(block.reply.skipped or 0, skipped or 0)
                rng = self.rng if number < usual else None  # of the further draws, one element may be all that differs
                compared = self.reference.compare_block(self.given, block, rng)
                if not (compared and compared[0].strict):
                    return skipped
            except (WorkerFailure, Verdict) as failure:  # NaN, an exception, a crash: its outputs depend on its kernels
                refuse_unstoppable(failure)
                return skipped
        if draws:
            raise found(
                "no_work", f"outputs stayed right on {len(draws)} draws with {skipped} kernel calls switched off"
            )
        return skipped

    def _in_turn(self, usual: int) -> Sequence[int]:
        """The draws on which kernels are switched off: the first ones, and then all others in an order by chance.

        A kernel may have nothing to do on the first ones: a bound that is never met, an infinity that is never there.
        In each of the others something is unusual. Nearly every pass goes wrong on the first one, so these are rare.
        """
        further = range(usual, len(self.given.draws)) if usual else ()
        return [*range(usual), *self.rng.sample(further, len(further))]

    def _block(self, mode: Mode, draw: int, fill: int = 0xFF) -> blocks.Block:
        """Some calls on one draw. The second one is kept, for ghosts with its inputs where eager changes some: work
        that only changes an input is work too.
        """
        timed = _PROFILED_CALLS - 1 if mode == "profiled" else 1
        compared = mode == "ghost" and bool(self.reference.mutated)
        plan = BlockPlan("direct", 1, timed, frozenset({1}), inputs=compared, draw=draw, mode=mode, fill=fill)
        with self.pair.awake("candidate") as worker:
            buffers = self.pair.timing_buffers("candidate")
            return blocks.run(worker, buffers, self.given, plan, self.rng, self.protocol.first_call_s)


def refuse_unstoppable(failure: WorkerFailure | Verdict) -> None:
    """Verdict `integrity` for a process that could not be stopped. Other failures are allowed during the proof."""
    if isinstance(failure, WorkerFailure) and failure.kind == "background_work":
        raise found(failure.kind, str(failure)) from failure


def look_at_kernels(runs: Sequence[WrapperCall]) -> None:
    """Verdict `integrity` when a wrapper ran a library's kernel, or made an output while the device did nothing."""
    for run in runs:
        library = library_kernels(run)
        if library:
            raise found("library_kernel", f"wrapper {run.wrapper} ran {library[0]} on the device")
        if run.fresh and not run.kernels:
            raise found("no_work", f"wrapper {run.wrapper} returned new memory while nothing ran on the device")


@dataclass
class OneOfMany:
    """One graph of a pass set, drawn in secret, whose wrappers run under the profiler. That ruins a process.

    Where the graph drawn gets no proof of work, because it is wrong say, the next one that gets it is profiled.
    """

    graphs: Sequence[str]
    _drawn: int = -1
    _done: bool = False

    def __post_init__(self) -> None:
        self._drawn = secrets.randbelow(len(self.graphs))

    def __call__(self, graph: str) -> bool:
        """Whether the proof of this graph is profiled. Asked once for each graph, in their order."""
        profiles = not self._done and list(self.graphs).index(graph) >= self._drawn
        self._done = self._done or profiles
        return profiles
