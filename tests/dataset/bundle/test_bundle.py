"""Bundling: deterministic, in the published layout, keeping passes; the bundled graphs come out of it again."""

import hashlib
import importlib.util
from pathlib import Path

import pytest
import torch

from passnet.dataset.bundle import recapture
from passnet.dataset.bundle.__main__ import main
from passnet.dataset.bundle.tasks import TASKS, BundledTask
from passnet.errors import UsageError
from passnet.graph import Task
from tests.dataset.dataset_toys import TOY

TOY_TASK = BundledTask("toy_bn_add_relu", TOY, ("batch_norm", "iadd", "relu"), ((1, 8), (2, 8)))
DATA = Path(__file__).parents[3] / "data" / "tasks"
MISSING = [name for name in ("timm", "transformers") if importlib.util.find_spec(name) is None]
needs_models = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


def digest(directory: Path) -> dict[str, str]:
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_second_run_writes_the_same_files_and_keeps_passes(tmp_path):
    recapture.write_tasks(tmp_path, [TOY_TASK])
    rule = tmp_path / TOY_TASK.name / "pass_dir" / "rule.py"
    rule.write_text("# a pass\n")
    first = digest(tmp_path)
    recapture.write_tasks(tmp_path, [TOY_TASK])
    assert digest(tmp_path) == first
    assert len([name for name in first if name.endswith("model.py")]) == 6


def test_what_is_written_is_a_task_of_the_published_layout(tmp_path):
    (directory,) = recapture.write_tasks(tmp_path, [TOY_TASK])
    task = Task.read(directory)
    assert [ref.name for ref in task.refs][:2] == [
        f"{dtype}/{index}/samples/timm/toy/_decomposed/toy_start1_end4_0"
        for dtype, index in [("float32", 0), ("float32", 1)]
    ]
    graph = task.graphs[2]
    assert {spec.dtype for spec in graph.specs} == {"float16", "float32"}
    assert graph.sources == {"samples/timm/toy": [[1, 4]]}
    assert graph.meta["op_names"] == ["batch_norm", "iadd", "relu"]
    assert len({graph.structure_hash for graph in task.graphs}) == 1


def test_unknown_tasks_and_changed_libraries_are_one_clear_line(tmp_path, caplog):
    assert main([str(tmp_path), "nonsense"]) == 2
    assert "unknown task 'nonsense'" in caplog.text
    changed = BundledTask("toy", TOY, ("batch_norm", "gelu"), ((1, 8),))
    with pytest.raises(UsageError, match="the operators batch_norm, gelu do not follow one another"):
        recapture.variants(changed, ["float32"])


def test_the_table_names_each_task_once_and_covers_many_architectures():
    names = [task.name for task in TASKS]
    assert len(set(names)) == len(names)
    assert len({(task.source.library, task.source.model) for task in TASKS}) >= 9
    assert all(len(task.ops) >= 3 and len(task.shapes) == 2 for task in TASKS)


@pytest.mark.slow
@needs_models
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_bundled_graphs_are_captured_again(task):
    if torch.__version__.split("+")[0] != "2.13.0":
        pytest.skip("the bundled graphs were captured by torch 2.13.0; another version may spell them differently")
    stored = {ref.name: ref.load() for ref in Task.read(DATA / task.name).refs}
    for variant in recapture.variants(task):
        graph = stored[variant.path.relative_to("graphs").as_posix()]
        assert graph.source == variant.graph.source
        assert [(spec.shape, spec.dtype) for spec in graph.specs] == [
            (spec.shape, spec.dtype) for spec in variant.graph.specs
        ]
