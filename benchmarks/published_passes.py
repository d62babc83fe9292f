"""How published pass sets fare here unchanged: read, admitted or refused and why, and matched against their graphs.

    python benchmarks/published_passes.py --checkout PATH [--sets 1000] [--seed 1024] [--graphs GRAPHNET] [--run DIR]

PATH is a git repository of published task directories, GRAPHNET one of GraphNet; both may be bare. What a set's
`graph_list.txt` names is cut again out of GraphNet's samples. Texts are parsed; nothing of a set runs but in the
sandboxed candidate, which loads its rules and matches them. With `--run` what was done is kept, and gone on with.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import common

from passnet.errors import PassNetError, UsageError

MANIFEST, LIST, SCORE = "sorted_output_pass_rule_names.json", "graph_list.txt", "pass_dir/score.txt"
GOOD, WORKING = 1.0, 0.15
# A published graph: the sample that it was cut from, and the range of operators.
_PIECE = re.compile(r"([a-z]+\d+)/\d+/(samples/\S+?)/_decomposed/\S*?_start(-?\d+)_end(-?\d+)_")
_LINK = "120000"
_NAMES = re.compile(r"'[^']*'|%\w+|\b\d[\w.]*\b")
_WORKERS = 2
_SPAWN = multiprocessing.get_context("spawn")
_MAX_CAUSE = 90


class Repository:
    """The newest commit of a git repository, read without a work tree."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.commit = self._git("rev-parse", "HEAD").decode().strip()
        rows = [row.split("\t", 1) for row in self._git("ls-tree", "-r", "-z", "HEAD").decode().split("\0") if row]
        self.blobs = {name: meta.split()[2] for meta, name in rows if not meta.startswith(_LINK)}

    def _git(self, *command: str) -> bytes:
        done = subprocess.run(["git", "-C", str(self.path), *command], capture_output=True, check=False)
        if done.returncode:
            raise UsageError("git cannot read it", path=self.path, found=done.stderr.decode().strip())
        return done.stdout

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        command = ["git", "-C", str(self.path), "cat-file", "--batch"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            yield Reader(self, process)

    def below(self, directory: str) -> list[str]:
        return [name for name in self.blobs if name.startswith(f"{directory}/")]


@dataclass(frozen=True)
class Reader:
    """Reads files of one commit one after another."""

    repository: Repository
    process: subprocess.Popen[bytes]

    def read(self, name: str) -> bytes | None:
        """None where the repository names a file and lacks its bytes."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{self.repository.blobs[name]}\n".encode())
        self.process.stdin.flush()
        head = self.process.stdout.readline().split()
        if len(head) != 3:
            return None
        return self.process.stdout.read(int(head[2]) + 1)[:-1]


@dataclass(frozen=True)
class Published:
    """A pass set as it lies on disk now, its published score, and the pieces that its list names in float32."""

    directory: Path
    score: float
    pieces: tuple[tuple[str, int, int], ...]


def chosen(repository: Repository, count: int, seed: int) -> list[str]:
    """Task directories with a manifest, drawn without repetition."""
    tasks = sorted(
        name.removesuffix(f"/pass_dir/{MANIFEST}")
        for name in repository.blobs
        if name.endswith(f"/pass_dir/{MANIFEST}")
    )
    return random.Random(seed).sample(tasks, min(count, len(tasks)))


def extracted(repository: Repository, tasks: Sequence[str], directory: Path) -> list[Published]:
    """The sets' own files, each set in a directory of its own."""
    found = []
    inside: dict[str, list[str]] = {task: [] for task in tasks}
    for name in repository.blobs:
        task = name.partition("/pass_dir/")[0].removesuffix(f"/{LIST}")
        if task in inside:
            inside[task].append(name)
    with repository.reader() as reader:
        for number, task in enumerate(tasks):
            place = directory / f"{number:05d}"
            for name in inside[task]:
                data, target = reader.read(name), place / name.removeprefix(f"{task}/")
                if data is not None and len(target.relative_to(place).parts) <= 2:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data)
            found.append(Published(place / "pass_dir", _score(place / SCORE), _pieces(place / LIST)))
    return found


def _score(path: Path) -> float:
    try:
        return float(path.read_text())
    except (OSError, ValueError):
        return 0.0


def _pieces(path: Path) -> tuple[tuple[str, int, int], ...]:
    text = path.read_text() if path.exists() else ""
    found = [match.groups() for match in _PIECE.finditer(text)]
    return tuple(sorted({(sample, int(first), int(last)) for kind, sample, first, last in found if kind == "float32"}))


def judged(published: Published) -> dict[str, Any]:
    """One set under the default policy, from its text alone."""
    from passnet.rewrite import check_policy, read_pass_set

    row: dict[str, Any] = {"score": published.score}
    try:
        violations = check_policy(read_pass_set(published.directory))
    except UsageError as error:
        return row | {"state": "unreadable", "causes": [_cause(str(error), published.directory)]}
    causes = sorted({violation.rule for violation in violations})
    return row | {"state": "refused" if causes else "admitted", "causes": causes}


def _cause(text: str, directory: Path) -> str:
    """What an error says, without the names that are this set's."""
    plain = text.replace(str(directory), "").partition(": ")[2].partition("; expected")[0].partition(" (")[0]
    return _NAMES.sub("...", plain)[:_MAX_CAUSE]


def table(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts by state and cause; `alone`: sets that one rule of the policy alone refuses."""
    rows = list(rows)
    states = Counter(row["state"] for row in rows)
    by_cause = {
        state: dict(Counter(cause for row in rows if row["state"] == state for cause in row["causes"]).most_common())
        for state in ("refused", "unreadable")
    }
    alone = Counter(row["causes"][0] for row in rows if row["state"] == "refused" and len(row["causes"]) == 1)
    return {
        "sets": len(rows),
        **states,
        "refused_by": by_cause["refused"],
        "refused_alone_by": dict(alone.most_common()),
        "unreadable_by": by_cause["unreadable"],
    }


def cut(job: tuple[Path, str, list[tuple[int, int]]], graphs: Path) -> dict[str, str]:
    """Cut ranges out of a sample, once; for each the reason why there is no piece, or an empty text."""
    place, sample, ranges = job
    note = place / "cut.json"
    known: dict[str, str] = json.loads(note.read_text()) if note.exists() else {}
    if {_name(sample, *one) for one in ranges} <= known.keys():
        return known
    said = _cut(place, sample, ranges, graphs)
    note.write_text(json.dumps(said))
    return said


def _cut(place: Path, sample: str, ranges: list[tuple[int, int]], graphs: Path) -> dict[str, str]:
    from passnet.dataset.cut.parent import Parent
    from passnet.dataset.cut.pieces import CutLimits, cut_all
    from passnet.graph import Graph

    try:
        parent = Parent(Graph.read(place))
        spans = [parent.span(first, last) for first, last in ranges]
        answers = cut_all(parent, spans, CutLimits(parent_bytes=0, piece_bytes=0))
    except (PassNetError, IndexError) as error:
        reason = _NAMES.sub("...", str(error).replace(str(place), ""))[:_MAX_CAUSE]
        return {_name(sample, *one): f"sample not read: {reason}" for one in ranges}
    said = {}
    for one in ranges:
        answer = answers[one]
        if isinstance(answer, str):
            said[_name(sample, *one)] = answer
        else:
            answer.graph.write(graphs / _name(sample, *one))
            said[_name(sample, *one)] = ""
    return said


def _name(sample: str, first: int, last: int) -> str:
    return re.sub(r"\W", "_", f"{sample}_{first}_{last}")


def matched(jobs: Sequence[tuple[Published, list[str]]], graphs: Path, core: int) -> list[dict[str, Any]]:
    """Cells of these sets: loaded as on a GPU, matched in the sandbox, and what the near misses say."""
    from passnet.bench.engine.bench import Bench
    from passnet.bench.evaluate import pass_files
    from passnet.bench.preflight.check import PROTOCOL
    from passnet.rewrite import read_pass_set

    os.sched_setaffinity(0, {core})  # workers of two benches would share the last core
    rows = []
    with (
        tempfile.TemporaryDirectory() as logs,
        Bench("cpu", "passes", PROTOCOL, Path(logs), pairs=1) as bench,
    ):
        bench.pairs[0].rules_for = "cuda"
        for published, names in jobs:
            files = pass_files(read_pass_set(published.directory))
            for name in names:
                rows.append({"score": published.score, "graph": name, **_cell(bench.pairs[0], files, graphs / name)})
    return rows


def _cell(pair: Any, files: Any, graph: Path) -> dict[str, Any]:
    from passnet.bench.isolation.worker_process import WorkerFailure
    from passnet.bench.preflight.check import PROTOCOL
    from passnet.bench.wire.requests import BuildProgram, Rewrite

    try:
        pair.load(files)
        request = Rewrite(graph=pair.staged(graph), device="cpu", raw=True)
        raw = pair.ask("candidate", request, PROTOCOL.build_s).replacements
    except WorkerFailure as error:
        return {"matched": False, "as_published": False, "causes": [_failure(error)]}
    found: dict[str, Any] = {"matched": True, "as_published": any(raw.values()), "causes": []}
    try:
        build = BuildProgram(graph=pair.staged(graph), device="cpu", seed=0, compiler="passes")
        pair.ask("candidate", build, PROTOCOL.build_s)
    except WorkerFailure as error:
        causes = [miss.reason for miss in error.near_misses] or [_failure(error)]
        return found | {"matched": False, "causes": causes, "near_misses": len(error.near_misses)}
    return found


def _failure(error: Any) -> str:
    """What the worker says, without the place of its private directory."""
    return f"{error.kind}: {re.sub(r'/[^ ,:]*/', '', str(error))}"


def cells(options: argparse.Namespace, sets: Sequence[Published], work: Path) -> dict[str, Any]:
    """The matching of the first admitted sets with a score above `WORKING`, in the order in which they were drawn."""
    source, graphs = Repository(options.graphs), work / "graphs"
    wanted = [one for one in sets if one.pieces][: options.matched_sets]
    ranges: dict[str, set[tuple[int, int]]] = {}
    for one in wanted:
        for sample, first, last in one.pieces:
            ranges.setdefault(sample, set()).add((first, last))
    jobs = []
    with source.reader() as reader:
        for sample in sorted(ranges):
            place = work / "samples" / re.sub(r"\W", "_", sample)
            place.mkdir(parents=True, exist_ok=True)
            for name in source.below(sample):
                data = reader.read(name) if "/" not in name.removeprefix(f"{sample}/") else None
                if data is not None:
                    (place / Path(name).name).write_bytes(data)
            jobs.append((place, sample, sorted(ranges[sample])))
    said: dict[str, str] = {}
    with _SPAWN.Pool(_WORKERS, maxtasksperchild=8) as pool:  # a large sample leaves much memory behind
        for answer in pool.imap_unordered(partial(cut, graphs=graphs), jobs):
            said |= answer
    asked = [(one, [name for piece in one.pieces if not said[name := _name(*piece)]]) for one in wanted]
    asked = [(one, names) for one, names in asked if names]
    cores = sorted(os.sched_getaffinity(0))[-_WORKERS:]
    with ProcessPoolExecutor(len(cores), _SPAWN) as pool:
        shares = [pool.submit(matched, asked[place :: len(cores)], graphs, core) for place, core in enumerate(cores)]
        rows = [row for share in shares for row in share.result()]
    missed = [row for row in rows if not row["matched"]]
    reasons = Counter(_NAMES.sub("...", row["causes"][0])[:_MAX_CAUSE] for row in missed)
    return {
        "graphnet": source.commit,
        "score_above": WORKING,
        "sets": len(asked),
        "graphs": len({row["graph"] for row in rows}),
        "not_cut": dict(Counter(reason for reason in said.values() if reason).most_common()),
        "cells": len(rows),
        "matched": len(rows) - len(missed),
        "as_published": sum(row["as_published"] for row in rows),
        "missed_with_near_miss": sum(bool(row.get("near_misses")) for row in missed),
        "missed_by": dict(reasons.most_common()),
    }


def options_of(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Published pass sets under the default policy, and on their graphs.")
    parser.add_argument("--checkout", type=Path, required=True, help="git repository of published task directories")
    parser.add_argument("--sets", type=int, default=1000, help="how many are drawn")
    parser.add_argument("--seed", type=int, default=1024)
    parser.add_argument("--graphs", type=Path, help="git repository of GraphNet: match sets against their graphs too")
    parser.add_argument("--matched-sets", type=int, default=100, help="how many sets are matched")
    parser.add_argument("--run", type=Path, help="keep here what was done, and go on with it")
    return common.parsed(parser, arguments)


def main() -> None:
    options = options_of()
    if options.run:
        common.of_one_revision(options.run, options.revision)
    with tempfile.TemporaryDirectory(prefix="published-") as scratch:
        work = options.run or Path(scratch)
        repository = Repository(options.checkout)
        sets = extracted(repository, chosen(repository, options.sets, options.seed), work / "sets")
        kept = work / f"judged-{options.sets}-{options.seed}.json"
        if kept.exists():
            rows = json.loads(kept.read_text())
        else:
            with ProcessPoolExecutor(_WORKERS, _SPAWN) as pool:
                rows = list(pool.map(judged, sets, chunksize=10))
            kept.write_text(json.dumps(rows))
        result = {
            "checkout": repository.commit,
            "seed": options.seed,
            "policy": "strict",
            "all": table(rows),
            "score_at_least_1": table(row for row in rows if row["score"] >= GOOD),
        }
        if options.graphs:
            pairs = zip(sets, rows, strict=True)
            working = [one for one, row in pairs if row["state"] == "admitted" and row["score"] > WORKING]
            result["matching"] = cells(options, working, work)
        common.save(options, "published-passes", "published-passes", "cpu", result)


if __name__ == "__main__":
    main()
