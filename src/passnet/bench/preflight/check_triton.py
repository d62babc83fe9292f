"""Facts about a task's Triton rules without a GPU: they match, compile to PTX, and compute the right numbers.

Rules for CUDA are loaded in two candidate processes. In one, every launch is compiled for a GPU that is not there.
The other runs in Triton's interpreter and is judged like any candidate. The interpreter is slow and wrong for
bfloat16. So it sees the smallest graph of each other dtype.
"""

from __future__ import annotations

import ast
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from passnet.bench.engine.bench import Bench
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.job import BUILD_SEED, Job
from passnet.bench.verdict.judge import Judge
from passnet.bench.wire.requests import BuildProgram, CompileTriton
from passnet.kernels import triton_check
from passnet.rewrite import PassSet
from passnet.score import Outcome

_MAX_BYTES = 1 << 20
_FINE = frozenset({Outcome.CORRECT, Outcome.NO_MATCH})
# For rules that are not marked as CUDA rules: an error in an interpreter does not count, wrong numbers do.
_WRONG = frozenset(
    {Outcome.ACCURACY, Outcome.NAN_INF, Outcome.SHAPE_MISMATCH, Outcome.DTYPE_MISMATCH, Outcome.INTEGRITY}
)
# Triton's messages where it finds no GPU, and where it finds one but gets tensors that lie elsewhere.
_NOT_LAUNCHED = ("active drivers", "cannot be accessed from Triton")


@dataclass
class Simulation:
    """The results of the two processes. `matches`: rule -> graph -> count. `misses`: near misses with rule and
    graph.
    """

    matches: dict[str, dict[str, int]] = field(default_factory=dict)
    misses: list[dict[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def uses_triton(pass_set: PassSet) -> bool:
    """Whether a rule for CUDA only exists and some file of the set imports triton."""
    for_cuda = any(rule.devices is not None and "cpu" not in rule.devices for rule in pass_set.rules)
    return for_cuda and any("triton" in _imports(file.tree) for file in pass_set.files)


def may_use_triton(pass_set: PassSet) -> bool:
    """Whether a rule names no device, as published ones do, and some file of the set imports triton."""
    anywhere = any(rule.devices is None for rule in pass_set.rules)
    return anywhere and any("triton" in _imports(file.tree) for file in pass_set.files)


def not_launched(detail: str) -> bool:
    """Whether a run failed only because Triton launches no kernel without a GPU, or on tensors of the CPU."""
    return any(text in detail for text in _NOT_LAUNCHED)


def simulate(jobs: list[Job], protocol: Protocol, logs: Path, *, lenient: bool = False) -> Simulation:
    """Compile the Triton rules for every graph, and interpret them where that says something. All jobs have passes.

    `lenient`: nobody said that the rules must work without a GPU. So errors raised there are noted and are no
    problem.
    """
    found = Simulation()
    reason = triton_check.available()
    if reason is not None:
        found.notes.append(f"Triton rules not checked: {reason}")
        return found
    compiling = Bench("cpu", "passes", protocol, logs, pairs=1)
    interpreting = Bench("cpu", "passes", protocol, logs, pairs=1, env={"TRITON_INTERPRET": "1"})
    for bench, step in ((compiling, _compile), (interpreting, _interpret)):
        with bench:
            bench.pairs[0].rules_for = "cuda"
            _all(jobs if step is _compile else _smallest(jobs), found, step, bench.pairs[0], protocol, lenient)
    return found


_Step = Callable[[WorkerPair, Job, Protocol, Simulation, bool], None]


def _smallest(jobs: list[Job]) -> list[Job]:
    """The graph with the least input bytes of each combination of dtypes. A program instance takes a millisecond."""
    best: dict[frozenset[str], Job] = {}
    for job in jobs:
        dtypes = frozenset(spec.dtype for spec in job.graph.specs)
        if dtypes not in best or job.graph.nbytes < best[dtypes].graph.nbytes:
            best[dtypes] = job
    return list(best.values())


def _all(
    jobs: Iterable[Job], found: Simulation, step: _Step, pair: WorkerPair, protocol: Protocol, lenient: bool
) -> None:
    for job in jobs:
        assert job.passes is not None
        try:
            pair.load(job.passes)
            step(pair, job, protocol, found, lenient)
        except WorkerFailure as error:
            if error.kind != "no_match":
                found.problems.append(f"{job.name}: {step.__name__.strip('_')} for CUDA: {error}")


def _compile(pair: WorkerPair, job: Job, protocol: Protocol, found: Simulation, lenient: bool) -> None:
    request = BuildProgram(graph=pair.staged(job.path), device="cpu", seed=BUILD_SEED, compiler="passes")
    try:
        program = pair.ask("candidate", request, protocol.build_s)
    except WorkerFailure as error:
        found.misses += [miss.on(job.name) for miss in error.near_misses]
        raise
    found.misses += [miss.on(job.name) for miss in program.near_misses]
    for rule, count in program.replacements.items():
        found.matches.setdefault(rule, {})[job.name] = count
    try:
        lines = pair.ask("candidate", CompileTriton(seed=BUILD_SEED), protocol.first_call_s).lines
    except WorkerFailure as error:
        if not lenient or "TritonLaunchError" in str(error):
            raise
        found.notes.append(f"{job.name}: kernels not compiled here: {error}")
        return
    found.notes += [f"{job.name}: {line}" for line in lines]


def _interpret(pair: WorkerPair, job: Job, protocol: Protocol, found: Simulation, lenient: bool) -> None:
    reason = _not_interpreted(job)
    if reason is not None:
        found.notes.append(f"{job.name}: not interpreted: {reason}")
        return
    once = protocol.model_copy(update={"verify_seeds": 1})
    record = Judge([pair], once, secrets.randbits(63)).check(job)
    if lenient and record.outcome not in (*_FINE, *_WRONG):
        found.notes.append(f"{job.name}: not interpreted: {record.detail}")
    elif record.outcome not in _FINE:
        found.problems.append(f"{job.name}: interpreted: {record.outcome}: {record.detail}")


def _not_interpreted(job: Job) -> str | None:
    if job.graph.nbytes > _MAX_BYTES:
        return f"inputs of {job.graph.nbytes >> 10} KiB are too slow to interpret"
    import torch

    files = job.passes.files if job.passes is not None else {}
    sources = [text for name, text in files.items() if name.endswith(".py")]
    return triton_check.interpretable({getattr(torch, spec.dtype) for spec in job.graph.specs}, *sources)


def _imports(tree: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names
