"""Convolutions and products of batches in kernels of ours: they give the same, alone or with what follows."""

import math

import pytest
import torch

from passnet.agent.authors.distill import regions
from passnet.agent.authors.distill.plan import parse
from passnet.agent.lowering.convolutions import Convolution
from passnet.agent.lowering.inductor import generate
from passnet.agent.lowering.launch_model import LaunchSettings
from passnet.agent.lowering.launches import heuristics
from passnet.agent.lowering.own_products import write_products
from passnet.agent.lowering.products import ProductSizes
from passnet.dataset.cut.schedule_trace import trace
from passnet.graph import fake_inputs
from tests.graph.graph_helpers import graph_of, spec

SMALL = (16, 64, 4, 4)
IMAGE = (4, 12, 9, 10)


def convolved(image, weight, *, bias=True, settings="", dtype="float16", more=("z = torch.nn.functional.relu(y)",)):
    """A convolution and what follows it."""
    dims = len(image) - 2
    specs = [spec("x", *image, dtype=dtype), spec("w", *weight, dtype=dtype)]
    specs += [spec("b", weight[0], dtype=dtype)] if bias else []
    call = f"y = torch.conv{dims}d(x, w, {'b' if bias else None}{settings})"
    return graph_of(specs, call, *more, f"return ({more[-1][0]},)")


@pytest.fixture
def always(monkeypatch):
    """All that can be written is written."""
    monkeypatch.setattr(
        Convolution, "is_worth_a_kernel", lambda self, *, is_followed: self.is_a_sum or self.is_a_product
    )


@pytest.mark.parametrize(
    ("image", "weight", "settings"),
    [
        (SMALL, (128, 64, 1, 1), ""),
        ((1, 64, 8, 8), (32, 64, 1, 1), ""),
        ((7, 64, 1, 1), (32, 64, 1, 1), ""),
        ((4, 24, 50), (16, 24, 1), ""),
        ((2, 24, 3, 4, 5), (16, 24, 1, 1, 1), ""),
        (IMAGE, (20, 12, 3, 3), ", (1, 1), (1, 1)"),
        (IMAGE, (20, 12, 3, 5), ", (2, 3), (1, 0), (2, 1)"),
        (IMAGE, (20, 12, 3, 3), ", 2, 1"),
        (IMAGE, (20, 12, 3, 3), ", (1, 1), 'valid'"),
        (IMAGE, (20, 12, 1, 1), ", (2, 2)"),
        (IMAGE, (20, 12, 9, 10), ""),
        ((1, 12, 9, 10), (20, 12, 3, 3), ", (1, 1), (1, 1)"),
        (IMAGE, (12, 3, 3, 3), ", (1, 1), (1, 1), (1, 1), 4"),
        (IMAGE, (12, 1, 3, 3), ", (2, 2), (1, 1), (1, 1), 12"),
        (IMAGE, (24, 1, 3, 2), ", (1, 1), (2, 0), (2, 1), 12"),
        ((2, 6, 30), (6, 1, 7), ", (1,), (3,), (1,), 6"),
        ((2, 3, 5, 6, 7), (8, 3, 3, 3, 3), ", (1, 2, 1), (1, 1, 0)"),
        ((2, 1, 9, 9), (8, 1, 3, 3), ""),
    ],
)
@pytest.mark.parametrize("bias", [True, False])
def test_what_is_written_gives_what_the_convolution_gives(always, image, weight, settings, bias):
    graph = convolved(image, weight, bias=bias, settings=settings, dtype="float32", more=("z = y.transpose(0, 1)",))
    aten = trace(graph.module(), fake_inputs(graph.specs))
    inputs = graph.inputs(0)
    (same,) = aten(*inputs)
    written = write_products(aten)
    assert not aten.graph.find_nodes(op="call_function", target=torch.ops.aten.convolution.default)
    assert written.multiplied or written.summed
    (found,) = aten(*inputs)
    assert (found.shape, found.stride()) == (same.shape, same.stride())
    torch.testing.assert_close(found, same, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "settings", [", (1, 1), 'same'", ", (1, 1), (1, 1), (1, 1), 1"], ids=["padding by name", "a large one"]
)
def test_other_convolutions_are_left_to_the_library(settings):
    graph = convolved((16, 512, 32, 32), (512, 512, 3, 3), settings=settings)
    assert not write_products(trace(graph.module(), fake_inputs(graph.specs))).settings
    (region,) = regions.find([graph], "cuda")
    assert (region.first, region.last) == (1, 1)


def test_a_convolution_of_one_point_and_what_follows_it_are_one_kernel():
    graph = convolved(SMALL, (128, 64, 1, 1), more=("z = torch.nn.functional.relu(y)", "a = z * 0.5"))
    (region,) = regions.find([graph], "cuda")
    assert (region.first, region.last) == (0, 2)
    (kernel,) = parse(generate(graph, "cuda")).kernels
    assert "tl.dot" in kernel.text
    assert "tf32" not in kernel.text
    known = heuristics(kernel.text)
    assert known.product == ProductSizes(16, 128, 16, 64, 2)
    assert known.product.us(known.likely[0]) == min(map(known.product.us, known.likely)) < math.inf
    assert known.ordered([LaunchSettings((("XBLOCK", 256), ("YBLOCK", 256), ("ZBLOCK", 1)), 2, 5)]) == []
    assert regions.moves(graph, region, "cuda") == [0], "where the product loses, the rest is tried without it"


def test_windows_are_read_in_the_kernel_of_the_product():
    graph = convolved((16, 3, 64, 64), (64, 3, 3, 3), settings=", (2, 2), (1, 1)")
    (kernel,) = parse(generate(graph, "cuda")).kernels
    assert heuristics(kernel.text).product == ProductSizes(16, 64, 1024, 27, 2, is_gathered=True)


def test_a_normalisation_before_is_computed_once(always):
    before = (
        "y = torch.nn.functional.batch_norm(x, a, b, c, d, False, 0.1, 1e-05)",
        "z = torch.nn.functional.silu(y)",
        "u = torch.conv2d(z, w, None, (1, 1), (1, 1))",
    )
    specs = [spec("x", 2, 64, 14, 14, dtype="float16"), spec("w", 64, 64, 3, 3, dtype="float16")]
    specs += [spec(name, 64, dtype="float16") for name in "abcd"]
    first, second = parse(generate(graph_of(specs, *before, "return (u,)"), "cuda")).kernels
    assert "tl.dot" not in first.text
    assert heuristics(second.text).facts.loads == 2, "the image and the weight"


def test_a_convolution_of_each_channel_is_one_loop():
    graph = convolved((4, 64, 14, 14), (64, 1, 5, 5), settings=", (1, 1), (2, 2), (1, 1), 64")
    (kernel,) = parse(generate(graph, "cuda")).kernels
    assert "tl.dot" not in kernel.text
    assert heuristics(kernel.text).kind == "pointwise"


def test_numbers_of_four_bytes_are_multiplied_as_exactly_by_the_units_for_products():
    (kernel,) = parse(generate(convolved((4, 32, 16, 16), (64, 32, 1, 1), dtype="float32"), "cuda")).kernels
    assert 'input_precision="tf32x3"' in kernel.text
    assert heuristics(kernel.text).product == ProductSizes(4, 64, 256, 32, 4)


def test_a_batch_of_products_is_one_kernel_with_what_follows():
    specs = [spec("x", 3, 4, 17, 64, dtype="float16"), spec("y", 3, 4, 64, 17, dtype="float16")]
    graph = graph_of(specs, "z = torch.matmul(x, y)", "a = z * 0.125", "b = torch.nn.functional.relu(a)", "return (b,)")
    (region,) = regions.find([graph], "cuda")
    assert (region.first, region.last) == (0, 2)
    (kernel,) = parse(generate(graph, "cuda")).kernels
    assert heuristics(kernel.text).product == ProductSizes(12, 17, 17, 64, 2)


@pytest.mark.parametrize(
    ("left", "right", "dtype"),
    [
        ((3, 17, 64), (64, 17), "float16"),
        ((3, 1, 64), (3, 64, 17), "float16"),
        ((12, 4096, 512), (12, 512, 4096), "float16"),
        ((12, 17, 64), (12, 64, 17), "float32"),
    ],
)
def test_other_products_are_left_to_the_library(left, right, dtype):
    specs = [spec("x", *left, dtype=dtype), spec("y", *right, dtype=dtype)]
    graph = graph_of(specs, "z = torch.matmul(x, y)", "a = torch.nn.functional.relu(z)", "return (a,)")
    assert (regions.find([graph], "cuda")[0].first, regions.operators_of(graph, "cuda")[0]) == (1, "matmul")


def test_a_product_is_not_computed_in_tiles_of_a_pooled_image():
    specs = [spec("x", 16, 54, 40, 40, dtype="float16"), spec("w", 54, 54, 1, 1, dtype="float16")]
    specs.append(spec("p", 16, 54, 80, 80, dtype="float16"))
    pooled = ("y = torch.conv2d(x, w)", "z = torch.nn.functional.max_pool2d(p, 2)", "a = y + z", "return (a,)")
    assert regions.operators_of(graph_of(specs, *pooled), "cuda")[0] == "conv2d"
    after = ("y = torch.conv2d(x, w)", "z = torch.nn.functional.relu(y)", "a = torch.nn.functional.max_pool2d(z, 2)",
             "return (a,)")  # fmt: skip
    assert regions.operators_of(graph_of(specs[:2], *after), "cuda")[0] != "conv2d"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("a = p.flip(2)", "y = torch.conv2d(a, w)", "z = torch.nn.functional.relu(y)"), True),
        (("a = p.flip(2)", "y = torch.conv2d(x, w)", "z = y + a"), False),
        (("a = p.flip(2)", "b = torch.relu(a)", "y = torch.conv2d(x, w)", "c = y * 2", "z = c + b"), False),
    ],
    ids=["read", "added", "added later"],
)
def test_a_product_may_read_what_was_moved_but_not_be_combined_with_it(lines, expected):
    specs = [spec(name, 16, 54, 40, 40, dtype="float16") for name in "xp"]
    specs.append(spec("w", 54, 54, 1, 1, dtype="float16"))
    operators = regions.operators_of(graph_of(specs, *lines, "return (z,)"), "cuda")
    assert ("conv2d" not in operators) is expected


def test_a_cpu_has_no_such_kernels():
    graph = convolved(SMALL, (128, 64, 1, 1))
    (region,) = regions.find([graph], "cpu")
    assert (region.first, region.last) == (1, 1)
