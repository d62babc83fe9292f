"""Published trees with all their oddities come in and go out byte for byte; what is broken is reported, not raised."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from passnet.dataset.exchange.exporting import export
from passnet.dataset.exchange.importing import RefusedSample, import_tree, read_tree
from passnet.dataset.tables import store
from passnet.dataset.tables.rows import Row
from passnet.errors import UsageError
from passnet.graph import GraphError
from tests.dataset.dataset_corpora import FIXTURES, TASKS

META = '{"framework": "torch", "num_devices_required": 1, "num_nodes_required": 1}'
MODEL = "import torch\n\nclass GraphModule(torch.nn.Module):\n\n    def forward(self, in_0):\n        return (in_0,)"
SPEC = 'class Program_weight_tensor_meta_in_0:\n\tname = "in_0"\n\tshape = [2]\n\tdtype = "torch.float32"\n'


def files_below(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def make(path: Path, **files: str | bytes | None) -> Path:
    """A graph directory; None leaves a file out."""
    path.mkdir(parents=True)
    texts: dict[str, str | bytes | None] = {"graph_net.json": META, "model.py": MODEL, "weight_meta.py": SPEC}
    for name, text in (texts | {name.replace("__", "."): text for name, text in files.items()}).items():
        if text is not None:
            (path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.fixture
def odd_tree(tmp_path: Path) -> Path:
    """The fixtures, and every way of spelling a directory that we would spell otherwise."""
    root = tmp_path / "odd"
    for fixture in sorted(FIXTURES.iterdir()):
        place = root / "typical_subgraphs" / "float32" / "9" / "samples" / "mmseg" / "M" / "_decomposed" / fixture.name
        shutil.copytree(fixture, place)
    make(root / "samples/timm/tabs_and_no_more_files")
    make(root / "samples/timm/one_line_json", graph_net__json='{"framework":"torch","z":1,"a":[1,{"b":null}],"e":1e3}')
    make(root / "samples/timm/same_key_twice", graph_net__json='{"framework": "torch", "a": 1, "a": 2}')
    make(root / "samples/timm/another_hash", graph_hash__txt="0" * 64 + "\n", input_meta__py="", README__md="a word: é")
    make(root / "samples/timm/windows_lines", weight_meta__py=SPEC.replace("\n", "\r\n"), model__py=MODEL + "\r\n\r\n")
    make(root / "samples/timm/comments", weight_meta__py="# by hand\n" + SPEC + "    mean = 1\n".replace("    ", "\t"))
    make(
        root / "samples/timm/spelled_floats",
        weight_meta__py=SPEC + "\tmean = -0.000\n\tstd = 1e-3\n\tdata = [1, 2.50]\n",
    )
    make(
        root / "samples/timm/sources",
        subgraph_sources__json='{"samples/timm/b": [[1,2]], "samples/timm/a": [[3,4],[5,6]]}',
        input_tensor_constraints__py="# nothing\n",
    )
    for number in (0, 1, 10):
        make(root / f"samples/transformers-auto-model/org/model-1.5B+x/subgraph_{number}")
    return root


def test_imported_and_exported_files_are_the_same_bytes(odd_tree, tmp_path):
    done = import_tree(odd_tree, tmp_path / "s")
    assert [item.path.rpartition("/")[2] for item in done.refused] == ["paddle_sample"]
    assert "paddle" in done.refused[0].reason
    export(tmp_path / "s", tmp_path / "out")
    before = {name: data for name, data in files_below(odd_tree).items() if "paddle_sample" not in name}
    after = files_below(tmp_path / "out")
    assert after.keys() == before.keys()
    assert after == before


def test_bundled_tasks_are_the_same_bytes_and_the_same_tasks(tmp_path):
    done = import_tree(TASKS, tmp_path / "s")
    assert done.refused == ()
    export(tmp_path / "s", tmp_path / "out")
    before = {name: data for name, data in files_below(TASKS).items() if "/graphs/" in name}
    assert files_below(tmp_path / "out") == before
    tasks = {task.path: task for task in store.read_tasks(tmp_path / "s")}
    assert tasks.keys() == {path.name for path in TASKS.iterdir() if path.is_dir()}
    rows = {row.uid: row for row in store.read_rows(tmp_path / "s")}
    listed = (TASKS / "bert_add_norm" / "graph_list.txt").read_text().splitlines()
    assert [rows[uid].path for uid in tasks["bert_add_norm"].uids] == [f"bert_add_norm/{line}" for line in listed]


def test_our_own_spelling_of_imported_graphs_is_the_same_graphs(odd_tree, tmp_path):
    import_tree(odd_tree, tmp_path / "s")
    for row in store.read_rows(tmp_path / "s"):
        row.graph().write(tmp_path / "out" / row.path)
    again = import_tree(tmp_path / "out", tmp_path / "again")
    assert again.refused == ()
    assert all(row.originals is None for row in store.read_rows(tmp_path / "again"))
    first = {row.path: row.content_hash for row in store.read_rows(tmp_path / "s")}
    assert {row.path: row.content_hash for row in store.read_rows(tmp_path / "again")} == first


BROKEN = {
    "no_weights": ({"weight_meta__py": None}, "weight_meta.py: file is missing"),
    "no_model": ({"model__py": None}, "model.py is missing beside graph_net.json"),
    "no_marker": ({"graph_net__json": None}, "graph_net.json is missing beside model.py"),
    "cut_off": ({"model__py": MODEL[:-20]}, "not valid Python"),
    "cut_off_json": ({"graph_net__json": META[:-5]}, "not valid JSON"),
    "not_text": ({"model__py": b"\xff\xfe\x00"}, "not UTF-8"),
    "evil": ({"model__py": MODEL.replace("return", "__import__('os').system('true')\n        return")}, "model.py"),
    "specs_do_not_fit": ({"weight_meta__py": SPEC.replace("in_0", "in_1")}, "no class describes 1 parameter"),
    "bad_sources": ({"subgraph_sources__json": "[]"}, "not a JSON object"),
}


def test_broken_directories_are_records(tmp_path):
    root = tmp_path / "tree"
    make(root / "good")
    for name, (files, _) in BROKEN.items():
        make(root / "broken" / name, **files)
    done = import_tree(root, tmp_path / "s")
    assert [row.path for row in store.read_rows(tmp_path / "s")] == ["good"]
    found = {item.path: item.reason for item in done.refused}
    assert found.keys() == {f"broken/{name}" for name in BROKEN}
    for name, (_, words) in BROKEN.items():
        assert words in found[f"broken/{name}"]
        assert str(tmp_path) not in found[f"broken/{name}"]
    assert "broken/evil" in done.text()


def test_what_a_row_cannot_carry_is_said(tmp_path):
    graph = make(tmp_path / "tree" / "g", picture__png=b"\x89PNG\x00")
    (graph / "eval_forward").mkdir()
    (graph / "__pycache__").mkdir()
    items = list(read_tree(tmp_path / "tree"))
    assert isinstance(items[0], Row)
    assert [(item.path, item.part) for item in items[1:] if isinstance(item, RefusedSample)] == [
        ("g/eval_forward", True),
        ("g/picture.png", True),
    ]


def test_natural_order_and_hidden_directories(tmp_path):
    for name in ("m/subgraph_10", "m/subgraph_2", ".git/x"):
        make(tmp_path / "tree" / name)
    assert [item.path for item in read_tree(tmp_path / "tree")] == ["m/subgraph_2", "m/subgraph_10"]


def test_the_root_may_be_the_graph(tmp_path):
    make(tmp_path / "alone")
    done = import_tree(tmp_path / "alone", tmp_path / "s")
    assert [row.path for row in store.read_rows(tmp_path / "s")] == ["alone"]
    assert done.store.graphs == {("", "full"): 1}


def test_published_tasks_far_from_their_graphs_are_found(tmp_path):
    root = tmp_path / "repo"
    h = "ab" * 32
    line = "graphs/hf_subgraphs_v2/fusible_subgraphs/float16/7/samples/mmseg/DMNet/_decomposed/DMNet_start352_end356_1"
    make(root / line, subgraph_sources__json='{"samples/mmseg/DMNet": [[352, 356]]}')
    task = root / "samples" / "hf_subgraphs_v2" / "fusible_subgraphs" / h[:2] / h[2:4] / h
    task.mkdir(parents=True)
    (task / "graph_list.txt").write_text(line + "\n")
    (task / "sample_uids.txt").write_text("0" * 32)
    lost = root / "samples" / "hf_subgraphs_v2" / "fusible_subgraphs" / "00" / "00" / "lost"
    lost.mkdir(parents=True)
    (lost / "graph_list.txt").write_text("graphs/nowhere\n")
    done = import_tree(root, tmp_path / "s")
    (row,) = store.read_rows(tmp_path / "s")
    assert (row.kind, row.dtype, row.shape_index, row.model, row.families) == (
        "fusible",
        "float16",
        7,
        "DMNet",
        ("dmnet",),
    )
    (found,) = store.read_tasks(tmp_path / "s")
    assert (found.uids, found.published_uids) == ((row.uid,), ("0" * 32,))
    assert row.task_id == found.task_id and row.in_task
    assert [item.path.rpartition("/")[2] for item in done.refused] == ["lost"]
    export(tmp_path / "s", tmp_path / "out", form="tasks")
    after = files_below(tmp_path / "out")
    for name in (
        f"{line}/weight_meta.py",
        *(f"{task.relative_to(root)}/{n}" for n in ("graph_list.txt", "sample_uids.txt")),
    ):
        assert after[name] == (root / name).read_bytes()


def test_no_directory_and_a_taken_place_are_errors(tmp_path):
    with pytest.raises(GraphError, match="no such directory"):
        import_tree(tmp_path / "nowhere", tmp_path / "s")
    assert not (tmp_path / "s").exists()
    make(tmp_path / "tree" / "g")
    import_tree(tmp_path / "tree", tmp_path / "s")
    with pytest.raises(UsageError, match="already exists"):
        import_tree(tmp_path / "tree", tmp_path / "s")
    import_tree(tmp_path / "tree", tmp_path / "s", overwrite=True)
