"""What the embedded author makes of measurements: the fastest right way for each variant, ties, nothing at all."""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import pytest

from passnet.agent.authors.distill.author import DistillAuthor, _Episode
from passnet.agent.authors.distill.recipes import recipes
from passnet.agent.authors.distill.rules import MANIFEST
from passnet.agent.env.state import MeasuredStep
from passnet.agent.record.budget import Budget
from passnet.agent.record.figures import VariantFigures
from passnet.graph import Graph
from passnet.graph.targets import Target
from tests.graph.graph_helpers import graph_of, spec

TASKS = Path(__file__).resolve().parents[3] / "data" / "tasks"


class Env:
    """Answers measurements by `speed(text of the pass set, variant)`: a speedup, or an outcome's name.

    `kernels(text, variant)` gives the device times of kernels. `left` are the seconds that are left of `limit`.
    """

    def __init__(self, graphs, speed, device="cpu", replaced=None, kernels=None, limit=0.0, on_device=None):
        self.device, self.policy, self.replaced, self.looks = device, "strict", replaced, []
        self.task = Target("task", tuple((str(n), Path(), graph) for n, graph in enumerate(graphs)), None)
        self.speed, self.held, self.full, self.said = speed, {}, {}, []
        self.state, self.submitted = SimpleNamespace(measured={}), None
        self.on_device, self.written = on_device, []
        self.kernels, self.budget, self.left = kernels, Budget(wall_s=limit), limit

    def files(self):
        return dict(self.held)

    def left_s(self):
        return self.left if self.budget.wall_s else None

    def create(self, path, text):
        self.held[path] = text

    def delete(self, path):
        del self.held[path]

    def message(self, role, content):
        self.said.append(content)

    def submit(self, step):
        self.submitted = self.full[step]

    def evaluate(self, graphs="", quick=False):
        numbers = [int(number) for number in graphs.split(",")] if graphs else range(len(self.task.graphs))
        text, self.quick = "".join(self.held.values()), quick
        rows = []
        for number in numbers:
            found = self.speed(text, number)
            right = not isinstance(found, str)
            rows.append(
                VariantFigures(
                    graph=str(number),
                    outcome="correct" if right else found,
                    speedup=found if right else None,
                    speedup_ci=(found * 0.99, found * 1.01) if right else None,
                    gpu_speedup=self.on_device if right else None,
                    replacements=self.replaced or {},
                    kernel_us=self.kernels(text, number) if self.kernels else {},
                )
            )
        self.looks.append((quick, list(numbers)))
        self.written.append((quick, text))
        if not quick:
            step, score = len(self.looks), math.prod(row.speedup or 0.2 for row in rows)
            self.full[step], self.state.measured[step] = text, MeasuredStep(step, score, self.files(), "", tuple(rows))
        return SimpleNamespace(evaluation=SimpleNamespace(graphs=rows))

    @property
    def texts(self):
        """The pass sets that were evaluated in full, in order."""
        return list(self.full.values())


def graphs_of(task, *dtypes):
    files = sorted((TASKS / task / "graphs").rglob("model.py"))
    return [next(Graph.read(file.parent) for file in files if f"/{dtype}/0/" in str(file)) for dtype in dtypes]


def played(env):
    assert DistillAuthor().play(env) is None
    return env


def is_wide(text):
    return "passnet::widen(" in text


def test_each_variant_keeps_the_way_that_was_fastest():
    graphs = graphs_of("bloom_gelu", "float32", "float16", "bfloat16")

    def speed(text, number):
        return {0: 3.0, 1: 4.0 if is_wide(text) else 0.5, 2: 1.5 if is_wide(text) else 2.5}[number]

    env = played(Env(graphs, speed))
    assert env.submitted and len(env.full) == 1
    sources = env.texts[0].split("SOURCE_")
    widened = [part[0] for part in sources if is_wide(part)]
    assert widened == ["1"]


def test_what_loses_or_is_wrong_becomes_a_tie():
    graphs = graphs_of("bert_add_norm", "float32", "bfloat16")
    env = played(Env(graphs, lambda text, number: 2.0 if number == 0 else 0.8 if "unchanged" not in text else 1.0))
    assert len(env.full) == 2
    assert "unchanged" not in env.texts[0] and "unchanged" in env.texts[1]
    assert env.texts[1].count("cpp(SOURCE_") == 1


PADDED = """
import torch

class GraphModule(torch.nn.Module):
    def forward(self, in_0, in_1):
        tmp_0 = torch.sigmoid(in_0)
        tmp_1 = tmp_0 * in_0
        tmp_2 = torch.nn.functional.pad(tmp_1, (1, 1))
        tmp_3 = torch.nn.functional.linear(tmp_2, in_1)
        return (tmp_3,)
"""


def padded(dtype):
    specs = (spec("in_0", 4, 6, dtype=dtype), spec("in_1", 5, 8, dtype=dtype))
    return Graph(f"padded_{dtype}", PADDED, specs)


@pytest.mark.parametrize("narrow", [1.5, 0.9])
def test_what_loses_is_tried_without_what_lays_memory_out_anew(narrow):
    def speed(text, number):
        return 2.0 if number == 0 else narrow if text.count("def pattern") == 2 else 0.8

    env = played(Env([padded("float32"), padded("float64")], speed))
    assert len(env.full) == 2
    assert env.submitted == env.texts[1]
    whole, parts = env.texts
    assert whole.count("def pattern") == whole.count("nn.functional.pad(") == 1
    assert parts.count("def pattern") == 2 and parts.count("nn.functional.pad(") == 1


def test_regions_that_cannot_be_smaller_stay_beside_those_that_can():
    body = PADDED.replace("return (tmp_3,)", "tmp_4 = torch.tanh(tmp_3)\n        return (tmp_4,)")
    graph = Graph("padded_and_more", body, (spec("in_0", 4, 6), spec("in_1", 5, 8)))
    env = Env([graph], lambda text, number: 1.0 if env.quick else 0.8 if "nn.functional.pad(" in text else 1.5)
    played(env)
    assert len(env.full) == 2
    assert all(text.count("def pattern") == 2 and "tanh" in text for text in env.texts)
    assert "sigmoid" in env.submitted and "nn.functional.pad(" not in env.submitted


def test_an_unsteady_machine_makes_no_ties():
    graphs = graphs_of("bert_add_norm", "float32")
    env = played(Env(graphs, lambda text, number: "unstable"))
    assert len(env.full) == 3 and len(set(env.texts)) == 1 and "unchanged" not in env.texts[0]


def test_what_is_wrong_only_in_the_full_evaluation_is_rounded_like_eager():
    def speed(text, number):
        return "accuracy" if number == 1 and not env.quick and "fast_math=False" not in text else 2.0

    env = Env(graphs_of("bert_add_norm", "float32", "bfloat16"), speed)
    played(env)
    assert len(env.full) == 2 and "unchanged" not in env.texts[1]
    assert "fast_math=False" not in env.texts[0] and "fast_math=False" in env.texts[1]


def test_what_is_wrong_now_and_then_ends_as_a_tie():
    wrong_in = {0: 2, 1: 1}  # which full evaluation finds a variant wrong

    def speed(text, number):
        if env.quick:
            return 0.9 if "fast_math=False" in text else 2.0
        return "nan_inf" if len(env.full) + 1 == wrong_in[number] else 2.0

    env = Env(graphs_of("bert_add_norm", "float32", "bfloat16"), speed)
    played(env)
    assert [text.count("cpp(SOURCE_") for text in env.texts] == [2, 1, 0]
    assert env.submitted and "unchanged" in env.texts[2]


def test_a_right_pass_set_is_submitted_before_a_faster_one():
    def speed(text, number):
        tied = "unchanged" in text
        if number == 0:
            return 1.0 if tied else 9.0
        return 1.0 if tied or env.quick else "accuracy"

    env = Env(graphs_of("bert_add_norm", "float32", "bfloat16"), speed)
    played(env)
    assert len(env.full) == 2 and "unchanged" in env.submitted


def in_regions(env, count):
    """An episode with the same region several times over."""
    episode = _Episode.begin(env)
    candidates = episode.candidates
    (region,), plans = candidates.regions, candidates.plans
    candidates.regions = [region] * count
    candidates.plans = {(number, variant): plan for number in range(count) for (_, variant), plan in plans.items()}
    return episode


def test_a_region_is_left_out_where_it_measurably_loses():
    alone = {"Fused0_0.py": 1.5, "Fused1_0.py": 0.995, "Fused2_0.py": 0.9}

    def speed(text, number):
        files = [name for name in env.held if name.startswith("Fused")]
        return alone[files[0]] if len(files) == 1 else 2.0

    env = Env(graphs_of("swin_masked_softmax", "float32"), speed)
    in_regions(env, 3).play()
    assert sorted(name for name in env.held if name.startswith("Fused")) == ["Fused0_0.py", "Fused1_0.py"]


def test_what_loses_together_keeps_what_gained_alone():
    alone = {"Fused0_0.py": 1.2, "Fused1_0.py": 0.995, "Fused2_0.py": 1.1}

    def speed(text, number):
        files = [name for name in env.held if name.startswith("Fused")]
        if len(files) == 1:
            return alone[files[0]]
        return 0.9 if "Fused1_0.py" in files and not env.quick else 1.3

    env = Env(graphs_of("swin_masked_softmax", "float32"), speed)
    in_regions(env, 3).play()
    assert len(env.full) == 2
    assert sorted(name for name in env.held if name.startswith("Fused")) == ["Fused0_0.py", "Fused2_0.py"]
    assert "unchanged" not in env.submitted


def test_half_precision_speaks_for_itself_where_the_leader_loses():
    def speed(text, number):
        alone = [name for name in env.held if name.startswith("Fused")] == ["Fused1_0.py"]
        return 0.9 if alone and number == 0 else 1.5

    env = Env(graphs_of("swin_masked_softmax", "float32", "float16", "bfloat16"), speed, "cuda")
    in_regions(env, 2).play()
    alone, together, full = [(True, [0]), (True, [0]), (True, [1])], (True, [0]), (False, [0, 1, 2])
    assert env.looks[-5:] == [*alone, together, full]
    left_in = [dtype for dtype in ("float32", "float16", "bfloat16") if f"(torch.{dtype}, (" in env.held["Fused1_0.py"]]
    assert left_in == ["float16", "bfloat16"]


def test_rules_of_larger_regions_come_first():
    statements = ["a = x.relu()", "b = a @ w", "c = b.relu()", "d = c * 2.0", "return (d,)"]
    env = Env([graph_of([spec("x", 4, 4), spec("w", 4, 4)], *statements)], lambda text, number: 2.0)
    played(env)
    assert json.loads(env.held[MANIFEST]) == ["Fused1_0", "Fused0_0"]


def test_of_a_variant_that_is_wrong_what_is_right_is_kept():
    def speed(text, number):
        files = [name for name in env.held if name.startswith("Fused")]
        if "Fused2_0.py" in files and (not env.quick or len(files) > 1):
            return "accuracy"
        return 1.0 + 0.1 * len(files)

    env = Env(graphs_of("swin_masked_softmax", "float32"), speed)
    in_regions(env, 4).play()
    assert len(env.full) == 2
    assert sorted(name for name in env.held if name.startswith("Fused")) == [
        "Fused0_0.py",
        "Fused1_0.py",
        "Fused3_0.py",
    ]


def test_what_only_the_full_evaluation_finds_wrong_is_taken_apart_further():
    def speed(text, number):
        files = [name for name in env.held if name.startswith("Fused")]
        return "accuracy" if not env.quick and "Fused3_0.py" in files else 1.0 + 0.1 * len(files)

    env = Env(graphs_of("swin_masked_softmax", "float32"), speed)
    in_regions(env, 4).play()
    assert [sum(f"Fused{n}_" in text for n in range(4)) for text in env.full.values()] == [4, 4, 3]
    assert "Fused3_0.py" not in env.held and "unchanged" not in env.submitted


def test_what_is_slow_stays_where_nothing_can_be_replaced_by_itself():
    env = played(Env(graphs_of("bloom_gelu", "float32"), lambda text, number: 0.8))
    assert len(env.full) == 1 and "SOURCE_0" in env.submitted


def test_a_machine_that_calms_down_is_asked_again():
    graphs, answers = graphs_of("bert_add_norm", "float32"), iter(["unstable", 2.0])
    env = Env(graphs, lambda text, number: 2.0 if env.looks == [] else next(answers))
    played(env)
    assert env.submitted and len(env.full) == 2 and len(set(env.texts)) == 1


def test_kernels_that_are_wrong_with_fast_mathematics_are_tried_without():
    graphs = graphs_of("bert_add_norm", "float32")
    env = played(Env(graphs, lambda text, number: 2.0 if "fast_math=False" in text else "accuracy"))
    assert "fast_math=False" in env.texts[-1] and len(env.full) == 1


def test_without_any_kernel_there_is_still_a_tie(monkeypatch):
    monkeypatch.setattr("passnet.agent.authors.distill.regions.ranges", lambda operators: iter(()))
    env = played(Env(graphs_of("bert_add_norm", "float32"), lambda text, number: 1.0))
    assert env.submitted and "unchanged" in env.texts[0]


def test_without_kernel_and_view_nothing_is_submitted(monkeypatch):
    monkeypatch.setattr("passnet.agent.authors.distill.regions.ranges", lambda operators: iter(()))
    env = played(Env(graphs_of("bloom_gelu", "float32"), lambda text, number: 1.0))
    assert not env.submitted and not env.full


def test_ways_have_names_of_their_own():
    names = [recipe.name for recipe in recipes("cpu")]
    assert len(set(names)) == len(names) > 1


def test_what_is_wrong_in_half_precision_is_rounded_as_eager_does():
    graphs = graphs_of("bloom_gelu", "float32", "float16")

    def speed(text, number):
        return 2.0 if number == 0 or ".to(tl.float16)" in text else "accuracy"

    env = played(Env(graphs, speed, "cuda"))
    assert ".to(tl.float16)" in env.texts[-1] and len(env.full) == 1


def test_regions_that_are_slower_without_the_others_are_kept_with_all():
    def speed(text, number):
        files = [name for name in env.held if name.startswith("Fused")]
        return {1: 0.9 if "Fused2_0.py" in files else 1.2, 2: 1.1, 3: 1.5}[len(files)]

    env = Env(graphs_of("swin_masked_softmax", "float32"), speed)
    in_regions(env, 3).play()
    assert len(env.full) == 1
    assert sorted(name for name in env.held if name.startswith("Fused")) == [f"Fused{n}_0.py" for n in range(3)]


@pytest.mark.parametrize(("on_device", "kept"), [(1.2, True), (0.9, False)])
def test_a_little_wall_time_is_no_loss_where_the_device_has_less_to_do(on_device, kept):
    def speed(text, number):
        files = [name for name in env.held if name.startswith("Fused")]
        return 0.98 if files == ["Fused1_0.py"] else 1.5

    env = Env(graphs_of("swin_masked_softmax", "float32"), speed, on_device=on_device)
    in_regions(env, 2).play()
    assert ("Fused1_0.py" in env.held) == kept


@pytest.mark.parametrize("answer", ["unstable", "infrastructure"])
def test_a_look_without_an_answer_is_repeated_and_is_no_no(answer):
    env = Env(graphs_of("bert_add_norm", "float32"), lambda text, number: answer if env.quick else 1.5)
    played(env)
    assert env.looks[:2] == [(True, [0]), (True, [0])]
    assert len(env.full) == 1 and "fast_math=False" not in env.submitted and "unchanged" not in env.submitted


def test_looks_leave_time_for_an_evaluation():
    def speed(text, number):
        env.left -= 30.0
        return 1.5

    env = Env(graphs_of("swin_masked_softmax", "float32"), speed, limit=60.0)
    in_regions(env, 3).play()
    assert env.looks == [(True, [0]), (False, [0])] and env.submitted


def test_a_region_whose_rule_never_matches_is_not_tried_again():
    graph = graphs_of("swin_masked_softmax", "float32")
    env = Env(graph, lambda text, number: 2.0, replaced={"Fused0_0": 1, "Fused1_0": 0})
    in_regions(env, 2).play()
    assert "Fused1_0.py" not in env.held and "Fused0_0.py" in env.held


def test_without_configurations_the_first_recipe_stands() -> None:
    graphs = graphs_of("bloom_gelu", "float16")
    env = Env(graphs, lambda text, number: 4.0 if is_wide(text) else 2.0)
    assert DistillAuthor(configurations=False).play(env) is None
    assert env.submitted and not any(is_wide(text) for _, text in env.written)
    assert [quick for quick, _ in env.looks] == [True, False]


def test_without_configurations_a_wrong_variant_is_still_repaired() -> None:
    graphs = graphs_of("bloom_gelu", "float32")
    env = Env(graphs, lambda text, number: 2.0 if "fast_math=False" in text else "accuracy")
    assert DistillAuthor(configurations=False).play(env) is None
    assert "fast_math=False" in env.submitted


def test_without_configurations_nothing_is_tuned_on_a_gpu() -> None:
    env = Env(graphs_of("bloom_gelu", "float32"), lambda text, number: 2.0, "cuda")
    assert DistillAuthor(configurations=False).play(env) is None
    assert [quick for quick, _ in env.looks] == [True, False]


def around_a_library_call() -> Graph:
    """Two regions, before and after a matrix product."""
    return graph_of(
        [spec("x", 64, 64), spec("w", 64, 64)],
        "a = torch.sigmoid(x)", "b = torch.relu(a)", "c = torch.matmul(b, w)", "d = torch.tanh(c)", "e = d * x",
        "return (e,)",
    )  # fmt: skip


def test_without_regions_a_graph_is_one_kernel_or_none() -> None:
    whole, parted = graphs_of("bloom_gelu", "float32"), [around_a_library_call()]
    for graphs, files in ((whole, ["Fused0_0.py"]), (parted, ["Fused0_0.py", "Fused1_0.py"])):
        env = played(Env(graphs, lambda text, number: 2.0))
        assert sorted(set(env.held) - {MANIFEST}) == files
    env = Env(whole, lambda text, number: 2.0)
    assert DistillAuthor(regions=False).play(env) is None
    assert sorted(set(env.held) - {MANIFEST}) == ["Fused0_0.py"]
    env = Env(parted, lambda text, number: 1.0)
    assert DistillAuthor(regions=False).play(env) is None
    assert not any("SOURCE_" in text for _, text in env.written)
