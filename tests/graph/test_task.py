"""Tasks, lists and discovery."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from passnet.errors import UsageError
from passnet.graph import Graph, GraphError, Task, find_graphs, read_graph_list
from tests.graph.graph_helpers import FIXTURES, graph_of, spec


def tiny(name: str) -> Graph:
    return graph_of([spec("in_0", 2)], "a = in_0 + 1", "return (a,)", name=name)


def test_task_round_trip_with_names_that_share_a_basename(tmp_path: Path) -> None:
    names = ["float16/7/DMNet_start352_end356_1", "bfloat16/7/DMNet_start352_end356_1"]
    written = Task.write(tmp_path / "t", [tiny(name) for name in names], uids=("ab", "cd"))
    task = Task.read(tmp_path / "t")
    assert task == written
    assert [graph.name for graph in task.graphs] == names
    assert (tmp_path / "t" / "graph_list.txt").read_text() == "".join(f"graphs/{name}\n" for name in names)
    assert task.pass_dir == tmp_path / "t" / "pass_dir"
    assert (task.const_pass_dir, task.uids, task.name) == (None, ("ab", "cd"), "t")
    assert task.graphs[0] is task.graphs[0]
    with pytest.raises(UsageError, match="already exists"):
        Task.write(tmp_path / "t", [tiny("a")])


def test_published_directory_name_is_checked_and_only_reported(tmp_path: Path) -> None:
    uids = ("f" * 32, "0" * 32)
    digest = hashlib.sha256("\n".join(sorted(uids)).encode()).hexdigest()
    assert Task.write(tmp_path / digest, [tiny("a")], uids=uids).uid_hash_matches is True
    assert Task.write(tmp_path / ("1" * 64), [tiny("a")], uids=uids).uid_hash_matches is False
    assert Task.write(tmp_path / "named", [tiny("a")], uids=uids).uid_hash_matches is None
    assert Task.write(tmp_path / "none", [tiny("a")]).uid_hash_matches is None


def test_missing_pass_dir_is_the_path_that_would_be(tmp_path: Path) -> None:
    Task.write(tmp_path / "t", [tiny("a")])
    (tmp_path / "t" / "pass_dir").rmdir()
    (tmp_path / "t" / "const_pass_dir").mkdir()
    task = Task.read(tmp_path / "t")
    assert not task.pass_dir.exists()
    assert task.const_pass_dir == tmp_path / "t" / "const_pass_dir"


def listed(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "t"
    Task.write(path, [tiny("a"), tiny("b")])
    (path / "graph_list.txt").write_text("\n".join(lines))
    return path


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("../t/graphs/a", "leaves the task"),
        ("graphs/../../x", "leaves the task"),
        ("/etc", "leaves the task"),
        ("graphs\\a", "leaves the task"),
        ("graphs/missing", "does not exist"),
        ("graphs/a/model.py", "does not exist"),
        ("pass_dir", "holds no graph"),
        ("graphs/a\ngraphs/a", "twice"),
        ("graphs/a\ngraphs/./a", "twice"),
        ("graphs/a\ngraphs//a", "twice"),
        ("graphs\ngraphs/b", "twice"),
        ("", "empty"),
        ("# only a comment", "empty"),
    ],
)
def test_bad_lines_name_the_list(line: str, word: str, tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=word) as caught:
        Task.read(listed(tmp_path, line))
    assert "graph_list.txt" in str(caught.value)


def test_links_may_not_lead_out_of_the_task(tmp_path: Path) -> None:
    tiny("x").write(tmp_path / "outside" / "x")
    path = listed(tmp_path, "graphs/link")
    (path / "graphs" / "link").symlink_to(tmp_path / "outside" / "x")
    with pytest.raises(GraphError, match="leads out"):
        Task.read(path)


def test_two_graphs_of_one_name_are_refused(tmp_path: Path) -> None:
    path = listed(tmp_path, "graphs/a", "a")
    tiny("x").write(path / "a")
    with pytest.raises(GraphError, match="twice"):
        Task.read(path)


def test_a_graph_that_is_listed_by_many_spellings_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def counted(root: Path) -> list[Path]:
        read.append(root)
        return find_graphs(root)

    path = listed(tmp_path, *("graphs/" + "./" * number + "a" for number in range(1000)))
    monkeypatch.setattr("passnet.graph.task.find_graphs", counted)
    (path / "graphs" / "loop").symlink_to(".")
    with pytest.raises(GraphError, match="listed twice"):
        Task.read(path)
    assert len(read) == 2
    (path / "graph_list.txt").write_text("graphs/a\ngraphs/loop/a\n")
    with pytest.raises(GraphError, match="listed twice"):
        Task.read(path)


def test_graphs_itself_may_be_a_link(tmp_path: Path) -> None:
    path = listed(tmp_path, "graphs/a")
    (path / "graphs").rename(tmp_path / "shared_graphs")
    (path / "graphs").symlink_to(tmp_path / "shared_graphs")
    assert [graph.name for graph in Task.read(path).graphs] == ["a"]


def test_published_layout_shares_graphs_above_the_tasks(tmp_path: Path) -> None:
    line = "graphs/hf_subgraphs_v2/fusible_subgraphs/float16/9/samples/a/_decomposed/a_start1_end3_0"
    tiny("x").write(tmp_path / line)
    task = tmp_path / "samples" / "hf_subgraphs_v2" / "fusible_subgraphs" / "00" / "08" / ("0" * 64)
    task.mkdir(parents=True)
    (task / "graph_list.txt").write_text(line + "\n")
    assert [graph.name for graph in Task.read(task).graphs] == [line.removeprefix("graphs/")]


def test_listed_parent_stands_for_its_subgraphs(tmp_path: Path) -> None:
    path = listed(tmp_path, "graphs/m", "graphs/a")
    for number in (10, 2, 0):
        tiny("x").write(path / "graphs" / "m" / f"subgraph_{number}")
    assert [ref.name for ref in Task.read(path).refs] == ["m/subgraph_0", "m/subgraph_2", "m/subgraph_10", "a"]


@pytest.mark.parametrize("name", ["../a", "/a", "graphs/../../a"])
def test_names_that_leave_the_task_are_not_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="leaves the task"):
        Task.write(tmp_path / "t", [tiny(name)])
    assert list(tmp_path.iterdir()) == []


def test_empty_and_ambiguous_tasks_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="at least one"):
        Task.write(tmp_path / "t", [])
    with pytest.raises(GraphError, match="share a name"):
        Task.write(tmp_path / "t", [tiny("a"), tiny("a")])
    assert list(tmp_path.iterdir()) == []


def test_wrong_directories_get_a_hint(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="no such directory"):
        Task.read(tmp_path / "x")
    with pytest.raises(GraphError, match=r"graph_list\.txt"):
        Task.read(tmp_path)
    with pytest.raises(GraphError, match="this is a graph directory"):
        Task.read(FIXTURES / "dialect_raw")


def test_discovery_stops_at_graphs_and_sorts_naturally(tmp_path: Path) -> None:
    for name in ("m/subgraph_10", "m/subgraph_9", "org/model-1.5b", "a"):
        tiny("x").write(tmp_path / name)
    tiny("x").write(tmp_path / "a" / "_decomposed" / "inner")
    tiny("x").write(tmp_path / ".hidden" / "inner")
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "model.py").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = [path.relative_to(tmp_path).as_posix() for path in find_graphs(tmp_path)]
    assert found == ["a", "m/subgraph_9", "m/subgraph_10", "org/model-1.5b"]
    assert find_graphs(tmp_path / "a") == [tmp_path / "a"]
    with pytest.raises(GraphError):
        find_graphs(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("l.txt", "\ufeffa/b\r\n\r\n# c\n  d  \n", ("a/b", "d")),
        ("l.csv", "id,path\n1,a/b\n2,c\n", ("a/b", "c")),
        ("l.csv", "sample\na/b\n", ("a/b",)),
        ("l.csv", "a/b,1\nc/d,2\n", ("a/b", "c/d")),
        ("l.csv", '"relative_model_path"\n"a,b"\n', ("a,b",)),
    ],
)
def test_lists(file: str, text: str, expected: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / file).write_text(text, encoding="utf-8", newline="")
    assert read_graph_list(tmp_path / file) == expected
