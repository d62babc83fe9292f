"""Every form on a GPU: made, right in half precision, called again after others, and given up when weights change."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from passnet.errors import UsageError
from passnet.use.form import EAGER, Form, baselines, plain_forms
from passnet.use.forms.calls import ExampleCall
from passnet.use.forms.stage import OwnStage, build_form
from passnet.use.model.cuda_graph import CapturedProgram

pytestmark = pytest.mark.gpu
FORMS = [*baselines("cuda"), *plain_forms("cuda", frozen=True, static=False, convolutions=True)]
FORMS += [form for form in plain_forms("cuda", frozen=True, static=True, convolutions=True) if form.graph == "static"]


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.pictures = nn.Sequential(
            nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, 8, 1)
        )
        self.first, self.second = nn.Linear(8, 64), nn.Linear(8, 64)

    def forward(self, x):
        y = self.pictures(x).mean((2, 3))
        return self.first(y).softmax(-1), torch.tanh(self.second(y))


@pytest.fixture(params=[torch.float16, torch.bfloat16], ids=["float16", "bfloat16"])
def case(request):
    torch.manual_seed(0)
    model = Small().eval().to("cuda", request.param)
    return model, torch.randn(2, 3, 32, 32, device="cuda", dtype=request.param)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_form_is_right(case, form):
    model, x = case
    stage = OwnStage(model, [ExampleCall((x,))], "cuda", None)
    found = stage.build(form)
    assert (found.right, found.reason) == (True, None)
    assert stage.seconds(form, 3) > 0
    stage.close()


def test_results_that_are_copied_stay_and_static_ones_are_the_next_calls(case):
    model, x = case
    other = torch.randn_like(x)
    for graph, stays in (("copied", True), ("static", False)):
        program = build_form(Form(engine="eager", graph=graph), model, [ExampleCall((x,))], None)
        with torch.no_grad():
            first = program(x)[1]
            kept = first.clone()
            program(other)
            torch.cuda.synchronize()
        assert torch.equal(first, kept) is stays


def test_a_graph_keeps_its_algorithms_and_changes_no_setting(case):
    model, x = case
    before = torch.backends.cudnn.benchmark
    program = build_form(Form(engine="eager", graph="copied", convolutions=True), model, [ExampleCall((x,))], None)
    assert torch.backends.cudnn.benchmark == before
    with torch.no_grad():
        torch.testing.assert_close(program(x), model(x), rtol=2e-2, atol=2e-2)


def test_frozen_weights_that_change_are_seen(case):
    model, x = case
    program = build_form(Form(engine="inductor", frozen=True, graph="copied"), model, [ExampleCall((x,))], None)
    with torch.no_grad():
        before = program(x)[0].clone()
        model.first.weight.mul_(3.0)
        torch.testing.assert_close(program(x), model(x))
        assert not torch.equal(before, program(x)[0])


def test_an_input_on_the_cpu_is_refused_in_a_graph():
    weight = torch.randn(4, device="cuda")
    with pytest.raises(UsageError, match="an input is on the CPU"):
        CapturedProgram(lambda x: x * weight, [torch.tensor(2.0)], [weight], static=False)


def test_eager_is_what_it_is(case):
    model, x = case
    assert OwnStage(model, [ExampleCall((x,))], "cuda", None).build(EAGER).right is True
