"""`passnet harbor`: writes tasks as Harbor task folders."""

from __future__ import annotations

from pathlib import Path

import typer

from passnet.bench.names import DEVICES, POLICIES
from passnet.cli.console import one_of, print_json, say
from passnet.cli.options import AsJson, Device, Graphs, Policy, TaskPath


def command(
    path: TaskPath,
    out: Path = typer.Argument(..., metavar="OUT", help="Directory for the folders; new or empty."),
    device: Device = "cpu",
    policy: Policy = "strict",
    graphs: Graphs = None,
    image: str = typer.Option(
        "python:3.12-slim", help="Image with Python and apt-get that both images are built from."
    ),
    wheel: Path | None = typer.Option(
        None, help="Wheel of passnet to install. Default: one of the PassNet that runs here."
    ),
    agent_minutes: float = typer.Option(60.0, min=1, help="Time of the agent."),
    verifier_minutes: float = typer.Option(30.0, min=1, help="Time of the verifier."),
    overwrite: bool = typer.Option(False, "--overwrite", help="Replace what is there."),
    as_json: AsJson = False,
) -> None:
    """Write tasks as folders for the Harbor framework, which runs agents on them. A second container measures the
    passes.
    """
    one_of("--device", device, DEVICES)
    one_of("--policy", policy, POLICIES)
    from passnet.agent.adapters.harbor import HarborSettings, export_tasks

    settings = HarborSettings(
        device=device,
        policy=policy,
        graphs=graphs,
        image=image,
        wheel=wheel,
        agent_minutes=agent_minutes,
        verifier_minutes=verifier_minutes,
    )
    found = export_tasks(path, out, settings, overwrite=overwrite)
    if as_json:
        print_json({"schema": 1, "out": str(out), "tasks": {name: str(folder) for name, folder in found.items()}})
        return
    say(f"{len(found)} task folders in {out}")
