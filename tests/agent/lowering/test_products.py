"""Convolutions of one point: as products they give the same, and a kernel of ours is made where it likely gains."""

import math

import pytest
import torch

from passnet.agent.authors.distill import regions
from passnet.agent.authors.distill.plan import parse
from passnet.agent.lowering.inductor import generate
from passnet.agent.lowering.launch_model import LaunchSettings
from passnet.agent.lowering.launches import heuristics
from passnet.agent.lowering.products import PointProduct, ProductSizes, write_products
from passnet.dataset.cut.schedule_trace import trace
from passnet.graph import fake_inputs
from tests.graph.graph_helpers import graph_of, spec

SMALL = (16, 64, 4, 4)


def convolved(image, weight, *, bias=True, settings="", dtype="float16", more=("z = torch.nn.functional.relu(y)",)):
    """A convolution and what follows it."""
    dims = len(image) - 2
    specs = [spec("x", *image, dtype=dtype), spec("w", *weight, dtype=dtype)]
    specs += [spec("b", weight[0], dtype=dtype)] if bias else []
    call = f"y = torch.conv{dims}d(x, w, {'b' if bias else None}{settings})"
    return graph_of(specs, call, *more, f"return ({more[-1][0]},)")


@pytest.mark.parametrize(
    ("image", "weight"),
    [
        (SMALL, (128, 64, 1, 1)),
        ((1, 64, 8, 8), (32, 64, 1, 1)),
        ((7, 64, 1, 1), (32, 64, 1, 1)),
        ((4, 24, 50), (16, 24, 1)),
        ((2, 24, 3, 4, 5), (16, 24, 1, 1, 1)),
    ],
)
@pytest.mark.parametrize("bias", [True, False])
def test_a_product_gives_what_the_convolution_gives(image, weight, bias):
    graph = convolved(image, weight, bias=bias, dtype="float32", more=("z = y.transpose(0, 1)",))
    aten = trace(graph.module(), fake_inputs(graph.specs))
    inputs = graph.inputs(0)
    expected = aten(*inputs)
    assert write_products(aten) == {torch.float32}
    assert not aten.graph.find_nodes(op="call_function", target=torch.ops.aten.convolution.default)
    (found,), (same,) = aten(*inputs), expected
    assert found.shape == same.shape
    torch.testing.assert_close(found, same)


@pytest.mark.parametrize(
    ("image", "weight", "settings"),
    [
        (SMALL, (128, 64, 3, 3), ", (1, 1), (1, 1)"),
        (SMALL, (128, 64, 1, 1), ", (2, 2)"),
        (SMALL, (128, 64, 1, 1), ", (1, 1), (1, 1)"),
        (SMALL, (128, 32, 1, 1), ", (1, 1), (0, 0), (1, 1), 2"),
    ],
)
def test_other_convolutions_are_left_to_the_library(image, weight, settings):
    graph = convolved(image, weight, settings=settings)
    assert write_products(trace(graph.module(), fake_inputs(graph.specs))) == set()
    (region,) = regions.find([graph], "cuda")
    assert (region.first, region.last) == (1, 1)


def test_a_convolution_of_one_point_and_what_follows_it_are_one_kernel():
    graph = convolved(SMALL, (128, 64, 1, 1), more=("z = torch.nn.functional.relu(y)", "a = z * 0.5"))
    (region,) = regions.find([graph], "cuda")
    assert (region.first, region.last) == (0, 2)
    (kernel,) = parse(generate(graph, "cuda")).kernels
    assert "tl.dot" in kernel.text
    assert "tf32x3" not in kernel.text
    known = heuristics(kernel.text)
    assert known.product == ProductSizes(16, 128, 16, 64, 2)
    assert known.product.us(known.likely[0]) == min(map(known.product.us, known.settings)) < math.inf
    assert known.ordered([LaunchSettings((("XBLOCK", 256), ("YBLOCK", 256), ("ZBLOCK", 1)), 2, 5)]) == []
    assert regions.moves(graph, region, "cuda") == [0], "where the product loses, the rest is tried without it"


def test_numbers_of_four_bytes_are_multiplied_as_exactly_by_the_units_for_products():
    (kernel,) = parse(generate(convolved(SMALL, (128, 64, 1, 1), dtype="float32"), "cuda")).kernels
    assert 'input_precision="tf32x3"' in kernel.text
    assert heuristics(kernel.text).product == ProductSizes(16, 128, 16, 64, 4)


def test_a_cpu_has_no_such_kernels():
    graph = convolved(SMALL, (128, 64, 1, 1))
    (region,) = regions.find([graph], "cpu")
    assert (region.first, region.last) == (1, 1)


@pytest.mark.parametrize(
    ("product", "expected"),
    [
        (PointProduct(16, 128, 64, 16, torch.float16), True),
        (PointProduct(2, 64, 256, 16384, torch.float16), True),
        (PointProduct(16, 768, 3072, 16, torch.bfloat16), False),  # deep, and few programs
        (PointProduct(16, 384, 1536, 256, torch.float16), False),  # arithmetic
        (PointProduct(16, 256, 64, 4096, torch.float32), False),
        (PointProduct(16, 108, 108, 1764, torch.float16), False),  # rows at odd places
        (PointProduct(16, 128, 64, 16, torch.float64), False),
        (PointProduct(1, 128, 64, 1, torch.float16), False),  # no matrix
    ],
)
def test_a_kernel_is_made_where_it_was_seen_to_gain(product, expected):
    assert product.is_worth_a_kernel is expected


def test_settings_for_which_there_is_no_room_are_never_first():
    sizes = ProductSizes(1, 4096, 4096, 4096, 4)
    assert sizes.us(LaunchSettings((("XBLOCK", 128), ("YBLOCK", 128), ("R0_BLOCK", 128)), 4, 5)) == math.inf
    assert sizes.us(LaunchSettings((("XBLOCK", 256), ("YBLOCK", 256), ("R0_BLOCK", 16)), 2, 1)) == math.inf
    assert sizes.us(LaunchSettings((("XBLOCK", 64), ("YBLOCK", 64), ("R0_BLOCK", 32)), 4, 3)) < math.inf
