"""`passnet eval`: apply, verify, time and score. Prints a table or the machine contract."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from passnet.bench.names import (
    COMPILERS_HELP,
    DEVICES,
    ENGINES,
    POLICIES,
    PRECISIONS,
    PROTOCOLS,
    check_compiler,
    file_word,
)
from passnet.cli.console import (
    AT_LEAST,
    check_threads,
    number,
    one_of,
    print_conventions,
    print_json,
    print_table,
    quoted,
    run_path,
    say,
    solved_line,
    speedup_text,
    together,
)
from passnet.cli.options import Precision
from passnet.cli.progress import Tally, progress
from passnet.errors import InfrastructureError, counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passnet.bench.evaluate import EvaluationRequest, Progress, TaskScore
    from passnet.bench.record.records import GraphRecord

SCHEMA = 1


def command(
    paths: list[Path] = typer.Argument(
        ..., metavar="PATH...", help="Task, graph, directory of tasks, list (txt, csv, tsv, jsonl), or bundled name."
    ),
    device: str = typer.Option("cpu", help=f"One of: {', '.join(DEVICES)}."),
    compiler: str = typer.Option("passes", help=COMPILERS_HELP),
    protocol: str = typer.Option("direct", help=f"One of: {', '.join(PROTOCOLS)} (as published, not tamper-proof)."),
    precision: Precision = "2%",
    policy: str = typer.Option("strict", help=f"Source policy of passes, one of: {', '.join(POLICIES)}."),
    run: str | None = typer.Option(None, help="Name of the run; the same name resumes it. Default: from the time."),
    runs: Path = typer.Option(Path("runs"), help="Directory of run directories."),
    graphs: int | None = typer.Option(None, min=1, help="Only the first N graphs of each task."),
    threads: int = typer.Option(1, min=1, help="Threads of every worker."),
    engine: str = typer.Option("local", help=f"One of: {', '.join(ENGINES)}."),
    devices: str | None = typer.Option(
        None, help="Several devices: cpu:0-3,cpu:4-7 or cuda:0,cuda:1. Default: all cores as one, or the first GPU."
    ),
    lanes: int = typer.Option(
        1, min=1, max=8, help="Processes of each device: they build side by side, and use it in turn."
    ),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
    unsandboxed: bool = typer.Option(False, help="Run passes without a sandbox; every record is marked."),
    fail_on_incorrect: bool = typer.Option(False, help="Exit with 1 unless every graph is correct."),
    explain_integrity: bool = typer.Option(False, help="Print every integrity finding with its evidence."),
) -> None:
    """Evaluate passes (or another compiler) on tasks: prove them right, time them against eager, score them."""
    one_of("--device", device, DEVICES)
    check_compiler(compiler, device)
    one_of("--protocol", protocol, PROTOCOLS)
    one_of("--policy", policy, POLICIES)
    one_of("--engine", engine, ENGINES)
    check_threads(threads, here=engine != "ray")
    one_of("--precision", precision, PRECISIONS)
    from passnet.bench.evaluate import EvaluationRequest, conventions_in_all, evaluate, solved_in_all
    from passnet.bench.record.protocol import make
    from passnet.bench.record.run import read_incidents

    place = run_path(runs, run, f"{file_word(compiler)}-{device}-{time.strftime('%Y%m%d-%H%M%S')}")
    settings = make(protocol, device=device, precision=PRECISIONS[precision], policy=policy, threads=threads,
                    sandbox=not unsandboxed)  # fmt: skip
    request = EvaluationRequest(tuple(paths), device, compiler, settings, place, graphs, engine, devices, lanes)
    tally = Tally()
    with progress("starting workers", lambda step: _words(step, tally), _line, lambda step: step.resumed) as report:
        scores = evaluate(request, report)
    again = read_incidents(request.run_path)
    if as_json:
        rows = [score.to_json() for score in scores]
        safe = all(record.tamper_proof for score in scores for record in score.records)
        document = {"schema": SCHEMA, "run": str(request.run_path), "tamper_proof": safe, "tasks": rows}
        document |= solved_in_all(scores).to_json()
        tried_again = [incident.model_dump() for incident in again]
        print_json(document | {"conventions": conventions_in_all(scores), "tried_again": tried_again})
    else:
        _print(scores, request)
        for incident in again:
            where = f" on {incident.device}" if incident.device is not None else ""
            say(*quoted(f"tried again: {incident.task}/{incident.graph}{where}: ", incident.reason))
    if explain_integrity:
        _explain(scores, request)
    failed = [record for score in scores for record in score.records if record.outcome == "infrastructure"]
    if failed:
        name = shlex.quote(request.run_path.name)
        raise InfrastructureError(
            f"the machine failed at {counted(len(failed), 'graph')} without a verdict: "
            f"{failed[0].task}/{failed[0].graph} first; --run {name} and the same words try them again"
        )
    if fail_on_incorrect and any(record.outcome != "correct" for score in scores for record in score.records):
        raise typer.Exit(1)


def _words(step: Progress, tally: Tally) -> str:
    """What was found so far, and the last task."""
    return f"{tally.add(_found(step))}; {step.record.task}"


def _found(step: Progress) -> str:
    """The outcome of a graph. A right one is surely faster, surely slower, or neither."""
    record = step.record
    if record.timing is None:
        return str(record.outcome)
    low, high = record.timing.speedup_ci
    return "faster" if low > 1 else "slower" if high < 1 else "as fast"


def _line(step: Progress) -> str:
    record = step.record
    speed = f" {speedup_text(record.timing)}x" if record.timing else ""
    kept = " (kept)" if step.resumed else ""
    return f"{record.task}/{record.graph}: {record.outcome}{speed}{kept}"


def _print(scores: list[TaskScore], request: EvaluationRequest) -> None:
    from passnet.bench.evaluate import conventions_in_all, solved_in_all

    rows, on_gpu = [], request.device != "cpu"
    for score in scores:
        for record in score.records:
            timing = record.timing
            interval = f"{timing.speedup_ci[0]:.3f}-{timing.speedup_ci[1]:.3f}" if timing else "-"
            rows.append(
                (
                    f"{score.task}/{record.graph}",
                    record.outcome.value,
                    speedup_text(timing),
                    interval,
                    number(timing.deployed_speedup if timing else None),
                    *([number(timing.captured_speedup if timing else None)] if on_gpu else []),
                    *([number(timing.busy_speedup if timing else None)] if on_gpu else []),
                    number(timing.eager_us if timing else None, 1),
                    number(timing.compiled_us if timing else None, 1),
                    _share_text(record.bound_shares),
                    "-" if record.correct_at is None else str(record.correct_at),
                )
            )
    more = ("captured", "device") if on_gpu else ()
    head = ("graph", "outcome", "speedup", "95 % interval", "deployed", *more)
    print_table("", (*head, "eager us", "compiled us", "% of bound", "correct at t"), rows)
    say()
    tasks = [
        (s.task, number(s.aggregated), number(s.solved.share, 2), number(s.solved.aggregated), str(len(s.records)))
        for s in scores
    ]
    print_table("", ("task", "AS", "solved", "ties floored", "graphs"), tasks)
    say(solved_line(solved_in_all(scores).to_json()))
    say()
    print_conventions(conventions_in_all(scores))
    if any(record.timing and record.timing.scored_at == "low" for score in scores for record in score.records):
        say(f"{AT_LEAST} marks a speedup that is scored at the lower end of its interval, since that is wide")
    for score in scores:
        for names, detail in together((record.graph, _detail(record)) for record in score.records if record.detail):
            say(*quoted(f"{score.task}/{names}: ", detail))
    as_published = request.protocol.preset == "paper"
    convention = "published" if as_published else "direct"
    how = f"compiler {request.compiler}, device {request.device}, convention {convention}"
    say("", f"{how}; records in {request.run_path}")
    if as_published:
        say("protocol paper keeps judge, clock and candidate in one process: not tamper-proof")
    if not request.protocol.sandbox:
        say("passes ran without a sandbox: not tamper-proof")
    for line in _next(scores, request):
        say(line)


def _detail(record: GraphRecord) -> str:
    """Why a graph has no speedup. Where no rule matched, the nearest rule says what it met."""
    detail = record.detail or ""
    if record.outcome != "no_match" or not record.near_misses:
        return detail
    miss = record.near_misses[0]
    return f"{detail}; nearest: {miss.get('rule')} at {miss.get('pattern_node')}: {miss.get('reason')}"


def _next(scores: list[TaskScore], request: EvaluationRequest) -> Iterator[str]:
    """What a user may want after this run, as commands."""
    outcomes = {score.task: {str(record.outcome) for record in score.records} for score in scores}
    if request.compiler == "passes":
        missed = (_own_place(request, name) for name, found in outcomes.items() if "no_match" in found)
        place = next((each for each in missed if each is not None), None)
        if place is not None:
            yield f"every near miss: passnet check {shlex.quote(str(place))}"
    if any("unstable" in found for found in outcomes.values()):
        again = shlex.quote(request.run_path.name)
        yield f"unstable: the machine was too busy to tell; in no score; --run {again} and the same words try again"
    yield f"as a page: passnet report {shlex.quote(str(request.run_path))} --out report.html"


def _share_text(shares: tuple[float | None, float | None]) -> str:
    """The candidate's share of the roofline bound, and eager's before it."""
    eager, candidate = (number(None if share is None else 100 * share, 0) for share in shares)
    return "-" if shares == (None, None) else f"{eager} -> {candidate}"


def _explain(scores: list[TaskScore], request: EvaluationRequest) -> None:
    """Every finding with the reason of its check, and the command that repeats it."""
    from passnet.bench.outcome.integrity_checks import explain

    found = [(s, record, finding) for s in scores for record in s.records for finding in record.findings]
    if not found:
        say("no integrity findings", err=True)
    for score, record, finding in found:
        said = f"{score.task}/{record.graph}: {finding.exploit} ({finding.layer}): "
        say(*quoted(said, finding.evidence), err=True)
        reason = explain(finding.exploit)
        if reason:
            say(f"    {reason}", err=True)
    for command in dict.fromkeys(_repeat_command(request, score.task) for score, _, _ in found):
        say(f"again: {command}", err=True)


def _own_place(request: EvaluationRequest, task: str) -> Path | None:
    """The path of one task: as given, or inside a directory that was given. None for a task of a list or of a set."""
    inside = (path / task for path in request.paths if (path / task).is_dir())
    return next((path for path in request.paths if path.name == task), next(inside, None))


def _repeat_command(request: EvaluationRequest, task: str) -> str:
    """The command that evaluates one task again under the same settings, with the same secret inputs."""
    protocol, place = request.protocol, _own_place(request, task)
    paths = [place] if place is not None else request.paths
    parts = ["passnet eval", *(shlex.quote(str(path)) for path in paths), f"--device {request.device}"]
    parts += [f"--policy {protocol.policy}"] if protocol.policy != "strict" else []
    parts += [f"--engine {request.engine}"] if request.engine != "local" else []
    parts += [f"--devices {shlex.quote(request.devices)}"] if request.devices is not None else []
    parts += [f"--graphs {request.graphs}"] if request.graphs is not None else []
    return " ".join([*parts, "--explain-integrity"])
