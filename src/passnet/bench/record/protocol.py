"""Every setting that changes a number, in one frozen record with a content hash. The presets are `direct` and
`paper`.
"""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from passnet.bench.names import PRECISIONS
from passnet.errors import UsageError

SCHEMA = 1


def _number(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, (str, int, float)) else None
    except ValueError:
        return None


class Protocol(BaseModel):
    """How a graph is verified and timed. Units are in the names. Defaults are the preset `direct`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    preset: Literal["direct", "paper"] = "direct"
    seed: int = Field(
        1024, description="seed of the bootstrap; inputs are drawn from a fresh secret one, shown in records"
    )
    policy: Literal["strict", "native"] = "strict"
    threads: int = Field(1, ge=1, description="torch threads in every worker")

    precision: float = Field(
        0.02, description="relative half width of the interval at which measuring stops: 0.05, 0.02 or 0.01"
    )
    question: Literal["width", "decided"] = Field(
        "width",
        description="decided: measuring also stops when the ratio is surely on one side of the threshold, for looks "
        "and rewards; such a figure counts at the interval's lower end",
    )
    threshold: float = Field(1.0, gt=0, description="the ratio that the question is about")

    warmup_calls: int = Field(25, ge=1, description="at most, of each convention; fewer where two short blocks agree")
    warmup_us: float = Field(200_000.0, gt=0, description="time in these calls, at most about")
    trials: int = Field(100, ge=1, description="timed calls of a side by the published protocol")
    least_pairs: int = Field(3, ge=1, description="fresh pairs of processes before an interval can be narrow")
    most_pairs: int = Field(20, ge=1, description="pairs after which no further one is begun")
    open_pairs: int = Field(4, ge=1, description="pairs that live at a time; a further one replaces the oldest")
    pair_cost: float = Field(
        6.0, ge=0, description="a further pair is built, checked and warmed first; this many groups take as long"
    )
    built_pair_cost: float = Field(
        3.0, ge=0, description="the same of a pair whose programs were built beside the first pair's"
    )
    visit_groups: int = Field(4, ge=2, description="groups of six blocks that are measured before the next decision")
    most_groups: int = Field(48, ge=2, description="groups of one pair, at most")
    deployed_groups: Literal[0, 2, 3, 4] = Field(
        2, description="groups per pair of the deployed convention, which decides nothing; 0: none"
    )
    captured_groups: int = Field(
        0, ge=0, description="groups per pair of calls as CUDA graphs, which decide nothing; 0: none"
    )
    process_sd: float = Field(
        0.02, gt=0, description="standard deviation of the log ratio over processes, as known beforehand"
    )
    process_sd_dof: float = Field(8.0, gt=0, description="how surely it is known, in degrees of freedom")
    block_us: float = Field(600.0, gt=0, description="time in the calls of one block, about")
    lead_calls: int = Field(2, ge=1, description="calls of a block that are not timed (caches, clocks), at least")
    lead_us: float = Field(300.0, ge=0, description="time in these calls, about")
    input_bytes: int = Field(512 << 10, description="places for inputs of one worker together, on the CPU, about")
    device_bytes: int = Field(64 << 20, description="the same on a GPU; one place at least, whatever its size")

    verify_seeds: int = Field(4, ge=1, description="input draws compared before timing, over the distributions in turn")
    unseen_draws: int = Field(
        2, ge=0, description="input draws compared on shapes between those of the task's variants; 0: none are tried"
    )
    spot_checks: int = Field(
        5, ge=1, description="timed candidate blocks of a pair's first visit that are compared, on average"
    )
    fp64_factor: float = Field(4.0, description="a candidate may be this many times as far from float64 as eager is")
    scale_cap: float = Field(0.1, description="an error above this share of the data's own spread is wrong at every t")

    freeze: bool = Field(
        True, description="calls of a pass's wrappers are recorded before anything is timed, and replayed"
    )
    cold_blocks: int = Field(
        3, ge=0, description="blocks per side on data that no cache holds, beside the scored ones; 0: none"
    )
    guard_blocks: int = Field(
        2, ge=0, description="untimed blocks under the run-time guard amid the timed, in a pair's first visit"
    )
    guard_share: float = Field(0.125, ge=0, le=1, description="share of their calls that the guard looks at")
    ghost_draws: int = Field(
        2, ge=0, description="draws on which kernels are switched off; all others follow before a finding"
    )
    profiled: Literal["each", "one"] = Field(
        "each",
        description="graphs of a pass set that run under a GPU's profiler too; one: drawn in secret, if strict",
    )
    idle_s: float = Field(0.02, ge=0, description="how long an idle candidate is watched, per visit")

    confidence: float = 0.95
    resamples: int = Field(2000, description="of the bootstrap by which the published protocol gets its interval")
    max_half_width: float = Field(0.1, description="relative half width above which the graph is unstable")
    control_band: float = Field(0.05, description="a pair whose A/A control is surely further than this from 1 is void")
    timing_s: float = Field(20.0, ge=0, description="nothing further is begun after this")
    quiet_s: float = Field(
        8.0, ge=0, description="in waiting for a core that no neighbour slows, and in blocks that a neighbour spoilt"
    )

    build_s: float = 300.0
    first_call_s: float = 120.0
    memory_bytes: int = Field(6 << 30, description="what a candidate may take above the warm process it starts from")
    sandbox: bool = Field(True, description="candidates run in a sandbox; without, every record says so")
    max_processes: int = Field(48, description="processes in a candidate's group, compilers included")
    graph_bytes: int = Field(2 << 30, description="a graph with more input bytes is refused")

    @model_validator(mode="before")
    @classmethod
    def _pairs_of_precision(cls, given: object) -> object:
        """Fill in what follows from the precision. A figure that is no precision is refused below."""
        if not isinstance(given, dict):
            return given
        known = given.get("precision", cls.model_fields["precision"].default)
        return _BY_PRECISION.get(_number(known) or 0.0, {}) | given

    @field_validator("precision")
    @classmethod
    def _is_offered(cls, value: float) -> float:
        if value not in PRECISIONS.values():
            raise ValueError(f"expected one of {', '.join(map(str, PRECISIONS.values()))}")
        return value

    @property
    def content_hash(self) -> str:
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]

    @property
    def tamper_proof(self) -> bool:
        """Whether results are tamper-proof. Two cases are not: the published protocol, which keeps clock and candidate
        in one process, and a run without a sandbox.
        """
        return self.preset == "direct" and self.sandbox


# What follows from the precision. Few pairs tell little of their own spread. So a narrow interval needs more of them,
# and all get a careful prior: about twice what A/A runs on CPUs showed (0.9 to 1.5 %).
_BY_PRECISION: dict[float, dict[str, object]] = {
    0.05: {
        "least_pairs": 2,
        "most_pairs": 8,
        "open_pairs": 3,
        "timing_s": 20.0,
        "process_sd": 0.024,
        "quiet_s": 3.0,
        "cold_blocks": 1,
        "profiled": "one",
    },
    0.02: {"least_pairs": 3, "most_pairs": 20, "open_pairs": 4, "timing_s": 30.0, "process_sd": 0.02, "quiet_s": 15.0},
    0.01: {"least_pairs": 5, "most_pairs": 40, "open_pairs": 6, "timing_s": 90.0, "process_sd": 0.02, "quiet_s": 40.0},
}


# A pair that sets up CUDA takes as long as 36 groups (`benchmarks/fusible_run.py --spent`). One that is built already
# takes far less: 10 is an estimate from two graphs. There a block costs more than its calls, so it has more of them.
_ON_CUDA: dict[str, object] = {"pair_cost": 36.0, "built_pair_cost": 10.0, "captured_groups": 3, "block_us": 1500.0}


def make(preset: str, *, device: str = "cpu", policy: str = "strict", **overrides: object) -> Protocol:
    """The named preset for a device, with overrides. UsageError for an unknown name or value."""
    given: dict[str, object] = {}
    if device == "cuda":
        given = _ON_CUDA
    try:
        return Protocol.model_validate({"preset": preset, "policy": policy} | given | overrides)
    except ValidationError as error:
        row = error.errors(include_url=False)[0]
        name = ".".join(map(str, row["loc"]))
        words = row["msg"].removeprefix("Value error, ")
        raise UsageError(f"no such setting of a protocol: {words}", field=name, found=repr(row["input"])) from None
