"""Makes what `passnet tasks` lists: evaluation tasks in `data/evaluation`, and `data/index.json` of all bundled ones.

    passnet dataset export data/dataset build/eval --split eval
    python benchmarks/evaluation_list.py build/eval

The evaluation tasks are chosen by `eval_sample.py`'s rule: evenly over the exported ones, half of them fusible and half
typical pieces, each in one shape and three dtypes, sizes in turn. Without an argument only the index is written anew.

`regime` is an estimate for the largest variant, by the rates below, which are those of a large GPU in round figures. A
record of a run says what was measured.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

import eval_sample

from passnet.graph import Graph
from passnet.graph.targets import find_targets
from passnet.roofline.inspect import inspect_graph
from passnet.roofline.peaks import Ceilings, Level

DATA = Path(__file__).resolve().parents[1] / "data"
EACH = 20
# A large GPU in round figures: main memory, matrix products by dtype, and the time of one launch.
BYTES_PER_US, LAUNCH_US = 4e6, 5.0
FLOPS_PER_US = {"float32": 5e7, "float16": 5e8, "bfloat16": 5e8}
WORK = 3.0
_CEILINGS = Ceilings("cpu", "round figures", 1, (Level("memory", None, 1.0, 0),), {"float32": 1.0}, {}, 1.0, 0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exported", type=Path, nargs="?")
    options = parser.parse_args()
    if options.exported is not None:
        shutil.rmtree(DATA / "evaluation", ignore_errors=True)
        for kind in eval_sample.KINDS:
            choose(options.exported, kind)
    rows = [row_of(path, "bundled") for path in sorted((DATA / "tasks").iterdir())]
    rows += [row_of(path, "eval") for path in sorted((DATA / "evaluation").iterdir())]
    rows += [row_of(path, "cases") for path in sorted((DATA / "cases").iterdir())]
    text = ",\n".join(json.dumps(row) for row in rows)
    (DATA / "index.json").write_text(f'{{"schema": 1, "tasks": [\n{text}\n]}}\n', encoding="utf-8")
    print(f"{len(rows)} tasks in {DATA / 'index.json'}")


def choose(exported: Path, kind: str) -> None:
    tasks = sorted(path.parent for path in (exported / "samples" / kind).rglob("graph_list.txt"))
    written = 0
    for turn, task in enumerate(eval_sample.spread(tasks, 2 * EACH)):
        if written < EACH and eval_sample.copy(task, DATA / "evaluation", turn):
            finish(DATA / "evaluation" / task.name[:12])
            written += 1
    print(f"{kind}: {written} of {len(tasks)} tasks")


def finish(task: Path) -> None:
    """Names a task by the piece that its first graph is, and keeps its directory of passes in git."""
    first = (task / "graph_list.txt").read_text(encoding="utf-8").splitlines()[0]
    (task / "pass_dir").rmdir()
    target = task.with_name(first.rsplit("/", 1)[1].lower())
    if target.exists():
        sys.exit(f"evaluation_list.py: two pieces are called {target.name}")
    task.rename(target)


def row_of(path: Path, split: str) -> dict[str, object]:
    (target,) = find_targets([path])
    graphs = [graph for _, _, graph in target.graphs]
    meta = graphs[0].meta
    largest = max(graphs, key=lambda graph: graph.nbytes)
    return {
        "task": path.name,
        "split": split,
        "kind": meta.get("kind", "subgraph"),
        "regime": regime(largest),
        "graphs": len(graphs),
        "dtypes": list(dict.fromkeys(str(g.meta.get("dtype", g.meta.get("captured_dtype"))) for g in graphs)),
        "operators": len(list(meta.get("op_names", ()))),
        "model": f"{meta['source']}/{meta['model_name']}",
        "largest_bytes": largest.nbytes,
        "passes": len(list((path / "pass_dir").glob("*.py"))),
    }


def regime(graph: Graph) -> str:
    """`launch`: eager's work is shorter than its launches; `work`: three times as long or more; else `mixed`."""
    found = inspect_graph(graph, ceilings=_CEILINGS)
    rate = FLOPS_PER_US.get(str(graph.meta.get("dtype", graph.meta.get("captured_dtype"))), FLOPS_PER_US["float32"])
    busy = sum(max(op.bytes / BYTES_PER_US, op.flops / rate) for op in found.ops)
    launches = LAUNCH_US * found.kernels
    return "launch" if busy < launches else "work" if busy >= WORK * launches else "mixed"


if __name__ == "__main__":
    main()
