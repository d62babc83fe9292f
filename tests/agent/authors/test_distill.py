"""The embedded author's kernels: Inductor's text as data, as C++ that runs, as rules that match their graphs."""

import json
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from passnet.agent.authors.distill import cpp, recipes, regions, triton
from passnet.agent.authors.distill.candidates import Candidates
from passnet.agent.authors.distill.identity_rule import identity_rule
from passnet.agent.authors.distill.plan import Buffer, BufferView, KernelPlan, parse
from passnet.agent.authors.distill.rules import (
    CPP,
    MANIFEST,
    TRITON,
    RuleKernel,
    RuleVariant,
    manifest,
    pass_files,
    pattern_of,
)
from passnet.agent.lowering import pieces
from passnet.agent.lowering.inductor import NotGenerated, generate
from passnet.agent.lowering.launches import heuristics
from passnet.agent.lowering.pieces import LoweredPiece
from passnet.graph import Graph, TensorSpec
from passnet.kernels import cpp as compile_cpp
from passnet.rewrite import check_policy, freeze_program, load_rules, read_pass_set, rewrite
from tests.graph.graph_helpers import graph_of, spec

TASKS = Path(__file__).resolve().parents[3] / "data" / "tasks"
NAMES = sorted(path.name for path in TASKS.iterdir())


def graphs_of(task, dtype=None):
    files = sorted((TASKS / task / "graphs").rglob("model.py"))
    return [Graph.read(file.parent) for file in files if dtype is None or f"/{dtype}/" in str(file)]


def variants_of(task, device, recipe=None, dtype=None):
    recipe = recipe or recipes.recipes(device)[0]
    found = []
    for number, graph in enumerate(graphs_of(task, dtype)):
        plan = parse(generate(graph, device))
        piece = LoweredPiece.whole(graph)
        found.append(RuleVariant(piece, plan, recipe.make(piece, plan, number)))
    return found


def written(files, directory):
    directory.mkdir()
    for name, text in files.items():
        (directory / name).write_text(text)
    return directory


def rules_in(directory):
    """The loaded rules of a directory that obeys the strict policy."""
    passes = read_pass_set(directory)
    assert not check_policy(passes, "strict")
    loaded = load_rules(passes, device="cpu")
    assert not loaded.failed
    return loaded.rules


def test_a_module_of_inductors_becomes_a_plan():
    plan = parse(generate(graphs_of("bert_add_norm", "float32")[0], "cpu"))
    assert plan.inputs == ("arg0_1", "arg1_1", "arg2_1", "arg3_1")
    assert len(plan.calls) == len(plan.kernels) == 1
    assert plan.outputs == ("buf3",)
    assert plan.buffer("buf3") == Buffer("buf3", (1, 128, 256), (32768, 256, 1), "float32")
    assert plan.returned == {"buf3"}


MODULE = """
async_compile = AsyncCompile()
kernel_a = async_compile.cpp_pybinding(['const float*', 'float*'], '''text''')
class Runner:
    def call(self, args):
        arg0_1, arg1_1 = args
        args.clear()
        buf0 = empty_strided_cpu((2, 3), (3, 1), torch.float32)
        buf1 = reinterpret_tensor(buf0, (3, ), (1, ), 3); del buf0
        {line}
        return (buf1, arg1_1, )
"""


def test_views_of_views_and_names_are_resolved():
    plan = parse(MODULE.format(line="kernel_a(arg0_1, reinterpret_tensor(buf1, (2, ), (1, ), 1))"))
    assert plan.calls[0].arguments == ("arg0_1", BufferView("buf0", (2,), (1,), 4))
    assert plan.outputs == (BufferView("buf0", (3,), (1,), 3), "arg1_1")


@pytest.mark.parametrize(
    "line",
    [
        "extern_kernels.mm(arg0_1, arg1_1, out=buf1)",
        "buf2 = torch.ops.aten.sort.default(arg0_1)",
        "unknown(arg0_1)",
        "kernel_a(arg9_1, buf1)",
        "buf2 = empty_strided_cpu((s0, 3), (3, 1), torch.float32)",
    ],
)
def test_what_is_no_kernel_is_named(line):
    with pytest.raises(NotGenerated, match=r"not a kernel|sizes are not known"):
        parse(MODULE.format(line=line))


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 7)), max_size=4))
def test_the_elements_of_a_buffer_reach_to_its_last(dims):
    size, stride = tuple(size for size, _ in dims), tuple(stride for _, stride in dims)
    wanted = torch.empty_strided(size, stride).untyped_storage().nbytes() // 4
    assert Buffer("b", size, stride, "float32").elements == wanted


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("task", NAMES)
def test_the_loops_of_inductor_compute_what_the_graph_computes(task, wide):
    dtype = "float16" if wide else "float32"
    graph = graphs_of(task, dtype)[0]
    plan = parse(generate(graph, "cpu"))
    source = cpp.source(plan, LoweredPiece.whole(graph), wide=wide)
    inputs = graph.inputs(3)
    found = called(compile_cpp(source.text).run, source, plan, inputs)
    with torch.no_grad():
        # Eager rounds to half precision after every operator, the loops once.
        wider = [value.float() if value.dtype == torch.float16 else value for value in inputs]
        expected = graph.module(propagated=False)(*wider)
    assert len(found) == len(expected)
    tolerance = 2e-3 if wide else 2e-5
    for value, wanted in zip(found, expected, strict=True):
        assert value.shape == wanted.shape and value.stride() == wanted.stride()
        scale = wanted.double().abs().max()
        assert (value.double() - wanted.double()).abs().max() <= tolerance * scale


def called(run, source, plan: KernelPlan, inputs):
    given_inputs = dict(zip(plan.inputs, inputs, strict=True))
    rooms = {}
    for name in source.buffers:
        buffer = plan.buffer(name)
        rooms[name] = torch.empty_strided(buffer.size, buffer.stride, dtype=getattr(torch, buffer.dtype))
    run(*(given_inputs[name] for name in source.inputs), *rooms.values())
    values = given_inputs | rooms
    return [values[output] if isinstance(output, str) else
            values[output.base].as_strided(output.size, output.stride, output.offset)
            for output in plan.outputs]  # fmt: skip


@pytest.mark.parametrize("task", ["bert_add_norm", "deit_cat_pos_norm", "llama_residual_rmsnorm"])
def test_the_rules_of_a_task_match_all_its_graphs_and_no_other_shapes(task, tmp_path):
    variants = variants_of(task, "cpu")
    rules = rules_in(written(manifest(pass_files(variants, CPP)), tmp_path / "passes"))
    for variant in variants:
        gm = variant.graph.module()
        rewritten = rewrite(gm, rules)
        assert rewritten.total == 1
        inputs = variant.graph.inputs(1)
        with torch.no_grad():
            for found, wanted in zip(rewritten.gm(*inputs), gm(*inputs), strict=True):
                scale = wanted.double().abs().max()
                assert (found.double() - wanted.double()).abs().max() <= 2e-2 * scale
    one = pass_files(variants[:1], CPP)
    alone = rules_in(written(manifest(one), tmp_path / "one"))
    assert rewrite(variants[0].graph.module(), alone).total == 1
    refused = rewrite(variants[1].graph.module(), alone)
    assert refused.total == 0 and "no kernel for" in refused.near_misses[0].reason


def test_a_pattern_keeps_statements_and_leaves_out_inputs_and_repeats():
    graph = graphs_of("llama_residual_rmsnorm", "float32")[0]
    pattern = pattern_of(graph)
    assert pattern.parameters == ("in_0", "in_1", "in_2")
    assert pattern.outputs == (0, 1)
    assert "None" not in pattern.text
    assert pattern.text.count("\n") == len(graph.statements()) + 1


@pytest.mark.parametrize("task", ["bert_add_norm", "convnextv2_gelu_grn", "efficientnet_bn_silu_mean"])
def test_triton_rules_are_written_without_inductors_library(task):
    files = pass_files(variants_of(task, "cuda", dtype="float16"), TRITON)
    for text in files.values():
        compile(text, "rule.py", "exec")
        assert "triton_helpers" not in text and "_inductor" not in text
        assert 'DEVICES = ("cuda",)' in text


@pytest.mark.parametrize("task", ["swin_reverse_roll_add", "bert_add_norm"])
def test_a_tie_matches_and_changes_nothing(task, tmp_path):
    graph = graphs_of(task, "float32")[0]
    text = identity_rule(graph, CPP)
    directory = written({"Unchanged0.py": text, MANIFEST: json.dumps(["Unchanged0"])}, tmp_path / "passes")
    gm = graph.module()
    rewritten = rewrite(gm, rules_in(directory))
    assert rewritten.total >= 1
    inputs = graph.inputs(0)
    with torch.no_grad():
        assert all(map(torch.equal, rewritten.gm(*inputs), gm(*inputs)))


def test_no_tie_without_a_view():
    assert identity_rule(graphs_of("bloom_gelu", "float32")[0], CPP) is None


@pytest.mark.parametrize(
    ("operators", "expected"),
    [
        (["add", "relu"], [(0, 1)]),
        (["conv2d", "batch_norm", "relu", "conv2d", "add"], [(1, 2), (4, 4)]),
        (["linear", "view", "transpose", "matmul", "softmax"], [(4, 4)]),
        (["linear"], []),
        ([], []),
    ],
)
def test_regions_lie_between_library_calls(operators, expected):
    assert list(regions.ranges(operators)) == expected


ROUTER = """
import torch

class GraphModule(torch.nn.Module):
    def forward(self, in_0):
        tmp_0 = in_0.softmax(-1)
        tmp_1 = torch.topk(tmp_0, 2, dim=-1, sorted=False)
        tmp_2 = tmp_1[0]
        tmp_3 = tmp_1[1]
        tmp_4 = tmp_2[:, :1]
        tmp_5 = tmp_2 / tmp_4
        tmp_6 = tmp_5 + 1.0
        return (tmp_6, tmp_3)
"""


def test_what_takes_a_tensor_out_of_a_librarys_tuple_stays_with_it():
    graph = Graph("router", ROUTER, (TensorSpec("in_0", (4, 8), "float32"),))
    found = regions.find([graph], "cpu")
    assert [(region.first, region.last) for region in found] == [(0, 0), (4, 6)]
    for region in found:
        (piece,) = region.pieces.values()
        assert "topk" not in piece.graph.source
        assert parse(generate(piece.graph, "cpu", strides=piece.strides)).calls


POSITIONS = """
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, in_0, in_1):
        tmp_0 = torch.arange(8, dtype = torch.float32, device = device(type='cpu'))
        tmp_1 = tmp_0 / 8
        tmp_2 = 100 ** tmp_1
        tmp_3 = torch.arange(6, device = device(type='cpu'))
        tmp_4 = tmp_3.unsqueeze(-1)
        tmp_5 = tmp_4 / tmp_2
        tmp_6 = torch.nn.functional.linear(tmp_5, in_0)
        tmp_7 = tmp_6 + in_1
        return (tmp_7,)
"""


def positions():
    return Graph("positions", POSITIONS, (TensorSpec("in_0", (4, 8), "float32"), TensorSpec("in_1", (4,), "float32")))


def test_constants_made_anew_in_each_call_are_one_kernel(tmp_path):
    graph = positions()
    candidates = Candidates([graph, graph], "cpu")
    assert [(region.first, region.last) for region in candidates.regions] == [(0, 5), (7, 7)]
    files = candidates.files(dict.fromkeys(candidates.plans, recipes.recipes("cpu")[0]))
    assert "def pattern():" in files["Fused0_0.py"]
    rewritten = rewrite(graph.module(), rules_in(written(files, tmp_path / "passes")))
    assert rewritten.total == 2, rewritten.near_misses
    inputs = graph.inputs(0)
    with torch.no_grad():
        program = freeze_program(rewritten, inputs)
        torch.testing.assert_close(program.forward(*inputs), graph.module()(*inputs))
    assert program.frozen == 2, program.calls


def test_constants_that_stay_on_the_cpu_are_no_region_of_a_gpu(monkeypatch):
    graph = positions()
    made = {f"tmp_{number}": torch.empty(()) for number in range(6)}
    monkeypatch.setattr(pieces, "_values", lambda *_: made)
    candidates = Candidates([graph], "cuda")
    assert [(candidates.regions[number].first, candidates.regions[number].last) for number, _ in candidates.plans] == [
        (7, 7)
    ]
    assert "tmp_5 do not lie on cuda" in candidates.notes[0]


def test_constants_of_a_gpu_lie_there():
    candidates = Candidates([positions()], "cuda")
    text = candidates.files(dict.fromkeys(candidates.plans, recipes.recipes("cuda")[0]))["Fused0_0.py"]
    assert "device('cuda')" in text and "device='cuda'" in text and "'cpu'" not in text


EINSUM = """
import torch

class GraphModule(torch.nn.Module):
    def forward(self, in_0, in_1, in_2):
        tmp_0 = torch.einsum("bnid,bijd->bnij", (in_0, in_1))
        tmp_1 = in_2 + tmp_0
        tmp_2 = torch.nn.functional.softmax(tmp_1, -1)
        tmp_3 = tmp_2.transpose(1, 2)
        return (tmp_3, tmp_1)
"""


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_what_a_library_leaves_in_another_layout_is_taken_as_it_lies(dtype, tmp_path):
    shapes = ((1, 4, 6, 8), (1, 6, 6, 8), (1, 4, 6, 6))
    specs = tuple(TensorSpec(f"in_{n}", shape, dtype) for n, shape in enumerate(shapes))
    graph = Graph("einsum", EINSUM, specs)
    (found,) = regions.find([graph], "cpu")
    (piece,) = found.pieces.values()
    assert any(stride != LoweredPiece.whole(piece.graph).strides[n] for n, stride in enumerate(piece.strides))
    plan = parse(generate(piece.graph, "cpu", strides=piece.strides))
    for number, recipe in enumerate(recipes.recipes("cpu")):
        if recipe.name == "widened" and dtype == "float32":
            continue
        files = manifest(pass_files([RuleVariant(piece, plan, recipe.make(piece, plan, number))], CPP))
        rewritten = rewrite(graph.module(), rules_in(written(files, tmp_path / recipe.name)))
        assert rewritten.total == 1, rewritten.near_misses
        inputs = graph.inputs(1)
        with torch.no_grad():
            for value, wanted in zip(rewritten.gm(*inputs), graph.module()(*inputs), strict=True):
                assert value.stride() == wanted.stride()
                assert (value.double() - wanted.double()).abs().max() <= 2e-3 * wanted.double().abs().max()


REDUCED = """
import torch

class GraphModule(torch.nn.Module):
    def forward(self, in_0, in_1):
        tmp_0 = in_0 * in_1
        {}
        return (tmp_9,)
"""


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize(
    ("words", "statements"),
    [
        ("Welford", ("tmp_9 = tmp_0.var((0, 1))",)),
        ("CascadeSum", ("tmp_9 = tmp_0.sum((0, 1))",)),
        ("CascadeSum", ("tmp_1 = tmp_0.mean()", "tmp_9 = tmp_0 / tmp_1")),
    ],
)
def test_long_reductions_have_helpers_of_their_own(words, statements, wide):
    dtype = "float16" if wide else "float32"
    specs = tuple(TensorSpec(f"in_{n}", (70, 90, 320), dtype, mean=3.0, std=0.5) for n in range(2))
    graph = Graph("reduced", REDUCED.format("\n        ".join(statements)), specs)
    plan = parse(generate(graph, "cpu"))
    source = cpp.source(plan, LoweredPiece.whole(graph), wide=wide)
    assert f"{words}Helper" in source.text
    inputs = graph.inputs(3)
    (found,) = called(compile_cpp(source.text).run, source, plan, inputs)
    with torch.no_grad():
        (wanted,) = graph.module(propagated=False)(*(value.double() for value in inputs))
    assert (found.double() - wanted).abs().max() <= (2e-3 if wide else 2e-5) * wanted.abs().max()
    other = torch.full_like(inputs[0], 0.25)
    (again,) = called(compile_cpp(source.text).run, source, plan, [other, other])
    with torch.no_grad():
        (wanted,) = graph.module(propagated=False)(other.double(), other.double())
    assert (again.double() - wanted).abs().max() <= (2e-3 if wide else 2e-5) * max(1.0, float(wanted.abs().max()))


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_a_part_of_an_input_is_returned_and_the_call_still_replayed(device, tmp_path):
    statements = [
        "a = torch.split(x, [4, 4], dim = -1)",
        "b = a[1]",
        "c = b.unsqueeze(1)",
        "d = w.exp()",
        "return (c, d)",
    ]
    graph = graph_of([spec("x", 3, 8), spec("w", 5)], *statements)
    plan = parse(generate(graph, device))
    variant = RuleVariant(
        LoweredPiece.whole(graph), plan, recipes.recipes(device)[0].make(LoweredPiece.whole(graph), plan, 0)
    )
    files = pass_files([variant], CPP if device == "cpu" else TRITON)
    (text,) = files.values()
    assert "[4:]" in text and "storage_offset" not in text
    directory = written(manifest(files), tmp_path / "passes")
    if device == "cuda":
        assert not check_policy(read_pass_set(directory), "strict")
        return
    rewritten = rewrite(graph.module(), rules_in(directory))
    x, w = graph.inputs(1)
    program = freeze_program(rewritten, (x, w))
    assert program.frozen == rewritten.total == 1
    # Elsewhere in memory, too.
    for other in (x, torch.randn(3 * 8 + 16)[16:].view(3, 8)):
        part, _ = program.forward(other, w)
        assert torch.equal(part, other[:, 4:].unsqueeze(1)) and part.stride() == other[:, 4:].unsqueeze(1).stride()
        assert part.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


@pytest.mark.parametrize("wide", [False, True])
def test_an_input_may_be_changed_in_place(wide):
    dtype = "float16" if wide else "float32"
    graph = graph_of(
        [spec("x", 3, 8, dtype=dtype), spec("w", 8, dtype=dtype)], "a = w * 2.0", "x += a", "b = x", "return (b,)"
    )
    plan = parse(generate(graph, "cpu"))
    source = cpp.source(plan, LoweredPiece.whole(graph), wide=wide)
    x, w = graph.inputs(1)
    wanted = x + w * 2.0
    (found,) = called(compile_cpp(source.text).run, source, plan, [x, w])
    for value in (found, x):
        assert (value.double() - wanted.double()).abs().max() <= (2e-3 if wide else 0.0) * wanted.abs().max()


def test_a_kernel_that_reads_no_input_runs_where_the_inputs_are(tmp_path):
    graph = graph_of([spec("x", 3, 8)], "a = x.new_ones((2, 2))", "return (a,)")
    plan = parse(generate(graph, "cpu"))
    variant = RuleVariant(
        LoweredPiece.whole(graph), plan, recipes.recipes("cpu")[0].make(LoweredPiece.whole(graph), plan, 0)
    )
    rewritten = rewrite(graph.module(), rules_in(written(manifest(pass_files([variant], CPP)), tmp_path / "passes")))
    assert torch.equal(rewritten.gm(*graph.inputs(1))[0], torch.ones(2, 2))


def test_eagers_rounding_is_another_plan():
    graph = graphs_of("bloom_gelu", "float16")[0]
    careful = recipes.exact("cuda")
    plain, rounded = (parse(generate(graph, "cuda", **settings)) for settings in ({}, careful.settings))
    assert rounded.kernels[0].text.count(".to(tl.float16)") > plain.kernels[0].text.count(".to(tl.float16)")
    made = careful.make(LoweredPiece.whole(graph), rounded, 0)
    assert "enable_fp_fusion=False" in "".join(made.prelude)


def test_a_device_named_in_a_graph_is_that_of_the_rule():
    source = """
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, in_0):
        tmp_0 = torch.ones(4, device=device(type="cpu"), dtype=torch.bool)
        tmp_1 = torch.zeros(4, device="cpu")
        tmp_2 = in_0.masked_fill(tmp_0, 0.0)
        tmp_3 = tmp_2 + tmp_1
        return (tmp_3,)
"""
    graph = Graph("masked", source, (TensorSpec("in_0", (4,), "float32"),))
    here, there = pattern_of(graph).text, pattern_of(graph, "cuda").text
    assert here.count("'cpu'") == 2 and there.count("'cuda'") == 2 and "cpu" not in there


def test_where_y_holds_no_more_programs_they_go_on_along_z():
    statements = ["a = x.transpose(1, 2)", "b = a.contiguous()", "c = b.relu()", "return (c,)"]
    (kernel,) = parse(generate(graph_of([spec("x", 2500, 32, 33)], *statements), "cuda")).kernels
    known = heuristics(kernel.text)
    settings = known.likely[0]
    block = dict(settings.values)["YBLOCK"]
    for rows in (2500 * 33, 3_000_000):
        _, y, z = known.grid(settings, {"xnumel": 32, "ynumel": rows})
        assert y < 2**16 and rows <= y * z * block < rows + z * block
        assert (z > 1) == (rows > 2**16 * block)


def test_a_softmax_of_few_long_rows_is_cut_along_them():
    graph = graph_of([spec("x", 4, 300_000)], "a = torch.softmax(x, dim = -1)", "return (a,)")
    text = triton.source(parse(generate(graph, "cuda")), suffix="")
    names = [kernel.split("def ")[1].split("(")[0] for kernel in text.kernels]
    assert names.index("maximum") < names.index("online_softmax_combine_with_sum") < names.index("kernel_0")
    assert text.launch.count("kernel_") == 3


LOOKS = """
import torch

class GraphModule(torch.nn.Module):
    def forward(self, in_0, in_1):
        tmp_0 = torch.nn.functional.linear(in_0, in_1)
        tmp_1 = tmp_0.to(torch.float32)
        tmp_2 = tmp_1.transpose(0, 1)
        return (tmp_2,)
"""


def test_what_computes_nothing_gets_no_kernel():
    graph = Graph("looks", LOOKS, (TensorSpec("in_0", (4, 8), "float32"), TensorSpec("in_1", (6, 8), "float32")))
    candidates = Candidates([graph], "cpu")
    assert len(candidates.regions) == 1
    assert not candidates.plans
    assert "launches nothing" in candidates.notes[0]


SCATTER = """
import torch

class GraphModule(torch.nn.Module):
    def forward(self, in_0, in_1, in_2):
        tmp_0 = in_0 * in_0
        tmp_1 = torch.sigmoid(tmp_0)
        tmp_2 = torch.zeros_like(in_0)
        tmp_3 = tmp_2.index_add(0, in_1, in_2)
        tmp_4 = tmp_3 + tmp_1
        tmp_5 = torch.relu(tmp_4)
        return (tmp_5,)
"""


def scatter(dtype):
    floats = [TensorSpec(name, (16, 32), dtype) for name in ("in_0", "in_2")]
    return Graph("scatter", SCATTER, (floats[0], TensorSpec("in_1", (16,), "int64"), floats[1]))


def test_where_a_dtype_leaves_an_operator_to_a_library_the_rest_is_fused():
    candidates = Candidates([scatter("float32"), scatter("bfloat16"), scatter("bfloat16")], "cuda")
    ranges = {
        place: (candidates.regions[place[0]].first, candidates.regions[place[0]].last) for place in candidates.plans
    }
    assert ranges.pop((0, 0)) == (0, 5)
    assert sorted((variant, *found) for (_, variant), found in ranges.items()) == [
        (1, 0, 2), (1, 4, 5), (2, 0, 2), (2, 4, 5),
    ]  # fmt: skip
    assert len({number for number, _ in ranges}) == 2, "variants that are alike share a region"
    files = candidates.files(dict.fromkeys(candidates.plans, recipes.recipes("cuda")[0]))
    assert sum("index_add" in text for text in files.values()) == 1  # that of float32


NUMBERS = """
import torch

class GraphModule(torch.nn.Module):
    def forward(self, in_0):
        tmp_0 = in_0 * 2
        tmp_1 = torch.sigmoid(tmp_0)
        tmp_2 = torch.div(512, 256, rounding_mode="trunc")
        tmp_3 = tmp_2 - 1
        tmp_4 = tmp_1 + 1
        tmp_5 = torch.relu(tmp_4)
        return (tmp_5, tmp_3)
"""


def test_numbers_computed_beside_the_device_are_no_part_of_its_kernels():
    candidates = Candidates([Graph("numbers", NUMBERS, (TensorSpec("in_0", (16, 32), "float32"),))], "cuda")
    assert "computed on the CPU" in candidates.notes[0]
    assert [(candidates.regions[number].first, candidates.regions[number].last) for number, _ in candidates.plans] == [
        (0, 1), (4, 5),
    ]  # fmt: skip
    assert {kernel.language for plan in candidates.plans.values() for kernel in plan.kernels} == {"Triton"}


LITERALS = """
import torch
from torch import device

class GraphModule(torch.nn.Module):
    def forward(self, in_0, in_1):
        tmp_0 = in_0 * 2
        tmp_1 = tmp_0[(slice(None, None, None), [-2, 0, 1])]
        tmp_2 = torch.tensor([[0.1, 7], [14, -3], [28, 28]], dtype=torch.float32, device=device(type='cpu'))
        tmp_3 = in_1 / tmp_2
        tmp_4 = torch.sigmoid(tmp_3)
        return (tmp_1, tmp_4)
"""


def test_short_literals_are_written_out_in_the_kernels(tmp_path):
    graph = Graph("literals", LITERALS, (TensorSpec("in_0", (16, 5), "float32"), TensorSpec("in_1", (3, 2), "float32")))
    candidates = Candidates([graph], "cuda")
    assert list(candidates.plans) == [(0, 0)] and not candidates.notes
    assert {kernel.language for kernel in candidates.plans[0, 0].kernels} == {"Triton"}
    candidates = Candidates([graph], "cpu")
    files = candidates.files(dict.fromkeys(candidates.plans, recipes.recipes("cpu")[0]))
    rewritten = rewrite(graph.module(), rules_in(written(files, tmp_path / "passes")))
    assert rewritten.total == 1, rewritten.near_misses
    inputs = graph.inputs(0)
    with torch.no_grad():
        torch.testing.assert_close(rewritten.gm(*inputs), graph.module()(*inputs))


def test_what_reads_a_long_literal_is_left_out():
    longer = LITERALS.replace("[28, 28]]", "[28, 28], [1, 2], [3, 4]]")
    specs = (TensorSpec("in_0", (16, 5), "float32"), TensorSpec("in_1", (5, 2), "float32"))
    for device in ("cpu", "cuda"):
        candidates = Candidates([Graph("literals", longer, specs)], device)
        found = [candidates.regions[number] for number, _ in candidates.plans]
        assert [(region.first, region.last) for region in found] == [
            (0, 1), (3, 4),
        ]  # fmt: skip


IN_PLACE = {
    "returned": ["a = x.add_(y)", "b = a.mul_(2)", "return (b,)"],
    "read again": ["a = x.add_(y)", "b = x.mul_(2)", "return (x,)"],
    "twice": ["a = x.add_(y)", "b = x.mul_(2)", "return (b, x)"],
    "a part": ["a = x[:, :8]", "z = y[:, :8]", "b = a.copy_(z)", "c = y * 2", "return (c,)"],
    "an item": ["a = y[:, :8]", "x[:, :8] = a", "return (x,)"],
    "an item, read": ["a = y[:, :8]", "x[:, :8] = a", "b = x + 1", "return (b,)"],
    "masked": ["m = y > 0", "a = x.masked_fill_(m, -1.0)", "b = a.relu_()", "return (b,)"],
    "beside": ["a = x.add_(y)", "b = y * 3", "return (b,)"],
    "both": ["a = x.add_(y)", "b = y.mul_(x)", "return (y, x)"],
    "cast to itself": ["x *= 2.0", "a = x", "b = a.float()", "c = b.pow(2)", "return (a, b, c)"],
}


@pytest.mark.parametrize("name", IN_PLACE)
def test_a_graph_that_changes_its_inputs_has_a_rule(name, tmp_path):
    graph = graph_of([spec("x", 8, 16), spec("y", 8, 16)], *IN_PLACE[name])
    candidates = Candidates([graph], "cpu")
    rules = rules_in(
        written(candidates.files(dict.fromkeys(candidates.plans, recipes.recipes("cpu")[0])), tmp_path / "p")
    )
    mine, theirs = graph.inputs(1), graph.inputs(1)
    rewritten = rewrite(graph.module(), rules)
    assert rewritten.total == 1, rewritten.near_misses
    with torch.no_grad():
        program = freeze_program(rewritten, [value.clone() for value in mine])
        for _ in range(2):
            found, wanted = program.forward(*mine), graph.module()(*theirs)
            torch.testing.assert_close(list(found), list(wanted))
            torch.testing.assert_close(mine, theirs)
            assert [[value is one for one in mine] for value in found] == [
                [value is one for one in theirs] for value in wanted
            ]
    assert program.frozen == 1, program.calls


@pytest.mark.parametrize("name", ["returned", "read again", "twice", "an item", "masked", "both"])
def test_what_is_changed_in_place_is_written_once(name):
    graph = graph_of([spec("x", 8, 16), spec("y", 8, 16)], *IN_PLACE[name])
    (plan,) = Candidates([graph], "cuda").plans.values()
    assert not plan.buffers and len(plan.calls) == 1
    assert set(plan.outputs) <= set(plan.inputs)


PRODUCT = "a = torch.matmul(x, y)"


@pytest.mark.parametrize(
    ("lines", "returns"),
    [
        (["b = torch.nn.functional.relu(a, inplace=True)", "c = b.sum(1)", "return (c,)"], "return tmp_1"),
        (["b = a.add_(1.0)", "c = a.mul_(2.0)", "d = c.sum(1)", "return (d,)"], "return tmp_2"),
        (["v = a.view(64)", "b = v.add_(1.0)", "c = b.sum()", "return (c,)"], "return tmp_2"),
        # These can be seen: the tensor itself, a view of it, what a later product reads.
        (["b = a.add_(1.0)", "c = b.sum(1)", "return (c, a)"], "return tmp_1, in_0"),
        (["v = a.view(64)", "b = a.add_(1.0)", "c = b.sum(1)", "return (c, v)"], None),
        (["b = a.add_(1.0)", "c = b.sum(1)", "d = torch.matmul(a, a)", "return (c, d)"], "return tmp_1, in_0"),
    ],
    ids=["relu", "twice", "through a view", "returned", "a view is returned", "read by a product"],
)
def test_what_nobody_reads_any_more_is_not_written(lines, returns, tmp_path):
    graph = graph_of([spec("x", 8, 4), spec("y", 4, 8)], PRODUCT, *lines)
    candidates = Candidates([graph], "cpu")
    files = candidates.files(dict.fromkeys(candidates.plans, recipes.recipes("cpu")[0]))
    if returns is not None:
        (text,) = (text for name, text in files.items() if name.endswith(".py"))
        assert f"    {returns}\n" in text
        assert ("void run(const float* arg0_1" in text) == ("in_0" not in returns)
    rewritten = rewrite(graph.module(), rules_in(written(files, tmp_path / "p")) if files else ())
    assert rewritten.total == (returns is not None), rewritten.near_misses
    found, wanted = rewritten.gm(*graph.inputs(1)), graph.module()(*graph.inputs(1))
    torch.testing.assert_close(list(found), list(wanted))


def test_a_rule_that_the_policy_forbids_stays_out_and_is_named():
    def forbidden(piece, plan, number):
        buffers = tuple(buffer for buffer in plan.buffers if buffer.name in plan.returned)
        return RuleKernel(("VALUE = eval('1')",), "print", (0,), buffers)

    recipe = recipes.KernelRecipe("with eval", forbidden)
    candidates = Candidates(graphs_of("bert_add_norm", "float32")[:1], "cpu")
    assert candidates.files(dict.fromkeys(candidates.plans, recipe)) == {}
    assert "with eval" in candidates.notes[-1] and "the policy forbids it" in candidates.notes[-1]
    assert candidates.files(dict.fromkeys(candidates.plans, recipes.recipes("cpu")[0]))


def test_a_rule_too_large_for_a_file_becomes_several(monkeypatch, tmp_path):
    variants = variants_of("bert_add_norm", "cpu")
    assert len(pass_files(variants, CPP)) == 1
    monkeypatch.setattr("passnet.agent.authors.distill.rules.MAX_FILE_NODES", 500)
    files = pass_files(variants, CPP)
    assert len(files) > 1
    rules = rules_in(written(manifest(files), tmp_path / "passes"))
    assert all(rewrite(variant.graph.module(), rules).total == 1 for variant in variants)


def test_an_input_changed_through_a_view_alone_is_not_returned():
    graph = graph_of([spec("x", 8, 4), spec("y", 4)], "a = x.squeeze(1)", "b = a.add_(y)", "c = a * 2", "return (c,)")
    assert pattern_of(graph).text.endswith("return c")
    only = graph_of([spec("x", 8, 4), spec("y", 4)], "a = x.squeeze(1)", "b = a.add_(y)", "return (x,)")
    candidates = Candidates([only], "cpu")
    assert not candidates.plans and "through views" in candidates.notes[0]


def drafted(graphs, directory):
    """The rules of the first drafts for some graphs on a CPU."""
    candidates = Candidates(graphs, "cpu")
    files = candidates.files(dict.fromkeys(candidates.plans, recipes.recipes("cpu")[0]))
    return rules_in(written(files, directory))


@pytest.mark.parametrize("unread", [[], ["a = x + 1"]])
def test_an_input_that_nothing_reads_is_not_asked_for(unread, tmp_path):
    graphs = [
        graph_of([spec("x", rows, 4), spec("y", 8, 4)], *unread, "b = y * 2", "return (b,)", name=f"g{rows}")
        for rows in (2, 3)
    ]
    rules = drafted(graphs, tmp_path / "passes")
    for graph in graphs:
        rewritten = rewrite(graph.module(), rules)
        assert rewritten.total == 1, rewritten.near_misses


def test_variants_that_differ_in_an_input_whose_numbers_are_not_read_are_told_apart(tmp_path):
    graphs = [
        graph_of(
            [spec("x", 5, dtype=dtype), spec("y", 8, dtype="int64")],
            *("a = x.new_full((2, 3), 1.5)", "b = y * 2", "return (a, b)"),
            name=dtype,
        )
        for dtype in ("float32", "float16", "bfloat16")
    ]
    rules = drafted(graphs, tmp_path / "passes")
    for graph in graphs:
        rewritten, inputs = rewrite(graph.module(), rules), graph.inputs(1)
        assert rewritten.total == 1, rewritten.near_misses
        torch.testing.assert_close(list(rewritten.gm(*inputs)), list(graph.module()(*inputs)))


def test_variants_that_differ_in_strides_alone_have_rules_of_their_own(tmp_path):
    graph = graph_of([spec("x", 8, 4)], "a = x.sin()", "b = a * 2", "return (b,)")
    variants = []
    for number, strides in enumerate([(4, 1), (1, 8), (4, 1)]):
        piece = LoweredPiece(graph, (strides,))
        plan = parse(generate(graph, "cpu", strides=piece.strides))
        variants.append(RuleVariant(piece, plan, recipes.recipes("cpu")[0].make(piece, plan, number)))
    files = pass_files(variants, CPP)
    assert len(files) == 2 and all(text.count(").run") == 1 for text in files.values())
    rules_in(written(manifest(files), tmp_path / "passes"))


def test_what_a_kernel_stores_and_loads_again_has_a_barrier_between():
    """Triton gives a store and a load of one place to different threads where their dtypes want other layouts."""
    graph = graph_of(
        [spec("x", 64, 5000, dtype="float16")],
        "s = x * 2",
        "m = s.softmax(-1)",
        "n = torch.nn.functional.layer_norm(m, (5000,))",
        "return (n, m)",
    )
    text = triton.source(parse(generate(graph, "cuda")), suffix="").kernels[-1]
    stored = text.index("tl.store(out_ptr4")
    assert stored < text.index("tl.debug_barrier()") < text.index("tl.load(out_ptr4")
    assert text.count("tl.debug_barrier()") == 1
    plain = graph_of([spec("x", 64, 5000, dtype="float16")], "m = x.softmax(-1)", "return (m,)")
    assert "barrier" not in triton.source(parse(generate(plain, "cuda")), suffix="").kernels[-1]


def test_what_a_kernel_reads_may_stay_in_the_caches():
    graph = graph_of([spec("x", 64, 512)], "m = x.mean(-1, keepdim = True)", "a = x - m", "return (a,)")
    plan = parse(generate(graph, "cuda"))
    assert "evict_first" in plan.kernels[0].text
    (text,) = triton.source(plan, suffix="").kernels
    assert "tl.load(" in text and "evict_first" not in text


def test_a_scan_and_what_follows_are_kernels_with_a_step_of_their_own():
    """A GPU's position numbers: a running sum over a mask. A long row is a library's."""
    steps = ("a = x.ne(1)", "b = a.int()", "c = torch.cumsum(b, dim=1)", "d = c * b", "return (d,)")
    graph = graph_of([spec("x", 4, 256, dtype="int64")], *steps)
    (region,) = regions.find([graph], "cuda")
    assert (region.first, region.last) == (0, 3)
    text = triton.source(parse(generate(graph, "cuda")), suffix="_7").kernels[0]
    assert "def kernel_0_7_step_0(" in text
    assert "kernel_0_7_step_0)" in text
    assert "_triton_helper" not in text
    assert regions.moves(graph, region, "cuda") == [2], "where the scan loses, the rest is tried without it"
    assert regions.operators_of(graph, "cpu")[2] == "cumsum"
