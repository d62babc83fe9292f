"""Applies rules to a graph in order: find, replace, lint. Counts the work of each rule and says why others
did nothing.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from torch import fx

from passnet.rewrite.apply.counts import RuleStats
from passnet.rewrite.apply.lazy import resolve_arguments
from passnet.rewrite.apply.replace import Replacement, replace_all
from passnet.rewrite.canonical.common_subexpressions import find_repeats
from passnet.rewrite.canonical.effects import Effects, Refusal
from passnet.rewrite.canonical.index import GraphIndex, build_table, drop_dead, thread_in_place, unthread_items
from passnet.rewrite.match.near_miss import NearMiss, nearest_miss
from passnet.rewrite.match.published_matcher import find_raw_matches
from passnet.rewrite.match.search import find_matches
from passnet.rewrite.passes.errors import RewriteLimitError
from passnet.rewrite.rules.rule import RewriteLimits, Rule

Leave = Mapping[tuple[str, tuple[str, ...]], str]
"""Rule and names of the removed nodes of matches that are left alone, with the reason."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The rewritten module, the number and places of each rule's replacements (0 included), and reasons for the others.

    `stats` has one entry per rule, in order of application.
    """

    gm: fx.GraphModule
    replacements: dict[str, int]
    records: tuple[Replacement, ...]
    near_misses: tuple[NearMiss, ...]
    stats: tuple[RuleStats, ...] = ()

    @property
    def total(self) -> int:
        """Number of matches replaced by all rules together."""
        return sum(self.replacements.values())

    def report(self) -> dict[str, Any]:
        """Everything but the module and the times, as plain data for another process."""
        return {
            "replacements": dict(self.replacements),
            "records": [record.to_json() for record in self.records],
            "near_misses": [miss.to_json() for miss in self.near_misses],
        }


def rewrite(
    gm: fx.GraphModule,
    rules: Sequence[Rule],
    *,
    limits: RewriteLimits | None = None,
    graph_name: str = "",
    explain: bool = True,
    raw: bool = False,
    leave: Leave = MappingProxyType({}),
) -> Rewritten:
    """Apply `rules` in order, each to all its non-overlapping matches, to a copy of `gm`. `gm` does not change.

    The result is deterministic. The copy shares parameters and buffers with `gm`. `graph_name` is a label for the near
    misses. They are looked for only with `explain`, because for many rules they take longer than matching. `raw`
    matches as the published harness does, by identical spelling and without regard to writes. `leave` names matches
    that are not wanted, as a former `Replacement` has them, with the reason. Raises `RewriteLimitError` when a limit is
    reached. Nothing is dropped to stay below one.
    """
    limits = limits or RewriteLimits()
    _check_limits(rules, limits)
    result = _copy(gm, raw)
    counts: dict[str, int] = {rule.name: 0 for rule in rules}
    records: list[Replacement] = []
    misses: list[NearMiss] = []
    stats: list[RuleStats] = []
    prepared: tuple[GraphIndex, Effects] | None = None
    for rule in rules:
        table, effects = prepared = prepared or prepare(result.graph)
        done, refused, counted = _apply(rule, table, effects, limits, raw, leave)
        counts[rule.name] += len(done)
        records.extend(done)
        stats.append(counted)
        if len(records) > limits.max_replacements:
            raise RewriteLimitError("too many replacements", expected=f"at most {limits.max_replacements}")
        if done:
            prepared = None  # the graph is another one now
        elif explain:
            misses.append(nearest_miss(graph_name, rule.name, rule.pattern, table, refused))
    if not raw:
        resolve_arguments(result.graph, {record.call for record in records})
    _finish(result)
    return Rewritten(result, counts, tuple(records), tuple(misses), tuple(stats))


def _apply(
    rule: Rule, table: GraphIndex, effects: Effects, limits: RewriteLimits, raw: bool, leave: Leave
) -> tuple[list[Replacement], tuple[Refusal, ...], RuleStats]:
    start = time.perf_counter()
    if raw and rule.source is not None:
        found = find_raw_matches(rule.source, table)
    else:
        found = find_matches(rule.pattern, table, effects, rule.name, limits.max_match_steps, rule.applies)
    unwanted = [(match, leave.get((rule.name, tuple(node.name for node in match.nodes)))) for match in found.matches]
    done, given_up = replace_all(table, rule, tuple(match for match, reason in unwanted if reason is None))
    took = (time.perf_counter() - start) * 1e6
    left = [Refusal(match.outputs[0], reason) for match, reason in unwanted if reason is not None]
    refused = (*left, *found.refused, *given_up)
    counted = RuleStats(
        rule.name, found.tried, found.rejected_early, len(found.matches), len(refused), len(done), round(took, 1)
    )
    return done, refused, counted


def prepare(graph: fx.Graph) -> tuple[GraphIndex, Effects]:
    """Data of a graph that all rules share: canonical forms, an index by operation, aliases and writes."""
    table = build_table(graph)
    effects = Effects(table)
    table.repeats.update(find_repeats(table, effects))
    return table, effects


def _copy(gm: fx.GraphModule, raw: bool) -> fx.GraphModule:
    graph = fx.Graph()
    graph.output(graph.graph_copy(gm.graph, {}))
    result = fx.GraphModule(gm, graph, class_name=type(gm).__name__)
    if not raw:
        thread_in_place(result.graph)
        drop_dead(result.graph)
    return result


def _finish(result: fx.GraphModule) -> None:
    drop_dead(result.graph)
    unthread_items(result.graph)
    result.graph.lint()
    result.recompile()


def _check_limits(rules: Sequence[Rule], limits: RewriteLimits) -> None:
    if len(rules) > limits.max_rules:
        raise RewriteLimitError("too many rules", expected=f"at most {limits.max_rules}", found=len(rules))
    allowed = limits.max_replacement_functions
    functions = len({id(rule.function) for rule in rules})
    if allowed is not None and functions > allowed:
        raise RewriteLimitError(
            "the rules use too many different replacement functions",
            expected=f"at most {allowed}",
            found=functions,
            hint="let all rules return one dispatcher and pass it a constant that names the kernel",
        )
