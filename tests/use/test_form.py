"""Forms as data: their names, what they may be, and which of them exist on a device."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from passnet.use.form import EAGER, Form, baselines, modes_of, plain_forms, with_passes

MODES = {
    "default": {},
    "reduce-overhead": {"triton.cudagraphs": True},
    "max-autotune-no-cudagraphs": {"max_autotune": True, "coordinate_descent_tuning": True},
    "max-autotune": {"max_autotune": True, "triton.cudagraphs": True, "coordinate_descent_tuning": True},
}


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"engine": "eager"}, "eager"),
        ({"engine": "eager", "graph": "copied"}, "eager, cuda graph"),
        ({"engine": "eager", "passes": True}, "passes"),
        ({"engine": "torch.compile"}, "torch.compile"),
        ({"engine": "torch.compile", "mode": "max-autotune"}, "torch.compile max-autotune"),
        ({"engine": "inductor", "frozen": True, "wrapper": True}, "inductor, frozen weights, C++ wrapper"),
        ({"engine": "inductor", "passes": True, "graph": "static"}, "passes+inductor, static cuda graph"),
    ],
)
def test_names(fields, name):
    assert Form(**fields).name == name


@pytest.mark.parametrize(
    "fields",
    [
        {"engine": "torch.compile", "passes": True},
        {"engine": "torch.compile", "graph": "copied"},
        {"engine": "eager", "frozen": True},
        {"engine": "eager", "mode": "max-autotune"},
        {"engine": "tpu"},
        {"engine": "inductor", "mode": "__import__('os')"},
        {"engine": "inductor", "settings": {"anything": True}},
    ],
)
def test_what_no_form_is(fields):
    with pytest.raises(ValidationError):
        Form(**fields)


def test_modes_that_differ_on_a_cpu_and_on_a_gpu():
    assert modes_of("cpu", MODES) == {
        "default": ("reduce-overhead",),
        "max-autotune": ("max-autotune-no-cudagraphs",),
    }
    assert set(modes_of("cuda", MODES)) == set(MODES)
    assert all(not alike for alike in modes_of("cuda", MODES).values())


def test_every_mode_of_this_torch_is_a_baseline():
    from torch._inductor import list_mode_options

    known = {mode for modes in modes_of("cuda").items() for mode in (modes[0], *modes[1])}
    assert known == set(list_mode_options()), "a mode that torch has and we do not measure is a baseline left out"
    assert baselines("cpu")[0] == EAGER
    assert {form.name for form in baselines("cuda")} >= {"torch.compile", "torch.compile reduce-overhead"}


def test_forms_without_passes_are_what_the_user_allows():
    names = [form.name for form in plain_forms("cpu", frozen=True, static=False)]
    assert "inductor, frozen weights" in names and not any("cuda" in name for name in names)
    assert not any(form.frozen for form in plain_forms("cpu", frozen=False, static=False))
    on_gpu = plain_forms("cuda", frozen=True, static=False)
    assert "eager, cuda graph" in [form.name for form in on_gpu]
    assert {form.graph for form in on_gpu} == {"copied", "none"}
    assert {form.graph for form in plain_forms("cuda", frozen=True, static=True)} == {"static", "none"}


def test_passes_are_tried_on_eager_in_inductor_and_in_the_fastest_form():
    fastest = Form(engine="inductor", frozen=True, wrapper=True)
    names = [form.name for form in with_passes([fastest], "cpu", static=False)]
    assert names == ["passes+inductor", "passes", "passes+inductor, frozen weights, C++ wrapper"]
    assert all("cuda graph" in form.name for form in with_passes([], "cuda", static=False))


def test_settings_never_make_a_cuda_graph_of_torchs_own():
    settings = Form(engine="inductor", mode="max-autotune", frozen=True, graph="copied").settings()
    assert settings["freezing"] is True and settings["max_autotune"] is True
    assert "triton.cudagraphs" not in settings
