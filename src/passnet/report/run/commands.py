"""The commands that make a run's figures again, as its settings give them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from passnet.authored import is_path, one_line
from passnet.graph import bundled
from passnet.report.run.reading import RunData

_LONGEST: Final = 4000
_OPTIONS: Final = {"steps": "--max-steps", "evaluations": "--max-evaluations", "tokens": "--max-tokens",
                   "cost_usd": "--max-cost"}  # fmt: skip


def run_commands(run: RunData) -> list[tuple[str, str]]:
    """What a command is for, and the command."""
    place = _quoted(run.path.name)
    return [
        ("measure again, as another run", measure_command(run, _paths(run))),
        ("compute the scores again from the records, beside the run's directory", f"passnet score {place} --json"),
    ]


def task_command(run: RunData, task: str, place: Path | None = None) -> str:
    """The command that judges one task again: by the name of a bundled one, else by its place at or below a path.

    `place`: where the task is, if a list names it.
    """
    if bundled.place_of(task) is not None and any(bundled.place_of(path) is not None for path in _paths(run)):
        return measure_command(run, [task])
    paths = [Path(path) for path in _paths(run)]
    inside = [path / task for path in paths if is_path(str(path / task)) and (path / task).is_dir()]
    own = [path for path in paths if path.name == task] or inside or ([place] if place is not None else [])
    return measure_command(run, [str(path) for path in own] or _paths(run))


def measure_command(run: RunData, paths: list[str]) -> str:
    """The command that measures with the settings of a run. Settings that have no option are not in it."""
    protocol = run.settings.get("protocol")
    settings: Mapping[str, Any] = protocol if isinstance(protocol, dict) else {}
    words = ["passnet", "agent" if run.is_agent else "eval", *map(_quoted, paths), "--device", _quoted(run.device)]
    if run.is_agent:
        words += _author_words(run.settings)
    else:
        words += ["--compiler", _word(run.settings.get("compiler"), "passes")]
        words += ["--protocol", "paper"] if settings.get("preset") == "paper" else []
    precision = settings.get("precision")
    words += ["--precision", f"{100 * precision:g}%"] if isinstance(precision, (int, float)) else []
    words += ["--policy", "native"] if settings.get("policy") == "native" else []
    threads = settings.get("threads")
    words += ["--threads", str(threads)] if isinstance(threads, int) and threads != 1 else []
    words += ["--graphs", str(run.settings["graphs"])] if isinstance(run.settings.get("graphs"), int) else []
    words += ["--unsandboxed"] if settings.get("sandbox") is False else []
    command = " ".join(words)
    return command if len(command) <= _LONGEST else f"{command[:_LONGEST]} ... (cut here)"


def _author_words(settings: Mapping[str, Any]) -> list[str]:
    words = ["--author", _word(settings.get("author"), "distill")]
    attempts = settings.get("attempts")
    words += ["--attempts", str(attempts)] if isinstance(attempts, int) and attempts != 1 else []
    budget = settings.get("budget")
    for name, option in _OPTIONS.items():
        value = budget.get(name) if isinstance(budget, dict) else None
        words += [option, f"{value:g}"] if isinstance(value, (int, float)) and value else []
    seed = settings.get("seed_from")
    return [*words, "--seed-from", _quoted(seed)] if isinstance(seed, str) else words


def _paths(run: RunData) -> list[str]:
    given = run.settings.get("paths")
    return [path for path in given if isinstance(path, str)] if isinstance(given, list) else []


def _word(value: object, otherwise: str) -> str:
    return _quoted(value) if isinstance(value, str) else otherwise


def _quoted(text: str) -> str:
    return shlex.quote(one_line(text))
