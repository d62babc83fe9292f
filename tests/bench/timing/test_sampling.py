"""What is measured next: enough pairs first, then what promises the width for the least time; and when it ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.record.protocol import make
from passnet.bench.timing.sampling import Step, confidence_of_look, next_step


def measured(effects: list[float], groups: int, noise: float, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [effect + rng.normal(0.0, noise, groups) for effect in effects]


ALIKE = [0.001, -0.002, 0.003, 0.0, -0.001, 0.002]


@pytest.mark.parametrize(("precision", "pairs"), [(0.05, 2), (0.02, 3), (0.01, 5)])
def test_there_are_enough_pairs_before_an_interval_can_be_narrow(precision: float, pairs: int) -> None:
    rules = make("direct", precision=precision)
    for count in range(pairs):
        assert next_step([np.zeros(4)] * count, range(count), rules).kind == "pair"
    sure = rules.model_copy(update={"process_sd": 1e-4})
    assert next_step([np.zeros(4)] * pairs, range(pairs), sure) == Step("narrow")


def test_noise_within_pairs_is_met_by_groups_and_spread_between_them_by_pairs() -> None:
    rules = make("direct", precision=0.02)
    assert next_step(measured(ALIKE[:4], 4, 0.1), range(4), rules).kind == "groups"
    apart = [0.03, -0.03, 0.028, -0.032]
    assert next_step(measured(apart, 4, 0.002), range(4), rules).kind == "pair"


def test_the_open_pair_with_the_fewest_groups_is_visited() -> None:
    rules = make("direct", precision=0.02)
    logs = measured(ALIKE[:4], 12, 0.08)
    logs[0], logs[2] = logs[0][:2], logs[2][:6]
    assert next_step(logs, [1, 2, 3], rules).index == 2, "pair 0 has fewer, but is closed"
    assert next_step(logs, range(4), rules).index == 0


def test_a_limit_is_the_end() -> None:
    rules = make("direct", precision=0.01, most_pairs=5, most_groups=8)
    logs = measured([0.1 * i for i in range(5)], 8, 0.1)
    assert next_step(logs, range(5), rules) == Step("limit")
    assert next_step([each[:6] for each in logs], range(5), rules) == Step("limit"), "groups would not do it"
    rules = make("direct", precision=0.02, most_pairs=5, most_groups=8, process_sd=0.01)
    logs = measured(ALIKE[:5], 6, 0.06, seed=2)
    assert next_step(logs, range(5), rules) == Step("groups", 0, 2), "no more than the most"
    assert next_step(logs, [], rules) == Step("limit"), "no pair is open, and none may be begun"


def test_a_pair_that_is_built_already_comes_before_many_groups() -> None:
    rules = make("direct", device="cuda", precision=0.05)
    logs = measured(ALIKE[:2], 8, 0.08)
    assert next_step(logs, range(2), rules, built=2).kind == "groups"
    assert next_step(logs, range(2), rules, built=3).kind == "pair"


def test_where_nothing_promises_the_width_pairs_come_before_groups() -> None:
    rules = make("direct", device="cuda", precision=0.01, most_pairs=12)
    step = next_step(measured([0.1, -0.1, 0.08, -0.09, 0.11], 6, 0.01), range(5), rules)
    assert step == Step("pair", groups=rules.visit_groups)


def test_processes_are_taken_to_differ_alike_on_all_devices() -> None:
    """What seemed to part processes of a GPU by 4 % was what neighbours did to their cores."""
    for precision in (0.05, 0.02, 0.01):
        on_cpu, on_gpu = (make("direct", device=device, precision=precision) for device in ("cpu", "cuda"))
        assert on_cpu.process_sd == on_gpu.process_sd
        assert on_cpu.least_pairs == on_gpu.least_pairs
    assert make("direct", device="cuda", precision=0.02, process_sd=0.03).process_sd == 0.03


def test_a_question_is_decided_by_the_place_of_the_interval_and_a_width_never_is() -> None:
    logs = measured([0.3, 0.33, 0.31], 4, 0.05)
    assert next_step(logs, range(3), make("direct", question="decided")).kind == "decided"
    assert next_step(logs, range(3), make("direct", question="decided", threshold=1.36)).kind != "decided"
    assert next_step([-each for each in logs], range(3), make("direct", question="decided")).kind == "decided"
    assert next_step(logs, range(3), make("direct")).kind not in ("decided", "narrow")


def test_the_chance_of_error_is_shared_out_over_the_looks() -> None:
    rules = make("direct")
    spent = [1.0 - confidence_of_look(rules, look) for look in range(1, 400)]
    assert spent == sorted(spent, reverse=True)
    assert 0.99 * 0.05 < sum(spent) < 0.05


@given(st.floats(-7, 7), st.integers(2, 6), st.floats(0.001, 0.2), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_a_factor_on_all_ratios_changes_no_step(shift: float, count: int, noise: float, seed: int) -> None:
    rules = make("direct", precision=0.02)
    logs = measured(ALIKE[:count], 4, noise, seed)
    assert next_step(logs, range(count), rules) == next_step([each + shift for each in logs], range(count), rules)
