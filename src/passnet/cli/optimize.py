"""`passnet optimize`: the fastest right form of one model against every mode of torch.compile, as a bundle to load.

JSON, schema 1: {"schema", "model", "best" (null when nothing was measured): {"form", "us", "speedup_over_eager",
"speedup_over_best_torch_compile", "ci", "best_torch_compile", "processes", "again", "not_compared": [modes of
torch.compile that were not measured]}, "forms": [{"form", "us", "right", "reason", "raised", "compile_s", "seconds"
(null when it was not begun): {"start_s", "make_s", "verify_s", "look_s", "ended_s"}}], "bundle" (null when the model as
it is is best), "minutes", "phases": {part of the command: seconds}, "before", "compiler", "device",
"whole" (null without passes): {"before_us", "after_us", "speedup", "speedup_ci", "deployed_speedup",
"deployed_speedup_ci", "control_ratio", "correct_at", "max_abs_error", "fp64_ratio"}, "kept": [{"directory", "source",
"content_hash", "replacements", "speedup", "speedup_ci"}], "left": [{"source", "rules", "reason", "speedup",
"speedup_ci"}], "notes", "snippet"}.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from passnet.bench.names import DEVICES, POLICIES, PRECISIONS
from passnet.cli.console import check_threads, number, one_of, print_json, print_table, say
from passnet.cli.options import Precision
from passnet.errors import UsageError

if TYPE_CHECKING:
    from passnet.agent.run.progress import RunProgress
    from passnet.use.bundle import FormSeconds
    from passnet.use.optimise.answer import Optimized
    from passnet.use.optimise.race import RaceStep
    from passnet.use.optimise.session import Step, WritePasses
    from passnet.use.optimise.trials import TrialRequest, TrialStep

SCHEMA = 1
COMPILERS = ("passes", "passes+inductor")
NOBODY = "none"


def command(
    model: str = typer.Argument(
        ..., metavar="MODULE:FACTORY", help="A function that returns (model, args) or (model, args, kwargs)."
    ),
    passes: Path | None = typer.Option(
        None, metavar="LIB", help="Pass library (`passnet library add`), or a pass directory."
    ),
    author: str | None = typer.Option(
        None, help="Who writes passes for this model instead, as for `passnet agent`; none: nobody. Default: distill."
    ),
    minutes: float = typer.Option(10.0, min=0, help="How long all of it may take; 0: without a limit."),
    examples: str | None = typer.Option(
        None, metavar="MODULE:FUNCTION", help="A function that returns a list of further calls, of other shapes."
    ),
    out: Path | None = typer.Option(None, help="Directory of the bundle. Default: bundles/ and the model's name."),
    device: str | None = typer.Option(None, help=f"One of: {', '.join(DEVICES)}. Default: where the factory puts it."),
    compiler: str = typer.Option(
        "passes", help=f"How passes are judged, one of: {', '.join(COMPILERS)}; against eager, or against Inductor."
    ),
    precision: Precision = "2%",
    policy: str = typer.Option("strict", help=f"Source policy of passes, one of: {', '.join(POLICIES)}."),
    threads: int | None = typer.Option(None, min=1, help="Threads of torch. Default: as many as torch uses here."),
    frozen: bool = typer.Option(
        True,
        help="Allow forms that hold the weights as constants; a later change in place is seen, one by .data is not.",
    ),
    static: bool = typer.Option(False, help="Allow results in the memory of a CUDA graph, valid until the next call."),
    overwrite: bool = typer.Option(False, help="Replace an existing bundle."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
    unsandboxed: bool = typer.Option(False, help="Run passes without a sandbox."),
) -> None:
    """Find the fastest right form of a model: modes of torch.compile, ours, and ours with passes."""
    if passes is not None and author is not None:
        raise UsageError("give either --passes or --author", field="--author")
    if device is not None:
        one_of("--device", device, DEVICES)
    one_of("--compiler", compiler, COMPILERS)
    one_of("--policy", policy, POLICIES)
    one_of("--precision", precision, PRECISIONS)
    check_threads(threads or 1)
    target = out or Path("bundles") / model.replace(":", ".")
    if Path(os.path.realpath(target)) in (Path.cwd(), *Path.cwd().parents):
        raise UsageError("no place for a bundle", path=target, field="--out", hint="name a directory of its own")
    import torch

    from passnet.use.optimise.session import Optimization
    from passnet.use.optimise.trials import TrialRequest

    request = TrialRequest(
        spec=model,
        passes=passes,
        out=target,
        work=target.with_name(f"{target.name}.run"),
        device=device,
        compiler=compiler,
        policy="native" if policy == "native" else "strict",
        precision=PRECISIONS[precision],
        threads=threads or torch.get_num_threads(),
        sandbox=not unsandboxed,
        overwrite=overwrite,
        examples=examples,
        minutes=minutes,
        frozen=frozen,
        static=static,
    )
    writer = None if passes is not None or author == NOBODY else _author_of_passes(request, author or "distill")
    found = Optimization(request, _report, writer).run()
    if as_json:
        print_json({"schema": SCHEMA, **_document(found, request)})
    else:
        _print(found, request)
    if found.bundle is None:
        raise typer.Exit(1)


def _author_of_passes(request: TrialRequest, author: str) -> WritePasses:
    """A function that lets an author write passes for the captured model. An unknown author is reported at once."""
    from passnet.agent.run.for_model import AuthorForModel

    directory = request.work.with_name(f"{request.out.name}.author")
    writer = AuthorForModel(author, directory, request.protocol, request.minutes, _report_author)
    writer.check()
    return writer.passes


# --- progress ----------------------------------------------------------------------------------------------------


def _report_author(progress: RunProgress) -> None:
    record = progress.record
    if record.kind in ("step", "end"):
        what = record.tool or "no tool" if record.kind == "step" else record.exit_reason
        best = "" if progress.best is None else f", AS {progress.best:.3f}"
        say(f"author: {what}{best}", err=True)


def _report(step: Step) -> None:
    from passnet.use.optimise.race import RaceStep

    say(_form_line(step) if isinstance(step, RaceStep) else _trial_line(step), err=True)


def _form_line(step: RaceStep) -> str:
    """A form that was tried, the best so far against torch.compile, and the time that is left."""
    row = step.row
    took = "not used" if row.us is None else f"{row.us:.1f} us"
    why = f" ({row.reason})" if row.reason else ""
    known = " (kept)" if step.known else ""
    over = "" if step.over is None else f", {step.over:.2f}x the best torch.compile"
    best = "" if step.best is None else f"; best so far: {step.best}{over}"
    left = "" if step.left_s is None else f"; {step.left_s:.0f} s left"
    spent = "" if known or row.seconds is None else f"; {_spent(row.seconds)}"
    return f"{row.form}: {took}{why}{known}{best}{left}{spent}"


def _spent(seconds: FormSeconds) -> str:
    """Where the seconds of a form went, without what took none."""
    found = {
        "starting": seconds.start_s, "making": seconds.make_s, "verifying": seconds.verify_s, "looking": seconds.look_s
    }  # fmt: skip
    return ", ".join(f"{what} {took:.1f} s" for what, took in found.items() if took >= 0.05) or "in no time"


def _trial_line(step: TrialStep) -> str:
    timing = step.record.timing
    speed = f" {timing.speedup:.3f}x ({timing.speedup_ci[0]:.3f}-{timing.speedup_ci[1]:.3f})" if timing else ""
    kept = " (kept)" if step.resumed else ""
    places = sum(step.record.replacements.values())
    return f"{step.label}: {step.record.outcome}, {places} places{speed}{kept}"


# --- results -----------------------------------------------------------------------------------------------------


def _document(found: Optimized, request: TrialRequest) -> dict[str, object]:
    bundle = found.bundle.model_dump(mode="json") if found.bundle else {}
    return {
        "model": request.spec,
        "best": found.best.model_dump(mode="json") if found.best else None,
        "forms": [row.model_dump(mode="json") for row in found.rows],
        "bundle": str(request.out) if found.bundle else None,
        "minutes": found.minutes,
        "phases": dict(found.phases),
        "before": found.before,
        "compiler": request.compiler,
        "device": found.device,
        "whole": bundle.get("whole"),
        "kept": bundle.get("kept", []),
        "left": [left.model_dump(mode="json") for left in found.left],
        "notes": list(found.notes),
        "snippet": bundle.get("snippet", []),
    }


def _print(found: Optimized, request: TrialRequest) -> None:
    rows = [(row.form, number(row.us, 1), _right(row.right), row.reason or "") for row in found.rows]
    print_table(f"forms on {found.device}", ("form", "us", "right", "why not"), rows)
    if found.left:
        left = [(each.source, ", ".join(each.rules), number(each.speedup), each.reason) for each in found.left]
        say()
        print_table("passes left out", ("pass set", "rules", "speedup", "why"), left)
    say()
    for note in found.notes:
        say(f"note: {note}")
    say(_verdict(found, request))
    if found.bundle is not None:
        say("", f"bundle in {request.out}, after {found.minutes:.1f} minutes:")
        for line in found.bundle.snippet:
            say(f"    {line}")


def _right(right: bool | None) -> str:
    return {True: "yes", False: "no", None: "-"}[right]


def _verdict(found: Optimized, request: TrialRequest) -> str:
    best, choice = found.best, found.choice
    if best is None or choice is None:
        return f"no form of {request.spec} was measured; no bundle was written (--minutes gives more time)"
    lacks = f"; NOT compared with {', '.join(best.not_compared)}" if best.not_compared else ""
    if choice.form.is_eager:
        if choice.baseline is None and not any(row.us is not None for row in found.rows if row.form != best.form):
            return "only eager was measured in the time; no bundle was written (--minutes gives more time)"
        return f"nothing makes {request.spec} measurably faster than eager; no bundle was written{lacks}"
    eager = f"{best.us:.1f} us, {best.speedup_over_eager:.2f} times as fast as eager"
    if choice.form.is_baseline:
        return f"{best.form} is best for this model: {eager}{lacks}"
    if best.ci is None:
        why = lacks or "; no mode of torch.compile is right here"
        return f"{best.form} is best for this model: {eager}{why}"
    over = f"{best.speedup_over_best_torch_compile:.3f} times as fast as {best.best_torch_compile}"
    interval = f"(95 % interval {best.ci[0]:.3f}-{best.ci[1]:.3f})"
    return f"{best.form} is best for this model: {eager}, {over} {interval}{lacks}"
