"""Matching time: microseconds of one rule in one graph of 10 to 10,000 calls, ours beside those of torch.fx.

    python benchmarks/matching.py [--nodes 10 100 1000] [--rounds 7]

The graphs are chains of blocks of eight calls; two of the rules match in every block, the others nowhere or nearly.
Every round times all matchers on one graph, one after the other in a new order; ratios are taken within a round.
`first` includes what we prepare once per graph (canonical forms, index, aliases), `rule` is a further rule in the same
graph, `set` the mean over a set of rules including the preparation. Times are processor time of the one thread.
"""

from __future__ import annotations

import argparse
import gc
import operator
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import common
import torch
from torch import fx
from torch.fx.graph import _PyTreeCodeGen, _PyTreeInfo
from torch.fx.passes.utils.matcher_utils import SubgraphMatcher
from torch.fx.passes.utils.matcher_with_name_node_map_utils import SubgraphMatcherWithNameNodeMap
from torch.utils._pytree import tree_flatten

from passnet.rewrite.apply.rewriting import prepare
from passnet.rewrite.match.search import find_matches
from passnet.rewrite.rules.trace import Pattern, trace_pattern

HERE = Path(__file__)
STEPS = 5_000_000


def gelu_affine(x: Any, w: Any, b: Any) -> Any:
    return torch._C._nn.gelu(x * w + b)


def tanh_gate(x: Any, w: Any) -> Any:
    return torch.tanh(x + w) * x


def relu_affine(x: Any, w: Any, b: Any) -> Any:
    return torch.relu(x * w + b)


def sum_of_squares(x: Any, w: Any) -> Any:
    return (x * w + x).tanh() * w


RULES: tuple[Callable[..., Any], ...] = (gelu_affine, tanh_gate, relu_affine, sum_of_squares)


def chain(calls: int) -> fx.GraphModule:
    """Blocks of a gelu, a gate, a linear layer and a residual sum; nothing leaves the chain."""
    graph = fx.Graph()
    x, w, b = (graph.placeholder(name) for name in "xwb")
    made = 0

    def call(target: Callable[..., Any], *args: Any) -> fx.Node:
        nonlocal made
        made += 1
        return graph.call_function(target, args)

    value = x
    while made + 8 <= max(calls, 8):
        value = call(torch._C._nn.gelu, call(operator.add, call(operator.mul, value, w), b))
        value = call(torch._C._nn.linear, value, w)
        value = call(operator.mul, call(torch.tanh, call(operator.add, value, w)), value)
        value = call(operator.sub, value, b)
    while made < calls:
        value = call(torch.sin, value)
    graph.output((value,))
    return fx.GraphModule(torch.nn.Module(), graph)


class Matchers:
    """The ways to match, by name: each takes a graph and gives the time in microseconds and the number of matches."""

    def __init__(self) -> None:
        self.patterns: list[Pattern] = [trace_pattern(rule, HERE) for rule in RULES]
        self.stock = SubgraphMatcher(fx.symbolic_trace(RULES[0]).graph)
        self.named = SubgraphMatcherWithNameNodeMap(_named_pattern())

    def first(self, gm: fx.GraphModule) -> int:
        table, effects = prepare(gm.graph)
        return len(find_matches(self.patterns[0], table, effects, "rule", STEPS).matches)

    def set(self, gm: fx.GraphModule) -> int:
        table, effects = prepare(gm.graph)
        found = [find_matches(pattern, table, effects, "rule", STEPS) for pattern in self.patterns]
        return len(found[0].matches)

    def fx_stock(self, gm: fx.GraphModule) -> int:
        return len(self.stock.match(gm.graph))

    def fx_named(self, gm: fx.GraphModule) -> int:
        return len(self.named.match(gm.graph))


def _named_pattern() -> fx.GraphModule:
    """The pattern in the form of exported programs, which this matcher asks for: outputs flat, their tree beside."""
    gm = fx.symbolic_trace(RULES[0])
    (result,) = gm.graph.find_nodes(op="output")
    value = result.args[0]
    flat, tree = tree_flatten((value, {"y": value}))
    result.args = (flat,)
    inputs = [node.name for node in gm.graph.nodes if node.op == "placeholder"]
    gm.graph.set_codegen(_PyTreeCodeGen(_PyTreeInfo(inputs, tree_flatten((tuple(inputs), {}))[1], tree)))
    gm._out_spec = tree
    return gm


def timed(function: Callable[[], int]) -> tuple[float, int]:
    """As `timeit` does: without the garbage collector, whose pauses depend on what else is alive."""
    gc.disable()
    start = time.thread_time()
    count = function()
    took = time.thread_time() - start
    gc.enable()
    return took * 1e6, count


def measure(calls: int, rounds: int) -> dict[str, Any]:
    matchers, gm = Matchers(), chain(calls)
    table, effects = prepare(gm.graph)
    ways: dict[str, Callable[[], int]] = {
        "first": lambda: matchers.first(gm),
        "rule": lambda: len(find_matches(matchers.patterns[0], table, effects, "rule", STEPS).matches),
        "set": lambda: matchers.set(gm),
        "fx": lambda: matchers.fx_stock(gm),
        "fx_named": lambda: matchers.fx_named(gm),
    }
    counts = {name: way() for name, way in ways.items()}  # warm-up; all must agree
    assert len(set(counts.values())) == 1, counts
    order, draw = list(ways), random.Random(calls)
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        draw.shuffle(order)
        for name in order:
            times[name].append(timed(ways[name])[0])
    times["set"] = [value / len(RULES) for value in times["set"]]
    ratios = {
        f"{stock}_over_{ours}": common.quantiles([a / b for a, b in zip(times[stock], times[ours], strict=True)])
        for stock in ("fx", "fx_named")
        for ours in ("first", "rule", "set")
    }
    medians = {name: round(statistics.median(values), 1) for name, values in times.items()}
    return {"calls": calls, "matches": counts["first"], "us": medians, "ratio": ratios}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", nargs="*", type=int, default=[10, 100, 1000, 5000, 10_000])
    parser.add_argument("--rounds", type=int, default=7)
    options = common.parsed(parser)
    torch.set_num_threads(1)
    rows = [measure(calls, options.rounds) for calls in options.nodes]
    for row in rows:
        first, rule = (row["ratio"][f"fx_over_{ours}"] for ours in ("first", "rule"))
        us = ", ".join(f"{name} {value:.0f}" for name, value in row["us"].items())
        print(
            f"{row['calls']} calls, {row['matches']} matches: us {us}; "
            f"fx over first {first['median']:.1f}, over rule {rule['median']:.1f}"
        )
    result = {"rules": [rule.__name__ for rule in RULES], "rounds": options.rounds, "rows": rows}
    common.save(options, "matching-cpu", "matching", "cpu", result)


if __name__ == "__main__":
    main()
