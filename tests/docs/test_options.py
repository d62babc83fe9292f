"""The page of datasets has every option of `passnet dataset`, and its defaults are those of the commands."""

from __future__ import annotations

import re

import typer

from passnet.cli.main import app
from tests.docs import house

PAGE = (house.ROOT / "docs" / "dataset.md").read_text(encoding="utf-8")
OPTIONS = PAGE[PAGE.index("\n## Options\n") :]


def test_every_option_of_a_dataset_command_is_in_the_table() -> None:
    rows: dict[str, set[str]] = {}
    command = ""
    for first, option, *_ in house.table(OPTIONS):
        command = first.strip("`") or command
        rows.setdefault(command, set()).update(re.findall(r"`(--[\w-]+)`", option))
    shared = {"--json", "--overwrite", "--help", "--full-graphs"}
    for name, child in typer.main.get_command(app).commands["dataset"].commands.items():  # type: ignore[attr-defined]
        options = {found for one in child.params for found in (*one.opts, *one.secondary_opts) if found[:2] == "--"}
        assert options - shared == rows.get(name, set()) - shared, name
    assert all(f"`{option}`" in OPTIONS for option in shared - {"--help"})


def test_defaults_are_those_of_the_commands() -> None:
    commands = typer.main.get_command(app).commands["dataset"].commands  # type: ignore[attr-defined]
    build, split = ({one.name: one.default for one in commands[name].params} for name in ("build", "split"))
    told = (build["eval_tasks"], build["workers"], build["unit_seconds"], build["unit_gib"], split["max_lost"])
    assert told == (200, 2, 120.0, 6, 0.35)
    for words in ("| 200 |", "| 2 |", "| 120, 6 |", "| 0.35 |"):
        assert words in OPTIONS
