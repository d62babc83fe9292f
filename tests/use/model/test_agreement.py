"""What counts as the model's own results: rounding does, in any precision, and mistakes do not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
import torch
from torch import nn

from passnet.use.model.agreement import Disagreement, require_agreement
from passnet.use.model.traced import flattened
from passnet.use.model.truth import following, in_float64
from tests.graph.graph_helpers import graph_of, spec

HALVES = (torch.float16, torch.bfloat16)
torch.set_num_threads(1)


def drawn(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def rounded_often(values, dtype, times, seed):
    """Values as a deep model has them: many roundings of the dtype added up."""
    noise = drawn(*values.shape, seed=seed) * torch.finfo(dtype).eps * times**0.5 * values.abs().clamp_min(1.0)
    return (values + noise).to(dtype)


def agree(own, ours, exact=None):
    try:
        require_agreement([own], [ours], lambda: None if exact is None else [exact])
    except Disagreement:
        return False
    return True


@pytest.mark.parametrize("dtype", HALVES)
def test_another_rounding_of_many_layers_agrees_by_float64_alone(dtype):
    exact = drawn(64, 128)
    own, ours = (rounded_often(exact, dtype, 30, seed) for seed in (1, 2))
    assert agree(own, ours, exact)
    assert not agree(own, ours)


WRONG = {
    "another constant": lambda ours, exact: ours * 1.05,
    "a shift": lambda ours, exact: ours + 0.05,
    "one row of zeros": lambda ours, exact: ours.index_fill(0, torch.tensor([3]), 0.0),
    "one wrong element": lambda ours, exact: ours.index_put((torch.tensor([3]), torch.tensor([5])), ours[3, 5] + 1.0),
    "two rows swapped": lambda ours, exact: ours[[1, 0, *range(2, len(ours))]],
    "zeros": lambda ours, exact: ours * 0,
    "not a number": lambda ours, exact: ours.index_fill(0, torch.tensor([3]), float("nan")),
}


@pytest.mark.parametrize("dtype", [*HALVES, torch.float32])
@pytest.mark.parametrize("mistake", WRONG)
def test_mistakes_disagree(dtype, mistake):
    exact = drawn(64, 128)
    own, ours = (rounded_often(exact, dtype, 4, seed) for seed in (1, 2))
    assert not agree(own, WRONG[mistake](ours, exact).to(dtype), exact)


def test_zeros_are_no_small_probabilities():
    own = drawn(4, 5000).softmax(-1).float()
    assert agree(own, own * (1 + 1e-6))
    assert not agree(own, torch.zeros_like(own), own.double())


def test_a_model_that_is_far_from_float64_excuses_nothing():
    exact = drawn(64, 128)
    own, ours = (exact + 0.5 * drawn(64, 128, seed=seed) for seed in (1, 2))
    assert not agree(own.half(), ours.half(), exact)


def test_integers_kinds_and_numbers_of_results():
    ids = torch.arange(4)
    assert agree(ids, ids.clone())
    assert not agree(ids, ids + 1, ids.double())
    assert agree(None, None)
    assert not agree(torch.ones(2), torch.ones(3))
    assert not agree(torch.ones(2), torch.ones(2, dtype=torch.float64))
    assert not agree(torch.ones(2), 1.0)
    assert agree(torch.empty(0), torch.empty(0))
    with pytest.raises(Disagreement, match="expected 1 values, found 2"):
        require_agreement([ids], [ids, ids], lambda: None)


def test_float64_is_asked_only_when_it_is_needed():
    asked = []
    require_agreement([torch.ones(2)], [torch.ones(2)], lambda: asked.append(1))
    assert asked == []


class Half(nn.Module):
    """Casts, a normalisation in another precision, a running buffer and a constant of its dtype."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(16, 16)
        self.norm = nn.BatchNorm1d(16)

    def forward(self, x):
        y = self.norm(self.linear(x)).float().pow(2).to(torch.float16)
        return {"y": y + torch.ones(16, dtype=torch.float16), "n": x.shape[0], "i": y.argmax(-1)}


@torch.no_grad()
def test_a_model_in_float64():
    torch.manual_seed(0)
    model, x = Half().half().train(), drawn(8, 16).half()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    flat = flattened(model, (x,), {})
    leaves = in_float64(flat.module, flat.inputs)
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    assert torch.get_default_dtype() == torch.float32
    found = next(leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.is_floating_point())
    wide = Half().double()
    wide.load_state_dict({name: value.double() for name, value in before.items()})
    y = wide.norm(wide.linear(x.double())).pow(2) + 1
    assert found.dtype == torch.float64
    torch.testing.assert_close(found, y)


def test_what_has_no_float64_form_has_no_truth():
    def quantised(x):
        return torch.ops.aten.mm(x, x.to(torch.float16).to(torch.int32).to(torch.bool))

    assert in_float64(torch.fx.symbolic_trace(quantised), [torch.ones(2, 2)]) is None


# --- indices -------------------------------------------------------------------------------------------------------

NEAREST = graph_of(
    [spec("x", 128, 64, dtype="bfloat16"), spec("w", 64, 100, dtype="bfloat16")],
    "s = x @ w",
    "i = s.argmax(-1)",
    "t = w.t()",
    "o = t[i]",
    "return (i, o)",
)


def chosen(index: torch.Tensor, w: torch.Tensor) -> list[torch.Tensor]:
    return [index, w.t()[index]]


@pytest.mark.parametrize(
    ("choose", "agrees"),
    [
        (lambda s: s.argmax(-1), True),
        (lambda s: s.topk(2).indices[:, 1], False),
        (lambda s: torch.zeros(128, dtype=torch.int64), False),
    ],
)
def test_indices_of_values_that_are_as_good_agree(choose: Callable[..., torch.Tensor], agrees: bool) -> None:
    """In float32 another is the largest here and there than in bfloat16."""
    module, inputs = NEAREST.module("cpu"), NEAREST.inputs(3)
    x, w = inputs
    own, ours = module.forward(x, w), chosen(choose(x.float() @ w.float()), w)
    assert not torch.equal(own[0], ours[0])
    with pytest.raises(Disagreement):
        require_agreement(own, ours, lambda: in_float64(module, inputs))

    def asked() -> None:
        require_agreement(own, ours, lambda: in_float64(module, inputs), partial(following, module, inputs))

    if agrees:
        asked()
    else:
        with pytest.raises(Disagreement, match="result 0"):
            asked()
