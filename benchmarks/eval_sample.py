"""Some evaluation tasks of a dataset in one shape and three dtypes each, as task directories for `authors.py`.

    passnet dataset export data/dataset build/eval --split eval
    python benchmarks/eval_sample.py build/eval build/eval-sample --tasks 40

The tasks are spread evenly over the exported ones, half of them fusible and half typical pieces; the first task gets
its smallest shape, the next its second smallest, and so on in turn, so that no size is preferred.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import defaultdict
from pathlib import Path

from passnet.graph import Graph
from passnet.graph.targets import find_targets

DTYPES = ("float32", "float16", "bfloat16")
KINDS = ("fusible_subgraphs", "typical_subgraphs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exported", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tasks", type=int, default=40)
    options = parser.parse_args()
    if options.out.exists():
        sys.exit(f"eval_sample.py: {options.out} exists")
    for kind in KINDS:
        tasks = sorted(path.parent for path in (options.exported / "samples" / kind).rglob("graph_list.txt"))
        written = 0
        for turn, task in enumerate(spread(tasks, options.tasks)):
            if written < options.tasks // len(KINDS) and copy(task, options.out, turn):
                written += 1
        print(f"{kind}: {written} of {len(tasks)} tasks")


def spread(tasks: list[Path], wanted: int) -> list[Path]:
    """Twice as many as are wanted, since some lack a dtype, in even steps."""
    step = max(1, len(tasks) // wanted)
    return tasks[::step]


def copy(task: Path, out: Path, turn: int) -> bool:
    """One task in one shape; False where no shape of it has all dtypes."""
    shapes: dict[str, dict[str, tuple[str, Path, Graph]]] = defaultdict(dict)
    for name, path, graph in find_targets([task])[0].graphs:
        _, dtype, shape, *_ = name.split("/")
        shapes[shape][dtype] = name, path, graph
    whole = [graphs for graphs in shapes.values() if set(DTYPES) <= set(graphs)]
    if not whole:
        return False
    by_size = sorted(whole, key=lambda graphs: (graphs["float32"][2].nbytes, graphs["float32"][0]))
    chosen = [by_size[turn % len(by_size)][dtype] for dtype in DTYPES]
    target = out / task.name[:12]
    for name, path, _ in chosen:
        shutil.copytree(path, target / "graphs" / name)
    (target / "graph_list.txt").write_text("".join(f"graphs/{name}\n" for name, _, _ in chosen))
    (target / "pass_dir").mkdir()
    return True


if __name__ == "__main__":
    main()
