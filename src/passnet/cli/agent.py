"""`passnet agent`: an author writes passes for tasks and improves them. Prints a table or the machine contract."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from passnet.agent.record.names import AUTHORS, DEFAULT_STEPS, MODELS, SEEDS
from passnet.bench.names import DEVICES, POLICIES
from passnet.cli.console import number, one_of, print_json, print_table, run_path, solved_line
from passnet.errors import UsageError

if TYPE_CHECKING:
    from passnet.agent.run.progress import RunProgress
    from passnet.agent.run.request import AgentRequest


def command(
    path: Path = typer.Argument(..., metavar="PATH", help="Task, directory of tasks, or list (txt, csv, tsv, jsonl)."),
    author: str = typer.Option("distill", help=f"One of: {', '.join(AUTHORS)}."),
    device: str = typer.Option("cpu", help=f"One of: {', '.join(DEVICES)}."),
    policy: str = typer.Option("strict", help=f"Source policy of passes, one of: {', '.join(POLICIES)}."),
    run: str | None = typer.Option(None, help="Name of the run; the same name resumes it. Default: from the time."),
    runs: Path = typer.Option(Path("runs"), help="Directory of run directories."),
    graphs: int | None = typer.Option(None, min=1, help="Only the first N variants of each task."),
    k: int | None = typer.Option(None, "--k", help="Only this many of the tasks, as published. Default: all."),
    start_idx: int = typer.Option(0, help="Only the tasks from this one on, counted from 0."),
    attempts: int = typer.Option(1, help="Episodes per task; the best counts, best@k and pass@k are reported."),
    max_steps: int | None = typer.Option(
        None, min=0, help=f"Tool calls of an episode, 0 for any number. Default: the author's, {DEFAULT_STEPS} mostly."
    ),
    max_evaluations: int = typer.Option(0, min=0, help="Evaluations of an episode; 0 for any number."),
    max_tokens: int = typer.Option(0, min=0, help="Tokens of an episode, prompts included; 0 for any number."),
    max_cost: float = typer.Option(0.0, min=0, help="US dollars of an episode; 0 for any sum."),
    max_minutes: float = typer.Option(0.0, min=0, help="Minutes of an episode; 0 for any time."),
    seed_from: str | None = typer.Option(
        None, help=f"Passes to begin with: {', '.join(SEEDS)}. Default: an empty directory."
    ),
    confirm: bool = typer.Option(True, help="Measure the best of several pass sets once more; that figure counts."),
    jobs: int = typer.Option(1, min=1, help="Episodes at a time, for authors that wait for a network."),
    seed: int = typer.Option(0, help="Seed of an author's random choices."),
    base_url: str | None = typer.Option(None, help="Models: address of the endpoint. Default: OPENAI_BASE_URL."),
    key_env: str | None = typer.Option(None, help="Models: variable that holds the key. Default: OPENAI_API_KEY."),
    temperature: float | None = typer.Option(None, help="Models: 0 to 2. Default: 0."),
    omit: list[str] = typer.Option([], help="Models: a field the endpoint refuses, temperature or seed; repeatable."),
    body: str | None = typer.Option(None, help="Models: fields of every request as JSON, such as max_tokens."),
    context_tokens: int | None = typer.Option(None, help="Models: size of the window, to end before it overflows."),
    price: str | None = typer.Option(None, help="Models: PROMPT,COMPLETION[,CACHED] in $ per million tokens."),
    text_tools: bool = typer.Option(False, "--text-tools", help="Models: calls as text, for models without tools."),
    timeout: float | None = typer.Option(None, help="Models: seconds that one answer may take. Default: 600."),
    retries: int | None = typer.Option(None, help="Models: new tries after a temporary failure. Default: 8."),
    threads: int = typer.Option(1, min=1, help="Threads of every worker."),
    unsandboxed: bool = typer.Option(False, help="Run passes without a sandbox; every record is marked."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what would be done, and write nothing."),
    as_json: bool = typer.Option(False, "--json", help="One JSON document on standard output."),
) -> None:
    """Let an author write passes for tasks. Every step is recorded, and the best pass set is kept."""
    one_of("--device", device, DEVICES)
    one_of("--policy", policy, POLICIES)
    for option, least, found in (("--attempts", 1, attempts), ("--k", 1, k), ("--start-idx", 0, start_idx)):
        if found is not None and found < least:
            raise UsageError("number too small", field=option, expected=f"at least {least}", found=found)
    from passnet.agent.authors.registry import make_author
    from passnet.agent.record.budget import Budget
    from passnet.agent.run.request import AgentRequest
    from passnet.agent.run.session import dry_run as what_would_be_done
    from passnet.agent.run.session import run_agent
    from passnet.bench.record.protocol import make

    options = _set(
        base_url=base_url,
        key_env=key_env,
        temperature=temperature,
        omit=omit or None,
        body=body,
        context_tokens=context_tokens,
        price=price,
        text_tools=text_tools or None,
        timeout_s=timeout,
        retries=retries,
    )
    _check_for_models(options, author, seed_from)
    steps = make_author(author, options).default_steps if max_steps is None else max_steps
    request = AgentRequest(
        path=path,
        author=author,
        device=device,
        protocol=make("direct", device=device, policy=policy, threads=threads, sandbox=not unsandboxed),
        run_path=run_path(runs, run, f"{author.partition(':')[0]}-{device}-{time.strftime('%Y%m%d-%H%M%S')}"),
        budget=Budget(
            steps=steps, evaluations=max_evaluations, tokens=max_tokens, cost_usd=max_cost, wall_s=60.0 * max_minutes
        ),
        attempts=attempts,
        tasks=k,
        start_idx=start_idx,
        seed_from=seed_from,
        graphs=graphs,
        confirm=confirm,
        seed=seed,
        jobs=jobs,
        options=options,
    )
    if dry_run:
        plan = what_would_be_done(request)
        print_json(plan) if as_json else _print_plan(plan)
        return
    with _progress(enabled=sys.stderr.isatty()) as report:
        result = run_agent(request, report)
    print_json(result) if as_json else _print(result, request)


def _set(**options: Any) -> dict[str, Any]:
    """The options that the user gave."""
    return {name: value for name, value in options.items() if value is not None}


def _check_for_models(options: dict[str, Any], *specs: str | None) -> None:
    if options and not any(spec is not None and spec.partition(":")[0] in MODELS for spec in specs):
        flag = next(iter(options)).removesuffix("_s").replace("_", "-")
        raise UsageError("is for models", field=f"--{flag}", expected=f"--author {' or '.join(sorted(MODELS))}:MODEL")


def _print_plan(found: dict[str, Any]) -> None:
    rows = [
        (row["task"], str(row["graphs"]), ", ".join(row["begins_with"]) or "-", ", ".join(row["attempts"]))
        for row in found["tasks"]
    ]
    print_table("", ("task", "variants", "begins with", "episodes"), rows)
    told = ", ".join(f"{name} {value}" for name, value in found["settings"].items() if value not in (None, "", [], {}))
    if told:
        typer.echo(f"\n{found['author']}: {told}")
    typer.echo(f"\nnothing was written; the run would be {found['run']}")


def _print(found: dict[str, Any], request: AgentRequest) -> None:
    rows = [
        (
            row["task"],
            number(row["AS"]),
            number(row["solved"], 2),
            number(row["AS_solved"]),
            number(row["first_AS"]),
            "-" if row["best_step"] is None else str(row["best_step"]),
            str(row["steps"]),
            str(row["evaluations"]),
            f"{row['seconds'] / 60:.1f}",
            number(row["cost_usd"], 2),
            row["exit_reason"],
        )
        for row in found["tasks"]
    ]
    figures = ("AS", "solved", "ties floored", "first AS", "best step")
    print_table("", ("task", *figures, "steps", "evaluations", "minutes", "$", "ended"), rows)
    typer.echo(f"\nAS {number(found['AS'])} over {found['tasks_done']} of {found['tasks_total']} tasks")
    typer.echo(solved_line(found))
    if request.attempts > 1:
        curves = {"best@k": found["best_at_k"], "pass@k": found["pass_at_k"]}
        for name, curve in curves.items():
            typer.echo(f"{name}  " + "  ".join(f"{k}: {value:.3f}" for k, value in enumerate(curve or [], 1)))
    typer.echo(f"pass sets in {request.run_path}/tasks/TASK/passes; records and trajectories beside them")


def _progress(*, enabled: bool) -> AbstractContextManager[Callable[[RunProgress], None]]:
    return _Bar() if enabled else nullcontext(_line)


def _words(progress: RunProgress) -> str:
    """The name of the episode, its last action and its result so far."""
    record: Any = progress.record
    what = {
        "start": "begins",
        "resume": "goes on",
        "message": f"{getattr(record, 'role', '')} says something",
        "step": f"step {getattr(record, 'number', 0)} {getattr(record, 'tool', '') or 'no tool'}",
        "end": f"ended: {getattr(record, 'exit_reason', '')}",
    }[record.kind]
    best = "" if progress.best is None else f", AS {progress.best:.3f}"
    cost = f", {progress.tokens} tokens" if progress.tokens else ""
    cost += f", ${progress.cost_usd:.2f}" if progress.cost_usd else ""
    return f"{progress.task} #{progress.attempt}: {what}{best}{cost}"


def _line(progress: RunProgress) -> None:
    eta = "" if progress.eta_s is None else f" ({progress.eta_s / 60:.0f} min left)"
    typer.echo(f"[{progress.done}/{progress.total}] {_words(progress)}{eta}", err=True)


class _Bar(AbstractContextManager[Any]):
    """A progress bar over episodes on standard error."""

    def __enter__(self) -> Callable[[RunProgress], None]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[eta]}"),
        )
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
        self._bar.start()
        self._task = self._bar.add_task("reading tasks", total=None, eta="")
        return self._advance

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def _advance(self, progress: RunProgress) -> None:
        eta = "" if progress.eta_s is None else f"{progress.eta_s / 60:.0f} min left"
        self._bar.update(
            self._task,
            total=progress.total,
            completed=progress.done,
            description=_words(progress),
            eta=eta,
            refresh=True,
        )
