"""Tasks as Harbor task folders: an image for the agent, and a second image that measures its passes.

The agent cannot reach the second image.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from passnet import __version__
from passnet.agent.adapters import harbor_reward, harbor_texts
from passnet.agent.adapters.packed_wheel import write_wheel
from passnet.agent.adapters.rollouts import target_of, task_paths
from passnet.agent.env import render
from passnet.agent.record.budget import Budget
from passnet.agent.record.exports.turns import SYSTEM
from passnet.agent.run.starting_passes import read_passes
from passnet.agent.workbench.variants import task_hash
from passnet.bench.record.protocol import make
from passnet.errors import UsageError
from passnet.graph import Task
from passnet.graph.targets import Target
from passnet.rewrite.passes.pass_set import INPUT_MANIFEST
from passnet.writing import make_new, new_directory, write_new

SCHEMA = "1.4"
# Where the wheel waits for its folders. The name of none begins with a dot.
_WHEEL = ".wheel"
_UNFIT = re.compile(r"[^a-z0-9._-]+")


@dataclass(frozen=True)
class HarborSettings:
    """How the folders are made.

    `wheel` is a wheel of passnet to install. Without it, the PassNet that runs here is packed into one. `image` is the
    base of both images. It has Python and Debian's package manager.
    """

    device: str = "cpu"
    policy: str = "strict"
    graphs: int | None = None
    image: str = "python:3.12-slim"
    wheel: Path | None = None
    agent_minutes: float = 60.0
    verifier_minutes: float = 30.0
    cpus: int = 2
    memory_mb: int = 8192


def export_tasks(path: Path, out: Path, settings: HarborSettings, *, overwrite: bool = False) -> dict[str, Path]:
    """Write a folder below `out` for each task of a path, all or nothing.

    Returns the folder by the name of its task. Raises UsageError for a path without tasks, for an `out` that is not
    empty, or for a `wheel` that is no wheel.
    """
    wheel = settings.wheel
    if wheel is not None and (wheel.suffix != ".whl" or not wheel.is_file()):
        raise UsageError("no such wheel", path=wheel, expected="a file passnet-*.whl")
    tasks = task_paths(path)
    slugs = {name: _slug(name) for name in tasks}
    if len(set(slugs.values())) < len(slugs):
        raise UsageError("two tasks would have the same folder", path=path, hint="export them one by one")
    with new_directory(out, overwrite=overwrite, read=tasks.values()) as directory:
        aside = make_new(directory, _WHEEL)
        kept = Path(shutil.copy(wheel, aside)) if wheel is not None else write_wheel(aside)
        for name, task in tasks.items():
            _write(make_new(directory, slugs[name]), target_of(task, settings.graphs), settings, kept)
        shutil.rmtree(aside)
    return {name: out / slug for name, slug in slugs.items()}


def _slug(name: str) -> str:
    slug = _UNFIT.sub("-", name.lower()).strip(".-_")
    if not slug:
        raise UsageError("a task without letters in its name cannot be a folder", found=name)
    return slug


def _write(folder: Path, target: Target, settings: HarborSettings, wheel: Path) -> None:
    for part, template in (
        ("environment", harbor_texts.AGENT_DOCKERFILE), ("tests", harbor_texts.VERIFIER_DOCKERFILE),
    ):  # fmt: skip
        make_new(folder, part)
        write_new(folder, f"{part}/Dockerfile", harbor_texts.dockerfile(template, settings.image, wheel.name))
        _place(wheel, folder / part / wheel.name)
        _write_task(folder / part / "task", target)
    reward = Path(harbor_reward.__file__).read_text(encoding="utf-8")
    write_new(folder, "tests/reward.py", reward)
    _script(folder, "tests/test.sh", harbor_texts.TEST.format(options=_measuring(settings)))
    _write_solution(folder / "solution", target, settings)
    write_new(folder, "instruction.md", _instruction(target, settings))
    text = harbor_texts.toml(
        _tables(folder.name, target, settings), {"schema_version": SCHEMA, "artifacts": [harbor_texts.PASSES]}
    )
    write_new(folder, "task.toml", text)


def _place(wheel: Path, place: Path) -> None:
    """One file under many names, where the file system can: hundreds of folders may hold it."""
    try:
        os.link(wheel, place)
    except OSError:
        shutil.copy(wheel, place)


def _measuring(settings: HarborSettings) -> str:
    """The copy holds only the variants that are measured."""
    return f"--device {settings.device} --policy {settings.policy}"


def _write_task(path: Path, target: Target) -> None:
    """The graphs and the fixed passes only."""
    Task.write(path, [graph for _, _, graph in target.graphs])
    if target.const_pass_dir is not None:
        _write_passes(path, target.const_pass_dir.name, read_passes(target.const_pass_dir, INPUT_MANIFEST))


def _write_solution(path: Path, target: Target, settings: HarborSettings) -> None:
    """The task's own passes if it has some. Otherwise the embedded author makes them in the container."""
    own = read_passes(target.pass_dir) if target.pass_dir is not None and target.pass_dir.is_dir() else {}
    if not own:
        _script(path, "solve.sh", harbor_texts.SOLVE_WITH_DISTILL.format(options=_measuring(settings)))
        return
    _script(path, "solve.sh", harbor_texts.SOLVE_WITH_PASSES)
    _write_passes(path, "passes", own)


def _write_passes(path: Path, place: str, files: Mapping[str, str]) -> None:
    directory = make_new(path, place)
    for name, text in files.items():
        write_new(directory, name, text)


def _script(path: Path, name: str, text: str) -> None:
    write_new(path, name, text).chmod(0o755)


def _instruction(target: Target, settings: HarborSettings) -> str:
    return harbor_texts.INSTRUCTION.format(
        name=target.name,
        system=SYSTEM,
        workspace=harbor_texts.WORKSPACE,
        passes=harbor_texts.PASSES,
        options=_measuring(settings),
        opening=render.opening(target, settings.device, settings.policy, Budget(steps=0), ()),
    )


def _tables(slug: str, target: Target, settings: HarborSettings) -> Mapping[str, Mapping[str, object]]:
    gpus = {"gpus": 1} if settings.device == "cuda" else {}
    machine = {"cpus": settings.cpus, "memory_mb": settings.memory_mb, **gpus}
    return {
        "task": {"name": f"passnet/{slug}", "description": "Write compiler passes that make a PyTorch graph faster."},
        "metadata": {
            "passnet": __version__,
            "task": target.name,
            "task_hash": task_hash(target),
            "device": settings.device,
            "policy": settings.policy,
            "protocol_hash": make("direct", device=settings.device, policy=settings.policy).content_hash,
            "variants": [name for name, _, _ in target.graphs],
        },
        "agent": {"timeout_sec": 60.0 * settings.agent_minutes, "user": "agent"},
        "verifier": {"timeout_sec": 60.0 * settings.verifier_minutes, "environment_mode": "separate"},
        "verifier.environment": {"network_mode": "no-network", **machine},
        "environment": machine,
    }
