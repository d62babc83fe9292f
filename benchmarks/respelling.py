"""Rules spelled from real graphs: the share that matches their graph, in its own words and re-spelled.

    python benchmarks/respelling.py [PATH] [--graphs 500] [--siblings 3] [--run] [--max-kib 512]

PATH is a directory with graphs below it or a store of `passnet dataset`; the bundled tasks unless given. One graph of
each computation is taken, in order; `whole` counts the rules that left nothing of their graph. With `--run`, each rule
replaces its graph by itself and the outputs, of the rewritten module and of its straight-line code, are compared bit
for bit with those of the graph.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import common
import torch

from passnet.graph.graph import Graph
from passnet.graph.text.program import refs_of
from passnet.graph.values.inputs import make_inputs
from passnet.rewrite import RuleError, rewrite, straight_line
from passnet.rewrite.rules.arguments import trace_arguments
from passnet.rewrite.rules.rule import Rule
from passnet.rewrite.rules.trace import trace_pattern

sys.path.insert(0, str(common.ROOT / "tests" / "rewrite"))
from respell import leftover, own_pattern, respelled

HERE = Path(__file__)
MAX_OPS = 200


def graphs(path: Path, max_kib: int | None = None) -> Iterator[Graph]:
    """The graphs of a directory or store, one of each computation, none with larger inputs."""
    seen: set[str] = set()
    for graph in _all(path):
        if max_kib is not None and graph.nbytes > max_kib << 10:
            continue
        inputs = len(graph.program.params)
        computes = any(ref.index >= inputs for ref in refs_of(graph.program.outputs))
        if graph.structure_hash not in seen and len(graph.program.ops) <= MAX_OPS and computes:
            seen.add(graph.structure_hash)
            yield graph


def _all(path: Path) -> Iterator[Graph]:
    files = sorted(path.rglob("model.py"))
    if files:
        yield from (Graph.read(file.parent) for file in files)
        return
    from passnet.dataset.tables.store import read_rows

    for row in read_rows(path):
        yield row.graph()


def rule(pattern: Callable[..., Any]) -> Rule:
    """The rule of a pattern whose kernel is the traced pattern; parameters that only dead calls use are left out."""
    traced = trace_pattern(pattern, HERE)
    count = len(traced.parameters)
    used = [index for index in range(count) if index not in traced.unused]
    template = trace_arguments(lambda *values: tuple(values[index] for index in used), count, HERE)
    run = torch.fx.GraphModule(torch.nn.Module(), traced.outputs[0].graph).forward

    def kernel(*values: Any) -> Any:
        given = dict(zip(used, values, strict=True))
        return run(*(given.get(index) for index in range(count)))

    return Rule("rule", traced, template, kernel)


class Tally:
    """What happened to the rules of one kind."""

    def __init__(self) -> None:
        self.matched = self.total = self.ran = self.equal = self.whole = 0
        self.reasons: Counter[str] = Counter()

    def add(self, graph: Graph, gm: torch.fx.GraphModule, make: Callable[[], Any], run: bool) -> None:
        self.total += 1
        try:
            rewritten = rewrite(gm, [rule(make())])
        except RuleError as error:
            self.reasons[str(error)[:200]] += 1
            return
        if not rewritten.total:
            self.reasons[rewritten.near_misses[0].reason[:200]] += 1
            return
        self.matched += 1
        self.whole += not leftover(rewritten)
        if run and (same := bit_for_bit(graph, gm, rewritten.gm)) is not None:
            self.ran += 1
            self.equal += same
            if not same:
                self.reasons[f"other bits: {graph.name}"] += 1

    def to_json(self) -> dict[str, Any]:
        share = self.matched / self.total if self.total else None
        return {
            "rules": self.total,
            "matched": self.matched,
            "share": share,
            "whole": self.whole,
            "ran": self.ran,
            "bit_for_bit": self.equal,
            "reasons": dict(self.reasons.most_common(20)),
        }


def bit_for_bit(graph: Graph, original: torch.fx.GraphModule, rewritten: torch.fx.GraphModule) -> bool | None:
    """Whether all give the same bits and leave their inputs alike; None when the graph itself does not run.

    The rewritten graph runs as a module and as straight-line code.
    """
    try:
        wanted = outcome(original, graph)
    except Exception:  # noqa: BLE001  a graph that does not run says nothing about its rewriting
        return None
    found = [outcome(program, graph) for program in (rewritten, straight_line(rewritten))]
    return all(len(got) == len(wanted) and all(_same(a, b) for a, b in zip(got, wanted, strict=True)) for got in found)


def outcome(program: Callable[..., Any], graph: Graph) -> list[Any]:
    torch.manual_seed(0)
    inputs = make_inputs(graph, 0, "cpu")
    with torch.no_grad():
        return [*program(*inputs), *inputs]


def _same(left: Any, right: Any) -> bool:
    if not isinstance(left, torch.Tensor) or not isinstance(right, torch.Tensor):
        return type(left) is type(right)
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    numbers = left.is_floating_point() or left.is_complex()
    return torch.allclose(left, right, rtol=0, atol=0, equal_nan=True) if numbers else torch.equal(left, right)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", type=Path, default=common.TASKS)
    parser.add_argument("--graphs", type=int, default=500)
    parser.add_argument("--siblings", type=int, default=3)
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--max-kib", type=int, help="only graphs whose inputs are at most so large: they run fast")
    options = common.parsed(parser)
    torch.set_num_threads(1)
    logging.getLogger("torch").setLevel(logging.CRITICAL)
    own, siblings, taken, unknown = Tally(), Tally(), 0, 0
    for graph in graphs(options.path, options.max_kib):
        gm = graph.module()
        if any("val" not in node.meta for node in gm.graph.nodes if node.op != "output"):
            unknown += 1  # its shapes depend on data: the speller does not know what is a tensor
            continue
        taken += 1
        own.add(graph, gm, lambda graph=graph: own_pattern(graph.source), options.run)
        for index in range(options.siblings):
            seed = f"{graph.structure_hash} {index}"
            siblings.add(graph, gm, lambda gm=gm, seed=seed: respelled(gm, seed), options.run)
        if taken == options.graphs:
            break
    result = {"graphs": taken, "shapes_unknown": unknown, "own": own.to_json(), "siblings": siblings.to_json()}
    print(json.dumps(result, indent=1))
    name = "respelling-cpu" if options.path == common.TASKS else f"respelling-{options.path.name}-cpu"
    data = {"data": options.path.name, "max_kib": options.max_kib}
    common.save(options, name, "respelling", "cpu", data | result)


if __name__ == "__main__":
    main()
