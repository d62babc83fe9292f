"""The protocol: presets, refusals, and a hash over everything that changes a number."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from passnet.bench.names import PRECISIONS
from passnet.bench.record import protocol
from passnet.bench.record.protocol import Protocol
from passnet.errors import UsageError


def test_the_default_is_the_preset_direct() -> None:
    assert protocol.make("direct") == Protocol()
    assert Protocol().tamper_proof
    assert Protocol().warmup_calls == 25
    assert Protocol().precision == 0.02
    assert Protocol().question == "width"


def test_the_published_preset_says_that_it_is_not_tamper_proof() -> None:
    paper = protocol.make("paper")
    assert not paper.tamper_proof
    assert (paper.warmup_calls, paper.trials) == (25, 100)
    assert paper.content_hash != Protocol().content_hash


@pytest.mark.parametrize(
    "bad",
    [
        {"preset": "fast"}, {"policy": "none"}, {"threads": 0}, {"precision": 0.03}, {"precision": "fine"},
        {"block_us": 0.0},
        {"block_us": -1.0}, {"verify_seeds": 0}, {"spot_checks": 0}, {"warmup_calls": 0},
        {"visit_groups": 1}, {"deployed_groups": 1}, {"question": "speed"},
        {"lead_calls": 0}, {"no_such_setting": 1}, {"threads": "many"},
    ],
)  # fmt: skip
def test_settings_that_make_no_sense_are_refused(bad: dict[str, Any]) -> None:
    name = next(iter(bad))
    with pytest.raises(UsageError, match=name) as caught:
        protocol.make(bad.pop("preset", "direct"), **bad)
    assert "\n" not in str(caught.value)


def test_the_hash_covers_every_field() -> None:
    base = Protocol()
    for name, value in base.model_dump().items():
        if isinstance(value, str):
            other: Any = {"preset": "paper", "policy": "native", "question": "decided", "profiled": "one"}[name]
        elif name == "precision":
            other = 0.05
        else:
            other = not value if isinstance(value, bool) else value / 2 if name == "guard_share" else value + 1
        assert Protocol(**{name: other}).content_hash != base.content_hash, name
    assert Protocol().content_hash == base.content_hash
    assert len(base.content_hash) == 16


def test_a_protocol_is_frozen_and_survives_json() -> None:
    base = Protocol(seed=7, block_us=500.0)
    with pytest.raises(ValidationError):
        base.seed = 8  # type: ignore[misc]
    assert Protocol.model_validate_json(base.model_dump_json()) == base


def test_the_pairs_follow_from_the_precision() -> None:
    made = [protocol.make("direct", precision=width) for width in PRECISIONS.values()]
    assert [each.least_pairs for each in made] == [2, 3, 5]
    assert [each.most_pairs for each in made] == sorted(each.most_pairs for each in made)
    assert made[1] == Protocol(), "the default is 2 %"
    assert protocol.make("direct", precision="0.05") == made[0], "as benchmarks give it on their command lines"
    assert protocol.make("direct", precision=0.05, least_pairs=4).least_pairs == 4


def test_a_gpu_has_captured_calls_and_the_same_precision_otherwise() -> None:
    for width in PRECISIONS.values():
        on_cpu, on_gpu = (protocol.make("direct", device=device, precision=width) for device in ("cpu", "cuda"))
        assert (on_cpu.captured_groups, on_gpu.captured_groups) == (0, 3)
        costs = on_cpu.model_dump(include={"pair_cost", "built_pair_cost", "block_us"})
        assert on_gpu.model_copy(update={"captured_groups": 0} | costs) == on_cpu
