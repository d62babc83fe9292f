"""Lists of tasks and graphs: every published form, where their entries are looked for, and one line for bad ones."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from passnet.graph import GraphError, bundled
from passnet.graph.listing import ListEntry, find_entry, places, read_entries, read_graph_list


def written(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def task_line(**fields: object) -> str:
    return json.dumps({"swe_type": "passnet", "repo_name": "passnet", "docker_image": "passnet:latest", **fields})


# --- forms -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["l.txt", "l.tsv"])
def test_a_uid_before_a_tab_is_no_part_of_the_path(name: str, tmp_path: Path) -> None:
    listing = written(tmp_path / name, "\ufeffab12\tfloat32/samples/x\r\n\r\n# no entry\r\ncd34 \t y\r\nplain\r\n")
    assert read_entries(listing) == (
        ListEntry("float32/samples/x", 1, uid="ab12"),
        ListEntry("y", 4, uid="cd34"),
        ListEntry("plain", 5),
    )


def test_a_column_of_uids(tmp_path: Path) -> None:
    listing = written(tmp_path / "l.csv", "sample_id,graph_path,uid\n0,a/b,u1\n0,c,u2\n1,d,\n")
    assert read_entries(listing) == (ListEntry("a/b", 2, uid="u1"), ListEntry("c", 3, uid="u2"), ListEntry("d", 4))


def test_published_tasks_are_read_from_json_lines(tmp_path: Path) -> None:
    first, second = task_line(sample_dir="samples/a", instance_id="first"), task_line(sample_dir="samples/b")
    listing = written(tmp_path / "l.jsonl", f"\ufeff{first}\r\n\r\n{second}\r\n")
    assert read_entries(listing) == (ListEntry("samples/a", 1, name="first"), ListEntry("samples/b", 3))
    assert read_graph_list(listing) == ("samples/a", "samples/b")


# --- places ----------------------------------------------------------------------------------------------------------


def test_an_entry_is_looked_for_beside_the_list_then_here_then_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, here = tmp_path / "repository", tmp_path / "elsewhere"
    listing = written(root / "lists" / "eval" / "l.txt", "samples/x\n")
    here.mkdir()
    monkeypatch.chdir(here)
    wanted = [root / "samples", root / "lists" / "samples", here / "samples", listing.parent / "samples"]
    for directory in wanted:  # worst first: each new one is found in place of those before
        (directory / "x").mkdir(parents=True)
        assert find_entry(listing, ListEntry("samples/x", 1)) == directory / "x"


def test_a_relative_list_counts_from_its_real_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "root" / "lists" / "l.txt", "x\n")
    (tmp_path / "root" / "x").mkdir()
    (tmp_path / "root" / "lists" / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "root" / "lists" / "deep")
    assert find_entry(Path("../l.txt"), ListEntry("x", 1)).resolve() == tmp_path / "root" / "x"


@pytest.mark.parametrize(
    ("name", "home"),
    [
        ("hf_typical_subgraphs_v2.txt", "graphs/hf_subgraphs_v2/typical_subgraphs"),
        ("hf_sole_op_subgraphs.txt", "graphs/hf_subgraphs/sole_op_subgraphs"),
        ("fusible_subgraphs.txt", "graphs"),
        ("fusible_subgraphs.txt", "graphs/fusible_subgraphs"),
    ],
)
def test_published_lists_of_graphs_count_from_below_graphs(name: str, home: str, tmp_path: Path) -> None:
    listing = written(tmp_path / "graph_lists" / name, "u\tfloat32/9/samples/timm/x\n")
    (tmp_path / home / "float32/9/samples/timm/x").mkdir(parents=True)
    assert find_entry(listing, read_entries(listing)[0]) == tmp_path / home / "float32/9/samples/timm/x"
    (tmp_path / "graph_lists" / "mine.txt").write_text("float32/9/samples/timm/x\n")
    with pytest.raises(GraphError, match="names a path that does not exist"):
        find_entry(tmp_path / "graph_lists" / "mine.txt", ListEntry("float32/9/samples/timm/x", 1))


def test_an_absolute_entry_has_one_place(tmp_path: Path) -> None:
    assert places(tmp_path / "l.txt", "/a/b") == [Path("/a/b")]


def test_what_was_tried_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    listing = written(tmp_path / "root" / "lists" / "l.txt", "\n\nno/task/\n")
    with pytest.raises(GraphError) as error:
        find_entry(listing, read_entries(listing)[0])
    tried = ", ".join(map(str, (listing.parent, here, tmp_path / "root", tmp_path, tmp_path.parent)))
    assert f"{listing}, line 3: names a path that does not exist; found no/task/ (tried below {tried}" in str(
        error.value
    )


def test_nothing_is_looked_for_where_everybody_leaves_files(tmp_path: Path) -> None:
    """Another user's `/tmp/demo` is not the set that a list in `/tmp/mine` names."""
    shared = tmp_path / "shared"
    listing = written(shared / "mine" / "lists" / "l.txt", "demo\n")
    (shared / "demo").mkdir()
    assert find_entry(listing, ListEntry("demo", 1)) == shared / "demo"
    shared.chmod(0o1777)
    assert find_entry(listing, ListEntry("demo", 1)) == bundled.place_of("demo")
    with pytest.raises(GraphError, match=rf"\(tried below [^)]*, {shared / 'mine'}\)"):
        find_entry(listing, ListEntry("no/task", 1))
    assert find_entry(written(shared / "l.txt", "demo\n"), ListEntry("demo", 1)) == shared / "demo"


def test_a_relative_list_is_told_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(written(tmp_path / "l.txt", "no/task\n").parent)
    with pytest.raises(GraphError, match=rf"found no/task \(tried below {tmp_path}, {tmp_path.parent}, "):
        find_entry(Path("l.txt"), ListEntry("no/task", 1))
    with pytest.raises(GraphError, match=r"found /no/task$"):
        find_entry(Path("l.txt"), ListEntry("/no/task", 1))


def test_bundled_names_are_entries_where_no_path_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o1777)  # what lies above, as another's "demo", counts for nothing
    for name, text in (
        ("l.txt", "bloom_gelu\ndemo\n"),
        ("l.csv", "bloom_gelu\ndemo\n"),
        ("h.csv", "task\nbloom_gelu\ndemo\n"),
    ):
        listing = written(tmp_path / name, text)
        found = [find_entry(listing, entry) for entry in read_entries(listing)]
        assert found == [bundled.place_of("bloom_gelu"), bundled.place_of("demo")]
    (tmp_path / "bloom_gelu").mkdir()
    assert find_entry(listing, ListEntry("bloom_gelu", 1)) == tmp_path / "bloom_gelu"
    with pytest.raises(
        GraphError,
        match=r"found bloom_gelo \(tried below .*; no bundled task has that name; did you mean bloom_gelu\?\)",
    ):
        find_entry(listing, ListEntry("bloom_gelo", 1))


# --- bad lists -------------------------------------------------------------------------------------------------------

GOOD = task_line(sample_dir="a", instance_id="a")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("l.txt", "", ("the list is empty", "one path a line")),
        ("l.jsonl", "\n \n", ("the list is empty", "sample_dir")),
        ("l.csv", "", ("the list is empty", "one path a line")),
        ("l.csv", "\nuid,path\n", ("a header and no entry", "line 2 alone", "'uid,path'", "one entry a line below it")),
        ("l.csv", "my_task\n", ("a header and no entry", "line 1 alone", "'my_task'")),
        ("l.txt", "u1\ta\nu2\tb\nu1\tc\n", ("line 3", "'u1'", "also on line 1")),
        ("l.csv", "uid,path\nu,a\nu,b\n", ("line 3", "'u'", "also on line 2")),
        ("l.jsonl", f"{GOOD}\n{GOOD}\n", ("line 2", "instance_id", "'a'", "also on line 1")),
        ("l.txt", "a/b\tc\n", ("line 1", "the uid cannot name a directory", "without slashes")),
        ("l.txt", "..\tc\n", ("line 1", "the uid cannot name a directory")),
        ("l.txt", "x\n\tc\n", ("line 2", "UID<TAB>PATH")),
        ("l.txt", "u\tc\td\n", ("line 1", "UID<TAB>PATH")),
        ("l.jsonl", GOOD + '\n{"sample_dir": \n', ("line 2", "not valid JSON")),
        ("l.jsonl", "[1]\n", ("line 1", "not a JSON object")),
        ("l.jsonl", task_line(instance_id="a"), ("line 1", 'no "sample_dir"')),
        ("l.jsonl", task_line(sample_dir=7), ("line 1", 'no "sample_dir"')),
        ("l.jsonl", task_line(sample_dir="a", instance_id=7), ("line 1", '"instance_id" is no text')),
        ("l.jsonl", task_line(sample_dir="a", instance_id="../b"), ("line 1", "cannot name a directory")),
        ("l.jsonl", task_line(sample_dir="a", instance_id=".."), ("line 1", "cannot name a directory")),
        ("l.jsonl", task_line(sample_dir="a", instance_id="a\nb"), ("line 1", "cannot name a directory")),
        ("l.jsonl", task_line(sample_dir="a", instance_id=""), ("line 1", "cannot name a directory")),
        ("l.txt", "caf\u00e9\n".encode("latin-1"), ("not UTF-8", "save the list as UTF-8")),
        ("l.txt", "a\n".encode("utf-16"), ("not UTF-8", "save the list as UTF-8")),
        ("l.txt", "a\n".encode("utf-16-le"), ("NUL", "save the list as UTF-8")),
        ("l.txt", "a" * 5000, ("line 1", "cannot be a path")),
    ],
)
def test_bad_lists_are_told_with_their_line(
    name: str, text: str | bytes, words: tuple[str, ...], tmp_path: Path
) -> None:
    listing = written(tmp_path / name, text)
    with pytest.raises(GraphError) as error:
        read_entries(listing)
    assert str(listing) in str(error.value)
    for word in words:
        assert word in str(error.value)


def test_a_list_that_is_a_directory_or_gone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    for name, words in (("gone.txt", "missing"), (".", "not a plain file"), ("pipe.txt", "not a plain file")):
        with pytest.raises(GraphError, match=words):
            read_entries(tmp_path / name)
