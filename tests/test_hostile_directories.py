"""Directories of strangers: links lead nobody to the user's files, wrong settings are one line and no traceback."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from passnet import authored
from passnet.agent.adapters.harbor import HarborSettings, export_tasks
from passnet.agent.env.state import BEST_DIR
from passnet.agent.run.starting_passes import read_passes, starting_passes
from passnet.bench.engine.bench import Bench
from passnet.bench.engine.unit import UnitGraph
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.run import Run
from passnet.dataset.exchange.importing import RefusedSample, read_directory
from passnet.errors import UsageError
from passnet.graph import Graph, Task
from passnet.graph.graph import CONTENT_FILES
from passnet.graph.targets import find_targets
from passnet.rewrite.passes.pass_set import INPUT_MANIFEST
from passnet.use.library.add import add_run
from tests.cli.cli_runner import assert_one_clear_line, run
from tests.report.recorded_runs import benchmark, write_run

_TASK = Path(__file__).parents[1] / "data" / "tasks" / "bloom_gelu"
_SECRET = "the user's own"


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A task whose graphs and passes link to a file of the user."""
    (tmp_path / "secret").write_text(_SECRET)
    task = Path(shutil.copytree(_TASK, tmp_path / "task"))
    (task / "const_pass_dir").mkdir()
    (task / "const_pass_dir" / INPUT_MANIFEST).write_text("[]")
    for directory in (_graph(task), task / "const_pass_dir"):
        (directory / "notes.txt").symlink_to(tmp_path / "secret")
    return task


def _graph(task: Path) -> Path:
    return next(task.rglob("model.py")).parent


def _texts(directory: Path) -> list[str]:
    return [path.read_text(errors="replace") for path in directory.rglob("*") if path.is_file()]


def test_a_candidate_sees_what_a_graph_is_read_from_and_nothing_else(task: Path, tmp_path: Path) -> None:
    with Bench("cpu", "passes", Protocol(), tmp_path, pairs=1) as bench:
        staged = Path(bench.pairs[0].staged(_graph(task)))
        assert (staged / "model.py").exists()
        assert _SECRET not in _texts(staged)


def test_an_import_takes_no_files_from_elsewhere(task: Path) -> None:
    found = list(read_directory(_graph(task), task))
    assert any(isinstance(item, RefusedSample) and item.part and "notes.txt" in item.path for item in found)
    assert not any(_SECRET in repr(item) for item in found)


def test_an_export_takes_no_files_from_elsewhere(task: Path, tmp_path: Path) -> None:
    export_tasks(task, tmp_path / "out", HarborSettings())
    assert _SECRET not in _texts(tmp_path / "out")


def test_passes_to_begin_with_are_not_links_out(task: Path, tmp_path: Path) -> None:
    (task / "pass_dir" / "notes.py").symlink_to(tmp_path / "secret")
    with pytest.raises(UsageError, match="a link that leaves the directory"):
        read_passes(task / "pass_dir")


# Files of a graph, and what the user's own file must hold so that a careless reader takes it for one.
_OF_GRAPH = {
    "graph_hash.txt": _SECRET, "subgraph_sources.json": '{"key": "the user\'s own"}', "graph_net.json":
    '{"key": "the user\'s own"}', "input_tensor_constraints.py": "", "input_meta.py": "# the user's own\n",
}  # fmt: skip


@pytest.mark.parametrize("name", _OF_GRAPH)
def test_no_file_of_a_graph_is_a_file_of_the_user(name: str, tmp_path: Path) -> None:
    graph = Path(shutil.copytree(_graph(_TASK), tmp_path / "tree" / "graph"))
    (tmp_path / "secret").write_text(_OF_GRAPH[name])
    (graph / name).unlink(missing_ok=True)
    (graph / name).symlink_to(tmp_path / "secret")
    assert_one_clear_line(run("inspect", graph), name, "a link that leaves the directory")
    (found,) = read_directory(graph, graph.parent)
    assert isinstance(found, RefusedSample) and not found.part and "a link that leaves the directory" in found.reason
    with pytest.raises(OSError, match="a link that leaves the directory"):
        UnitGraph.read("g", graph, "g") if name in CONTENT_FILES else authored.read_inside(graph / name)


def test_a_link_within_a_graph_is_read(tmp_path: Path) -> None:
    graph = Path(shutil.copytree(_graph(_TASK), tmp_path / "graph"))
    (graph / "model.py").rename(graph / "other.py")
    (graph / "model.py").symlink_to("other.py")
    (tmp_path / "linked").symlink_to(graph)
    assert Graph.read(tmp_path / "linked") == Graph.read(_graph(_TASK)).renamed("graph")


@pytest.mark.parametrize("name", ["graph_list.txt", "sample_uids.txt", "pass_dir", "const_pass_dir"])
def test_no_part_of_a_task_is_the_users_own(name: str, task: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    if name.endswith("_dir"):
        mine.mkdir()
        (mine / "secret.py").write_text(f"# {_SECRET}\n")
    else:
        mine.write_text((task / name).read_text() if (task / name).exists() else _SECRET)
    if (task / name).is_dir():
        shutil.rmtree(task / name)
    (task / name).unlink(missing_ok=True)
    (task / name).symlink_to(mine)
    assert_one_clear_line(run("harbor", task, tmp_path / "out"), name, "link")
    assert not (tmp_path / "out").exists()
    done = run("dataset", "import", task, tmp_path / "store")
    assert done.code == 1 and f"{name}: " in done.out and "link" in done.out
    assert run("dataset", "export", tmp_path / "store", tmp_path / "out", "--form", "graphs").code == 0
    assert not any(_SECRET in text for text in _texts(tmp_path / "out"))


def test_a_directory_of_passes_may_be_a_link_within_its_task(task: Path) -> None:
    (task / "pass_dir").rename(task / "mine")
    (task / "pass_dir").symlink_to("mine")
    assert Task.read(task).pass_dir.is_dir()


def test_passes_of_another_run_are_no_directory_of_the_user(tmp_path: Path) -> None:
    (target,) = find_targets([_TASK])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "secret.py").write_text(f"# {_SECRET}\n")
    kept = tmp_path / "run" / "tasks" / target.name
    kept.mkdir(parents=True)
    (kept / BEST_DIR).symlink_to(tmp_path / "mine")
    with pytest.raises(UsageError, match="a link leads out of the run"):
        starting_passes(str(tmp_path / "run"), tmp_path)(target)


@pytest.mark.parametrize(
    "name", ["settings.json.partial", "environment.json.partial", "records.jsonl", "logs", "tasks"]
)
def test_a_run_is_not_written_through_links(name: str, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text(_SECRET)
    run = tmp_path / "run"
    if not name.endswith(".partial"):
        Run.open(run, {}, {}).close()
    run.mkdir(exist_ok=True)
    (run / name).symlink_to(tmp_path / "mine")
    with pytest.raises(UsageError, match="no links"):
        Run.open(run, {}, {})
    assert (tmp_path / "mine").read_text() == _SECRET


@pytest.mark.parametrize(
    "settings",
    [
        {"paths": 5}, {"paths": [5]}, {"paths": ["\0"]}, {"paths": ["a" * 5000]}, {"paths": None}, {"graphs": "x"},
        {"graphs": {}}, {"graphs": -1}, {"protocol": []}, {"protocol": {"policy": "none"}}, {"device": 5},
        {"device": "tpu"}, {"compiler": []},
    ],
)  # fmt: skip
def test_settings_of_wrong_forms_are_mistakes(settings: dict[str, object], tmp_path: Path) -> None:
    given = {"schema": 1, "compiler": "passes", "device": "cpu", "paths": [], **settings}
    (tmp_path / "settings.json").write_text(json.dumps(given))
    (tmp_path / "environment.json").write_text("{}")
    with pytest.raises(UsageError, match=r"settings\.json"):
        list(add_run(tmp_path / "library", tmp_path))


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "run", "--out", "run", "--logs-only", "--overwrite"),
        ("export", "run", "--out", ".", "--logs-only", "--overwrite"),
        ("leaderboard", "run", "--out", "../runs", "--overwrite"),
        ("report", "run", "--out", "run/records.jsonl"),
        ("compare", "run", "other", "--csv", "run/records.jsonl"),
        ("dataset", "import", "task", "task", "--overwrite"),
        ("harbor", "task", "task", "--overwrite"),
    ],
)
def test_no_command_writes_over_what_it_reads(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = tmp_path / "runs"
    for name in ("run", "other"):
        write_run(runs / name, benchmark(2, 2))
    shutil.copytree(_TASK, runs / "task")
    before = _files(tmp_path)
    monkeypatch.chdir(runs)
    assert_one_clear_line(run(*arguments))
    assert _files(tmp_path) == before


def _files(directory: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.mark.parametrize("command", ["report", "leaderboard", "compare", "score", "export", "submit"])
def test_a_link_to_itself_is_no_run(command: str, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    more = {"report": ("--out", tmp_path / "page.html"), "compare": (loop,), "submit": ()}
    paths = ("check", loop) if command == "submit" else (loop,)
    out = more.get(command, ("--out", tmp_path / "out") if command in {"leaderboard", "export"} else ())
    assert_one_clear_line(run(command, *paths, *out))


@pytest.mark.parametrize("arguments", [("bisect", "loop", "--compiler", "passes"), ("optimize", "nowhere:f")])
def test_a_link_to_itself_is_no_place_to_write(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    assert_one_clear_line(run(*arguments, "--out", "loop"))


@pytest.mark.parametrize("name", ["http:", "\udce9"])
def test_a_dataset_may_have_any_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = Path(name) / "data"
    done = run("dataset", "import", _TASK, out)
    assert done.code == 0, done
    assert run("dataset", "verify", out).code == 0
