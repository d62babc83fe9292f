"""Kernel counts from scheduling alone: one scheduling of the whole beside prefix by prefix, for a pretended GPU."""

from __future__ import annotations

import pytest
import torch

from passnet.dataset.capture.nodes import op_name
from passnet.dataset.cut.fusible import fusible_ranges
from passnet.dataset.cut.parent import Parent
from passnet.dataset.cut.pieces import Cut, CutLimits, cut_all
from passnet.dataset.cut.prefix import kernel_names, launch_counts, prefixes
from passnet.dataset.cut.schedule import kernel_counts, prefix_counts
from passnet.errors import UsageError
from passnet.graph import Graph
from tests.dataset.cut_parents import bundled, model, normal, written

X = normal(64, 96)
IMAGE = normal(2, 64, 28, 28)
KERNEL = normal(64, 64, 3, 3)


def one(graph: Graph, device: str = "cuda") -> list[int]:
    return list(kernel_counts(graph.module(propagated=False), graph.specs, device).counts)


def apart(graph: Graph, device: str = "cuda") -> list[int]:
    return prefix_counts(graph.module(), graph.specs, device)


def stretch(graph: Graph, start: int, end: int) -> Graph:
    """Operators of a graph as a graph."""
    parent = Parent(graph)
    (cut,) = cut_all(parent, [parent.snapped(start, end, growth=8)], CutLimits(parent_bytes=-1)).values()
    assert isinstance(cut, Cut)
    return cut.graph


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # Pointwise work on equal shapes is one kernel, and so is a reduction with what is around it.
        ("a = x * 2\nb = a + 1\nc = b.tanh()\nd = c * x", [1, 1, 1, 1]),
        ("a = x * 2\nb = a.sum(1, keepdim=True)\nc = a / b\nd = c.exp()", [1, 1, 1, 1]),
        ("a = x.softmax(-1)\nd = a * 2", [1, 1]),
        # A matrix product is a library's kernel; a pointwise operator before or after it is one more.
        ("a = x * 2\nb = torch.matmul(a, w)\nc = b + 1\nd = c.relu()", [1, 2, 3, 3]),
        ("a = torch.nn.functional.linear(x, w, v)\nd = a.relu()", [1, 2]),
        # Views launch nothing.
        ("a = x.view(96, 64)\nb = a.t()\nc = b.unsqueeze(0)\nd = c + 1", [0, 0, 0, 1]),
        ("a = torch.nn.functional.dropout(x, 0.1, False)\nd = a + 1", [0, 1]),
    ],
)
def test_kernels_of_small_graphs(body, expected):
    graph = written(body, "d", x=X, w=normal(96, 96), v=normal(96))
    assert apart(graph) == expected
    assert one(graph) == expected


def test_reductions_in_two_directions_share_no_loop():
    graph = written("a = x.sum(0)\nb = x.sum(1)", "a, b", x=X)
    assert one(graph) == apart(graph) == [1, 2]


def test_a_convolution_splits_what_is_around_it():
    body = (
        "a = x * 2\nb = torch.conv2d(a, w, None, (1, 1), (1, 1))\nc = torch.nn.functional.batch_norm(b, m, v)\n"
        "d = torch.nn.functional.relu(c)"
    )
    graph = written(body, "d", x=IMAGE, w=KERNEL, m=torch.zeros(64), v=torch.ones(64))
    counts, reference = one(graph), apart(graph)
    assert counts == reference
    assert counts[0] == 1
    # The library's kernel and one that puts its result in order; normalisation and ReLU take that one's place.
    assert counts[1] >= 3
    assert counts[1] == counts[2] == counts[3]
    assert fusible_ranges(counts) == [(1, 4)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # A part written, a convolution of a transposed operand, a literal tensor: torch asks the driver about each.
        ("a = x * 2\na[(slice(None, None, None), slice(0, 4, None))] = 1\nd = a + 1", [1, 1, 1]),
        ("a = y.transpose(1, 2)\nb = torch.conv1d(a, k, None, 1, 1)\nd = b.relu()", [0, 2, 3]),
        ("a = torch.tensor([0.5, 0.25, 0.125])\nb = z - a\nd = b * 2", [1, 1, 1]),
    ],
)
def test_nothing_asks_for_the_driver_of_a_missing_device(body, expected):
    graph = written(body, "d", x=X, y=normal(2, 16, 8), k=normal(8, 8, 3), z=normal(5, 3))
    assert one(graph) == expected


def test_operators_that_compute_are_told_from_views():
    graph = written("a = x.view(96, 64)\nb = a + 1\nc = b.t()\nd = c[0]\ne = d.sum()", "e", x=X)
    found = kernel_counts(graph.module(propagated=False), graph.specs)
    assert found.computing == {1, 4}
    assert found.by == ("schedule-cuda" if torch.cuda.is_available() else "schedule-cuda-fake")


def test_in_place_work_is_work():
    graph = written("a = x * 3\nb = a.add_(1)\nc = b.mul_(2)\nd = c + x", "d", x=X)
    assert one(graph) == apart(graph) == [1, 1, 1, 1]


def test_the_processor_can_be_scheduled_for_too():
    graph = written("a = x * 2\nb = a + 1\nc = torch.matmul(b, w)", "c", x=X, w=normal(96, 96))
    found = kernel_counts(graph.module(propagated=False), graph.specs, "cpu")
    assert (found.counts, found.by) == ((1, 1, 2), "schedule-cpu")


def test_sizes_that_a_mask_decides_are_scheduled():
    graph = written("a = x > 0\nb = x[a]\nc = b * 2\nd = torch.tanh(c)", "d", x=X)
    counts = one(graph)
    assert counts[3] == counts[2] > counts[1] > 0, "what follows the mask is one kernel, whatever its size"


def test_a_size_that_the_compiler_must_know_raises():
    with pytest.raises(RuntimeError):
        one(written("a = x.nonzero()\nd = a.view(3, -1)", "d", x=X))


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_bundled_graphs_are_told_right_by_one_scheduling(every):
    graphs = bundled()[::every]
    pairs = [(one(graph), apart(graph)) for graph in graphs]
    ends = sum(left[-1] == right[-1] for left, right in pairs)
    prefixes_equal = [a == b for left, right in pairs for a, b in zip(left, right, strict=True)]
    ranges_equal = sum(fusible_ranges(left) == fusible_ranges(right) for left, right in pairs)
    assert ends >= len(graphs) - 1
    assert sum(prefixes_equal) > 0.85 * len(prefixes_equal)
    assert ranges_equal >= len(graphs) - 2


@pytest.mark.slow
def test_a_real_image_model_is_told_nearly_right():
    graph = stretch(model("timm", "test_resnet"), 3, 12)
    left, right = one(graph), apart(graph)
    assert [op_name(node) for node in Parent(graph).calls].count("conv2d") > 1
    assert sum(a == b for a, b in zip(left, right, strict=True)) > len(left) / 2
    assert left[-1] == pytest.approx(right[-1], abs=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bert", "llama"])
def test_a_real_language_model_is_told_nearly_right(name):
    graph = stretch(model("transformers", name), 40, 60)
    left, right = one(graph), apart(graph)
    assert sum(a == b for a, b in zip(left, right, strict=True)) > 0.8 * len(left)
    assert left[-1] == right[-1]


@pytest.mark.slow
def test_a_whole_model_is_scheduled_and_gives_ranges():
    graph = model("timm", "test_vit")
    found = kernel_counts(graph.module(propagated=False), graph.specs)
    assert len(found.counts) == len(graph.statements())
    assert max(found.counts) > 20
    assert all(later >= earlier - 2 for earlier, later in zip(found.counts, found.counts[1:], strict=False))
    assert len(fusible_ranges(found.counts)) > 5


def test_scheduling_leaves_no_trace():
    graph = bundled()[0]
    known = torch.cuda.get_device_properties, torch._C._conv_determine_backend_memory_format
    first = one(graph)
    assert (torch.cuda.get_device_properties, torch._C._conv_determine_backend_memory_format) == known
    assert one(graph) == first
    assert torch.is_grad_enabled()


def test_prefixes_return_all_that_is_used_later():
    graph = written("a = x.sin()\nb = x.chunk(2, dim=1)\nc = b[0]\nd = b[1]\ne = c * d\nf = a.sum() + 1".replace(
        "f = a.sum() + 1", "f = a.sum()"), "e, f", x=X)  # fmt: skip
    found = list(prefixes(graph.module()))
    assert [prefix.length for prefix in found] == [1, 2, 3, 4, 5, 6]
    outputs = [len(next(iter(prefix.module.graph.find_nodes(op="output"))).args[0]) for prefix in found]
    assert outputs == [1, 1, 2, 3, 2, 2]
    assert all(prefix.inputs == (0,) for prefix in found)


def test_a_prefix_without_tensors_has_no_module():
    graph = written("a = x.chunk(2, dim=1)\nb = a[0]\nc = b + 1", "c", x=X)
    assert [prefix.module is None for prefix in prefixes(graph.module())] == [True, False, False]
    assert one(graph) == apart(graph) == [0, 0, 1]


def test_only_kernels_are_counted_among_what_the_profiler_saw():
    class Event:
        def __init__(self, name, device=torch._C._autograd.DeviceType.CUDA, note=False):
            self.name, self.device_type, self.is_user_annotation = name, device, note

    events = [
        Event("triton_poi_fused_add_0"),
        Event("Memcpy DtoD (Device -> Device)"),
        Event("Memset (Device)"),
        Event("cudaLaunchKernel", torch._C._autograd.DeviceType.CPU),
        Event("## Call CompiledFxGraph abc ##"),
        Event("forward", note=True),
        Event("sm90_xmma_gemm_f32f32"),
    ]
    assert kernel_names(events) == ["triton_poi_fused_add_0", "sm90_xmma_gemm_f32f32"]


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_launches_are_counted_on_a_gpu_alone():
    with pytest.raises(UsageError, match="a CUDA device"):
        launch_counts(bundled()[0])


@pytest.mark.gpu
def test_launches_agree_with_scheduling_on_small_graphs():
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    graph = written("a = x * 2\nb = torch.matmul(a, w)\nc = b + 1\nd = c.relu()", "d", x=X, w=normal(96, 96))
    launched = launch_counts(graph)
    # One call of a library may launch two kernels (split-K), so steps are compared, not counts.
    assert one(graph) == [1, 2, 3, 3]
    assert fusible_ranges(launched) == fusible_ranges(one(graph))
    assert launched[0] == 1
    assert launched[3] == launched[2] == launched[1] + 1
