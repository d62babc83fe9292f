"""Every file that an author supplies may be hostile: the answer is one line and exit code 2, in time."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from passnet.agent.authors.replay import ReplayAuthor
from passnet.agent.run.starting_passes import read_passes
from passnet.bench.record.rescore import Options, rescore
from passnet.errors import UsageError
from passnet.graph import Graph
from passnet.graph.targets import find_targets
from passnet.rewrite import check_policy, read_pass_set
from passnet.rewrite.passes.pass_set import OUTPUT_MANIFEST
from passnet.score.errors import ScoreError
from passnet.score.weights import load_weights
from passnet.use.bundle import read_bundle
from passnet.use.library.store import PassLibrary
from tests.hostile_texts import HOSTILE, put

_TASK = Path(__file__).parents[1] / "data" / "tasks" / "bloom_gelu"
_LIMIT_S = 20
_RULE = "def pattern(x):\n  return x\ndef replacement_args(x):\n  return (x,)\ndef replacement_func():\n  return f\n"
Reader = Callable[[Path], object]


def _passes(directory: Path) -> None:
    for level in ("strict", "native"):
        check_policy(read_pass_set(directory), level)


# The file that is hostile -> what reads the directory in which it lies.
ENTRY_POINTS: Mapping[str, Reader] = {
    OUTPUT_MANIFEST: _passes,
    "Rule.py": _passes,
    "helper.py": _passes,
    "seed.py": read_passes,
    "model.py": Graph.read,
    "weight_meta.py": Graph.read,
    "input_meta.py": Graph.read,
    "input_tensor_constraints.py": Graph.read,
    "graph_net.json": Graph.read,
    "subgraph_sources.json": Graph.read,
    "graph_hash.txt": Graph.read,
    "graph_list.txt": lambda directory: find_targets([directory]),
    "list.txt": lambda directory: find_targets([directory / "list.txt"]),
    "list.csv": lambda directory: find_targets([directory / "list.csv"]),
    "list.tsv": lambda directory: find_targets([directory / "list.tsv"]),
    "list.jsonl": lambda directory: find_targets([directory / "list.jsonl"]),
    "harness.log": lambda directory: rescore(directory / "harness.log", Options()),
    "settings.json": lambda directory: rescore(directory, Options()),
    "records.jsonl": lambda directory: rescore(directory, Options()),
    "weights.json": lambda directory: load_weights(directory / "weights.json"),
    "weights.py": lambda directory: load_weights(directory / "weights.py"),
    "index.json": PassLibrary.read,
    "bundle.json": read_bundle,
    "actions.json": lambda directory: ReplayAuthor.from_file(directory / "actions.json"),
    "actions.jsonl": lambda directory: ReplayAuthor.from_file(directory / "actions.jsonl"),
}


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    """What blocks for ever is an error after a while."""

    def late(*_: object) -> None:
        raise AssertionError(f"still reading after {_LIMIT_S} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(_LIMIT_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that the readers want beside the hostile file, in one directory."""
    directory = tmp_path_factory.mktemp("template")
    shutil.copytree(next(_TASK.rglob("model.py")).parent, directory, dirs_exist_ok=True)
    (directory / "Rule.py").write_text(_RULE)
    (directory / OUTPUT_MANIFEST).write_text('["Rule"]')
    (directory / "settings.json").write_text('{"schema": 1}')
    return directory


@pytest.mark.parametrize("file", ENTRY_POINTS)
def test_a_hostile_file_is_read_or_a_mistake_of_its_author(file: str, template: Path, tmp_path: Path) -> None:
    for number, name in enumerate(HOSTILE):
        directory = tmp_path / str(number)
        shutil.copytree(template, directory)
        if ENTRY_POINTS[file] is _passes:  # a graph's files are no modules of a pass set
            for other in (*directory.glob("model.py"), *directory.glob("*_*.py")):
                other.unlink()
        put(name, directory / file)
        said = ""
        try:
            ENTRY_POINTS[file](directory)
        except (UsageError, ScoreError) as error:
            said = str(error)
        assert len(said) < 2000, name
        shutil.rmtree(directory)


@pytest.mark.parametrize("name", ["open lists", "digits", "half a character", "pipe", "endless", "terminal codes"])
def test_the_command_line_answers_with_one_line(name: str, template: Path, tmp_path: Path) -> None:
    from tests.cli.cli_runner import run

    task = tmp_path / "task"
    shutil.copytree(_TASK, task)
    put(name, task / "pass_dir" / OUTPUT_MANIFEST)
    put(name, tmp_path / "harness.log")
    put(name, tmp_path / "list.txt")
    for arguments in (("check", task), ("score", tmp_path / "harness.log"), ("inspect", tmp_path / "list.txt")):
        done = run(*arguments)
        assert done.code == 2, (arguments, done)
        assert done.err.count("\n") == 1 and done.err.rstrip("\n").isprintable(), done.err


@pytest.mark.parametrize("path", ["a" * 5000, "a/" * 3000, "a\x1bb", "\udcff"])
def test_a_path_may_be_anything(path: str) -> None:
    from tests.cli.cli_runner import run

    for command in ("check", "score", "inspect"):
        done = run(command, path)
        assert done.code == 2, done
        assert done.err.count("\n") == 1 and done.err.rstrip("\n").isprintable()
        assert len(done.err) < 1000


@pytest.mark.parametrize(
    "words", [("report", "--out", "x"), ("eval", "x", "--device"), ("eval", "x", "--run"), ("check",)]
)
def test_a_long_word_is_not_repeated_in_full(words: tuple[str, ...]) -> None:
    from tests.cli.cli_runner import run

    done = run(*words, "a" * 5000)
    assert done.code == 2 and len(done.err) < 2500
    if words[0] != "report":
        assert len(run(*words, "a" * 5000, "--json").out) < 5000
