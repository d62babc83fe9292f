"""Calls that are made as a user may make them: in another thread, with a team, in other modes, on other tensors."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
import torch

from passnet.bench.worker.elsewhere import elsewhere
from passnet.kernels import cpp
from passnet.kernels.compilation.registry import registry
from tests.kernels.kernel_marks import needs_openmp

# Of what is drawn by chance, so many calls miss nothing.
_MANY = 60
TEAM = r"""
#include "passnet.h"
extern "C" int omp_get_num_threads();
extern "C" int64_t team(int64_t n) {
  int64_t found = 0, sum = 0;
#pragma omp parallel reduction(max : found)
  found = omp_get_num_threads();
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : sum)
  for (int64_t i = 0; i < n; ++i) sum += i;
  return 1000 * found + sum;
}
"""


def seen_in(count: int, look: Callable[[torch.Tensor], object]) -> list[Any]:
    """What a call sees, in so many calls on 8 floats."""
    call, inputs = elsewhere([look], 3), torch.arange(8.0)
    return [call(inputs) for _ in range(count)]


def test_each_call_has_a_thread_of_its_own_and_the_team() -> None:
    before = torch.get_num_threads()
    found = seen_in(3, lambda x: (threading.current_thread(), torch.get_num_threads()))
    threads = {thread for thread, _ in found}
    assert len(threads) == 3 and threading.main_thread() not in threads
    assert {team for _, team in found} == {3}
    assert torch.get_num_threads() == before


def test_every_form_has_every_mode() -> None:
    forms = [lambda x, form=form: (form, torch.is_grad_enabled(), torch.is_inference_mode_enabled()) for form in "ab"]
    call = elsewhere(forms, 2)
    assert len({call(torch.ones(1)) for _ in range(6)}) == 6


def test_what_a_call_raises_is_raised_here() -> None:
    before = torch.get_num_threads()
    with pytest.raises(ZeroDivisionError):
        elsewhere([lambda x: 1 / 0], 2)(torch.ones(1))
    assert torch.get_num_threads() == before


def test_three_calls_have_three_modes_and_none_records_a_gradient() -> None:
    def look(x: torch.Tensor) -> tuple[bool, bool, bool]:
        return torch.is_grad_enabled(), torch.is_inference_mode_enabled(), (x * 2).requires_grad

    assert set(seen_in(3, look)) == {(False, False, False), (True, False, False), (False, True, False)}


def test_inputs_may_be_parameters_and_begin_elsewhere() -> None:
    found = set(seen_in(_MANY, lambda x: (x.requires_grad, x.storage_offset() > 0)))
    assert {wanted for wanted, _ in found} == {behind for _, behind in found} == {False, True}
    integers = elsewhere([lambda x: x.requires_grad], 2)
    assert not any(integers(torch.arange(8)) for _ in range(_MANY))


@pytest.mark.parametrize(
    "given", [torch.arange(9.0)[1:], torch.arange(12.0).reshape(3, 4).t(), torch.ones(1).expand(5), torch.ones(0)]
)
def test_an_input_is_laid_out_and_aligned_as_it_was(given: torch.Tensor) -> None:
    def look(x: torch.Tensor) -> tuple[object, ...]:
        return x.tolist(), x.shape, x.stride(), x.data_ptr() % 64

    call = elsewhere([look], 2)
    assert {str(call(given)) for _ in range(_MANY)} == {str(look(given))}


def test_what_a_call_writes_into_an_input_is_there_afterwards() -> None:
    call, given = elsewhere([lambda x: x.add_(1)], 2), torch.zeros(4)
    for done in range(1, _MANY):
        call(given)
        assert given.tolist() == [done] * 4


@needs_openmp
def test_a_region_has_the_team_and_gathers_in_such_calls_alone() -> None:
    library = cpp(TEAM, threads=2)
    for team in (2, 5):
        assert elsewhere([lambda x: library.team(100)], team)(torch.ones(1)) == 1000 * team + 4950
    with registry.gathering(1_000_000):
        assert str(library.team(100)).endswith("950")
    assert str(library.team(100)).endswith("950")
