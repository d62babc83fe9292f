"""`passnet agent`: an author writes passes for tasks and improves them. Prints a table or the machine contract."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passnet.agent.record.names import AUTHORS, DEFAULT_STEPS, MODELS
from passnet.bench.names import DEVICES, POLICIES, PRECISIONS
from passnet.cli.console import check_threads, number, one_of, print_json, print_table, run_path, say, solved_line
from passnet.cli.options import (
    AsJson,
    BeginWith,
    Confirm,
    Device,
    Evaluations,
    Graphs,
    Minutes,
    Policy,
    Precision,
    RunName,
    RunsPath,
    TaskPath,
    Threads,
    Unsandboxed,
)
from passnet.cli.progress import bar_columns, in_words
from passnet.errors import UsageError, counted

if TYPE_CHECKING:
    from passnet.agent.run.progress import RunProgress
    from passnet.agent.run.request import AgentRequest


Steps = Annotated[
    int | None,
    typer.Option(
        min=0, help=f"Tool calls of an episode, 0 for any number. Default: the author's, {DEFAULT_STEPS} mostly."
    ),
]


def command(
    path: TaskPath,
    author: Annotated[str, typer.Option(help=f"One of: {', '.join(AUTHORS)}.")] = "distill",
    device: Device = "cpu",
    policy: Policy = "strict",
    precision: Precision = "2%",
    run: RunName = None,
    runs: RunsPath = Path("runs"),
    graphs: Graphs = None,
    k: int | None = typer.Option(None, "--k", help="Only this many of the tasks, as published. Default: all."),
    start_idx: int = typer.Option(0, help="Only the tasks from this one on, counted from 0."),
    attempts: int = typer.Option(1, help="Episodes per task; the best counts, best@k and pass@k are reported."),
    max_steps: Steps = None,
    max_evaluations: Evaluations = 0,
    max_tokens: int = typer.Option(0, min=0, help="Tokens of an episode, prompts included; 0 for any number."),
    max_cost: float = typer.Option(0.0, min=0, help="US dollars of an episode; 0 for any sum."),
    max_minutes: Minutes = 0.0,
    seed_from: BeginWith = None,
    confirm: Confirm = True,
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
    threads: Threads = 1,
    unsandboxed: Unsandboxed = False,
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what would be done, and write nothing."),
    as_json: AsJson = False,
) -> None:
    """Let an author write passes for tasks. Every step is recorded, and the best pass set is kept."""
    one_of("--device", device, DEVICES)
    one_of("--policy", policy, POLICIES)
    one_of("--precision", precision, PRECISIONS)
    check_threads(threads)
    _at_least(("--attempts", 1, attempts), ("--k", 1, k), ("--start-idx", 0, start_idx))
    from passnet.agent.authors.registry import make_author
    from passnet.agent.record.budget import Budget
    from passnet.agent.run.request import AgentRequest
    from passnet.bench.record.protocol import make

    options = _given(base_url=base_url, key_env=key_env, temperature=temperature, omit=omit or None, body=body,
                     context_tokens=context_tokens, price=price, text_tools=text_tools or None, timeout_s=timeout,
                     retries=retries)  # fmt: skip
    _check_for_models(options, author, seed_from)
    steps = make_author(author, options).default_steps if max_steps is None else max_steps
    default = f"{author.partition(':')[0]}-{device}-{time.strftime('%Y%m%d-%H%M%S')}"
    request = AgentRequest(
        path, author, device,
        make("direct", device=device, precision=PRECISIONS[precision], policy=policy, threads=threads,
             sandbox=not unsandboxed),
        run_path(runs, run, default), Budget(steps=steps, evaluations=max_evaluations, tokens=max_tokens,
                                             cost_usd=max_cost, wall_s=60.0 * max_minutes),
        attempts=attempts, tasks=k, start_idx=start_idx, seed_from=seed_from, graphs=graphs, confirm=confirm,
        seed=seed, jobs=jobs, options=options,
    )  # fmt: skip
    _plan(request, as_json=as_json) if dry_run else _play(request, as_json=as_json)


def _play(request: AgentRequest, *, as_json: bool) -> None:
    from passnet.agent.run.session import run_agent

    with _progress(enabled=sys.stderr.isatty()) as report:
        result = run_agent(request, report)
    print_json(result) if as_json else _print(result, request)


def _plan(request: AgentRequest, *, as_json: bool) -> None:
    from passnet.agent.run.session import dry_run

    plan = dry_run(request)
    print_json(plan) if as_json else _print_plan(plan)


def _at_least(*options: tuple[str, int, int | None]) -> None:
    for option, least, found in options:
        if found is not None and found < least:
            raise UsageError("number too small", field=option, expected=f"at least {least}", found=found)


def _given(**options: object) -> dict[str, object]:
    """The options that the user gave."""
    return {name: value for name, value in options.items() if value is not None}


def _check_for_models(options: dict[str, object], *specs: str | None) -> None:
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
        say("", f"{found['author']}: {told}")
    say("", f"nothing was written; the run would be {found['run']}")


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
    say("", f"AS {number(found['AS'])} over {found['tasks_done']} of {found['tasks_total']} tasks")
    say(solved_line(found))
    if request.attempts > 1:
        curves = {"best@k": found["best_at_k"], "pass@k": found["pass_at_k"]}
        for name, curve in curves.items():
            say(f"{name}  " + "  ".join(f"{k}: {value:.3f}" for k, value in enumerate(curve or [], 1)))
        if found["log2_std"] is not None:
            say(f"between attempts at a task, AS deviates by a factor of {2 ** found['log2_std']:.2f}")
    if request.attempts > 1 or found["pass_fail_pass"]:
        say(f"right, then wrong, then right again: {counted(found['pass_fail_pass'], 'time')}")
    say(f"pass sets in {request.run_path}/tasks/TASK/passes; records and trajectories beside them")


def _progress(*, enabled: bool) -> AbstractContextManager[Callable[[RunProgress], None]]:
    return _Bar() if enabled else nullcontext(_line)


def _words(progress: RunProgress) -> str:
    """The name of the episode, its last action and its result so far."""
    record = progress.record
    match record.kind:
        case "start":
            what = "begins"
        case "resume":
            what = "goes on"
        case "message":
            what = f"{record.role} says something"
        case "step":
            what = f"step {record.number} {record.tool or 'no tool'}"
        case "end":
            what = f"ended: {record.exit_reason}"
    best = "" if progress.best is None else f", AS {progress.best:.3f}"
    cost = f", {progress.tokens} tokens" if progress.tokens else ""
    cost += f", ${progress.cost_usd:.2f}" if progress.cost_usd else ""
    return f"{progress.task} #{progress.attempt}: {what}{best}{cost}"


def _line(progress: RunProgress) -> None:
    eta = in_words(progress.eta_s)
    say(f"[{progress.done}/{progress.total}] {_words(progress)}{f' ({eta})' if eta else ''}", err=True)


class _Bar(AbstractContextManager["Callable[[RunProgress], None]"]):
    """A progress bar over episodes on standard error."""

    def __enter__(self) -> Callable[[RunProgress], None]:
        from rich.console import Console
        from rich.progress import Progress

        self._bar = Progress(*bar_columns(), console=Console(stderr=True), transient=True, auto_refresh=False)
        self._bar.start()
        self._task = self._bar.add_task("reading tasks", total=None, eta="")
        return self._advance

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def _advance(self, progress: RunProgress) -> None:
        eta = in_words(progress.eta_s)
        self._bar.update(
            self._task,
            total=progress.total,
            completed=progress.done,
            description=_words(progress),
            eta=eta,
            refresh=True,
        )
