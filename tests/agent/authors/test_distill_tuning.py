"""How launch settings are chosen: the likeliest first, then what the device times of single kernels say."""

import math
import re

import pytest

from passnet.agent.authors.distill.candidates import Candidates
from passnet.agent.authors.distill.plan import parse
from passnet.agent.authors.distill.recipes import recipes
from passnet.agent.authors.distill.tuning import KernelDescent, Tuner, with_fewer_launches
from passnet.agent.lowering.inductor import generate
from passnet.agent.lowering.launches import heuristics
from tests.agent.authors.test_distill_search import Env, graphs_of, played
from tests.graph.graph_helpers import graph_of, spec

LAUNCH = re.compile(r"(kernel_\d+_\d+)\[.*?\]\((.*)\)")


def launched(text):
    """The options of each launch of a text, by the kernel's name."""
    return {name: dict(re.findall(r"(\w+)=(\w+)", rest)) for name, rest in LAUNCH.findall(text)}


def known_of(task, dtype="float32"):
    (kernel,) = parse(generate(graphs_of(task, dtype)[0], "cuda")).kernels
    return heuristics(kernel.text)


def options_of(settings):
    return ", ".join(f"{name}={value}" for name, value in (*settings.values, ("num_warps", settings.warps)))


def test_a_descent_tries_what_inductor_tries_and_then_walks():
    known = known_of("efficientnet_bn_silu_mean")
    descent, seen = KernelDescent(known), []

    def us(settings):
        return 5.0 + abs(settings.warps - 4) + dict(settings.values)["XBLOCK"]

    descent.times[known.likely[0]] = us(known.likely[0])
    while (settings := descent.next()) is not None:
        assert settings not in seen
        seen.append(settings)
        descent.times[settings] = us(settings)
    assert descent.best.warps == 4 and dict(descent.best.values)["XBLOCK"] == 1
    assert all(us(other) >= us(descent.best) for other in known.neighbours(descent.best))


def test_a_difference_within_the_noise_changes_nothing():
    known = known_of("bloom_gelu")
    descent = KernelDescent(known)
    descent.times |= {known.likely[0]: 10.0, known.likely[1]: 9.9}
    assert descent.best == known.likely[0]
    descent.times[known.likely[1]] = 9.0
    assert descent.best == known.likely[1]


def test_what_takes_no_longer_than_an_empty_kernel_is_left_alone():
    known = known_of("bloom_gelu")
    descent = KernelDescent(known)
    descent.times[known.likely[0]] = 1.5
    assert descent.next() is None


def test_a_kernel_that_is_a_small_part_of_its_graph_is_left_alone():
    candidates = Candidates(graphs_of("llama_rotary", "float32"), "cuda")
    tuner = Tuner(candidates, recipes("cuda")[0], {0: 0})
    large, small = tuner.descents.values()
    large.times[large.known.likely[0]], small.times[small.known.likely[0]] = 90.0, 3.0
    tuner.next()
    first, second = tuner.tried.values()
    assert first != large.known.likely[0] and second == small.known.likely[0]


def test_the_likeliest_of_inductors_settings_is_tried_first():
    (kernel,) = parse(generate(graphs_of("swin_masked_softmax", "float32")[0], "cuda")).kernels
    known = heuristics(kernel.text)
    rest = [row for row in known.ordered(known.settings) if row != known.likely[0]]
    assert len(rest) > 1 and KernelDescent(known).next() == rest[0]


def test_every_kernel_gets_its_own_best_settings_and_one_look_tells_about_all():
    graphs = graphs_of("convnextv2_gelu_grn", "float32")

    def kernels(text, number):
        return {
            name: 10.0 + abs(math.log2(int(options["num_warps"])) - (3 if name.startswith("kernel_0_") else 0))
            for name, options in launched(text).items()
        }

    env = played(Env(graphs, lambda text, number: 2.0, "cuda", kernels=kernels))
    chosen = {name: int(options["num_warps"]) for name, options in launched(env.submitted).items()}
    assert len(chosen) == 3
    best = kernels(env.submitted, 0)
    tried = [kernels(text, 0) for text in env.texts]
    assert all(best[name] <= row[name] for row in tried for name in best)
    assert chosen["kernel_1_0"] == 1
    assert len(env.looks) <= 13


def test_better_settings_of_one_variant_are_those_of_all_of_its_shapes():
    graphs = graphs_of("bloom_gelu", "float32", "float16", "bfloat16")

    def kernels(text, number):
        return {name: 5.0 if options["XBLOCK"] == "128" else 9.0 for name, options in launched(text).items()}

    env = played(Env(graphs, lambda text, number: 2.0, "cuda", kernels=kernels))
    assert env.looks[0] == (True, [0, 1, 2]) and env.looks[-1] == (False, [0, 1, 2])
    assert all(numbers == [0] for _, numbers in env.looks[1:-1])
    assert [options["XBLOCK"] for options in launched(env.submitted).values()] == ["128"] * 3
    seen = [text for quick, text in env.written if quick]
    assert len(seen) == len(set(seen))


def test_without_device_times_wall_time_tells():
    graphs = graphs_of("bloom_gelu", "float32", "float16", "bfloat16")
    known = known_of("bloom_gelu")
    second = next(row for row in known.ordered(known.settings) if row != known.likely[0])
    options = options_of(second)
    env = played(Env(graphs, lambda text, number: 3.0 if options in text else 2.0, "cuda"))
    assert env.looks[:2] == [(True, [0, 1, 2]), (True, [0])] and env.looks[-1] == (False, [0, 1, 2])
    assert env.submitted.count(options) == 3


def test_settings_that_are_wrong_or_do_not_launch_are_not_chosen():
    graphs = graphs_of("bloom_gelu", "float32")

    first = options_of(known_of("bloom_gelu").likely[0])

    def speed(text, number):
        return 2.0 if first in text else "runtime_error"

    env = played(Env(graphs, speed, "cuda", kernels=lambda text, number: dict.fromkeys(launched(text), 9.0)))
    assert first in env.submitted


@pytest.mark.parametrize("faster", [True, False])
def test_independent_kernels_become_one_launch_where_that_is_faster(faster):
    graphs = graphs_of("llama_rotary", "float32", "float16")

    def speed(text, number):
        return 3.0 if ("num_xblocks_0" in text) == faster else 2.0

    env = played(Env(graphs, speed, "cuda"))
    assert len(launched(env.submitted)) == (2 if faster else 4)


def test_a_single_kernel_is_not_joined_with_anything():
    candidates = Candidates(graphs_of("bloom_gelu", "float32"), "cuda")
    assert not list(with_fewer_launches(candidates, recipes("cuda")[0]))


def test_a_reduction_in_two_steps_is_also_tried_in_one():
    candidates = Candidates([graph_of([spec("x", 4096, 300)], "a = x.sum(dim = 0)", "return (a,)")], "cuda")
    (recipe,) = with_fewer_launches(candidates, recipes("cuda")[0])
    (place,) = candidates.plans
    assert (
        len(launched("".join(candidates.kernel(place, recipe).kernel.prelude)))
        == 1
        < len(candidates.plans[place].calls)
    )


def test_the_same_settings_are_the_same_recipe():
    candidates = Candidates(graphs_of("bloom_gelu", "float32"), "cuda")
    tuner = Tuner(candidates, recipes("cuda")[0], {0: 0})
    first = tuner.next()
    (descent,) = tuner.descents.values()
    descent.times |= {descent.known.likely[0]: 9.0, tuner.tried[(0, 0), 0]: 5.0}
    assert tuner.best() is first
