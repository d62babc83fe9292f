"""Do intervals keep their coverage although measuring stops when they are narrow? A simulation, no machine involved.

    python benchmarks/coverage.py [--runs 1000]

Each simulated run asks `next_step` what to measure, as the bench does, and gets groups and pairs from a known law.
Coverage is the share of runs whose interval holds the true ratio. For each precision: coverage, pairs, groups and the
reason why the run ended. With the question `decided`, also the share of wrong answers.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import common
import numpy as np

from passnet.bench.names import PRECISIONS
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.timing import sampling, stats

Law = Callable[[np.random.Generator, int], np.ndarray]
# The standard deviations that A/A runs showed: of processes, and of groups on a quiet and on a shared machine.
PROCESS, QUIET, SHARED = 0.012, 0.015, 0.05


def normal(sd: float) -> Law:
    return lambda rng, size: rng.normal(0.0, sd, size)


def student(sd: float, dof: float) -> Law:
    return lambda rng, size: rng.standard_t(dof, size) * sd / math.sqrt(dof / (dof - 2))


def mixed(main: Law, other: Law, share: float) -> Law:
    """A law in which a share of the draws comes from another one."""

    def draw(rng: np.random.Generator, size: int) -> np.ndarray:
        return np.where(rng.random(size) < share, other(rng, size), main(rng, size))

    return draw


def at(value: float, sd: float) -> Law:
    return lambda rng, size: rng.normal(value, sd, size)


PREEMPTED = mixed(normal(SHARED), normal(10 * SHARED), 0.15)


@dataclass(frozen=True)
class Scenario:
    """Laws of log ratios. `nasty`: more than any machine showed; coverage is told, not promised."""

    name: str
    processes: Law
    groups: Law
    nasty: bool = False


SCENARIOS = (
    Scenario("normal, quiet machine", normal(PROCESS), normal(QUIET)),
    Scenario("normal, shared machine", normal(PROCESS), normal(SHARED)),
    Scenario("normal, preempted groups", normal(PROCESS), PREEMPTED),
    Scenario("groups of Student's t with 2.5 dof", normal(PROCESS), student(SHARED, 2.5)),
    Scenario("half the prior, quiet", normal(PROCESS / 2), normal(QUIET)),
    Scenario("half the prior, shared", normal(PROCESS / 2), normal(SHARED)),
    Scenario("twice the prior, quiet", normal(2 * PROCESS), normal(QUIET)),
    Scenario("twice the prior, preempted groups", normal(2 * PROCESS), PREEMPTED),
    Scenario("heavy-tailed processes (t, 3 dof)", student(PROCESS, 3), normal(QUIET)),
    Scenario("two kinds of processes, 3 % apart", mixed(at(-0.015, 0.004), at(0.015, 0.004), 0.5), normal(QUIET)),
    Scenario("one process of 20 slow by 10 %", mixed(normal(PROCESS), at(-0.1, PROCESS), 0.05), normal(QUIET)),
    Scenario("one process of 10 slow by 10 %", mixed(normal(PROCESS), at(-0.1, PROCESS), 0.1), normal(QUIET), True),
    Scenario("four times the prior", normal(4 * PROCESS), normal(QUIET), True),
    Scenario("one process of 5 off by 4 %", mixed(at(-0.008, 0.004), at(0.032, 0.004), 0.2), normal(QUIET), True),
)  # fmt: skip


@dataclass(frozen=True)
class Ended:
    """One simulated run: its last interval, in logs, and what it took."""

    low: float
    high: float
    pairs: int
    groups: int
    looks: int
    why: str


def simulate(scenario: Scenario, protocol: Protocol, rng: np.random.Generator, truth: float = 0.0) -> Ended:
    """Measure by the rule until it ends."""
    logs: list[np.ndarray] = []
    effects: list[float] = []
    look = 0
    while True:
        look += len(logs) >= protocol.least_pairs
        opened = range(max(0, len(logs) - protocol.open_pairs), len(logs))
        step = sampling.next_step(logs, opened, protocol, max(1, look))
        if step.ends:
            break
        if step.kind == "pair":
            effects.append(truth + float(scenario.processes(rng, 1)[0]))
            logs.append(effects[-1] + scenario.groups(rng, step.groups))
        else:
            more = effects[step.index] + scenario.groups(rng, step.groups)
            logs[step.index] = np.concatenate([logs[step.index], more])
    level = sampling.confidence_of_look(protocol, look) if step.kind == "decided" else protocol.confidence
    found = stats.spread(logs, protocol).estimate(level)
    return Ended(math.log(found.low), math.log(found.high), len(logs), sum(map(len, logs)), look, step.kind)


def row(scenario: Scenario, protocol: Protocol, runs: int, rng: np.random.Generator, truth: float) -> dict[str, Any]:
    ended = [simulate(scenario, protocol, rng, truth) for _ in range(runs)]
    # A law's own centre is its median: where one process of ten is slow, the truth is the other nine.
    covered = sum(each.low <= truth <= each.high for each in ended) / runs
    decided = [each for each in ended if each.low > 0.0 or each.high < 0.0]
    wrong = sum((each.low > 0.0) != (truth > 0.0) if truth else True for each in decided)
    return {
        "coverage": covered,
        "pairs": statistics.mean(each.pairs for each in ended),
        "groups": statistics.mean(each.groups for each in ended),
        "looks": statistics.mean(each.looks for each in ended),
        "half_width": statistics.median((each.high - each.low) / 2 for each in ended),
        "ended": {why: sum(each.why == why for each in ended) / runs for why in ("narrow", "decided", "limit")},
        "surely_not_1": len(decided) / runs,
        "wrongly": wrong / runs,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="simulated runs of each scenario")
    parser.add_argument("--only", choices=tuple(PRECISIONS), help="one precision")
    options = common.parsed(parser)
    for words, precision in PRECISIONS.items():
        if options.only and words != options.only:
            continue
        rows = []
        for question, truths in (("width", (0.0,)), ("decided", (0.0, 0.03))):
            if question == "decided" and precision < 0.02:
                continue  # a look is never that careful
            protocol = make("direct", precision=precision, question=question)
            for scenario in SCENARIOS:
                for truth in truths:
                    if question == "decided" and scenario.nasty:
                        continue
                    found = row(scenario, protocol, options.runs, np.random.default_rng(17), truth)
                    about = {"precision": words, "question": question, "truth": truth}
                    rows.append(about | {"scenario": scenario.name, "nasty": scenario.nasty} | found)
                    print(
                        f"{words} {question:8} {truth:+.2f} {scenario.name:38} coverage {found['coverage']:.3f}"
                        f" pairs {found['pairs']:5.1f} groups {found['groups']:6.1f} width {found['half_width']:.4f}"
                        f" limit {found['ended']['limit']:.2f} not 1 {found['surely_not_1']:.3f}"
                        f" wrongly {found['wrongly']:.3f}",
                        flush=True,
                    )
        result = {"protocol": make("direct", precision=precision).model_dump(), "runs": options.runs, "rows": rows}
        common.save(options, f"coverage-{words.rstrip('%')}", "coverage", "cpu", result)


if __name__ == "__main__":
    main()
