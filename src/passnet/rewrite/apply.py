"""Apply rules to a graph in order: find, replace, lint; count what each rule did and say why the others did nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch import fx

from passnet.rewrite.effects import Effects
from passnet.rewrite.errors import RewriteLimitError
from passnet.rewrite.match import find_matches
from passnet.rewrite.nearmiss import NearMiss, nearest_miss
from passnet.rewrite.replace import Replacement, replace_all
from passnet.rewrite.rule import Limits, Rule
from passnet.rewrite.table import Table, build_table, thread_in_place


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The rewritten module, how often each rule was used (0 included), where, and why the others were not."""

    gm: fx.GraphModule
    replacements: dict[str, int]
    records: tuple[Replacement, ...]
    near_misses: tuple[NearMiss, ...]

    @property
    def total(self) -> int:
        """Number of matches replaced by all rules together."""
        return sum(self.replacements.values())

    def report(self) -> dict[str, Any]:
        """Everything but the module, as plain data for another process."""
        return {
            "replacements": dict(self.replacements),
            "records": [record.to_json() for record in self.records],
            "near_misses": [miss.to_json() for miss in self.near_misses],
        }


def rewrite(
    gm: fx.GraphModule, rules: Sequence[Rule], *, limits: Limits | None = None, graph_name: str = ""
) -> Rewritten:
    """Apply `rules` in order, each to all its non-overlapping matches, to a copy of `gm`; `gm` stays as it is.

    Deterministic. The copy shares parameters and buffers with `gm`. `graph_name` labels the near misses.
    Raises `RewriteLimitError` when a limit is reached; nothing is dropped to stay below one.
    """
    limits = limits or Limits()
    _check_limits(rules, limits)
    result = _copy(gm)
    counts: dict[str, int] = {rule.name: 0 for rule in rules}
    records: list[Replacement] = []
    misses: list[NearMiss] = []
    prepared: tuple[Table, Effects] | None = None
    for rule in rules:
        table, effects = prepared = prepared or _prepare(result.graph)
        found = find_matches(rule.pattern, table, effects, rule.name, limits.max_match_steps)
        done, refused = replace_all(table, rule, found.matches)
        counts[rule.name] += len(done)
        records.extend(done)
        if len(records) > limits.max_replacements:
            raise RewriteLimitError("too many replacements", expected=f"at most {limits.max_replacements}")
        if done:
            prepared = None  # the graph is another one now
        else:
            misses.append(nearest_miss(graph_name, rule.name, rule.pattern, table, (*found.refused, *refused)))
    _finish(result)
    return Rewritten(result, counts, tuple(records), tuple(misses))


def _prepare(graph: fx.Graph) -> tuple[Table, Effects]:
    table = build_table(graph)
    return table, Effects(table)


def _copy(gm: fx.GraphModule) -> fx.GraphModule:
    graph = fx.Graph()
    graph.output(graph.graph_copy(gm.graph, {}))
    result = fx.GraphModule(gm, graph, class_name=type(gm).__name__)
    thread_in_place(result.graph)
    return result


def _finish(result: fx.GraphModule) -> None:
    for node in reversed(result.graph.nodes):
        if node.op == "get_attr" and not node.users:
            result.graph.erase_node(node)
    result.graph.lint()
    result.recompile()


def _check_limits(rules: Sequence[Rule], limits: Limits) -> None:
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
