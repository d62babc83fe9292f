"""`passnet optimize`: the passes of a library that make one model faster, measured in it, as a bundle to load.

JSON, schema 1: {"schema", "model", "bundle" (null when nothing wins), "before", "compiler", "device", "whole" (null
when nothing wins): {"before_us", "after_us", "speedup", "speedup_ci", "deployed_speedup", "deployed_speedup_ci",
"control_ratio", "correct_at", "max_abs_error", "fp64_ratio"}, "kept": [{"directory", "source", "content_hash",
"replacements", "speedup", "speedup_ci"}], "left": [{"source", "rules", "reason", "speedup", "speedup_ci"}], "notes",
"snippet"}.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from passnet.bench.names import DEVICES, POLICIES, PRECISIONS
from passnet.cli.console import number, one_of, print_json, print_table
from passnet.cli.options import Precision
from passnet.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from passnet.agent.run.progress import RunProgress
    from passnet.use.optimise.search import Optimized
    from passnet.use.optimise.subject import ModelSubject
    from passnet.use.optimise.trials import TrialRequest, TrialStep

SCHEMA = 1
COMPILERS = ("passes", "passes+inductor")


def command(
    model: str = typer.Argument(
        ..., metavar="MODULE:FACTORY", help="A function that returns (model, args) or (model, args, kwargs)."
    ),
    passes: Path | None = typer.Option(
        None, metavar="LIB", help="Pass library (`passnet library add`), or a pass directory."
    ),
    author: str | None = typer.Option(None, help="Who writes passes for this model instead, as for `passnet agent`."),
    minutes: float = typer.Option(30.0, min=0, help="How long the author may take; 0: without a limit."),
    out: Path | None = typer.Option(None, help="Directory of the bundle. Default: bundles/ and the model's name."),
    device: str | None = typer.Option(None, help=f"One of: {', '.join(DEVICES)}. Default: where the factory puts it."),
    compiler: str = typer.Option(
        "passes", help=f"One of: {', '.join(COMPILERS)}; the first is timed against eager, the second against Inductor."
    ),
    precision: Precision = "2%",
    policy: str = typer.Option("strict", help=f"Source policy of passes, one of: {', '.join(POLICIES)}."),
    threads: int = typer.Option(1, min=1, help="Threads of every worker."),
    overwrite: bool = typer.Option(False, help="Replace an existing bundle."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
    unsandboxed: bool = typer.Option(False, help="Run passes without a sandbox."),
) -> None:
    """Try passes in a model, keep those that make it measurably faster, and write them as a bundle."""
    if (passes is None) == (author is None):
        raise UsageError("give either --passes or --author", field="--passes" if author else "--author")
    if device is not None:
        one_of("--device", device, DEVICES)
    one_of("--compiler", compiler, COMPILERS)
    one_of("--policy", policy, POLICIES)
    one_of("--precision", precision, PRECISIONS)
    from passnet.use.optimise.search import optimize
    from passnet.use.optimise.trials import TrialRequest

    target = out or Path("bundles") / model.replace(":", ".")
    if target.resolve() in (Path.cwd(), *Path.cwd().parents):
        raise UsageError("no place for a bundle", path=target, field="--out", hint="name a directory of its own")
    request = TrialRequest(
        spec=model,
        passes=passes,
        out=target,
        work=target.with_name(f"{target.name}.run"),
        device=device,
        compiler=compiler,
        policy="native" if policy == "native" else "strict",
        precision=PRECISIONS[precision],
        threads=threads,
        sandbox=not unsandboxed,
        overwrite=overwrite,
    )
    found = optimize(request, _report, _author_of_passes(request, author, minutes) if author else None)
    if as_json:
        print_json({"schema": SCHEMA, **_document(found, request)})
    else:
        _print(found, request)
    if found.bundle is None:
        raise typer.Exit(1)


def _author_of_passes(request: TrialRequest, author: str, minutes: float) -> Callable[[ModelSubject], Path | None]:
    """A function that lets an author write passes for the captured model. An unknown author is reported at once."""
    from passnet.agent.run.for_model import AuthorForModel

    directory = request.work.with_name(f"{request.out.name}.author")
    writer = AuthorForModel(author, directory, request.protocol, minutes, _report_author)
    writer.check()
    return writer.passes


def _report_author(progress: RunProgress) -> None:
    record = progress.record
    if record.kind in ("step", "end"):
        what = record.tool or "no tool" if record.kind == "step" else record.exit_reason
        best = "" if progress.best is None else f", AS {progress.best:.3f}"
        print(f"author: {what}{best}", file=sys.stderr, flush=True)


def _report(step: TrialStep) -> None:
    timing = step.record.timing
    speed = f" {timing.speedup:.3f}x ({timing.speedup_ci[0]:.3f}-{timing.speedup_ci[1]:.3f})" if timing else ""
    kept = " (kept)" if step.resumed else ""
    places = sum(step.record.replacements.values())
    print(f"{step.label}: {step.record.outcome}, {places} places{speed}{kept}", file=sys.stderr, flush=True)


def _document(found: Optimized, request: TrialRequest) -> dict[str, object]:
    bundle = found.bundle.model_dump(mode="json") if found.bundle else {}
    return {
        "model": request.spec,
        "bundle": str(request.out) if found.bundle else None,
        "before": found.before,
        "compiler": request.compiler,
        "device": found.subject.device,
        "whole": bundle.get("whole"),
        "kept": bundle.get("kept", []),
        "left": [left.model_dump(mode="json") for left in found.left],
        "notes": list(found.subject.notes),
        "snippet": bundle.get("snippet", []),
    }


def _print(found: Optimized, request: TrialRequest) -> None:
    if found.left:
        rows = [(left.source, ", ".join(left.rules), number(left.speedup), left.reason) for left in found.left]
        print_table("left out", ("pass set", "rules", "speedup", "why"), rows)
        typer.echo("")
    for note in found.subject.notes:
        typer.echo(f"note: {note}")
    if found.bundle is None:
        typer.echo(f"nothing makes {request.spec} measurably faster than {found.before}; no bundle was written")
        return
    kept = [
        (each.source, str(sum(each.replacements.values())), number(each.speedup), _interval(each.speedup_ci))
        for each in found.bundle.kept
    ]
    print_table("kept", ("pass set", "places", "alone", "95 % interval"), kept)
    whole = found.bundle.whole
    times = f"{whole.before_us:.1f} us ({found.before}) to {whole.after_us:.1f} us"
    typer.echo(
        f"\nwhole model on {found.subject.device}: {times}; speedup {whole.speedup:.3f}, "
        f"95 % interval {_interval(whole.speedup_ci)}; as deployed {number(whole.deployed_speedup)}"
    )
    largest = "" if whole.max_abs_error is None else f", largest difference {whole.max_abs_error:.3g}"
    ratio = "" if whole.fp64_ratio is None else f"; {whole.fp64_ratio:.2f} times as far from float64 as before"
    typer.echo(f"accuracy: as before from t = {whole.correct_at}{largest}{ratio}")
    typer.echo(f"\nbundle in {request.out}:")
    for line in found.bundle.snippet:
        typer.echo(f"    {line}")


def _interval(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.3f}-{ends[1]:.3f}"
