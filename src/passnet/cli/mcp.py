"""`passnet mcp`: serves the tools of an episode to a coding assistant. Standard output carries only the protocol."""

from __future__ import annotations

import time
from pathlib import Path

import typer

from passnet.bench.names import DEVICES, POLICIES, PRECISIONS
from passnet.cli.console import check_threads, number, one_of, run_path, say, solved_line
from passnet.cli.options import (
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
from passnet.errors import MissingExtra, optional_module


def command(
    path: TaskPath,
    device: Device = "cpu",
    policy: Policy = "strict",
    precision: Precision = "2%",
    run: RunName = None,
    runs: RunsPath = Path("runs"),
    graphs: Graphs = None,
    max_steps: int = typer.Option(0, min=0, help="Tool calls of an episode; 0 for any number."),
    max_evaluations: Evaluations = 0,
    max_minutes: Minutes = 0.0,
    seed_from: BeginWith = None,
    confirm: Confirm = True,
    threads: Threads = 1,
    unsandboxed: Unsandboxed = False,
) -> None:
    """Serve tasks to a coding assistant over the Model Context Protocol (standard input and output)."""
    one_of("--device", device, DEVICES)
    one_of("--policy", policy, POLICIES)
    one_of("--precision", precision, PRECISIONS)
    check_threads(threads)
    try:
        from passnet.mcp.server import serve
    except ModuleNotFoundError as missing:
        if optional_module(missing) not in {"mcp", "mcp_types", "anyio"}:
            raise
        raise MissingExtra("the server", "mcp") from missing
    from passnet.agent.record.budget import Budget
    from passnet.agent.run.request import AgentRequest
    from passnet.bench.record.protocol import make

    request = AgentRequest(
        path=path,
        author="mcp",
        device=device,
        protocol=make(
            "direct",
            device=device,
            precision=PRECISIONS[precision],
            policy=policy,
            threads=threads,
            sandbox=not unsandboxed,
        ),
        run_path=run_path(runs, run, f"mcp-{device}-{time.strftime('%Y%m%d-%H%M%S')}"),
        budget=Budget(steps=max_steps, evaluations=max_evaluations, wall_s=60.0 * max_minutes),
        seed_from=seed_from,
        graphs=graphs,
        confirm=confirm,
    )
    say(f"passnet: serving {path}; its run is {request.run_path}", err=True)
    found = serve(request)
    if found is not None:
        done = f"{found['tasks_done']} of {found['tasks_total']} episodes are over"
        scores = f"AS {number(found['AS'])}, {solved_line(found)}"
        say(f"passnet: {done}, {scores}; records in {found['run']}", err=True)
