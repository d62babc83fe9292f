"""Every setting that changes a number, in one frozen record with a content hash. The presets are `direct` and
`paper`.
"""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA = 1


class Protocol(BaseModel):
    """How a graph is verified and timed. Units are in the names. Defaults are the preset `direct`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    preset: Literal["direct", "paper"] = "direct"
    seed: int = Field(
        1024, description="seed of the bootstrap; inputs are drawn from a fresh secret one, shown in records"
    )
    policy: Literal["strict", "native"] = "strict"
    threads: int = Field(1, ge=1, description="torch threads in every worker")

    warmup_calls: int = Field(25, ge=1, description="fewer where they take longer than about a second")
    min_calls: int = Field(100, ge=1, description="timed calls per side over all processes, at least")
    processes: int = Field(5, ge=2, description="fresh processes per side; their spread is part of the interval")
    quads: int = Field(12, ge=2, description="groups of six blocks per process and round, at least")
    deployed_quads: int = Field(
        4, ge=0, description="the same for the deployed convention, which takes no part in the decision to go on"
    )
    block_us: float = Field(1000.0, gt=0, description="time in the calls of one block, about")
    lead_calls: int = Field(2, ge=1, description="calls of a block that are not timed (caches, clocks), at least")
    lead_us: float = Field(500.0, ge=0, description="time in these calls, about")
    input_bytes: int = Field(512 << 10, description="places for inputs of one worker together, on the CPU, about")
    device_bytes: int = Field(64 << 20, description="the same on a GPU; one place at least, whatever its size")

    verify_seeds: int = Field(4, ge=1, description="input draws compared before timing, over the distributions in turn")
    unseen_draws: int = Field(
        2, ge=0, description="input draws compared on shapes between those of the task's variants; 0: none are tried"
    )
    spot_checks: int = Field(5, ge=1, description="timed candidate blocks per process of which one call is compared")
    fp64_factor: float = Field(4.0, description="a candidate may be this many times as far from float64 as eager is")
    scale_cap: float = Field(0.1, description="an error above this share of the data's own spread is wrong at every t")

    freeze: bool = Field(
        True, description="calls of a pass's wrappers are recorded before anything is timed, and replayed"
    )
    cold_blocks: int = Field(
        3, ge=0, description="blocks per side on data that no cache holds, beside the scored ones; 0: none"
    )
    guard_blocks: int = Field(
        2, ge=0, description="untimed blocks under the run-time guard amid the timed, per process"
    )
    guard_share: float = Field(0.125, ge=0, le=1, description="share of their calls that the guard looks at")
    ghost_draws: int = Field(2, ge=0, description="input draws on which the pass's kernels are switched off")
    idle_s: float = Field(0.02, ge=0, description="how long an idle candidate is watched, per process")

    confidence: float = 0.95
    resamples: int = 2000
    wanted_half_width: float = Field(0.02, description="relative half width of the interval at which measuring stops")
    max_half_width: float = Field(0.1, description="relative half width above which the graph is unstable")
    control_band: float = Field(0.05, description="a round whose A/A control is further than this from 1 is void")
    rounds: int = Field(5, ge=1, description="at most, each in fresh processes; all data are pooled")
    timing_s: float = Field(12.0, description="no further round is begun after this")

    build_s: float = 300.0
    first_call_s: float = 120.0
    memory_bytes: int = Field(6 << 30, description="what a candidate may take above the warm process it starts from")
    sandbox: bool = Field(True, description="candidates run in a sandbox; without, every record says so")
    max_processes: int = Field(48, description="processes in a candidate's group, compilers included")
    graph_bytes: int = Field(2 << 30, description="a graph with more input bytes is refused")

    @property
    def content_hash(self) -> str:
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]

    @property
    def tamper_proof(self) -> bool:
        """Whether results are tamper-proof. Two cases are not: the published protocol, which keeps clock and candidate
        in one process, and a run without a sandbox.
        """
        return self.preset == "direct" and self.sandbox


# On a GPU box the processor has fast and slow periods of some ten groups. A group's ratio varies by 5 to 10 %, however
# long its blocks are. Groups are cheap beside processes, because each process sets up CUDA.
_ON_CUDA: dict[str, object] = {
    "processes": 8,
    "quads": 60,
    "deployed_quads": 4,
    "rounds": 3,
    "wanted_half_width": 0.008,
    "timing_s": 20.0,
}


def make(preset: str, *, device: str = "cpu", policy: str = "strict", **overrides: object) -> Protocol:
    """The named preset for a device, with overrides. An unknown name is an error of the caller's."""
    given: dict[str, object] = _ON_CUDA if device == "cuda" else {}
    return Protocol.model_validate({"preset": preset, "policy": policy} | given | overrides)
