"""Every dialect reads, builds and computes what its text computes."""

from __future__ import annotations

import operator
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from passnet.errors import UsageError
from passnet.graph import Graph, GraphError, fake_inputs, propagate
from tests.graph.graph_helpers import FIXTURES, RUNNABLE, graph_of, model_text, run_text, same, spec


@pytest.mark.parametrize("name", RUNNABLE)
def test_module_computes_what_the_text_computes(name: str) -> None:
    graph = Graph.read(FIXTURES / name)
    inputs = graph.inputs(3)
    expected = run_text(graph.source, [tensor.clone() for tensor in inputs])
    with torch.no_grad():
        found = graph.module("cpu")(*[tensor.clone() for tensor in inputs])
    assert isinstance(found, tuple)
    assert same(tuple(expected), found)


@pytest.mark.parametrize("name", RUNNABLE)
def test_read_write_read_is_identical(name: str, tmp_path: Path) -> None:
    graph = Graph.read(FIXTURES / name)
    graph.write(tmp_path / "copy")
    copy = Graph.read(tmp_path / "copy", name=name)
    assert copy == graph
    assert (copy.content_hash, copy.structure_hash) == (graph.content_hash, graph.structure_hash)
    assert (tmp_path / "copy" / "model.py").read_bytes() == (FIXTURES / name / "model.py").read_bytes()
    assert (tmp_path / "copy" / "input_meta.py").read_bytes() == b""
    assert (tmp_path / "copy" / "graph_hash.txt").read_text() == graph.source_hash


def test_black_dialect_in_detail() -> None:
    graph = Graph.read(FIXTURES / "dialect_black")
    assert [s.name for s in graph.specs][:2] == ["s0", "L_x_"]
    assert graph.specs[0].data == (2,)
    assert graph.constraints is not None
    assert dict(graph.constraints.input_shapes)["L_x_"] == ("S0", 3, 4, 4)
    assert graph.meta["an_unknown_key"] == {"kept": [1, None, "é"]}
    nodes = list(graph.module().graph.nodes)
    assert [n.name for n in nodes if n.op == "placeholder"][:2] == ["s0", "l_x_"]
    targets = [n.target for n in nodes]
    for wanted in (operator.iadd, operator.setitem, operator.neg, operator.truediv, getattr, torch._C._nn.linear):
        assert wanted in targets
    relu = next(n for n in nodes if n.target is torch.nn.functional.relu)
    assert relu.kwargs == {"inplace": True}
    masked = next(n for n in nodes if n.target == "masked_fill")
    assert masked.args[2] == float("-inf")


def test_renamed_dialect_keeps_original_names_and_sources() -> None:
    graph = Graph.read(FIXTURES / "dialect_renamed")
    assert [s.original_name for s in graph.specs] == ["edge_weight_1", "index_1", "new_zeros_1"]
    assert graph.sources == {
        "samples/torchgeometric/GAE": [[22, 23]],
        "samples/torchgeometric/GCN": [[22, 23], [65, 66]],
    }
    assert graph.stored_hash == graph.source_hash
    assert not graph.source.endswith("\n")


def test_devices_are_rewritten_everywhere() -> None:
    graph = graph_of(
        [spec("in_0", 2)],
        "a = torch.zeros(2, device='cuda:0')",
        "b = in_0.to('cuda')",
        "c = b.cuda()",
        "d = c.to(device(type='cuda', index=3), torch.float64)",
        "e = a + d",
        "f = e.cpu()",
        "return (f, torch.float32)",
        imports=["from torch import device"],
    )
    assert "cuda" not in graph.module("cpu").code
    meta = graph.module("meta").code
    assert meta.count("meta") >= 5
    assert "cpu" not in meta
    assert graph.module("cpu")(torch.ones(2))[0].tolist() == [1.0, 1.0]


def test_ellipsis_is_read_as_older_fx_writes_it() -> None:
    body = ["a = in_0[(Ellipsis, slice(None, 2, None))]", "b = in_0[Ellipsis]", "in_1[(Ellipsis, 0)] = 7", "c = in_1"]
    graph = graph_of([spec("in_0", 2, 3, 4), spec("in_1", 2, 3)], *body, "return (a, b, c)")
    inputs = graph.inputs(0)
    expected = run_text(graph.source, [value.clone() for value in inputs])
    assert same(graph.module()(*[value.clone() for value in inputs]), tuple(expected))
    written = Graph.from_fx(graph.module(), graph.specs, name="g")
    assert "Ellipsis" not in written.source
    assert "[(..., slice(None, 2, None))]" in written.source
    assert written.structure_hash == graph.structure_hash
    assert Graph.from_fx(written.module(), written.specs, name="g").source == written.source


def test_a_result_may_be_called_device_and_is_then_no_constructor() -> None:
    body = ["device = in_0.device", "a = torch.ones(2, device=device)", "b = a + in_0", "return (b,)"]
    graph = graph_of([spec("in_0", 2)], *body)
    assert graph.module()(torch.ones(2))[0].tolist() == [2.0, 2.0]
    assert Graph.from_fx(graph.module(), graph.specs, name="g").structure_hash == graph.structure_hash
    hidden = graph_of([spec("in_0", 2)], body[0], "a = torch.ones(2, device=device(type='cpu'))", "return (a,)")
    with pytest.raises(GraphError, match="a call inside an argument"):
        hidden.module()


def test_ellipsis_may_not_be_rebound() -> None:
    graph = graph_of([spec("in_0", 2)], "Ellipsis = in_0 + 1", "return (Ellipsis,)")
    with pytest.raises(GraphError, match="'Ellipsis' may not be rebound"):
        graph.module()


@pytest.mark.parametrize("spelling", ["device(type='cuda', index=0)", "torch.device('cuda:0')", "'cuda'", "'cuda:1'"])
def test_a_named_device_changes_neither_hash_nor_written_text(spelling: str) -> None:
    body = ["a = torch.zeros(2, device={})", "b = in_0.to({})", "c = a + b", "return (c,)"]
    imports = ["from torch import device"]
    named, plain = (
        graph_of([spec("in_0", 2)], *(line.format(text) for line in body), imports=imports)
        for text in (spelling, "device(type='cpu')")
    )
    assert named.structure_hash == plain.structure_hash
    written = Graph.from_fx(named.module(), named.specs, name="g")
    assert written.source == Graph.from_fx(plain.module(), plain.specs, name="g").source
    assert written.structure_hash == named.structure_hash


def test_string_arguments_that_are_no_devices_stay() -> None:
    graph = graph_of([spec("in_0", 4)], "a = torch._C._nn.gelu(in_0, approximate='tanh')", "return (a,)")
    assert "approximate = 'tanh'" in graph.module("cpu").code


def test_augmented_assignment_binds_as_python_does() -> None:
    body = ["a = in_0 * 2", "b = a", "a += 1", "c = b + a", "a -= b", "return (c, a)"]
    graph = graph_of([spec("in_0", 3)], *body)
    value = torch.arange(3.0)
    assert same(graph.module()(value), run_text(graph.source, [value]))


@pytest.mark.parametrize("outputs", ["a", "[a, a]", "(a, (a, [a]), None, 3)"])
def test_outputs_are_always_a_tuple(outputs: str) -> None:
    graph = graph_of([spec("in_0", 3)], "a = in_0 + 1", f"return {outputs}")
    assert isinstance(graph.module()(torch.zeros(3)), tuple)


def test_propagation_sets_shape_and_dtype_of_every_node() -> None:
    graph = Graph.read(FIXTURES / "dialect_raw")
    gm = graph.module()
    assert propagate(gm, fake_inputs(graph.specs)).complete
    vals = {node.name: node.meta["val"] for node in gm.graph.nodes if node.op == "call_method"}
    assert vals["hidden"].dtype == torch.float32
    assert tuple(vals["variance"].shape) == (3, 1)


def test_propagation_names_the_node_that_stops_it_and_restores_grad_mode() -> None:
    body = ["s = torch._C._set_grad_enabled(False)", "a = in_0.max()", "b = a.item()", "c = torch.ones(4, 4)"]
    graph = graph_of([spec("in_0", 3)], *body, "d = c.topk(b)", "return (d,)")
    gm = graph.module()
    with torch.enable_grad():
        outcome = propagate(gm, fake_inputs(graph.specs))
        assert torch.is_grad_enabled()
    assert (outcome.complete, outcome.node) == (False, "d")
    assert outcome.reason


def test_propagation_that_stops_inside_vmap_and_autocast_leaves_no_trace() -> None:
    body = [
        "a = torch.amp.autocast_mode._enter_autocast('cpu', torch.bfloat16, True, None)",
        "b = torch._C._functorch._vmap_increment_nesting(3, 'error')",
        "c = torch._C._functorch._add_batch_dim(in_0, 0, 1)",
        "d = in_0.view(7, 7)",
    ]
    graph = graph_of([spec("in_0", 3)], *body, "return (d,)")
    outcome = propagate(graph.module(propagated=False), fake_inputs(graph.specs))
    assert (outcome.complete, outcome.node) == (False, "d")
    assert torch._C._functorch.maybe_current_level() is None
    assert not torch.is_autocast_enabled("cpu")
    assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32


def test_modules_come_propagated_unless_asked_otherwise() -> None:
    graph = Graph.read(FIXTURES / "dialect_raw")
    assert all("val" in node.meta for node in graph.module().graph.nodes)
    assert not any("val" in node.meta for node in graph.module(propagated=False).graph.nodes)


MISSING = ("model.py", "weight_meta.py", "graph_net.json")


@pytest.mark.parametrize("file", MISSING)
def test_missing_file_is_named(file: str, tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "dialect_renamed", tmp_path / "g")
    (tmp_path / "g" / file).unlink()
    with pytest.raises(GraphError, match=file):
        Graph.read(tmp_path / "g")


@pytest.mark.parametrize("file", ["input_meta.py", "input_tensor_constraints.py", "graph_hash.txt"])
def test_optional_files_may_be_missing(file: str, tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "dialect_renamed", tmp_path / "g")
    (tmp_path / "g" / file).unlink()
    assert Graph.read(tmp_path / "g", name="x") == Graph.read(FIXTURES / "dialect_renamed", name="x")


def test_no_directory_and_task_directory_have_their_own_hints(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="no such directory"):
        Graph.read(tmp_path / "nowhere")
    (tmp_path / "graph_list.txt").write_text("graphs/a\n")
    with pytest.raises(GraphError, match="task directory"):
        Graph.read(tmp_path)


def test_paddle_samples_are_refused_by_name(tmp_path: Path, make: Callable[..., Path]) -> None:
    with pytest.raises(GraphError, match=r"paddle.*expected torch"):
        Graph.read(FIXTURES / "paddle_sample")
    text = (FIXTURES / "paddle_sample" / "model.py").read_text()
    with pytest.raises(GraphError, match="Paddle"):
        Graph.read(make(text, ""))


def test_specs_must_fit_the_signature(make: Callable[..., Path]) -> None:
    source = model_text(["in_0", "in_1"], ["return (in_0, in_1)"])
    with pytest.raises(GraphError, match="in_1"):
        Graph.read(make(source, [spec("in_0", 2)], name="missing"))
    three = [spec("in_0", 2), spec("in_1", 2), spec("in_9", 2)]
    with pytest.raises(GraphError, match="in_9"):
        Graph.read(make(source, three, name="extra"))
    twice = [spec("in_0", 2), spec("in_0", 2), spec("in_1", 2)]
    with pytest.raises(GraphError, match="two classes"):
        Graph.read(make(source, twice, name="twice"))


def test_file_order_is_kept_and_signature_order_is_served(make: Callable[..., Path], tmp_path: Path) -> None:
    source = model_text(["in_0", "in_1"], ["a = in_0 + in_1", "return (a,)"])
    graph = Graph.read(make(source, [spec("in_1", 2), spec("in_0", 2)]))
    assert [s.name for s in graph.specs] == ["in_0", "in_1"]
    graph.write(tmp_path / "copy")
    assert (tmp_path / "copy/weight_meta.py").read_text().index("in_1") < 40


@pytest.mark.parametrize("text", ["", "{", "[1]", '"x"', "{" * 100_000, '{"framework": ' + "[" * 100_000])
def test_malformed_json_is_refused(text: str, make: Callable[..., Path]) -> None:
    with pytest.raises(GraphError, match=r"graph_net\.json"):
        Graph.read(make(model_text(["in_0"], ["return (in_0,)"]), [spec("in_0", 1)], meta=text))


def test_truncated_model_names_the_line(make: Callable[..., Path]) -> None:
    text = (FIXTURES / "dialect_black" / "model.py").read_text()
    weights = (FIXTURES / "dialect_black" / "weight_meta.py").read_text()
    for cut in (len(text) // 4, len(text) // 2, len(text) - 40):
        with pytest.raises(GraphError, match=r"model\.py"):
            Graph.read(make(text[:cut], weights, name=f"cut{cut}"))


def test_write_refuses_to_replace_and_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = Graph.read(FIXTURES / "dialect_renamed")
    graph.write(tmp_path / "g")
    with pytest.raises(UsageError, match="already exists"):
        graph.write(tmp_path / "g")
    graph.write(tmp_path / "g", overwrite=True)

    def broken(self: Graph) -> dict[str, str]:
        raise OSError("disk full")

    monkeypatch.setattr(Graph, "files", broken)
    with pytest.raises(OSError, match="disk full"):
        graph.write(tmp_path / "h")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["g"]


def test_failed_replacement_keeps_the_old_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Graph.read(FIXTURES / "dialect_renamed")
    graph.write(tmp_path / "g")

    def refuse(source: object, target: object) -> None:
        raise OSError("no")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="no"):
        graph.write(tmp_path / "g", overwrite=True)
    assert Graph.read(tmp_path / "g", name=graph.name) == graph


def test_completion_marker_is_written_last() -> None:
    assert list(Graph.read(FIXTURES / "dialect_renamed").files())[-1] == "graph_net.json"


def test_importing_the_room_and_reading_needs_no_torch(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from passnet.graph import Graph, Task; "
        f"g = Graph.read({str(FIXTURES / 'dialect_black')!r}); g.structure_hash; g.content_hash; "
        f"g.write({str(tmp_path / 'copy')!r}); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_size_may_have_a_name_and_other_containers_may_not() -> None:
    specs = [spec("in_0", 1, 2, 3, 3), spec("s0", dtype="int64", data=(4,))]
    body = ["size = torch.Size([s0, s0])", "a = torch.nn.functional.interpolate(in_0, size=size, mode='nearest')"]
    graph = graph_of(specs, *body, "size = None", "return (a,)")
    assert tuple(graph.module()(*graph.inputs(0))[0].shape) == (1, 2, 4, 4)
    assert Graph.from_fx(graph.module(), graph.specs, name="g").structure_hash == graph.structure_hash
    for line in ("pair = [in_0, in_0]", "pair = (1, (2, 3))", f"pair = ({'1, ' * 65})"):
        with pytest.raises(GraphError, match="a container has no name"):
            graph_of(specs, line, "return (in_0,)").module()
