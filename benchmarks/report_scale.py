"""How large is the report of a large run, and how long does a browser need to open it?

    python benchmarks/report_scale.py [--graphs 3000] [--episodes 300] [--chromium PATH] [--keep FILE]

Makes an author's run and a compiler's run of so many graphs from a seed, writes their report, and opens it several
times in a fresh context of Chromium. Opening is from the request to the first table on the screen, by the page's own
clock. Two more times are of one task and one episode, whose parts are unpacked when they are asked for.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import common

sys.path.insert(0, str(common.ROOT))

from passnet.bench.record.records import GraphRecord
from passnet.report.run.build import write_report
from tests.report.run_directories import named, record, tasks_at, write_agent, write_evaluation

_OPENINGS = 7
_SEED = 22
_READY = "document.documentElement.dataset.ready === 'yes'"
_PAINTED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
  () => done(performance.now()))))"""


def runs(place: Path, graphs: int, episodes: int) -> list[Path]:
    """An author's run and a compiler's run over the same graphs."""
    draw = random.Random(_SEED)
    directories = tasks_at(place / "tasks", episodes)
    per_task = -(-graphs // episodes)
    some = [one for directory in directories for one in _filled(directory, per_task)][:graphs]
    settings = {"paths": [str(place / "tasks")]}
    return [
        write_agent(place / "author", [record(one, draw) for one in some], 1, draw, **settings),
        write_evaluation(
            place / "inductor", [_of_compiler(record(one, draw)) for one in some], compiler="inductor", **settings
        ),
    ]


def _filled(directory: Path, wanted: int) -> list[Any]:
    """The graphs of a task, again under other names until there are enough."""
    known = named([directory], wanted)
    again = (
        type(one)(one.task, f"again{n}/{one.graph}", one.graph_hash, one.pass_set_hash)
        for n in range(wanted)
        for one in known
    )
    return [*known, *again][:wanted]


def _of_compiler(found: GraphRecord) -> GraphRecord:
    return found.model_copy(update={"compiler": "inductor", "pass_set_hash": None, "own_kernels": None})


def openings(page: Path, chromium: str) -> dict[str, Any]:
    """Milliseconds of each opening, and of a task and an episode."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        first = [_opened(browser, page, "") for _ in range(_OPENINGS)]
        task = [_opened(browser, page, _link(browser, page, "tasks")) for _ in range(3)]
        played = [_opened(browser, page, _link(browser, page, "episodes")) for _ in range(3)]
        version = browser.version
        browser.close()
    return {
        "chromium": version,
        "open_ms": first,
        "open_median_ms": statistics.median(first),
        "open_most_ms": max(first),
        "task_ms": task,
        "episode_ms": played,
    }


def _opened(browser: Any, page: Path, fragment: str) -> float:
    """Milliseconds from the request until the page has painted its tables or the part that the fragment names."""
    tab = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    tab.goto(f"file://{page}{fragment}")
    tab.wait_for_function("() => document.querySelector('#detail article') !== null" if fragment else _READY)
    found = float(tab.evaluate(_PAINTED))
    tab.context.close()
    return found


def _link(browser: Any, page: Path, table: str) -> str:
    tab = browser.new_page()
    tab.goto(f"file://{page}")
    found = str(tab.get_attribute(f"[data-table={table}] tbody a", "href"))
    tab.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--graphs", type=int, default=3000, help="graphs of each run")
    parser.add_argument("--episodes", type=int, default=300, help="episodes of the author's run, one a task")
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="the browser")
    parser.add_argument("--keep", type=Path, help="keep the page here")
    parser.set_defaults(device="cpu")
    options = common.parsed(parser)
    if not options.chromium:
        parser.error("no chromium on this machine: give --chromium PATH")
    with tempfile.TemporaryDirectory() as scratch:
        made = runs(Path(scratch), options.graphs, options.episodes)
        page = Path(scratch) / "report.html"
        began = time.perf_counter()
        written = write_report(made, page, root=Path(scratch))
        result = {"graphs": options.graphs, "runs": len(made), "episodes": options.episodes, "bytes": written.bytes,
                  "write_s": round(time.perf_counter() - began, 1), "left_out": len(written.missing)}  # fmt: skip
        if options.keep:
            shutil.copy(page, options.keep)
        result |= openings(page, options.chromium)
    print(result)
    common.save(options, "report-scale", "report_scale", "cpu", result)


if __name__ == "__main__":
    main()
