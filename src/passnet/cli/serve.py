"""`passnet serve`: rewards over HTTP for trainers, until Ctrl-C or SIGTERM."""

from __future__ import annotations

from pathlib import Path

import typer

from passnet.bench.isolation.allowance import REWARD_LIMIT_S
from passnet.bench.names import DEVICES, PRECISIONS
from passnet.cli.console import one_of, say
from passnet.cli.options import Device
from passnet.errors import MissingExtra, optional_module


def command(
    host: str = typer.Option("127.0.0.1", help="Address to listen on; only of this machine unless --public."),
    port: int = typer.Option(8421, min=0, max=65535, help="Port to listen on; 0 takes a free one."),
    device: Device = "cpu",
    devices: str | None = typer.Option(None, help="Several devices: cpu:0-3,cpu:4-7 or cuda:0,cuda:1."),
    queue: int = typer.Option(64, min=0, help="Requests that may wait beside those that are judged."),
    precision: str = typer.Option("5%", help=f"One of: {', '.join(PRECISIONS)}."),
    tasks: list[Path] = typer.Option(
        [], help="What requests may name: a task, a directory of tasks, a list, or bundled ones by name; repeatable."
    ),
    graphs: int | None = typer.Option(None, min=1, help="Only the first N graphs of each task."),
    limit: float = typer.Option(
        REWARD_LIMIT_S,
        min=1.0,
        help="Seconds that the passes of a request may take over all graphs, and that it may wait.",
    ),
    public: bool = typer.Option(False, help="Listen on other addresses too; tasks are then named, not given by path."),
) -> None:
    """Answer `POST /reward {"task": NAME, "passes": {FILE: TEXT}}` with a reward; also GET /health and /metrics."""
    one_of("--device", device, DEVICES)
    one_of("--precision", precision, tuple(PRECISIONS))
    try:
        from passnet.rewards.app import bound, serve
    except ModuleNotFoundError as missing:
        module = optional_module(missing)
        if module not in {"starlette", "uvicorn", "anyio"}:
            raise
        raise MissingExtra("the service", module, extra="serve") from missing
    from passnet.rewards.catalogue import TaskCatalogue
    from passnet.rewards.service import RewardService
    from passnet.rewards.session import RewardSession

    catalogue = TaskCatalogue(tasks)
    with bound(host, port, public=public) as sock:
        service = RewardService(
            lambda: RewardSession(device, precision=precision, devices=devices, graphs=graphs, limit_s=limit),
            most=queue,
            tasks=catalogue,
            paths=not public,
        )
        place = f"http://{host}:{sock.getsockname()[1]}/reward"
        try:
            service.start()
            serve(service, sock, lambda: say(f"passnet: rewards at {place}; Ctrl-C stops", err=True))
        finally:
            service.close()
