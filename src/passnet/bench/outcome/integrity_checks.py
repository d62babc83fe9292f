"""The integrity checks beyond the source policy, one row each: its name, its layer, its reason, what it closes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Layer = Literal["source policy", "run-time guard", "output truth", "clock truth", "proof of work"]
Kind = Literal["boundary", "tripwire"]


@dataclass(frozen=True)
class IntegrityCheck:
    """A row. A boundary holds against any code in the worker. A tripwire convicts and never clears."""

    name: str
    layer: Layer
    kind: Kind
    reason: str
    closes: str


CHECKS: tuple[IntegrityCheck, ...] = (
    IntegrityCheck(
        "kernel_source", "source policy", "tripwire",
        "C++ and CUDA handed to the helpers may compute and nothing else",
        "threads, clocks, files, loaders and other libraries called from native code (A4, A5, A8, B5, C6-C11, D12-D14)",
    ),
    IntegrityCheck(
        "library_call", "run-time guard", "tripwire",
        "a wrapper allocates, reads metadata and launches kernels; computing is the kernels' work",
        "library calls under any spelling (D1-D11, D15)",
    ),
    IntegrityCheck(
        "unsteady_match", "run-time guard", "tripwire",
        "a pass set must match the same in every process; its guards may look at nothing but the match",
        "another pass where it is timed than where it is compared (B23, C13)",
    ),
    IntegrityCheck(
        "tensor_subclass", "run-time guard", "tripwire",
        "an output must be a plain strided tensor, ready to be used",
        "lazy tensors that compute when compared (A2), caches on tensor objects (B4), results of inference mode",
    ),
    IntegrityCheck(
        "output_alias", "run-time guard", "tripwire",
        "an output must not share memory with an input or with another output unless eager's does",
        "inputs handed back or overwritten, an output shown twice (B13, B14)",
    ),
    IntegrityCheck(
        "argument_mutation", "run-time guard", "tripwire",
        "a wrapper must not write into an argument that neither its pattern nor the graph writes there",
        "results written over values amid a graph, or left there for a later wrapper (B13, B14)",
    ),
    IntegrityCheck(
        "output_reuse", "run-time guard", "tripwire",
        "an output must not lie in memory that an earlier result still occupies",
        "results kept between calls, late writers (A10, B1, B14)",
    ),
    IntegrityCheck(
        "lazy_output", "run-time guard", "tripwire",
        "an output must lie in as many places as eager's does, each of them in memory of one address",
        "work pushed to the reader, by a stride of 0, overlapping strides or memory mapped twice (B14, B21)",
    ),
    IntegrityCheck(
        "kept_state", "run-time guard", "tripwire",
        "a pass may keep compiled kernels and launch plans, no tensors and no memory",
        "results and workspaces kept in modules, closures, defaults, caches and objects (B1-B12)",
    ),
    IntegrityCheck(
        "guard_changed", "run-time guard", "tripwire",
        "a pass must leave alone what watches it",
        "recorders, tables and checks exchanged in the worker (C13)",
    ),
    IntegrityCheck(
        "input_mutation", "output truth", "boundary",
        "inputs must be as eager leaves them, in verified and in timed calls",
        "inputs changed to suit the next call (B13)",
    ),
    IntegrityCheck(
        "background_work", "clock truth", "boundary",
        "a worker that was asked nothing must use no processor time",
        "threads and processes that work outside the clock (A1, A5, C11)",
    ),
    IntegrityCheck(
        "clock", "clock truth", "tripwire",
        "a worker's own clock must agree with the controller's",
        "clocks replaced in the worker (A7-A9)",
    ),
    IntegrityCheck(
        "outside_clock", "clock truth", "boundary",
        "between two calls a candidate must take no longer than eager",
        "work before a call is made and after it was shown done (A10, A13, A19)",
    ),
    IntegrityCheck(
        "late_output", "clock truth", "boundary",
        "a call's outputs must not change once it is shown done",
        "calls shown done early, and finished only where somebody looks (A10)",
    ),
    IntegrityCheck(
        "kept_work", "clock truth", "tripwire",
        "calls whose inputs no cache holds must not cost a candidate many times what they cost eager",
        "work kept from call to call, or done ahead (A10, A13, B)",
    ),
    IntegrityCheck(
        "implausible_time", "clock truth", "boundary",
        "outputs cannot be written faster than the device's measured bandwidth, nor a call take less than an empty one",
        "whatever else hides work from the clock, a loop of the pass's own (A)",
    ),
    IntegrityCheck(
        "no_work", "proof of work", "tripwire",
        "with the pass's kernels switched off the outputs must go wrong, and on a GPU the profiler must have seen them",
        "decoy kernels beside the real computation, results from elsewhere (B1-B12, D)",
    ),
    IntegrityCheck(
        "library_kernel", "proof of work", "tripwire",
        "on a GPU the profiler must see no library's kernels inside a wrapper",
        "vendors' libraries called below the dispatcher (D12, D13)",
    ),
)  # fmt: skip
BY_NAME = {check.name: check for check in CHECKS}


def explain(exploit: str) -> str | None:
    """The reason why a class of finding is one, in a sentence. None for a name that no table has."""
    if exploit.startswith("policy:"):
        return explain_rule(exploit.removeprefix("policy:"))
    check = BY_NAME.get(exploit)
    return f"{check.reason}; closes {check.closes}" if check else None


def explain_rule(name: str) -> str | None:
    """The reason and the remedy of a rule of the source policy."""
    from passnet.rewrite import POLICY

    return next((f"{rule.why}; {rule.fix}" for rule in POLICY if rule.name == name), None)
