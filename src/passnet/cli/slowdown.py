"""`passnet slowdown`: where torch.compile loses on a model or on a data set, by piece, and on what.

JSON, schema 1: {"schema", "run", "compiler", "device", "graphs" (with figures), "judged", "outcomes", "slower":
{"deployed", "direct", "captured", "device"} (shares of the graphs), "surely_slower", "conventions" (as in `passnet
score`), "why", "by_kind", "by_regime", "by_operators", "by_eager_time" (word -> {"graphs" and the four shares}),
"rows", "table", "page" (null without jinja2)}.
"""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from passnet.bench.names import COMPILERS_HELP, DEVICES, PRECISIONS, check_compiler, file_word
from passnet.cli.console import check_threads, number, one_of, print_conventions, print_json, print_table, run_path, say
from passnet.cli.options import Precision
from passnet.cli.progress import progress

if TYPE_CHECKING:
    from passnet.bench.evaluate import Progress
    from passnet.dataset.pipeline.settings import BuildStep
    from passnet.diagnose.losses import Slowdown

SCHEMA = 1
PAGE = "slowdown.html"
_SHOWN = 20


def command(
    targets: list[str] = typer.Argument(
        ...,
        metavar="TARGET...",
        help="MODULE:FACTORY or SOURCE:MODEL; a data set; tasks, graphs, directories of them, or lists.",
    ),
    compiler: str = typer.Option("inductor", help=COMPILERS_HELP),
    device: str = typer.Option("cpu", help=f"One of: {', '.join(DEVICES)}."),
    graphs: int = typer.Option(50, min=0, help="At most N graphs, drawn by the seed; 0: all."),
    seed: int = typer.Option(0, help="Seed of the draw."),
    kind: list[str] | None = typer.Option(
        None, help="Only these kinds of graph (repeat). Default: any; of a model full, typical, fusible."
    ),
    split: list[str] | None = typer.Option(None, help="Only these splits of a data set (repeat)."),
    precision: Precision = "5%",
    threads: int = typer.Option(1, min=1, help="Threads of every worker."),
    run: str | None = typer.Option(None, help="Name of the run; the same name resumes it. Default: from the time."),
    runs: Path = typer.Option(Path("runs"), help="Directory of run directories."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
) -> None:
    """Find where torch.compile is slower than eager, by piece, and why: as a table, a CSV file and a page."""
    one_of("--device", device, DEVICES)
    one_of("--precision", precision, PRECISIONS)
    check_threads(threads)
    check_compiler(compiler, device)
    place = run_path(runs, run, f"slowdown-{file_word(compiler)}-{device}-{time.strftime('%Y%m%d-%H%M%S')}")
    from passnet.bench.record.protocol import make
    from passnet.diagnose.slowdown import TABLE, Reports, SlowdownRequest, slowdown
    from passnet.diagnose.subjects import Selection

    selection = Selection(tuple(targets), graphs, seed, tuple(kind or ()), tuple(split or ()))
    protocol = make("direct", device=device, precision=PRECISIONS[precision], threads=threads)
    request = SlowdownRequest(selection, compiler, device, protocol, place)
    with progress("starting workers", _words, _line) as report:
        found = slowdown(request, Reports(_report_unit, report))
    page = _write_page(found, place / PAGE)
    if as_json:
        print_json({"schema": SCHEMA, "run": str(place), **found.to_json(), "table": str(place / TABLE), "page": page})
        return
    _print(found)
    say("", f"table: {place / TABLE}; page: {page or 'needs jinja2 (pip install jinja2)'}; records: {place}")


def _write_page(found: Slowdown, path: Path) -> str | None:
    """The page's path. None where the library that writes pages is not installed."""
    if importlib.util.find_spec("jinja2") is None:
        return None
    from passnet.report.slowdown_page import write_slowdown_page

    return str(write_slowdown_page(found, path))


def _report_unit(step: BuildStep) -> None:
    failed = "" if step.failure is None else f": {step.failure}"
    say(f"{step.stage} [{step.done}/{step.total}] {step.key}{failed}", err=True)


def _words(step: Progress) -> str:
    return f"{step.record.task}: {step.record.outcome}"


def _line(step: Progress) -> str:
    timing = step.record.timing
    ratio = f" {timing.speedup:.3f}x, deployed {number(timing.deployed_speedup)}x" if timing else ""
    kept = " (kept)" if step.resumed else ""
    return f"{step.record.task}: {step.record.outcome}{ratio}{kept}"


def _print(found: Slowdown) -> None:
    from passnet.diagnose.losses import CONVENTIONS

    document = found.to_json()
    rows = [
        (
            row.graph,
            row.kind,
            str(len(row.ops)),
            str(row.places),
            number(row.eager_us, 1),
            number(row.compiled_us, 1),
            number(row.deployed_us, 1),
            number(row.loss_us, 1),
            row.why or ("-" if row.deployed is not None else row.outcome),
        )
        for row in found.rows[:_SHOWN]
    ]
    title = f"largest losses against eager, first {len(rows)} of {len(found.rows)}; loss at all places, as deployed"
    columns = ("graph", "kind", "operators", "places", "eager us", "direct us", "deployed us", "loss us", "why")
    print_table(title, columns, rows)
    for name in ("by_kind", "by_regime", "by_operators", "by_eager_time"):
        groups = [
            (word, str(share["graphs"]), *(_percent(share[part]) for part in CONVENTIONS))
            for word, share in document[name].items()
        ]
        say()
        print_table("", (name.replace("_", " "), "graphs", *(f"slower {part}" for part in CONVENTIONS)), groups)
    say()
    print_conventions(document["conventions"])
    slower = document["slower"]
    say(
        "",
        f"{document['graphs']} graphs with figures of {document['judged']}: slower than eager: "
        + ", ".join(f"{part} {_percent(slower[part])}" for part in CONVENTIONS),
    )
    for word, count in document["why"].items():
        if count:
            say(f"    lost on {word}: {count}")


def _percent(share: float | None) -> str:
    return "not measured" if share is None else f"{100 * share:.0f} %"
