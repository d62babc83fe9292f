"""What a path stands for: lists of tasks and graphs as published, names that no run could hold, lists without end."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from passnet.errors import UsageError
from passnet.graph import Task, discover
from passnet.graph.targets import find_targets

BUNDLED = Path(__file__).parents[2] / "data" / "tasks"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository in the published layout: two tasks, and a folder of lists two levels down."""
    for name in ("bloom_gelu", "phi3_swiglu"):
        shutil.copytree(BUNDLED / name, tmp_path / "samples" / name)
    (tmp_path / "lists" / "eval").mkdir(parents=True)
    return tmp_path


def listed(root: Path, name: str, *lines: str) -> Path:
    path = root / "lists" / "eval" / name
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def graphs_of(task: Path) -> list[Path]:
    return [task / line for line in (task / "graph_list.txt").read_text().split()]


def test_a_published_list_counts_from_the_root(root: Path) -> None:
    path = listed(root, "l.txt", "samples/phi3_swiglu", "samples/bloom_gelu")
    assert [target.name for target in find_targets([path])] == ["phi3_swiglu", "bloom_gelu"]


def test_published_json_lines_name_the_tasks(root: Path) -> None:
    rows = [
        {"swe_type": "passnet", "sample_dir": "samples/bloom_gelu", "instance_id": "one", "docker_image": "d"},
        {"sample_dir": "samples/phi3_swiglu"},
    ]
    found = find_targets([listed(root, "l.jsonl", *map(json.dumps, rows))])
    assert [target.name for target in found] == ["one", "phi3_swiglu"]
    assert found[0].pass_dir == root / "samples" / "bloom_gelu" / "pass_dir"


def test_a_sample_is_one_task(root: Path) -> None:
    path = listed(root, "l.jsonl", json.dumps({"sample_dir": "samples", "instance_id": "one"}))
    with pytest.raises(UsageError, match=r"l\.jsonl, line 1: .*2 tasks.*one task"):
        find_targets([path])


def test_graphs_of_one_name_are_told_apart_by_their_entries(root: Path) -> None:
    graph = graphs_of(root / "samples" / "bloom_gelu")[0]
    for dtype in ("float16", "float32"):
        shutil.copytree(graph, root / "graphs" / "hf_subgraphs_v2" / "sole_op_subgraphs" / dtype / "same")
    path = listed(root, "hf_sole_op_subgraphs_v2.txt", "u1\tfloat16/same", "u2\tfloat32/same")
    assert [target.name for target in find_targets([path])] == ["float16/same", "float32/same"]
    path = listed(root, "hf_sole_op_subgraphs_v2.txt", "u1\tfloat16/same")
    assert [target.name for target in find_targets([path])] == ["same"]


def test_a_list_of_lists(root: Path) -> None:
    listed(root, "a.txt", "samples/bloom_gelu")
    assert [target.name for target in find_targets([listed(root, "b.txt", "a.txt")])] == ["bloom_gelu"]


def test_a_list_of_bundled_names(root: Path) -> None:
    path = listed(root, "l.csv", "task", "bert_add_norm", "samples/bloom_gelu")
    assert [target.name for target in find_targets([path])] == ["bert_add_norm", "bloom_gelu"]


def test_a_list_names_a_task_once(root: Path) -> None:
    path = listed(root, "l.txt", "samples/bloom_gelu", "# other", "samples/bloom_gelu")
    with pytest.raises(UsageError, match=r"l\.txt, line 3: names the same path as line 1"):
        find_targets([path])
    path = listed(root, "l.txt", "samples/bloom_gelu", *(f"samples{'/.' * dots}/bloom_gelu" for dots in range(1, 500)))
    with pytest.raises(UsageError, match=r"l\.txt, line 2: names the same path as line 1"):
        find_targets([path])


def test_a_path_that_is_given_many_times_is_read_twice(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    one = Task.read

    def counted(path: Path) -> Task:
        read.append(path)
        return one(path)

    monkeypatch.setattr(Task, "read", counted)
    with pytest.raises(UsageError, match="two tasks have the name 'bloom_gelu'"):
        find_targets([root / "samples" / "bloom_gelu"] * 1000)
    assert len(read) == 2


@pytest.mark.parametrize("holds", ["graph_list.txt", "graph_net.json"])
def test_a_directory_of_many_others_is_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holds: str
) -> None:
    """A path may come from settings that a stranger wrote: "/" is one."""
    monkeypatch.setattr(discover, "_FIRST", 20)
    source = next(each for each in (BUNDLED / "bloom_gelu").rglob(holds)).parent
    for number in range(15):
        (tmp_path / "z" / f"other{number}").mkdir(parents=True)
    shutil.copytree(source, tmp_path / "z" / "one")
    assert [target.name for target in find_targets([tmp_path / "z"])] == ["one"]
    for number in range(30):
        shutil.copytree(source, tmp_path / "y" / f"{number}" / "deep" / f"one{number}")
    assert len(find_targets([tmp_path / "y"])) == 30  # each directory may be below two others
    for number in range(400):
        (tmp_path / "x" / f"{number}").mkdir(parents=True)
    for path in (tmp_path, tmp_path / "x"):
        with pytest.raises(UsageError, match="too many directories that hold no task"):
            find_targets([path])


def test_tasks_at_any_depth(tmp_path: Path) -> None:
    """An export sorts its tasks by their hashes, two letters at a time."""
    deep = tmp_path / "deep" / "typical" / "aa" / "bb"
    deep.mkdir(parents=True)
    shutil.copytree(BUNDLED / "bloom_gelu", deep / "hash")
    for place in (tmp_path, tmp_path / "deep", deep.parent):
        assert [target.name for target in find_targets([place])] == ["hash"]
    (tmp_path / "linked").symlink_to(BUNDLED / "phi3_swiglu")
    assert [target.name for target in find_targets([tmp_path])] == ["hash", "phi3_swiglu"]


def test_a_missing_list(root: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.jsonl: no such list"):
        find_targets([root / "gone.jsonl"])


def test_a_list_that_names_itself(root: Path) -> None:
    with pytest.raises(UsageError, match="in a circle"):
        find_targets([listed(root, "a.txt", "a.txt")])


def test_a_file_that_is_no_list(root: Path) -> None:
    path = listed(root, "l.list", "samples/bloom_gelu")
    with pytest.raises(UsageError, match=r"a file, but no list; expected a directory, or a list that ends in \.txt"):
        find_targets([path])


def test_passes_without_their_task_are_told_where_they_lie(root: Path) -> None:
    passes = root / "samples" / "bloom_gelu" / "pass_dir"
    (passes / "sorted_output_pass_rule_names.json").write_text('["a"]')
    (passes / "a.py").write_text("")
    for path in (passes, passes / "a.py"):
        with pytest.raises(UsageError, match="lie in pass_dir of their task; `passnet tasks export NAME"):
            find_targets([path])


def test_a_task_that_lost_its_list_is_not_taken_for_its_graphs(root: Path) -> None:
    task = root / "samples" / "bloom_gelu"
    (task / "graph_list.txt").unlink()
    with pytest.raises(UsageError, match=r"a task without its list of graphs; expected graph_list\.txt"):
        find_targets([task])


@pytest.mark.parametrize(("path", "name"), [("data/tasks", "bundled"), ("data/tasks/bloom_gelu", "bloom_gelu")])
def test_a_path_of_the_repository_has_a_name_without_it(
    path: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=rf"no such directory \(without the repository its name is {name}\)"):
        find_targets([Path(path)])


def test_an_entry_that_holds_no_task(root: Path) -> None:
    (root / "empty").mkdir()
    with pytest.raises(UsageError, match=r"l\.txt, line 1: .*empty: neither a task nor a directory"):
        find_targets([listed(root, "l.txt", "empty")])


def test_a_task_without_a_name_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would write its score into the run's own directory."""
    monkeypatch.chdir(graphs_of(root / "samples" / "bloom_gelu")[0])
    with pytest.raises(UsageError, match="no name of its own"):
        find_targets([Path(".")])


def test_names_that_are_no_text_are_refused(tmp_path: Path) -> None:
    task = Path(shutil.copytree(BUNDLED / "bloom_gelu", tmp_path / "task"))
    graph = next(task.rglob("model.py")).parent
    shutil.copytree(graph, task / "graphs" / "more" / "half\udcff")
    (task / "graph_list.txt").write_text("graphs/more\n")
    with pytest.raises(UsageError, match="is no text") as caught:
        find_targets([task])
    assert str(caught.value).isprintable()
