"""Would the judge refuse a graph in which one statement is wrong?

    python benchmarks/mutants.py [PATH...] [--graphs 40] [--seed 7] [--seconds S] [--run DIR] [--device cuda]
        [--largest N] [--out DIR]

A mutant is a graph with one wrong statement, see `mutations.py`: a clamp left out, the maximum of a half, a table's
last row forgotten. The outputs of each mutant are compared as a candidate's are, in all calls of one verdict, until one
refuses them. Nothing is timed. A usual call whose outputs differ by `SURELY` counts as refused without a comparison.
Some mutants are the graph in other words, or differ by less than a rounding. So those that are left run beside the
graph on `OTHERS` inputs that no draw of the judge made. `missed` are mutants that differ there by more than `DIFFERS`,
where eager itself is right. `--run DIR` keeps a row for each graph, and goes on with those that are there.
"""

from __future__ import annotations

import argparse
import json
import operator
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import IO, Any

import common
import torch
from integrity_corpus import read_lines
from mutants_inputs import other_inputs
from mutations import Called, mutations
from torch import fx

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.engine.bench import Bench
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.timing.blocks import Block, KeptCall
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.reference import Reference
from passnet.errors import PassNetError
from passnet.graph import Graph
from passnet.graph.tensors.equality import same_values
from passnet.graph.values.indexing import indices_of, known_forms
from passnet.graph.values.writes import renewed
from passnet.op_classes import VIEWS, op_leaf

ROWS = "graphs.jsonl"
_DEVICE_ENDED = "a wrong index ended the device's process"
# Graphs with more numbers in their inputs are left out by default. So many calls with other inputs.
LARGEST, OTHERS = 3_000_000, 48
# Two results differ where the RMS of their difference is that share of the RMS of one, by dtype of the graph. Eager is
# right where it differs from float64 by no more than the second.
DIFFERS, RIGHT = {True: 0.1, False: 0.01}, {True: 0.05, False: 0.001}
# A usual draw surely refuses outputs that differ by so much. It saves the look at eager's neighbours.
SURELY = 0.2
_NARROW = (torch.float16, torch.bfloat16)
# What torch says of arguments that nobody meant to be together.
_NOT_RUN = (RuntimeError, IndexError, ValueError, TypeError)
_NO_STATEMENT = VIEWS | {"getitem", "contiguous", "size", "clone", "detach"}
Tensors = Sequence[torch.Tensor]
# A node of a graph, its operation, and what is wrong with it.
Mutant = tuple[str, str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[common.TASKS], help="tasks; default: the bundled ones")
    parser.add_argument("--graphs", type=int, default=40, help="at most so many, drawn by the seed; 0: all")
    parser.add_argument(
        "--seed", type=int, default=7, help="draws graphs and other inputs; draws of the judge are secret"
    )
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no graph after so many")
    parser.add_argument("--run", type=Path, help="keep the rows here, and go on with those that are there")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument(
        "--largest", type=int, default=LARGEST, help="leave out graphs with more numbers in their inputs"
    )
    options = common.parsed(parser)
    graphs = drawn(options.paths, options.graphs, options.seed)
    if not graphs:
        parser.error(f"no graph lies below {', '.join(map(str, options.paths))}")
    with tempfile.TemporaryDirectory() as scratch:
        kept = (options.run or Path(scratch)).resolve()
        common.of_one_revision(kept, options.revision)
        judge_all(graphs, options, kept / ROWS, Path(scratch))
        rows = read_lines(kept / ROWS)
    protocol = make("direct", device=options.device, precision=0.05)
    result = summary(rows) | {"seed": options.seed, "others": OTHERS, "protocol": protocol.model_dump()}
    print(f"{result['graphs']} graphs: of {result['mutants']} mutants {result['refused']} are refused; of the others "
          f"{len(result['missed'])} differ on other inputs")  # fmt: skip
    common.save(options, f"mutants-{options.device}", "mutants", options.device, result)


def drawn(paths: Sequence[Path], count: int, seed: int) -> list[Path]:
    found = sorted({file.parent for path in paths for file in path.rglob("model.py")})
    Random(seed).shuffle(found)
    return found[: count or len(found)]


def judge_all(graphs: Sequence[Path], options: argparse.Namespace, rows: Path, scratch: Path) -> None:
    """One row of text for each graph that has none yet."""
    torch.set_num_threads(1)
    protocol, until = make("direct", device=options.device, precision=0.05), time.monotonic() + options.seconds
    known = {row["graph"] for row in read_lines(rows)}
    with Bench(options.device, "eager", protocol, scratch / "logs") as bench, rows.open("a") as file:
        for number, path in enumerate(graphs):
            name = "/".join(path.parts[-7:])
            if name in known or time.monotonic() > until:
                continue
            row = {"graph": name, "left_out": _DEVICE_ENDED}
            try:
                row = {"graph": name, **judged(bench, protocol, path, Random(f"{options.seed} {name}"), options)}
            except torch.AcceleratorError:  # An index that is within its table on a CPU. The process can do no more.
                append(file, row)
                sys.exit(f"mutants.py: {name}: {_DEVICE_ENDED}. With --run the same command goes on.")
            print(f"[{number + 1}/{len(graphs)}] {name}: {said(row)}", file=sys.stderr, flush=True)
            append(file, row)


def append(file: IO[str], row: Mapping[str, Any]) -> None:
    file.write(json.dumps(row) + "\n")
    file.flush()


def said(row: Mapping[str, Any]) -> str:
    if "left_out" in row:
        return str(row["left_out"])
    missed = [f"{each['op']} {each['wrong']}" for each in row["kept"] if each["differs"]]
    return f"{row['mutants']} mutants, {len(row['kept'])} not refused, missed: {', '.join(missed) or 'none'}"


def judged(bench: Bench, protocol: Protocol, path: Path, rng: Random, options: argparse.Namespace) -> dict[str, Any]:
    graph, device = Graph.read(path), options.device
    if sum(spec.numel for spec in graph.specs) > options.largest:
        return {"left_out": "large inputs"}
    pair = bench.pairs[0]
    try:
        reference = Reference.prepare(pair, protocol, Job("mutants", path.name, path, graph, "eager", device, None))
        given = reference.draw(secrets.randbits(48), protocol.verify_seeds)
        if reference.mutated or not reference.wide:
            return {"left_out": "changes its inputs" if reference.mutated else "no float64 reference"}
        return of_mutants(Pair.of(graph, device), graph, reference, given, rng)
    except (Verdict, PassNetError) as error:
        return {"left_out": " ".join(str(error).split())[:200]}
    finally:
        pair.release()


@dataclass(frozen=True)
class Pair:
    """A graph on the device, and on the CPU too if an index beyond its table would end the device's process."""

    module: fx.GraphModule
    before: fx.GraphModule | None = None

    @classmethod
    def of(cls, graph: Graph, device: str) -> Pair:
        shapes = [shape for shape, _ in known_forms(graph)]
        indexed = device != "cpu" and any(indices_of(op, shapes) for op in renewed(graph).statements)
        return cls(graph.module(device, propagated=False), graph.module(propagated=False) if indexed else None)

    def outputs(self, inputs: Tensors, mutant: Mutant | None = None) -> list[torch.Tensor] | None:
        """None where these inputs are refused: an index lies beyond its table, or a wrong statement cannot run."""
        try:
            if self.before is not None:
                Run(self.before, mutant)([tensor.cpu() for tensor in inputs])
            return Run(self.module, mutant)(inputs)
        except _NOT_RUN:
            return None


def of_mutants(pair: Pair, graph: Graph, reference: Reference, given: SecretInputs, rng: Random) -> dict[str, Any]:
    narrow = any(getattr(torch, spec.dtype) in _NARROW for spec in graph.specs)
    keys = [given.key(draw) for draw in calls(given)]
    mutants = Run(pair.module).all_mutants([tensor.clone() for tensor in given.values(keys[0])])
    left = dict.fromkeys(mutants, 0)
    count = len(left)
    for key in keys:
        inputs = [tensor.clone() for tensor in given.values(key)]
        eager = Run(pair.module)(inputs)
        for mutant in list(left):
            outputs = made(pair, inputs, mutant, eager)
            if outputs is None:  # The wrong statement cannot run: no program.
                count -= 1
                del left[mutant]
            elif not all(map(same_values, outputs, eager)):
                left[mutant] += 1
                sure = not given.is_hard(key.draw) and far(eager, outputs) > SURELY
                if sure or refused(reference, given, KeptCall(key, outputs)):
                    del left[mutant]
        if not left:
            break
    differ = elsewhere(graph, reference, pair, given, keys, list(left), narrow, rng) if left else {}
    kept = [
        {"node": node, "op": op, "wrong": wrong, "changed": changed, "differs": differ[node, op, wrong]}
        for (node, op, wrong), changed in left.items()
    ]
    return {"mutants": count, "calls": len(keys), "kept": kept}


def calls(given: SecretInputs) -> list[int]:
    """The draws of a verdict, usual ones twice and first."""
    beside = [draw for each in given.alone for draw in given.siblings.get(each, ())]
    return sorted([*given.alone, *given.alone, *beside], key=given.is_hard)


def made(pair: Pair, inputs: Tensors, mutant: Mutant, eager: Tensors) -> list[torch.Tensor] | None:
    """A mutant's outputs. None where it gives none of eager's form."""
    outputs = pair.outputs(inputs, mutant)
    if outputs is None:
        return None
    forms = [(each.shape, each.dtype) for each in outputs], [(each.shape, each.dtype) for each in eager]
    return outputs if forms[0] == forms[1] else None


def refused(reference: Reference, given: SecretInputs, call: KeptCall) -> bool:
    """Whether a verdict could refuse these outputs by this call alone, at its most patient."""
    reference._not_lucky = 0
    try:
        found = list(reference.compare_blocks(given, [_block(call)]))
    except Verdict:
        return True
    return not all(each.strict for each in found)


def _block(call: KeptCall) -> Block:
    return SimpleNamespace(kept={0: call})  # type: ignore[return-value]  # Of a block no more is asked.


def elsewhere(
    graph: Graph,
    reference: Reference,
    pair: Pair,
    given: SecretInputs,
    keys: Sequence[Any],
    mutants: Sequence[Mutant],
    narrow: bool,
    rng: Random,
) -> dict[Mutant, int]:
    """On how many of the other inputs each mutant differs from eager, where eager is right."""
    differ = dict.fromkeys(mutants, 0)
    for number in range(OTHERS):
        usual = given.values(keys[number % len(given.alone)])
        made_of = other_inputs(graph, [tensor.cpu().clone() for tensor in usual], rng)
        inputs = [each.to(tensor.device) for each, tensor in zip(made_of, usual, strict=True)]
        eager = pair.outputs(inputs)
        if eager is None:
            continue
        wide = reference.expected(inputs).wide
        assert wide is not None
        finite = all(bool(torch.isfinite(each).all()) for each in eager if each.is_floating_point())
        if not finite or far(wide, eager) > RIGHT[narrow]:
            continue
        for mutant in mutants:
            outputs = made(pair, inputs, mutant, eager)
            differ[mutant] += outputs is not None and far(eager, outputs) > DIFFERS[narrow]
    return differ


def far(some: Tensors, others: Tensors) -> float:
    """The RMS of the differences over that of the numbers, of the output where it is largest. Or the share of integers
    that differ. 1 where finite numbers stand in other places.
    """
    return max(
        (_far(one, other.to(one.device)) for one, other in zip(some, others, strict=True) if one.numel()), default=0.0
    )


def _far(one: torch.Tensor, other: torch.Tensor) -> float:
    if not (one.is_floating_point() or one.is_complex()):
        return float((one != other).double().mean())
    finite = torch.isfinite(one)
    if not torch.equal(finite, torch.isfinite(other)):
        return 1.0
    truth = one[finite].abs().double()
    size = float(truth.square().mean().sqrt()) if truth.numel() else 0.0
    apart = (one[finite].to(torch.complex128) - other[finite].to(torch.complex128)).abs()
    return float(apart.square().mean().sqrt()) / size if size else float(bool(apart.any()))


class Run(fx.Interpreter):
    """Runs a graph, with one statement mutated if a mutant is given."""

    def __init__(self, module: fx.GraphModule, mutant: Mutant | None = None) -> None:
        super().__init__(module)
        self.mutant = mutant
        self.seen: list[Mutant] | None = None

    def __call__(self, inputs: Tensors) -> list[torch.Tensor]:
        with torch.no_grad():
            return [each.contiguous() for each in self.run(*(tensor.clone() for tensor in inputs))]

    def all_mutants(self, inputs: Tensors) -> list[Mutant]:
        self.seen = []
        self(inputs)
        return list(dict.fromkeys(self.seen))

    def run_node(self, n: fx.Node) -> Any:
        out = super().run_node(n)
        if n.op not in ("call_function", "call_method"):
            return out
        if self.seen is not None:
            self.seen += [(n.name, op, wrong) for op, wrong, _ in self._mutations(n, out)]
        elif self.mutant is not None and self.mutant[0] == n.name:
            return next(give for op, wrong, give in self._mutations(n, out) if (n.name, op, wrong) == self.mutant)()
        return out

    def _mutations(self, n: fx.Node, out: Any) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        name = n.target if isinstance(n.target, str) else op_leaf(getattr(n.target, "__name__", str(n.target)))
        in_place = name.endswith("_") or getattr(operator, name, None) in _IN_PLACE
        if name in _NO_STATEMENT or in_place:
            return
        run = getattr(torch.Tensor, name) if isinstance(n.target, str) else n.target
        assert callable(run)
        for wrong, give in mutations(Called(name, out, args, kwargs, run)):
            yield name, wrong, give


_IN_PLACE = (operator.iadd, operator.isub, operator.imul, operator.itruediv)


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts, the mutants that differ on other inputs, and what was left out."""
    told = [row for row in rows if "left_out" not in row]
    kept = [{"graph": row["graph"], **each} for row in told for each in row["kept"]]
    mutants = sum(row["mutants"] for row in told)
    return {
        "graphs": len(told),
        "mutants": mutants,
        "refused": mutants - len(kept),
        "alike": sum(not each["differs"] for each in kept),
        "missed": [each for each in kept if each["differs"]],
        "left_out": dict(Counter(row["left_out"] for row in rows if "left_out" in row)),
        "rows": list(told),
    }


if __name__ == "__main__":
    main()
