"""The guard of replays and of deployed programs: like torch's own, and of tensors that are given twice."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.kernels.replay.tensor_guard import tensor_guard


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6))
def test_what_was_one_tensor_has_to_be_one_again(places):
    made_of, called_with = zip(*places, strict=True)
    tensors, others = [torch.zeros(2) for _ in range(4)], [torch.ones(2) for _ in range(4)]
    check = tensor_guard([tensors[number] for number in made_of])
    alike = all((made == again) == (called == other) for made, called in places for again, other in places)
    assert check(*(others[number] for number in called_with)) is alike


@pytest.mark.parametrize("twice", [False, True])
def test_it_compares_what_torch_compares(twice):
    x, y = torch.zeros(2, 3), torch.zeros(2, 3)
    check = tensor_guard([x, x, y] if twice else [x, y])

    def called(first):
        return check(first, first, y) if twice else check(first, y)

    assert called(torch.ones(2, 3))
    for other in (torch.ones(2, 3).double(), torch.ones(3, 2), torch.ones(3, 2).t(), torch.ones(2, 3).requires_grad_()):
        assert not called(other)
