"""Random programs with views and in-place calls: replacing any part of one by itself changes nothing, bit for bit."""

from dataclasses import dataclass

import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import fx

from passnet.rewrite import rewrite
from passnet.rewrite.passes.errors import RuleError
from passnet.rewrite.rules.trace import _Tracer
from tests.rewrite.helpers import rule_of

TEMPLATES = (
    "torch.sin({a})",
    "{a}.tanh()",
    "torch.relu({a})",
    "{a} + {b}",
    "{a} * 0.5",
    "torch.sub({a}, {b})",
    "torch.maximum({a}, {b})",
    "{a}.t()",
    "{a}.view(4, 4)",
    "torch.cat([{a}, {b}], 0)[:4]",
    "torch.cat(({a}, {a}), 1)[:, 2:6]",
    "{a}.chunk(2, 0)[1].repeat(2, 1)",
    "{a}.chunk(1, 1)[0]",
    "torch.split({a}, 4)[0]",
    "torch.sort({a}, 1)[0]",
    "torch.sort({a}, 1)[0].add_({b})",
    "{a}.add_({b})",
    "{a}.mul_(0.5)",
    "torch.relu_({a})",
    "torch.nn.functional.silu({a}, inplace=True)",
    "{a}[1].mul_(2).repeat(4, 1)",
    "{a} + ({b} + {a})",
    "({a} * {b}) * {b}",
)


@dataclass(frozen=True)
class Program:
    lines: tuple[tuple[str, str], ...]  # result name and expression, in order
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def function(self):
        body = "".join(f"    {name} = {text}\n" for name, text in self.lines)
        scope = {"torch": torch}
        exec(f"def program({', '.join(self.inputs)}):\n{body}    return {', '.join(self.outputs)},\n", scope)
        return scope["program"]


# Several tensors at once, each 4 x 4. The storage of those of the first line is their own, that of the others shared.
SEVERAL = (
    *("torch.sort({a}, 1)", "torch.topk({a}, 4)", "torch.cummax({a}, 0)", "{a}.sort(dim=0)", "torch.frexp({a})"),
    *("{a}.repeat(2, 1).chunk(2)", "torch.split({a}.repeat(1, 2), 4, 1)", "{a}.expand(2, 4, 4).unbind(0)"),
)
ITEMS = ("v0[0]", "v0[1]", "v0[-2]", "v0[0].t()", "v0[1].mul_(2)", "v0[0].neg_()")


@st.composite
def programs(draw, several=False):
    names = ["x0", "x1"]
    lines = []
    if several:
        lines.append(("v0", draw(st.sampled_from(SEVERAL)).format(a="x0")))
        taken = draw(st.lists(st.sampled_from(ITEMS), min_size=2, max_size=4))
        lines += [(f"v{index}", text) for index, text in enumerate(taken, 1)]
        names += [name for name, _ in lines[1:]]
    for index in range(len(lines), len(lines) + draw(st.integers(3, 10))):
        template = draw(st.sampled_from(TEMPLATES))
        recent = st.sampled_from(names[-4:])
        lines.append((f"v{index}", template.format(a=draw(recent), b=draw(recent))))
        names.append(f"v{index}")
    outputs = draw(st.lists(st.sampled_from(names[2:]), min_size=1, max_size=3, unique=True))
    return Program(tuple(lines), ("x0", "x1"), tuple(dict.fromkeys((*outputs, names[-1]))))


def part(program, chosen, out_of_place):
    """The chosen lines as a pattern: what they read from outside are its parameters, what leaves are its results."""
    lines = [program.lines[i] for i in sorted(chosen)]
    own = {name for name, _ in lines}
    read = [n for _, text in lines for n in _names(text) if n not in own]
    elsewhere = [n for i, (_, text) in enumerate(program.lines) if i not in chosen for n in _names(text)]
    outputs = [name for name, _ in lines if name in elsewhere or name in program.outputs]
    if out_of_place:
        lines = [(name, text.replace("_(", "(").replace(", inplace=True", "")) for name, text in lines]
    return Program(tuple(lines), tuple(dict.fromkeys(read)), tuple(outputs))


def _names(text):
    return [word for word in text.replace("(", " ").replace(")", " ").replace("[", " ").replace("]", " ")
            .replace(",", " ").replace(".", " ").split() if word[0] in "vx" and word[1:].isdigit()]  # fmt: skip


def graph_of(program, values):
    gm = fx.GraphModule(torch.nn.Module(), _Tracer().trace(program.function()))
    try:
        Recorder(gm).run(*(value.clone() for value in values))
    except RuntimeError:  # torch refuses to add a tensor to its own transpose in place
        assume(False)
    return gm


class Recorder(fx.Interpreter):
    def run_node(self, n):
        result = super().run_node(n)
        n.meta["val"] = result.clone() if isinstance(result, torch.Tensor) else result
        return result


def outcome(gm, values):
    """Results and the state of the inputs afterwards, which callers see too."""
    own = [value.clone() for value in values]
    results = gm(*own)
    return [value.clone() for value in (*results, *own)]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.booleans().flatmap(programs), st.data())
def test_replacing_a_part_by_itself_keeps_results_and_inputs(program, data):
    values = [torch.linspace(-1, 2, 16).reshape(4, 4), torch.linspace(3, -2, 16).reshape(4, 4)]
    chosen = data.draw(st.sets(st.integers(0, len(program.lines) - 1), min_size=1, max_size=4))
    pattern = part(program, chosen, data.draw(st.booleans()))
    if not pattern.outputs or not pattern.inputs:
        return
    gm = graph_of(program, values)
    try:
        rule = rule_of(pattern.function())
    except RuleError:
        return
    wanted = outcome(gm, values)
    rewritten = rewrite(gm, [rule])
    got = outcome(rewritten.gm, values)
    assert all(torch.equal(a, b) for a, b in zip(got, wanted, strict=True)), (gm.code, rewritten.gm.code)
    assert rewritten.report() == rewrite(gm, [rule]).report()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(programs())
def test_a_program_without_writes_matches_itself(program):
    if any("_(" in text or "inplace" in text for _, text in program.lines):
        return
    values = [torch.rand(4, 4), torch.rand(4, 4)]
    gm = graph_of(program, values)
    gm.graph.eliminate_dead_code()
    gm.recompile()
    try:
        rule = rule_of(program.function())
    except RuleError:  # one of the inputs is not used
        return
    rewritten = rewrite(gm, [rule])
    assert rewritten.total == 1, rewritten.near_misses[0].text()
