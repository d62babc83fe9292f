"""The embedded author beside Inductor: what its passes bring on the graphs of some tasks, in one run.

    python benchmarks/authors.py [TASK ...] [--device cuda] [--graphs 2] [--run DIR]

The author starts from empty pass directories. Its best pass set of each task and Inductor are then evaluated alike.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import common
import compilers

from passnet.agent.budget import Budget
from passnet.agent.request import AgentRequest
from passnet.agent.session import run_agent

AUTHOR = "distill"


def main() -> None:
    options = common.arguments(__doc__ or "")
    with tempfile.TemporaryDirectory() as scratch:
        room = options.run or Path(scratch)
        found = [row for path in options.paths for row in authored(options, path, room)]
        for row in found:
            print(f"{row['task']}: AS {row['AS']} in {row['seconds']:.0f} s, {row['exit_reason']}", flush=True)
        options.paths = list(with_passes(found, options.paths, room / "tasks"))
        result = compilers.compared(options, compilers.COMPILERS)
    minutes = sum(row["seconds"] for row in found) / 60 / len(found)
    print(f"minutes per task: {minutes:.2f}")
    episodes = [{key: row[key] for key in ("task", "AS", "best_step", "evaluations", "seconds")} for row in found]
    common.write(
        options,
        "authors",
        {"author": AUTHOR, "minutes_per_task": minutes, "episodes": episodes, "compilers": result},
    )


def authored(options: argparse.Namespace, path: Path, room: Path) -> list[dict[str, Any]]:
    """The entries of the agent's summary for the tasks of a path."""
    request = AgentRequest(
        path=path,
        author=AUTHOR,
        device=options.device,
        protocol=common.protocol(options),
        run_path=room / "agent" / path.name,
        budget=Budget(),
        graphs=options.graphs,
        confirm=False,
    )
    tasks: list[dict[str, Any]] = run_agent(request, lambda progress: None)["tasks"]
    return tasks


def with_passes(found: list[dict[str, Any]], paths: list[Path], room: Path) -> Iterator[Path]:
    """A copy of each task with the author's best passes in place of its own."""
    for row in found:
        if row["passes"] is None:
            continue  # the author found nothing; its entry among the episodes says so
        places = [place for path in paths for place in (path, path / row["task"])]
        source = next(place for place in places if place.name == row["task"] and (place / "graph_list.txt").exists())
        copy = room / row["task"]
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns("pass_dir"))
        shutil.copytree(row["passes"], copy / "pass_dir")
        yield copy


if __name__ == "__main__":
    main()
