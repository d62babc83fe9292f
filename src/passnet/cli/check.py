"""`passnet check`: the pre-flight of a task's pass set, without timing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from passnet.bench.names import DEVICES, POLICIES
from passnet.cli.console import one_of, print_json, print_table, quoted, say, say_text, together
from passnet.cli.progress import Tally, progress
from passnet.errors import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passnet.bench.names import PolicyLevel
    from passnet.bench.preflight.check import CheckReport, CheckStep, RuleCheck
    from passnet.bench.preflight.check_rewrite import RewriteShown

SCHEMA = 1


def command(
    path: Path = typer.Argument(..., metavar="TASK", help="Task directory, or bundled name."),
    device: str = typer.Option("cpu", help=f"One of: {', '.join(DEVICES)}."),
    policy: str = typer.Option("strict", help=f"Source policy, one of: {', '.join(POLICIES)}."),
    diff: bool = typer.Option(False, help="Print what the passes would change in each graph, line by line."),
    stats: bool = typer.Option(
        False, help="Print where each rule searched, matched and replaced, and how long it took."
    ),
    raw: bool = typer.Option(False, help="Print how often each rule matches as published, by identical spelling."),
    every: bool = typer.Option(
        False, "--all", help="Try every graph, also where rules match that did not end on an earlier one."
    ),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
) -> None:
    """Manifest, policy, load, signatures, matches with near misses, and one guarded numeric run. Nothing is timed."""
    one_of("--device", device, DEVICES)
    one_of("--policy", policy, POLICIES)
    from passnet.bench.preflight.check import check

    level: PolicyLevel = "native" if policy == "native" else "strict"
    tally = Tally()
    with progress("building the first graph", lambda step: tally.add(str(step.record.outcome)), _line) as tell:
        report = check(path, device, level, rewrites=diff or stats or raw, every=every, report=tell)
    if as_json:
        print_json({"schema": SCHEMA, **report.to_json()})
    else:
        _print_rewrites(report, diff=diff, stats=stats, raw=raw)
        _print(report)
    if not report.ok:
        raise typer.Exit(1)


def _line(step: CheckStep) -> str:
    return f"{step.record.graph}: {step.record.outcome}"


def _print_rewrites(report: CheckReport, *, diff: bool, stats: bool, raw: bool) -> None:
    for each in report.rewrites if diff else ():
        say(each.graph)
        say_text(each.diff or "(no match)")
    if stats and report.rewrites:
        columns = ("tried", "rejected_early", "matched", "refused", "replaced", "us")
        rows = [
            (e.graph, row.rule, *(str(getattr(row, c)) for c in columns)) for e in report.rewrites for row in e.stats
        ]
        print_table("", ("graph", "rule", *columns), rows)
        say()
    if raw and report.rewrites:
        rows = [(e.graph, *_counts_row(e, row.rule, row.matched)) for e in report.rewrites for row in e.stats]
        print_table("", ("graph", "rule", "matched", "as published"), rows)
        say()


def _counts_row(each: RewriteShown, rule: str, matched: int) -> tuple[str, str, str]:
    return rule, str(matched), "-" if each.raw is None else str(each.raw.get(rule, 0))


def _print(report: CheckReport) -> None:
    for rule in report.rules:
        state = {True: "loaded", False: "not loaded", None: "not tried"}[rule.loaded]
        say(f"{rule.rule}: {state}, {matches_text(rule)}" if rule.tried else f"{rule.rule}: {state}")
        for graphs, miss in together((miss["graph"], _miss_text(miss)) for miss in rule.near_misses):
            say(f"  {graphs}: {miss}")
    for note in report.notes:
        say(*quoted("note: ", note))
    if report.not_tried:
        say("note: --all tries every graph")
    for problem in report.problems:
        say(*quoted("problem: ", problem))
    idle = [rule.rule for rule in report.rules if rule.tried and not rule.not_known and not any(rule.matches.values())]
    unused = f"; {', '.join(idle)} {'matches' if len(idle) == 1 else 'match'} no graph" if idle else ""
    say(f"ok{unused}" if report.ok else counted(len(report.problems), "problem"))


def _miss_text(miss: Mapping[str, str]) -> str:
    where = f"at {miss['pattern_node']}: expected {miss['expected']}, found {miss['found']}"
    return f"{where} ({miss['reason']})"


def matches_text(rule: RuleCheck) -> str:
    """`matches 2 of 6 graphs`. Graphs on which nothing was matched since the passes did not end are no misses."""
    matched = sum(count > 0 for count in rule.matches.values())
    known = f"matches {matched} of {counted(len(rule.matches), 'graph')}"
    if not rule.not_known:
        return known
    unknown = f"not known on {counted(len(rule.not_known), 'graph')}: the passes did not end"
    return f"{known}, {unknown}" if rule.matches else f"matches {unknown}"
