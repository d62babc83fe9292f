"""The pre-flight of a pass set: all facts that need no timing, in seconds, as data."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from passnet.bench.engine.bench import Bench
from passnet.bench.evaluate import pass_files, read_passes
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.names import PolicyLevel
from passnet.bench.preflight.check_rewrite import RewriteShown, shown
from passnet.bench.preflight.check_triton import Simulation, may_use_triton, not_launched, simulate, uses_triton
from passnet.bench.preflight.endless import Endless, Untried, not_tried
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord, not_replayed
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.environment import device_available
from passnet.errors import UsageError
from passnet.graph.targets import Target, find_targets
from passnet.rewrite import PassSet, check_policy
from passnet.score import Outcome

PROTOCOL = Protocol(verify_seeds=3, build_s=120.0, first_call_s=60.0)
_FINE = frozenset({Outcome.CORRECT, Outcome.NO_MATCH})


@dataclass
class RuleCheck:
    """One rule: source policy, whether it could be used, and how often it matched each graph.

    `not_known`: graphs on which the passes did not end before anything was matched.
    """

    rule: str
    policy: list[str]
    loaded: bool | None
    devices: tuple[str, ...] | None
    matches: dict[str, int] = field(default_factory=dict)
    not_known: list[str] = field(default_factory=list)
    near_misses: list[dict[str, str]] = field(default_factory=list)

    @property
    def tried(self) -> bool:
        """Whether it was looked for in any graph. It is not where a problem of the pass set came first."""
        return bool(self.matches or self.not_known)

    def to_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "policy": self.policy,
            "loaded": self.loaded,
            "devices": list(self.devices) if self.devices is not None else None,
            "matches": self.matches,
            "not_known": self.not_known,
            "near_misses": self.near_misses,
        }


@dataclass
class CheckReport:
    """The findings of a check. `problems` says in words all that keeps the pass set from being right on every graph.

    `not_tried`: graphs on which the rules match that did not end on an earlier one.
    """

    rules: list[RuleCheck]
    problems: list[str]
    graphs: list[GraphRecord]
    not_tried: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rewrites: list[RewriteShown] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.problems

    def to_json(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "rules": [rule.to_json() for rule in self.rules],
            "problems": self.problems,
            "notes": self.notes,
            "graphs": [record.summary() for record in self.graphs],
            "not_tried": self.not_tried,
            "rewrites": [each.to_json() for each in self.rewrites],
        }


@dataclass(frozen=True)
class CheckStep:
    """One graph was checked."""

    done: int
    total: int
    record: GraphRecord


@dataclass(frozen=True)
class CheckedGraphs:
    """The records of a check, and the graphs that it did not try."""

    records: list[GraphRecord] = field(default_factory=list)
    untried: list[Untried] = field(default_factory=list)


def quiet(_: CheckStep) -> None:
    """The default of those who do not watch."""


def check(
    path: Path,
    device: str,
    policy: PolicyLevel,
    *,
    rewrites: bool = False,
    every: bool = False,
    report: Callable[[CheckStep], None] = quiet,
) -> CheckReport:
    """Check one task's pass set on `device`. With `rewrites`, also show what it does to each graph.

    `every`: try also graphs on which rules match that did not end on an earlier one.
    `report` is called after each graph. A graph that does not end is a timeout, by the limits of `PROTOCOL`. Without
    the device, all checks run that do not need it. The report notes the others. UsageError for what cannot be read.
    """
    targets = find_targets([path])
    if len(targets) != 1:
        raise UsageError("check takes one task", path=path, expected="a task directory", found=f"{len(targets)} tasks")
    found: list[RewriteShown] = []
    with tempfile.TemporaryDirectory(prefix="passnet-check-") as logs:

        def judge(jobs: Sequence[Job]) -> CheckedGraphs:
            with Bench(device, "passes", PROTOCOL, Path(logs), pairs=1) as bench:
                judged = judge_all(bench.pairs, PROTOCOL, jobs, report, every=every)
                found.extend(shown(bench.pairs[0], jobs, PROTOCOL) if rewrites else ())
                return judged

        asked = judge if device_available(device) else None
        checked = check_target(targets[0], device, policy, asked, Path(logs), published=True)
    checked.rewrites = found
    return checked


def judge_all(
    pairs: Sequence[WorkerPair],
    protocol: Protocol,
    jobs: Sequence[Job],
    report: Callable[[CheckStep], None] = quiet,
    *,
    every: bool = False,
) -> CheckedGraphs:
    """All checks except the timing, on the first of some pairs that are open. `every`: see `check`."""
    judge = Judge(pairs[:1], protocol, secrets.randbits(63))
    endless, found = Endless(pairs[:1], protocol), CheckedGraphs()
    for number, job in enumerate(jobs, 1):
        untried = None if every else endless.like(job)
        if untried is not None:
            found.untried.append(untried)
            continue
        record = judge.check(job)
        endless.add(record)
        found.records.append(record)
        report(CheckStep(number, len(jobs), record))
    return found


def check_target(
    target: Target,
    device: str,
    policy: PolicyLevel,
    judge: Callable[[Sequence[Job]], CheckedGraphs] | None,
    logs: Path,
    *,
    published: bool = False,
) -> CheckReport:
    """The same for a task that was found, on pairs that `judge` has. It is asked only when the text passes.

    Without a judge (its device is missing), rules are loaded, matched and compiled. Nothing runs on the device.
    `published`: rules that name no device and launch Triton kernels count as rules for a GPU.
    """
    pass_set = read_passes(target)
    rules = _static(pass_set, policy)
    problems = [f"{rule.rule}: {violation}" for rule in rules for violation in rule.policy]
    if problems:
        return CheckReport(rules, problems, [])
    files = pass_files(pass_set)
    variants = tuple(graph for _, _, graph in target.graphs)
    on = "cpu" if judge is None else device
    jobs = [Job(target.name, name, path, graph, "passes", on, files, variants) for name, path, graph in target.graphs]
    judged = judge(jobs) if judge is not None else CheckedGraphs()
    graphs = judged.records
    simulated, undeclared = Simulation(), published and may_use_triton(pass_set)
    if judge is None or (device == "cpu" and (undeclared or uses_triton(pass_set))):
        simulated = simulate(jobs, PROTOCOL, logs, lenient=judge is None or undeclared)
    _fold(rules, judged, device, simulated)
    unlaunched = [record for record in graphs if undeclared and not_launched(record.detail or "")]
    wrong = [record for record in graphs if record.outcome not in _FINE and record not in unlaunched]
    problems += _once((record.graph, f"{record.outcome}: {record.detail}") for record in wrong)
    problems += simulated.problems
    notes = [f"{record.graph}: not run on the CPU: its Triton kernels need a GPU" for record in unlaunched]
    if judge is None:
        notes.append(f"no {device} device on this machine: nothing was run on it, and nothing compared there")
    notes += not_tried(judged.untried)
    if not problems and not any(count for rule in rules for count in rule.matches.values()):
        problems.append("no rule matched any graph of the task")
    notes += [*not_replayed(record.not_frozen for record in graphs), *simulated.notes]
    return CheckReport(rules, problems, graphs, [each.graph for each in judged.untried], notes)


def _once(found: Iterable[tuple[str, str]]) -> list[str]:
    """Each reason once, with the first graph that has it and the number of the others."""
    graphs: dict[str, list[str]] = {}
    for graph, reason in found:
        graphs.setdefault(reason, []).append(graph)
    return [
        f"{names[0]}{f' (and {len(names) - 1} more)' if len(names) > 1 else ''}: {reason}"
        for reason, names in graphs.items()
    ]


def _static(pass_set: PassSet, policy: PolicyLevel) -> list[RuleCheck]:
    violations = check_policy(pass_set, policy)
    rules = []
    for rule in pass_set.rules:
        own = [v.text() for v in violations if Path(v.file).name == rule.file.path.name]
        rules.append(RuleCheck(rule.name, own, None, rule.devices))
    helpers = {file.path.name for file in pass_set.helpers}
    rules[0].policy += [v.text() for v in violations if Path(v.file).name in helpers]
    return rules


def _fold(rules: Sequence[RuleCheck], judged: CheckedGraphs, device: str, simulated: Simulation) -> None:
    """Spread the content of the graphs' records over the rules."""
    graphs = judged.records
    matched = {record.graph: record.replacements if _known(record) else None for record in graphs}
    matched |= {each.graph: each.replacements for each in judged.untried}
    failed_to_load = any(record.outcome is Outcome.COMPILE_ERROR for record in graphs)
    for rule in rules:
        if not graphs or (rule.devices is not None and device not in rule.devices):
            rule.matches = simulated.matches.get(rule.rule, {})
            rule.near_misses = [miss for miss in simulated.misses if miss.get("rule") == rule.rule]
            # Without a simulation this is not even imported here.
            rule.loaded = True if rule.matches or rule.near_misses else None
            continue
        rule.matches = {graph: counts.get(rule.rule, 0) for graph, counts in matched.items() if counts is not None}
        rule.not_known = [graph for graph, counts in matched.items() if counts is None]
        rule.loaded = bool(rule.matches) and not failed_to_load
        for record in graphs:
            own = [miss for miss in record.near_misses if miss.get("rule") == rule.rule]
            rule.near_misses += [miss | {"graph": record.graph} for miss in own]


def _known(record: GraphRecord) -> bool:
    """Whether the record says where rules matched: the passes ended before, or a rule matched before they did not."""
    return record.outcome is not Outcome.TIMEOUT or bool(record.replacements)
