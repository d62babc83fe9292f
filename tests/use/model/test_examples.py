"""Examples of every kind: what is applied is right for every call, or one line says why not. The model stays."""

from __future__ import annotations

import pytest
import torch
from torch import nn

import passnet
from passnet.errors import UsageError
from tests.use.use_models import PASSES, bloom_gelu


@pytest.fixture(scope="module")
def passes():
    return passnet.load_passes(PASSES)


@pytest.fixture(autouse=True)
def _without_gradients():
    with torch.no_grad():
        yield


class Sum(nn.Module):
    def forward(self, x, y):
        return bloom_gelu(x) + y


class Attention(nn.Module):
    def forward(self, given):
        return bloom_gelu(given["q"]) + given["k"] * given["v"]


class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 64))
        self.register_buffer("c", torch.randn(4, 64))
        self.t = torch.randn(4, 64)

    def forward(self, x):
        return bloom_gelu(x) + self.w * self.c + self.t


class Gelu(nn.Module):
    def forward(self, x):
        return bloom_gelu(x)


def rows(seed):
    return torch.randn(4, 64, generator=torch.Generator().manual_seed(seed))


def check(made, *args, **kwargs):
    torch.testing.assert_close(made(*args, **kwargs), made.model(*args, **kwargs), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("how", [{}, {"freeze": False}, pytest.param({"inductor": True}, marks=pytest.mark.slow)])
def test_one_tensor_given_twice_binds_no_other_call(passes, how):
    x, y = rows(1), rows(2)
    made = passes.apply(Sum(), (x, x), **how)
    assert made.replaced == 1
    for args in ((x, x), (x, y), (y, x), (y, y), (x, x[:]), (x, x.clone())):
        check(made, *args)
    made = passes.apply(Sum(), (), {"x": x, "y": x}, **how)
    check(made, x=x, y=y)
    made = passes.apply(Attention(), ({"q": x, "k": x, "v": x},), **how)
    check(made, {"q": x, "k": y, "v": x})
    made = passes.apply(Sum(), (x, y), **how)
    check(made, x, x)


@pytest.mark.parametrize("name", ["w", "c", "t"])
def test_an_example_may_be_the_models_own_tensor(passes, name):
    model = Own()
    made = passes.apply(model, (getattr(model, name),))
    assert made.replaced == 1
    for x in (rows(1), model.w, model.c, model.t):
        check(made, x)


class Same(nn.Module):
    def forward(self, x, y):
        return bloom_gelu(x) * (2 if x is y else 3)


def test_a_model_may_ask_whether_two_arguments_are_one(passes):
    x, y = rows(1), rows(2)
    for example in ((x, x), (x, y)):
        made = passes.apply(Same(), example)
        assert made.replaced == 1
        for args in ((x, x), (x, y), (y, y)):
            check(made, *args)


class Writes(nn.Module):
    def forward(self, x, y):
        y.add_(1)
        return bloom_gelu(x) + y


def test_arguments_that_share_memory_run_a_model_that_writes(passes):
    made = passes.apply(Writes(), (rows(1), rows(2)))
    assert made.replaced == 1
    memory = rows(3)
    other = memory.clone()
    torch.testing.assert_close(made(memory, memory[:]), Writes()(other, other[:]), rtol=1e-4, atol=1e-4)
    assert torch.equal(memory, other)


class Rebinds(nn.Module):
    def __init__(self, name, forward):
        super().__init__()
        self.register_buffer("c", torch.zeros(()))
        self.k, self.n, self.log = None, 0, []
        self.name, self.change = name, forward

    def forward(self, x):
        return bloom_gelu(x) * self.change(self, x)


def _set(name, value):
    def change(model, x):
        setattr(model, name, value(model, x))
        return getattr(model, name)

    return change


def _append(model, x):
    model.log.append(x)
    return len(model.log)


REBINDS = {
    "buffer c": _set("c", lambda model, x: model.c + 1),
    "k": _set("k", lambda model, x: x if model.k is None else model.k + x),
    "n": _set("n", lambda model, x: model.n + 1),
    "last": _set("last", lambda model, x: x * 2),
    "log": _append,
}


@pytest.mark.parametrize("name", REBINDS)
def test_a_model_that_rebinds_its_names_is_refused_and_left_as_it_was(passes, name):
    model = Rebinds(name, REBINDS[name])
    before = dict(vars(model)), dict(model._buffers)
    with pytest.raises(UsageError, match=f"the model rebinds {name} in every call"):
        passes.apply(model, (rows(1),))
    assert (vars(model), model._buffers) == before
    assert all(vars(model)[key] is value for key, value in before[0].items())
    assert model._buffers["c"] is before[1]["c"]
    assert model.log == []
    assert type(model(rows(1))) is torch.Tensor


def _filled(model, x):
    if model.k is None:
        model.k = torch.ones(x.shape[-1])
    return model.k


def _latched(model, x):
    if model.k is None:
        model.k = x
    return model.k


def test_what_only_the_first_call_binds_may_be_a_cache_but_no_memory_of_it(passes):
    model = Rebinds("k", _filled)
    made = passes.apply(model, (rows(1),))
    assert made.replaced == 1
    assert model.k is None
    check(made, rows(2))
    model = Rebinds("k", _latched)
    with pytest.raises(UsageError, match="later results follow from k, which the model binds in its first call"):
        passes.apply(model, (rows(1),))
    assert model.k is None


def test_ctrl_c_leaves_the_model_as_it_was(passes):
    model = Rebinds("k", _interrupted)
    with pytest.raises(KeyboardInterrupt):
        passes.apply(model, (rows(1),))
    assert model.k is None


def _interrupted(model, x):
    model.k = x
    raise KeyboardInterrupt


EXAMPLES = {
    "every_second": lambda: torch.randn(4, 128)[:, ::2],
    "one_dimension": lambda: torch.randn(128)[::2],
    "expanded": lambda: torch.randn(4, 1).expand(4, 64),
    "turned": lambda: torch.randn(64, 4).t(),
    "overlapping": lambda: torch.randn(128).as_strided((4, 16), (4, 1)),
    "negated": lambda: torch._neg_view(torch.randn(4, 64)),
    "imaginary": lambda: torch.randn(4, 64, dtype=torch.complex64).conj().imag,
    "channels_last": lambda: torch.randn(2, 3, 4, 5).contiguous(memory_format=torch.channels_last),
    "empty": lambda: torch.randn(0, 64),
    "wants_grad": lambda: torch.randn(4, 64, requires_grad=True),
    "parameter": lambda: nn.Parameter(torch.randn(4, 64)),
    "no_dimension": lambda: torch.tensor(0.5),
}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_what_is_tried_is_what_the_guard_admits(passes, kind):
    example = EXAMPLES[kind]()
    made = passes.apply(Gelu(), (example,))
    assert made.replaced + len(made.left) == 1
    check(made, example)
    check(made, EXAMPLES[kind]())
    check(made, torch.randn(4, 64))


def test_an_inference_tensor_may_be_an_example(passes):
    with torch.inference_mode():
        example = torch.randn(4, 64)
        made = passes.apply(Gelu(), (example,))
        assert made.replaced == 1
        check(made, example)
    check(made, rows(1))


@pytest.mark.parametrize("freeze", [True, False])
def test_a_lazily_negated_tensor_is_no_plain_one(passes, freeze):
    x = rows(1)
    made = passes.apply(Gelu(), (x,), freeze=freeze)
    assert made.replaced == 1
    check(made, torch._neg_view(x))
    check(made, x)
    made = passes.apply(Gelu(), (torch._neg_view(x),), freeze=freeze)
    assert made.replaced == 1
    for each in (torch._neg_view(rows(2)), rows(2), torch._neg_view(rows(3))):
        check(made, each)


@pytest.mark.slow
def test_inductor_gets_plain_values(passes):
    made = passes.apply(Gelu(), (torch._neg_view(rows(1)),), inductor=True)
    assert made.replaced == 1
    for each in (torch._neg_view(rows(2)), rows(2)):
        check(made, each)
    compiled = torch.compile(Sum(), backend="passnet", options={"passes": passes, "inductor": True}, dynamic=False)
    for y in (torch._neg_view(rows(2)), rows(2)):
        torch.testing.assert_close(compiled(rows(1), y), Sum()(rows(1), y), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", REBINDS)
def test_the_backend_takes_a_model_that_rebinds_its_names(passes, name):
    model, twin = (Rebinds(name, REBINDS[name]) for _ in range(2))
    compiled = torch.compile(model, backend="passnet", options={"passes": passes}, dynamic=False)
    for seed in range(3):
        torch.testing.assert_close(compiled(rows(seed)), twin(rows(seed)), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "example",
    [
        torch.eye(4).to_sparse(),
        torch.quantize_per_tensor(torch.ones(4, 64), 0.1, 0, torch.quint8),
        torch.nested.nested_tensor([torch.ones(3), torch.ones(4)]),
        torch.ones(4, 64).as_subclass(type("Marked", (torch.Tensor,), {})),
        torch.ones(4, 64, device="meta"),
    ],
    ids=["sparse", "quantised", "nested", "subclass", "meta"],
)
def test_other_kinds_work_or_are_refused_in_one_line(passes, example):
    model, said = Own(), ""
    before = dict(vars(model)), dict(model._buffers), dict(model._parameters)
    try:
        passes.apply(model, (example,))
    except UsageError as error:
        said = str(error)
    assert "\n" not in said
    assert (vars(model), model._buffers, model._parameters) == before


def test_a_zero_has_a_sign(passes):
    class Signed(nn.Module):
        def forward(self, x, k):
            return bloom_gelu(x) * (1 if str(k) == "0.0" else 2)

    made = passes.apply(Signed(), (rows(1), 0.0))
    check(made, rows(1), 0.0)
    check(made, rows(1), -0.0)
