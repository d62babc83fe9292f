"""Would the judge refuse a real graph that is computed rightly in another way?

    python benchmarks/right_forms.py [PATH...] [--graphs 40] [--seed 7] [--verdicts 2] [--seconds S] [--run DIR]
        [--forms NAME...] [--largest N] [--out DIR]

Its twin, `mutants.py`, asks about wrong graphs. Each graph is computed in other forms, see `FORMS`: by Inductor, with
float32 or float64 on the way, with operators put together as kernels have them, by a pass where the task has one.
The outputs of a form are compared as a candidate's are, in all calls of a verdict, and all calls together decide as
they do there. Nothing is timed. `refused` are the verdicts in which a form was not right, with the objection. Whether
the form or the judge is at fault has to be looked at. `--run DIR` keeps a row for each graph, and goes on with those
that are there.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import common
import torch
from integrity_corpus import read_lines
from mutants import append, drawn
from other_forms import ByKernels, Widened, of_passes
from torch import fx

from passnet.bench.compare.comparison import worst
from passnet.bench.compare.objections import objection
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.engine.bench import Bench
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.timing.blocks import Block, KeptCall
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.reference import Reference
from passnet.errors import PassNetError
from passnet.graph import Graph

ROWS = "graphs.jsonl"
# `eager`: the control. `passes`: those of the task, if any.
FORMS = ("eager", "float64", "float32", "kernels", "inductor", "passes")
# Graphs with more numbers in their inputs, or in one value, are left out by default.
LARGEST = 400_000
_NARROW = (torch.float16, torch.bfloat16)
_MOST_SAID = 300
Tensors = Sequence[torch.Tensor]
Form = Callable[..., Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[common.TASKS], help="tasks; default: the bundled ones")
    parser.add_argument("--graphs", type=int, default=40, help="at most so many, drawn by the seed; 0: all")
    parser.add_argument("--seed", type=int, default=7, help="draws graphs; draws of the judge are secret")
    parser.add_argument("--verdicts", type=int, default=2, help="on each form of a graph")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no graph after so many")
    parser.add_argument("--run", type=Path, help="keep the rows here, and go on with those that are there")
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=list(FORMS))
    parser.add_argument(
        "--largest", type=int, default=LARGEST, help="leave out graphs with more numbers in inputs or in a value"
    )
    options = common.parsed(parser)
    graphs = drawn(options.paths, options.graphs, options.seed)
    if not graphs or options.verdicts < 1:
        parser.error(f"nothing to judge: {len(graphs)} graphs below {', '.join(map(str, options.paths))}, "
                     f"{options.verdicts} verdicts each")  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch:
        kept = (options.run or Path(scratch)).resolve()
        common.of_one_revision(kept, options.revision)
        judge_all(graphs, options, kept / ROWS, Path(scratch))
        rows = read_lines(kept / ROWS)
    protocol = make("direct", device="cpu", precision=0.05)
    result = summary(rows) | {"seed": options.seed, "protocol": protocol.model_dump()}
    for form, counts in result["forms"].items():
        some = f"{counts['refused']} of {counts['verdicts']} verdicts, on {counts['graphs_refused']}"
        print(f"{form}: refused in {some} of {counts['graphs']} graphs")
    common.save(options, "right-forms-cpu", "right_forms", "cpu", result)


def judge_all(graphs: Sequence[Path], options: argparse.Namespace, rows: Path, scratch: Path) -> None:
    """One row of text for each graph that has none yet."""
    torch.set_num_threads(1)
    protocol, until = make("direct", device="cpu", precision=0.05), time.monotonic() + options.seconds
    known = {row["graph"] for row in read_lines(rows)}
    with Bench("cpu", "eager", protocol, scratch / "logs") as bench, rows.open("a") as file:
        for number, path in enumerate(graphs):
            name = "/".join(path.parts[-7:])
            if name in known or time.monotonic() > until:
                continue
            row = {"graph": name, **judged(bench, protocol, path, options)}
            print(f"[{number + 1}/{len(graphs)}] {name}: {said(row)}", file=sys.stderr, flush=True)
            append(file, row)


def said(row: Mapping[str, Any]) -> str:
    if "left_out" in row:
        return str(row["left_out"])
    refused = [name for name, found in row["forms"].items() for each in found if each]
    return f"{', '.join(row['forms'])}; refused: {', '.join(refused) or 'none'}"


def judged(bench: Bench, protocol: Protocol, path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """What each verdict objects to each form, None where it is right."""
    graph = Graph.read(path)
    if _size(graph) > options.largest:
        return {"left_out": "large"}
    pair = bench.pairs[0]
    try:
        reference = Reference.prepare(pair, protocol, Job("forms", path.name, path, graph, "eager", "cpu", None))
        if reference.mutated or not reference.wide:
            return {"left_out": "changes its inputs" if reference.mutated else "no float64 reference"}
        forms, not_made = made_forms(graph, path, options.forms)
        found: dict[str, list[str | None]] = {name: [] for name in forms}
        for _ in range(options.verdicts):
            given = reference.draw(secrets.randbits(48), protocol.verify_seeds)
            for name in [name for name in forms if name not in not_made]:
                try:
                    found[name].append(objected(reference, given, forms[name]))
                except _NotRun as error:
                    not_made[name] = str(error)
        return {"forms": {name: each for name, each in found.items() if each}, "not_made": not_made}
    except (Verdict, PassNetError) as error:
        return {"left_out": _short(error)}
    finally:
        pair.release()
        torch._dynamo.reset()


def _size(graph: Graph) -> int:
    """The numbers of all inputs, or of the largest value if that has more."""
    values = [node.meta.get("val") for node in graph.module().graph.nodes]
    largest = max((each.numel() for each in values if isinstance(each, torch.Tensor)), default=0)
    return max(sum(spec.numel for spec in graph.specs), largest)


def made_forms(graph: Graph, path: Path, names: Sequence[str]) -> tuple[dict[str, Form], dict[str, str]]:
    """The forms that this graph has, and why others could not be made."""
    forms: dict[str, Form] = {}
    not_made: dict[str, str] = {}
    for name in names:
        try:
            form = _made(name, graph, path)
        except Exception as error:  # noqa: BLE001 - what a compiler raises is no judge's matter, and it is told
            not_made[name] = _short(error)
            continue
        if form is not None:
            forms[name] = form
    return forms, not_made


def _made(name: str, graph: Graph, path: Path) -> Form | None:
    """None where the graph has no such form, or where it is eager's."""
    module: fx.GraphModule = graph.module("cpu", propagated=False)
    narrow = any(getattr(torch, spec.dtype) in _NARROW for spec in graph.specs)
    if name == "eager":
        return module
    if name == "float64":
        return Widened(module, torch.float64)
    if name == "float32":
        return Widened(module, torch.float32) if narrow else None
    if name == "kernels":
        form = ByKernels(module, torch.float32)
        return form if form.others or narrow else None
    if name == "inductor":
        compiled: Form = torch.compile(module, dynamic=False)
        return compiled
    return of_passes(graph.module("cpu"), path)  # rules may ask for shapes


def objected(reference: Reference, given: SecretInputs, form: Form) -> str | None:
    """What a verdict objects to the outputs of a form, as all its calls together decide."""
    reference._not_lucky = 0
    beside = [draw for each in given.alone for draw in given.siblings.get(each, ())]
    comparisons = []
    for draw in [*given.alone, *beside]:
        key = given.key(draw)
        outputs = _outputs(form, given.values(key))
        block: Block = SimpleNamespace(kept={0: KeptCall(key, outputs)})  # type: ignore[assignment]  # no more is asked
        comparisons += reference.compare_blocks(given, [block])
    found = worst(comparisons)
    return None if found.strict else objection(found)[:_MOST_SAID]


def _outputs(form: Form, inputs: Tensors) -> list[torch.Tensor]:
    try:
        with torch.no_grad():
            made = form(*(tensor.clone() for tensor in inputs))
    except Exception as error:
        raise _NotRun(_short(error)) from error
    return [each.contiguous() for each in (made if isinstance(made, (tuple, list)) else (made,))]


class _NotRun(Exception):
    """A form that raises where eager does not."""


def _short(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:_MOST_SAID]


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts by form, what was objected, and what was left out."""
    told = [row for row in rows if "left_out" not in row]
    forms = {}
    for name in FORMS:
        found = [row["forms"][name] for row in told if name in row["forms"]]
        verdicts = [each for row in found for each in row]
        forms[name] = {
            "graphs": len(found), "verdicts": len(verdicts), "refused": sum(each is not None for each in verdicts),
            "graphs_refused": sum(any(row) for row in found),
        }  # fmt: skip
    refused = [
        {"graph": row["graph"], "form": name, "objections": [each for each in found if each]}
        for row in told
        for name, found in row["forms"].items()
        if any(found)
    ]
    return {
        "graphs": len(told),
        "forms": forms,
        "refused": refused,
        "left_out": dict(Counter(row["left_out"] for row in rows if "left_out" in row)),
        "not_made": [{"graph": row["graph"], **row["not_made"]} for row in told if row["not_made"]],
    }


if __name__ == "__main__":
    main()
