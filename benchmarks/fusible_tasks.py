"""Fusible evaluation tasks in one shape and three dtypes each, with the embedded author's first drafts as passes.

    python benchmarks/fusible_tasks.py data/dataset build/fusible --check
    python benchmarks/fusible_tasks.py data/dataset build/agree --tasks 20 --seed 21 --single --drafted [--device cpu]

Writes task directories in the published layout below OUT/tasks, OUT/manifest.json and OUT.tar.xz, which is the same
for the same seed. No GPU is needed. The tasks come in an order drawn by the seed, first those of the evaluation
split, then pieces of the reserve, which are varied anew. A task that has no shape in all three dtypes is left out. The
shapes take turns: the middle one, the largest one. `--sizes work`: the smallest shape at which the device, by the
bytes that eager moves, works three times as long as the host takes for its launches. A draft is what the author writes
first, and nothing chose among drafts. A task for which it writes nothing has an empty `pass_dir`. With `--check` its
Triton kernels are compiled for a GPU that is not there.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import io
import json
import lzma
import random
import shutil
import sys
import tarfile
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import common

from passnet import environment
from passnet.agent.authors.distill.candidates import Candidates
from passnet.agent.authors.distill.recipes import recipes
from passnet.bench.evaluate import pass_files, read_passes
from passnet.bench.preflight.check import PROTOCOL
from passnet.bench.preflight.check_triton import simulate
from passnet.bench.verdict.job import Job
from passnet.dataset import layout
from passnet.dataset.forks import Bounds, ForkUnit, run_units
from passnet.dataset.pipeline import units
from passnet.dataset.pipeline.workfiles import graph_from_json, graph_to_json
from passnet.dataset.tables import store
from passnet.dataset.tables.store import Where
from passnet.dataset.vary.generalise import VaryLimits, generalise
from passnet.graph import Graph, Task
from passnet.graph.targets import find_targets
from passnet.rewrite import check_policy, read_pass_set
from passnet.roofline.op_trace import trace

SIZES = ("smallest", "middle", "largest", "work")
SPLITS = ("eval", "reserve")
KIND = "fusible"
MAX_BYTES = 256 << 20
# Batch and sequence length of the shapes at which a device works long, and the limit of their inputs and outputs.
LARGE = ((32, 256), (64, 256), (128, 256), (256, 256), (512, 256), (1024, 256), (16, 4096), (64, 4096), (256, 4096))
LARGE_BYTES = 1 << 30
# Of 56 graphs on an H200: eager moves 3.2 MB in a microsecond. The host takes 15 us for a call of a graph, 10 us for a
# kernel and 5 us for a view.
BYTES_PER_US, CALL_US, KERNEL_US, VIEW_US = 3.2e6, 15.0, 10.0, 5.0
WORK = 3.0
BOUNDS = Bounds(seconds=300.0, memory_bytes=8 << 30)
Document = dict[str, Any]


@dataclass(frozen=True)
class Choice:
    """A task before it is made: its graphs by shape and dtype, or one graph of which they are to be made."""

    name: str
    split: str
    shapes: Mapping[str, Mapping[str, Graph]]
    size: str
    single: int | None

    def variants(self) -> list[Graph]:
        """One shape in the three dtypes, or one of these graphs. Empty where no shape has all three."""
        shapes = self.shapes if self.split == "eval" else self._varied()
        whole = [graphs for graphs in shapes.values() if set(layout.DTYPES) <= set(graphs)]
        largest = LARGE_BYTES if self.size == "work" else MAX_BYTES
        fitting = sorted(
            (graphs for graphs in whole if graphs["float32"].nbytes <= largest),
            key=lambda graphs: (graphs["float32"].nbytes, graphs["float32"].name),
        )
        dtypes = layout.DTYPES if self.single is None else [layout.DTYPES[self.single % len(layout.DTYPES)]]
        if self.size == "work":
            fitting = [graphs for graphs in fitting if all(works(graphs[dtype]) for dtype in dtypes)][:1]
        if not fitting:
            return []
        place = {"middle": len(fitting) // 2, "largest": -1}.get(self.size, 0)
        return [fitting[place][dtype] for dtype in dtypes]

    def _varied(self) -> Mapping[str, Mapping[str, Graph]]:
        (graphs,) = self.shapes.values()
        (graph,) = graphs.values()
        if self.size == "work":
            made = generalise(graph, shapes=LARGE, limits=VaryLimits(max_nbytes=LARGE_BYTES))
        else:
            made = generalise(graph)
        return by_shape(variant.renamed(layout.path_of(variant)) for variant in made.variants)


def works(graph: Graph) -> bool:
    """Whether a large GPU works three times as long as the host takes for launches, by the bytes that eager moves."""
    calls = [call for statement in trace(graph, "cpu", frozenset()).statements for call in statement.calls]
    busy = sum(call.read_bytes + call.written_bytes for call in calls) / BYTES_PER_US
    return busy >= WORK * (CALL_US + sum(KERNEL_US if call.kernel else VIEW_US for call in calls))


def main() -> None:
    options = arguments()
    units.prepare()
    choices = drawn(options)
    rows: list[Document] = []
    while len(rows) < options.tasks and choices:
        wanted = options.tasks - len(rows)
        batch, choices = choices[:wanted], choices[wanted:]
        rows += [row for row in made(batch, options) if row["passes"] or not options.drafted]
    for left in {path.name for path in (options.out / "tasks").iterdir()} - {row["task"] for row in rows}:
        shutil.rmtree(options.out / "tasks" / left)
    found: Document = {"seed": options.seed, "device": options.device, "sizes": options.sizes, "single": options.single}
    if options.calls:
        found["calls"] = options.calls
    if options.without:
        found["without"] = [hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in options.without]
    found |= {"revision": options.revision, "torch": environment.snapshot("cpu")["torch"], **summary(rows)}
    if options.check and options.device == "cuda":
        found["check"] = checked(options.out / "tasks")
    archive, digest = packed(options.out, [row["task"] for row in rows])
    found |= {"archive": {"name": archive.name, "bytes": archive.stat().st_size, "sha256_of_tar": digest}}
    listed = ",\n".join(json.dumps(row) for row in rows)
    head = json.dumps({**found, "tasks": []}, indent=1).removesuffix("[]\n}")
    (options.out / "manifest.json").write_text(f"{head}[\n{listed}\n]\n}}\n")
    print(json.dumps({key: value for key, value in found.items() if key != "check"}, indent=1))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path, help="a data set in Parquet")
    parser.add_argument("out", type=Path, help="directory to write; what is there already is kept and gone on with")
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--device", default="cuda", choices=("cpu", "cuda"), help="for which the drafts are written")
    parser.add_argument("--splits", nargs="+", choices=SPLITS, default=list(SPLITS), help="where tasks come from")
    parser.add_argument(
        "--without", nargs="+", type=Path, default=[], metavar="MANIFEST", help="draw none of their tasks"
    )
    parser.add_argument(
        "--sizes", nargs="+", choices=SIZES, default=["middle", "largest"], help="of the shapes, in turn"
    )
    parser.add_argument("--single", action="store_true", help="one graph a task, of a dtype drawn by the seed")
    parser.add_argument("--calls", nargs="+", metavar="OPERATOR", help="only tasks that call one of these, as conv2d")
    parser.add_argument("--drafted", action="store_true", help="only tasks for which the author writes something")
    parser.add_argument("--check", action="store_true", help="compile the Triton kernels of the drafts")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--revision", metavar="HASH[+dirty]", help="of this code, where it is no checkout")
    options = parser.parse_args()
    if "work" in options.sizes and "eval" in options.splits:
        parser.error("`--sizes work` makes new shapes, which only tasks of the reserve get: add `--splits reserve`")
    options.revision = common.revision(options.revision, environment.revision())
    (options.out / "tasks").mkdir(parents=True, exist_ok=True)
    return options


# --- choosing --------------------------------------------------------------------------------------------------


def drawn(options: argparse.Namespace) -> list[Choice]:
    """All tasks that there are, in an order drawn by the seed, none with the operators of another."""
    chance = random.Random(options.seed)
    used = {row["task"] for file in options.without for row in json.loads(file.read_text())["tasks"]}
    tasks = {split: list(store.read_tasks(options.dataset, where(split))) for split in SPLITS}
    graphs: dict[str, dict[str, list[Graph]]] = {"eval": defaultdict(list), "reserve": defaultdict(list)}
    task_of = {uid: task.task_id for found in tasks.values() for task in found for uid in task.uids}
    for split, found in graphs.items():
        for row in store.read_rows(options.dataset, where(split)):
            if row.uid in task_of:
                graph = row.graph()
                # A variant that is made anew gets its place from its own dtype and shape.
                found[task_of[row.uid]].append(graph.renamed(row.path) if split == "eval" else graph)
    choices: list[Choice] = []
    for split in SPLITS:
        order = sorted(graphs[split])
        chance.shuffle(order)
        for task_id in order:
            if split not in options.splits or task_id[:12] in used:
                continue
            own = graphs[split][task_id]
            if options.calls and not any(call.leaf in options.calls for call in own[0].statements()):
                continue
            shapes = by_shape(own) if split == "eval" else {"": {"": own[0]}}
            size = options.sizes[len(choices) % len(options.sizes)]
            single = chance.randrange(len(layout.DTYPES)) if options.single else None
            choices.append(Choice(task_id[:12], split, shapes, size, single))
    return choices


def where(split: str) -> Where:
    return Where(kinds=frozenset({KIND}), splits=frozenset({split}))


def by_shape(graphs: Iterable[Graph]) -> Mapping[str, Mapping[str, Graph]]:
    """Shape of a piece -> dtype -> graph. The place in the published tree names piece, shape and dtype."""
    found: dict[str, dict[str, Graph]] = defaultdict(dict)
    for graph in graphs:
        dtype = layout.place_of(graph.name).dtype or "float32"
        found[graph.name.replace(f"/{dtype}/", "/", 1)][dtype] = graph
    return found


# --- drafts ----------------------------------------------------------------------------------------------------


def made(batch: Sequence[Choice], options: argparse.Namespace) -> list[Document]:
    """The rows of the tasks that were made, in the order of the batch. Each is made in a process of its own."""
    work = options.out / "work"
    targets = {choice.name: work / f"{choice.name}.json" for choice in batch}
    todo = [
        ForkUnit(choice.name, functools.partial(written, choice, options.device), targets[choice.name])
        for choice in batch
        if not targets[choice.name].exists()
    ]
    failures: dict[str, str] = {}
    for number, ended in enumerate(run_units(iter(todo), options.workers, BOUNDS), 1):
        if ended.failure is not None:
            failures[ended.key] = ended.failure
        print(f"[{number}/{len(todo)}] {ended.key} {ended.seconds:.1f} s {ended.failure or ''}", file=sys.stderr)
    rows = []
    for choice in batch:
        if choice.name in failures:
            print(f"left out: {choice.name}: {failures[choice.name]}", file=sys.stderr)
            continue
        document = json.loads(targets[choice.name].read_text())
        if document["graphs"]:
            rows.append(stored(choice, document, options.out / "tasks" / choice.name))
    return rows


def written(choice: Choice, device: str) -> bytes:
    """The graphs of a task and the files of the author's first draft, as JSON. Without graphs, it is no task."""
    graphs = choice.variants()
    document: Document = {"graphs": [graph_to_json(graph) for graph in graphs], "files": {}, "why": []}
    if graphs:
        try:
            candidates = Candidates(graphs, device)
            document["files"] = candidates.files(dict.fromkeys(candidates.plans, recipes(device)[0]))
            document["why"] = candidates.notes
        except Exception as error:  # noqa: BLE001 - a graph that the author cannot read is one without a draft
            document["why"] = [f"{type(error).__name__}: {error}"]
    return json.dumps(document).encode()


def stored(choice: Choice, document: Document, path: Path) -> Document:
    """Writes the task's directory, and gives its row of the manifest."""
    graphs = [graph_from_json(graph) for graph in document["graphs"]]
    Task.write(path, graphs, overwrite=True)
    for name, text in document["files"].items():
        (path / "pass_dir" / name).write_text(text)
    row: Document = {"task": path.name, "split": choice.split, "size": choice.size}
    row["input_bytes"] = max(graph.nbytes for graph in graphs)
    row["ops"] = len(graphs[0].statements())
    row["of"] = graphs[0].name.partition(f"{layout.SAMPLES}/")[2]
    row["graphs"] = {layout.place_of(graph.name).dtype: graph.content_hash[:16] for graph in graphs}
    row["passes"] = row["rules"] = row["policy"] = None
    if document["files"]:
        passes = read_pass_set(path / "pass_dir")
        violations = [violation.text() for violation in check_policy(passes, "strict")]
        row |= {"passes": passes.content_hash[:16], "rules": len(passes.rules), "policy": violations}
    else:
        row["why"] = [note[:200] for note in document["why"][:3]]
    return row


def summary(rows: Sequence[Document]) -> Document:
    drafted = [row for row in rows if row["passes"]]
    return {
        "count": len(rows),
        "graphs": sum(len(row["graphs"]) for row in rows),
        "from": {split: sum(row["split"] == split for row in rows) for split in SPLITS},
        "drafted": len(drafted),
        "drafted_graphs": sum(len(row["graphs"]) for row in drafted),
        "refused_by_policy": sum(bool(row["policy"]) for row in drafted),
    }


def checked(tasks: Path) -> Document:
    """Compiles every rule on every graph for a GPU that is not there, and says what did not match or compile."""
    jobs = []
    for target in find_targets([tasks]):
        if target.pass_dir is None or not any(target.pass_dir.iterdir()):
            continue
        passes = read_passes(target)
        if check_policy(passes, "strict"):
            continue
        variants = tuple(graph for _, _, graph in target.graphs)
        jobs += [
            Job(target.name, f"{target.name}/{name}", path, graph, "passes", "cpu", pass_files(passes), variants)
            for name, path, graph in target.graphs
        ]
    with tempfile.TemporaryDirectory(prefix="passnet-check-") as logs:
        found = simulate(jobs, PROTOCOL, Path(logs))
    matched = {graph for counts in found.matches.values() for graph, count in counts.items() if count}
    unmatched = sorted({job.name for job in jobs} - matched)
    return {"graphs": len(jobs), "matched": len(matched), "unmatched": unmatched, "problems": found.problems}


# --- the archive -----------------------------------------------------------------------------------------------


def packed(out: Path, names: Sequence[str]) -> tuple[Path, str]:
    """OUT.tar.xz of the tasks, and the hash of what is in it. The order of `tasks.txt` is the order of drawing."""
    (out / "tasks.txt").write_text("".join(f"tasks/{name}\n" for name in names))
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in (out / "tasks.txt", *files(out / "tasks", names)):
            content = b"" if path.is_dir() else path.read_bytes()
            member = tarfile.TarInfo(f"{out.name}/{path.relative_to(out).as_posix()}")
            member.size, member.mode = len(content), 0o755 if path.is_dir() else 0o644
            member.type = tarfile.DIRTYPE if path.is_dir() else tarfile.REGTYPE
            tar.addfile(member, io.BytesIO(content))
    archive = out.with_name(f"{out.name}.tar.xz")
    archive.write_bytes(lzma.compress(raw.getvalue(), preset=9))
    return archive, hashlib.sha256(raw.getvalue()).hexdigest()


def files(tasks: Path, names: Sequence[str]) -> Iterator[Path]:
    """Every file of the tasks, and directories that hold none: an empty `pass_dir` is a part of the layout."""
    for name in sorted(names):
        for path in sorted((tasks / name).rglob("*")):
            if path.is_file() or not any(path.iterdir()):
                yield path


if __name__ == "__main__":
    main()
