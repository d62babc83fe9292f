"""The leaderboard of what runs on a CPU: eager, Inductor in its modes, passes by hand, and the embedded author.

    python benchmarks/leaderboard.py [TASK ...] --run DIR [--seconds 600]
    python benchmarks/leaderboard.py --rebuild --site build/leaderboard      # from what is stored; measures nothing

Each system is judged on the first graph of each task, by default of all that `bundled` names, with a precision of 5 %.
The author's pass set is measured once more where it chose among several. Runs are directories of `--run`, and the same
command goes on with them; `--seconds` begins nothing after that time. Graphs of which the machine could not tell are
tried again by the same command. The site is made of the runs that are complete. Settings, records and summaries of
these runs are stored as `leaderboard-cpu.tar.xz`, the boards as `leaderboard-cpu.json`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import common
import stored_runs

from passnet.agent.record.budget import Budget
from passnet.agent.run.request import AgentRequest
from passnet.agent.run.session import run_agent
from passnet.bench.evaluate import EvaluationRequest, evaluate
from passnet.bench.record.run import read_environment, read_records, read_settings
from passnet.errors import UsageError, counted
from passnet.graph.targets import find_targets
from passnet.report.leaderboard.rows import Board
from passnet.report.leaderboard.site import site_document, write_site
from passnet.score import OUTCOME_RULES, Owner

# A system: the name of its run, the compiler that is judged, or the author.
COMPILERS = {
    "eager": "eager",
    "inductor": "inductor",
    "inductor-max-autotune": "inductor-max-autotune",
    "hand-written": "passes",
    "hand-written+inductor": "passes+inductor",
}
AUTHORS = {"distill": "distill"}
SYSTEMS = (*COMPILERS, *AUTHORS)
GRAPHS = 1
MORE: Mapping[str, Mapping[str, Any]] = {
    "--seconds": {"type": float, "help": "begin nothing after so many seconds"},
    "--site": {"type": Path, "default": Path("build") / "leaderboard", "help": "directory of the site"},
    "--rebuild": {"action": "store_true", "help": "measure nothing: only the site, from what is stored"},
}


class TimeUp(Exception):
    """Nothing further is begun."""


@dataclass
class Clock:
    """Raises TimeUp once the time is over."""

    limit_s: float | None
    began: float

    def __call__(self, *_: object) -> None:
        if self.limit_s is not None and time.monotonic() - self.began > self.limit_s:
            raise TimeUp


def main() -> None:
    options = common.arguments(__doc__ or "", choices=SYSTEMS, more=MORE)
    file = options.out / f"leaderboard-{options.device}{stored_runs.SUFFIX}"
    try:
        if options.rebuild:
            rebuild(file, options.site)
            return
        measure(options)
        store(options, file)
    except UsageError as error:
        sys.exit(f"leaderboard.py: {error}")


def rebuild(file: Path, site: Path) -> list[Board]:
    """The site from stored runs."""
    with tempfile.TemporaryDirectory() as scratch:
        found = write_site(stored_runs.unpack(file, Path(scratch) / "runs"), site, overwrite=True)
    print(f"{sum(len(board.ranked) for board in found)} rows ranked, in {site / 'index.html'}")
    return found


def measure(options: argparse.Namespace) -> None:
    """All systems, each on what is left of its tasks."""
    if options.run is None:
        raise UsageError("give --run DIR: it takes long, and the same command goes on there")
    if options.paths == [common.TASKS]:
        options.paths = [Path("bundled")]
    options.graphs = options.graphs or GRAPHS
    options.set = ["precision=0.05", *options.set]
    common.of_one_revision(options.run, options.revision)
    clock = Clock(options.seconds, time.monotonic())
    try:
        for system in [options.only] if options.only else SYSTEMS:
            clock()
            if unfinished(options, system):
                print(f"{system}: {counted(len(unfinished(options, system)), 'graph')} to do", flush=True)
                (judge if system in COMPILERS else play)(options, system, clock)
    except TimeUp:
        print("the time is over; the same command goes on", flush=True)


def judge(options: argparse.Namespace, system: str, clock: Callable[..., None]) -> None:
    """A compiler, or passes that are there, on the tasks."""
    paths, place = tuple(options.paths), options.run / system
    protocol, compiler = common.protocol(options), COMPILERS[system]
    evaluate(EvaluationRequest(paths, options.device, compiler, protocol, place, options.graphs), clock)


def play(options: argparse.Namespace, system: str, clock: Callable[..., None]) -> None:
    """An author on the tasks. An episode that was stopped begins again."""
    request = AgentRequest(
        path=listed(options),
        author=AUTHORS[system],
        device=options.device,
        protocol=common.protocol(options),
        run_path=options.run / system,
        budget=Budget(steps=0),
        graphs=options.graphs,
    )
    run_agent(request, clock)


def listed(options: argparse.Namespace) -> Path:
    """The tasks as one path: itself, or a list of them."""
    if len(options.paths) == 1:
        return Path(options.paths[0])
    file: Path = options.run / "tasks.txt"
    places = [target.pass_dir.parent for target in find_targets(options.paths) if target.pass_dir]
    file.write_text("".join(f"{place.resolve()}\n" for place in places))
    return file


def unfinished(options: argparse.Namespace, system: str) -> set[tuple[str, str]]:
    """The graphs of a system without a verdict: no record, or a failure of the machine.

    An author's episode that has ended is not played again, so its failures of the machine stay; the board says so.
    """
    place = options.run / system
    wanted = {
        (target.name, name) for target in find_targets(options.paths) for name, _, _ in target.graphs[: options.graphs]
    }
    if not (place / "records.jsonl").exists():
        return wanted
    records = {(record.task, record.graph): record for record in read_records(place)}
    told = {
        key
        for key, record in records.items()
        if system in AUTHORS or OUTCOME_RULES[record.outcome].owner is not Owner.HARNESS
    }
    return wanted - told


def store(options: argparse.Namespace, file: Path) -> None:
    """The site of the systems that are done, their runs in one file, and the boards as a result."""
    done = [options.run / system for system in SYSTEMS if not unfinished(options, system)]
    for system in SYSTEMS:
        left = unfinished(options, system)
        if left:
            some = counted(len(left), "graph", ("has", "have"))
            print(f"{system}: not shown, {some} no verdict; the same command tries again")
    if not done:
        sys.exit("leaderboard.py: no system is done yet")
    options.out.mkdir(parents=True, exist_ok=True)
    print(f"{stored_runs.pack(done, file)} bytes in {file}")
    boards = rebuild(file, options.site)
    machine = {**(read_environment(done[0]) or {}), "revision": options.revision}
    result = {"protocol": read_settings(done[0])["protocol"], **site_document(boards)}
    common.save(options, f"leaderboard-{options.device}", "leaderboard", options.device, result, machine)


if __name__ == "__main__":
    main()
