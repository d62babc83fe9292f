"""What the estimate says of launch settings: it knows what any GPU punishes, and its weights fit its numbers."""

import importlib.resources
import json
import math

import pytest

from passnet.agent.authors.distill.plan import parse
from passnet.agent.lowering import launch_model
from passnet.agent.lowering.inductor import generate
from passnet.agent.lowering.launch_model import FEATURES, KernelFacts, LaunchSettings, estimate, features, likeliest
from passnet.agent.lowering.launches import heuristics
from tests.graph.graph_helpers import graph_of, spec


def known_of(shape, *lines):
    (kernel,) = parse(generate(graph_of([spec("x", *shape)], *lines), "cuda")).kernels
    return heuristics(kernel.text)


def setting(warps, **blocks):
    return LaunchSettings(tuple(blocks.items()), warps, 1)


def test_the_stored_weights_are_of_these_numbers():
    place = importlib.resources.files("passnet.agent.lowering").joinpath(launch_model.WEIGHTS)
    stored = json.loads(place.read_text())
    assert stored["weights"].keys() == {"elementwise", "window", "reduction"}
    assert all(tuple(weights) == FEATURES for weights in stored["weights"].values())
    assert stored["kernels"] > 300 and stored["times"] > 5 * stored["kernels"]


def test_the_facts_of_a_text():
    text = """
import triton
@triton.jit
def kernel(a, b, n, XBLOCK: tl.constexpr):
    x = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]
    tmp0 = tl.load(a + x // 4)
    tmp1 = libdevice.exp(tmp0) / 3.0
    tl.store(b + x, tmp1)
"""
    facts = KernelFacts.read(text, {"x": 1024, "r0_": 8}, {"x": 30.0, "r0_": 10.0})
    assert (facts.loads, facts.stores, facts.steps, facts.costly) == (1, 1, 3, 2.25)
    assert facts.along == (("x", 0.75), ("r0_", 0.25))
    assert KernelFacts.read(text, {"x": 8}, {}).along == (("x", 0.0),)


@pytest.mark.parametrize(
    ("place", "spread"),
    [("x0 + 5 * x1", 0), ("x2", 0), ("x1", 0), ("x0 * 3 + x1", 1), ("2 + 4 * x2", 1), ("tmp0 + 8 * x1", 1)],
)
def test_a_load_is_spread_where_neighbours_lie_apart(place, spread):
    text = f"""
def kernel(a, b, n, XBLOCK: tl.constexpr):
    x0 = (xindex % 5)
    x1 = xindex // 5
    x2 = xindex
    tmp1 = tl.load(a + ({place}), None)
    tmp2 = libdevice.pow(tmp1, 2.5) + tl_math.sin(tmp1) + libdevice.exp(tmp1)
"""
    facts = KernelFacts.read(text, {"x": 1024}, {})
    assert (facts.spread, facts.slow) == (spread, 2)


def test_a_sum_over_a_window_has_weights_of_its_own():
    def known(*reads):
        loads = "".join(f"    tmp{n} = tl.load({array} + ({n} + x0))\n" for n, array in enumerate(reads))
        return KernelFacts.read(f"def kernel(a, b):\n    x0 = xindex\n{loads}", {"x": 1024}, {})

    assert launch_model.family("pointwise", known(*"ab" * 4)) == "window"
    assert launch_model.family("pointwise", known(*"aaaaaaaabbb")) == "elementwise"
    assert launch_model.family("persistent_reduction", known(*"ab" * 4)) == "reduction"


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        (setting(8, XBLOCK=64), setting(4, XBLOCK=1024)),
        (setting(4, XBLOCK=1 << 21), setting(4, XBLOCK=1024)),
        (setting(1, XBLOCK=8192), setting(4, XBLOCK=1024)),
    ],
    ids=["idle threads", "two programs", "too much for a thread"],
)
def test_what_a_gpu_punishes_in_an_elementwise_kernel(worse, better):
    known = known_of((1 << 22,), "a = x.relu()", "return (a,)")
    assert likeliest(known.kind, known.facts, [worse, better]) == [better, worse]


def test_many_costly_steps_want_fewer_elements_in_a_thread():
    light = known_of((1 << 18,), "a = x.relu()", "return (a,)")
    steps = [f"a{n + 1} = a{n}.{name}()" for n, name in enumerate(["sin", "exp", "cos", "tanh", "erf"] * 3)]
    heavy = known_of((1 << 18,), "a0 = x + 1", *steps, "return (a15,)")
    few, many = setting(8, XBLOCK=512), setting(4, XBLOCK=1024)

    def gain(known):
        return estimate(known.kind, known.facts, many) - estimate(known.kind, known.facts, few)

    assert gain(heavy) > max(0.0, gain(light))


def test_a_reduction_over_rows_reads_neighbours():
    known = known_of((512, 65536), "a = x.sum(dim = 0)", "return (a,)")
    alone, together = (setting(4, XBLOCK=x, R0_BLOCK=r) for x, r in ((1, 512), (64, 8)))
    assert likeliest(known.kind, known.facts, [alone, together])[0] == together


def test_numbers_are_finite_whatever_the_sizes():
    for sizes in ({}, {"x": 1}, {"x": 1 << 40, "r0_": 1}, {"y": 1, "x": 1, "r0_": 1 << 30}):
        facts = KernelFacts(tuple(sizes.items()), tuple((axis, 0.0) for axis in sizes), 0, 0, 0, 0.0)
        found = features(facts, setting(1, XBLOCK=1, YBLOCK=1, R0_BLOCK=1))
        assert tuple(found) == FEATURES and all(map(math.isfinite, found.values()))
