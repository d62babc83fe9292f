"""Every code block of the pages runs, is run by another test, or says why not. What does not run is counted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer

from passnet.cli.main import app
from tests.docs import house
from tests.docs.blocks import KINDS, PAGES, SHOWN, Block, blocks, every
from tests.docs.setups import SETUPS

# The Chinese README has the blocks of the other one; a test of its own compares them.
RUN = [page for page in PAGES if page.name != "README.zh-CN.md" and any(b.kind == "run" for b in blocks(page))]
# Tasks of which a page says `data/tasks`; here each has one graph, so that a block takes seconds.
SMALL = ("bloom_gelu", "bert_add_norm")
LIMIT_S = 900
# What is read rather than run.
PARSED = {"json": json.loads, "toml": tomllib.loads}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A directory with a small `data`, where a reader would stand."""
    data = tmp_path / "data"
    (data / "tasks").mkdir(parents=True)
    for name in SMALL:
        task = data / "tasks" / name
        shutil.copytree(house.ROOT / "data" / "tasks" / name, task)
        listed = task / "graph_list.txt"
        listed.write_text(listed.read_text().splitlines()[0] + "\n")
    (data / "dataset").symlink_to(house.ROOT / "data" / "dataset")
    (tmp_path / "benchmarks").symlink_to(house.ROOT / "benchmarks")
    return tmp_path


def done(block: Block, home: Path) -> str:
    """What a block prints. Fails with all that it wrote where it ends with another exit code than 0."""
    if block.language == "sh":
        command = ["bash", "-euo", "pipefail", "-c", block.text]
    else:
        before, after = SETUPS[block.setup.replace("-", " ")] if block.setup else ("", "")
        command = [sys.executable, "-c", f"{before}\n{block.text}\n{after}"]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    found = subprocess.run(
        command,
        cwd=home,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert found.returncode == 0, f"{block.place}: exit code {found.returncode}\n{found.stdout}{found.stderr}"
    return found.stdout


def run_all(page: Path, home: Path, *, slow: bool) -> None:
    printed: str | None = None
    for block in blocks(page):
        if block.kind == "file":
            path = home / block.words
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.kind == "output":
            assert printed is None or printed == block.text, f"{block.place}: the block before it prints something else"
        elif block.language in PARSED:
            PARSED[block.language](block.text)
        elif block.kind == "run":
            printed = done(block, home) if slow or not block.slow else None


@pytest.mark.parametrize("page", RUN, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_blocks_run(page: Path, home: Path) -> None:
    run_all(page, home, slow=False)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "page",
    [page for page in RUN if any(b.slow for b in blocks(page))],
    ids=lambda page: f"{page.parent.name}-{page.stem}",
)
def test_slow_blocks_run(page: Path, home: Path) -> None:
    run_all(page, home, slow=True)


@pytest.mark.parametrize("block", every(), ids=lambda block: block.place)
def test_a_block_says_how_it_is_tested(block: Block) -> None:
    assert block.kind in (*KINDS, "shown"), block.place
    if block.kind == "shown":
        assert block.language in SHOWN, f"{block.place}: {block.language} is neither run nor marked"
    if block.kind == "not run":
        assert len(block.words.split()) >= 4, f"{block.place}: the reason is too short to be one"
    if block.kind == "tested":
        test = (house.ROOT / block.words).read_text(encoding="utf-8")
        assert f'"{block.page.name}"' in test, f"{block.place}: {block.words} does not read {block.page.name}"
    if block.kind == "run" and block.setup:
        assert block.setup.replace("-", " ") in SETUPS, block.place


def test_blocks_that_do_not_run_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    code = [block for block in every() if block.language not in SHOWN and "zh-CN" not in block.page.name]
    left = [block for block in code if block.kind == "not run"]
    with capsys.disabled():
        print(f"\n{len(left)} of {len(code)} code blocks do not run:")  # noqa: T201
        for block in left:
            print(f"  {block.place}: {block.words}")  # noqa: T201
    assert 2 * len(left) <= len(code), "too many blocks do not run"


@pytest.mark.parametrize(
    ("place", "words"),
    [(block.place, words) for block in every() for words in block.commands],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_commands_of_all_blocks_are_understood(place: str, words: list[str]) -> None:
    """Commands, options and their values are parsed as the program does it, for blocks that do not run too."""
    command, left = typer.main.get_command(app), list(words)
    while isinstance(command, typer.core.TyperGroup) and not left[0].startswith("-"):
        inner = command.get_command(None, left[0])
        assert inner is not None, f"{place}: no command {left[0]}"
        command, left = inner, left[1:]
    if isinstance(command, typer.core.TyperGroup):
        assert left[0] in {name for option in command.params for name in option.opts}, f"{place}: no option {left[0]}"
    else:
        command.make_context(words[0], [word.replace("\0", " ") for word in left])


def test_a_wrong_block_is_told(home: Path) -> None:
    wrong = Block(house.ROOT / "README.md", 1, "sh", "", "passnet eval data/tasks/none\n", "run", "")
    with pytest.raises(AssertionError, match="exit code 2"):
        done(wrong, home)


def test_an_output_that_differs_is_told(home: Path, tmp_path: Path) -> None:
    page = house.ROOT / "docs" / "scoring.md"
    copy = tmp_path / "docs" / "scoring.md"
    copy.parent.mkdir()
    copy.write_text(page.read_text(encoding="utf-8").replace("0.271 0.737", "0.271 0.738"), encoding="utf-8")
    with pytest.raises(AssertionError, match="prints something else"):
        run_all(copy, home, slow=False)
