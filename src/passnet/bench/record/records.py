"""The records that a run writes: frozen and versioned. Their validators make an impossible result unstorable."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from passnet.bench.record.solved import NO_PROOF, kernels_ran, runs_passes, solution
from passnet.graph.bundled import Regime
from passnet.score import JUDGED, STRICT_T, GraphResult, Outcome

SCHEMA = 1
# Wider than anything that can be measured, and products, quotients and squares of such numbers are numbers too.
_LEAST, _MOST = 1e-100, 1e100


def _positive(value: float) -> float:
    if not _LEAST <= value <= _MOST:
        raise ValueError(f"{value} is no positive number, or beyond {_LEAST:g} to {_MOST:g}")
    return value


def _ordered(ends: tuple[float, float]) -> tuple[float, float]:
    if ends[0] > ends[1]:
        raise ValueError("the low end is above the high end")
    return ends


Count = Annotated[int, Field(ge=0, lt=1 << 62)]
NotNegative = Annotated[float, Field(ge=0, le=_MOST, allow_inf_nan=False)]
Positive = Annotated[float, AfterValidator(_positive)]
Interval = Annotated[tuple[Positive, Positive], AfterValidator(_ordered), "low and high end of the interval"]
# No device time is shorter: less cannot be told from the replay of an empty call.
LEAST_BUSY_US = 0.3
# Eager is limited by work where the device works for so many times as long as issuing takes.
_WORK_FROM = 3.0
# From so many processes on, the lowest and the highest take no part in the centre. One slow process does no harm then.
TRIMMED_FROM: Final = 5
EndOfTiming = Literal["narrow", "decided", "limit"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, ser_json_inf_nan="constants")


class Finding(_Record):
    """A suspicion or proof of cheating: its class, the layer that saw it, and the evidence."""

    exploit: str = Field(alias="class")
    layer: str
    evidence: str


class MaxError(_Record):
    """Worst error over all compared calls: against eager (abs, rel), and against float64 in units of eager's own
    error.
    """

    abs: float | None
    rel: float | None
    fp64_ratio: float | None = None
    scaled: float | None = Field(None, description="RMS error against the truth, in units of the outputs' spread")


def centre_of(ratios: Sequence[float]) -> float:
    """The ratio over processes: the geometric mean of theirs, of many without the ends."""
    logs = sorted(map(math.log, ratios))
    return math.exp(math.fsum(kept := logs[1:-1] if len(logs) >= TRIMMED_FROM else logs) / len(kept))


def regime_of(busy_us: float | None, launch_us: float | None) -> Regime | None:
    """By eager's device time of a call and the host's time for issuing it. None where either was not measured."""
    if busy_us is None or launch_us is None or not (0 <= busy_us < math.inf and 0 <= launch_us < math.inf):
        return None
    if busy_us < launch_us:
        return "launch"
    return "work" if busy_us >= _WORK_FROM * launch_us else "mixed"


class ProcessTiming(_Record):
    """The measurement of one pair of fresh processes."""

    quads: Count
    calls: Count
    ratio: Positive
    eager_us: Positive
    compiled_us: Positive
    control_ratio: Positive
    harness_us: NotNegative


class Timing(_Record):
    """Per-call wall times by the controller's clock, harness cost subtracted, and ratios eager / compiled."""

    speedup: Positive
    speedup_ci: Interval
    scored_at: Literal["centre", "low"] = Field(
        "centre", description="low: the interval is wide or ended by its place, and the speedup is its lower end"
    )
    precision: Positive | None = Field(None, description="the relative half width that was asked for")
    ended: EndOfTiming | None = Field(
        None,
        description="why measuring ended: the interval was narrow enough, it answered the question of a look, or "
        "pairs, groups or time were used up; then `half_width` is what was reached",
    )
    eager_us: Positive
    compiled_us: Positive
    control_ratio: Positive | None
    processes: tuple[ProcessTiming, ...]
    voided_rounds: Count = Field(0, description="of records that were measured in rounds")
    voided_pairs: Count = Field(0, description="pairs left out because eager against eager left its band")
    set_aside: Count = Field(0, description="blocks left out because their core became slow, of both sides alike")
    on_slow_core: Count = Field(0, description="blocks that count although their core was slow: none was quick in time")
    deployed_speedup: Positive | None = None
    deployed_speedup_ci: Interval | None = None
    gpu_speedup: Positive | None = None
    eager_gpu_us: Positive | None = None
    compiled_gpu_us: Positive | None = None
    captured_speedup: Positive | None = Field(
        None, description="both sides as CUDA graphs: inputs copied in, the call, outputs copied out"
    )
    captured_speedup_ci: Interval | None = None
    busy_speedup: Positive | None = Field(None, description="by device time: captured calls without copies and launch")
    busy_speedup_ci: Interval | None = None
    eager_busy_us: Positive | None = None
    compiled_busy_us: Positive | None = None
    launch_us: Positive | None = Field(
        None, description="the host's time for issuing a call of eager, with an idle GPU"
    )
    not_captured: str | None = Field(None, description="why there is no captured figure, on a GPU")
    bound_us: NotNegative | None = Field(
        None, description="the least time of the graph's work by the device's measured peaks; null: a peak is not known"
    )
    bound_by: Literal["memory", "compute"] | None = Field(None, description="which of the two takes that time")
    cold_speedup: Positive | None = Field(None, description="on data that no cache holds; the figures above are warm")
    cold_eager_us: Positive | None = None
    cold_compiled_us: Positive | None = None

    @property
    def as_published(self) -> bool:
        """Whether the published protocol measured this: through Dynamo's dispatch, and without an A/A control."""
        return self.control_ratio is None

    @property
    def regime(self) -> Regime | None:
        """What limits eager on this device. None where its device time was not measured."""
        return regime_of(self.eager_busy_us, self.launch_us)

    def share_of_bound(self, us: float | None) -> float | None:
        """The least time of the work over this time. None where either is not known, and for a graph without work."""
        return self.bound_us / us if self.bound_us is not None and self.bound_us >= _LEAST and us is not None else None

    @property
    def half_width(self) -> float:
        """Half of the interval in units of its geometric middle."""
        low, high = self.speedup_ci
        return (high - low) / 2 / math.sqrt(low * high)


class Unseen(_Record):
    """The result on shapes between those of the task's variants, drawn after the pass set was loaded.

    `refused`: no rule matched them, or a wrapper raised. `wrong` decides the outcome.
    """

    shapes: tuple[tuple[int, ...], ...]
    answer: Literal["right", "wrong", "refused"]


class GraphRecord(_Record):
    """The verdict on one graph of one task under one compiler and protocol."""

    schema_version: int = SCHEMA
    kind: str = "graph"
    task: str
    graph: str
    graph_hash: str
    pass_set_hash: str | None
    protocol_hash: str
    compiler: str
    device: str
    outcome: Outcome
    detail: str | None = None
    correct_at: int | None = None
    published_at: int | None = Field(None, description="the same against eager alone, without the scale condition")
    max_error: MaxError | None = None
    unseen: Unseen | None = Field(None, description="null: the variants of the task do not differ in shapes alone")
    fp64_reference: bool | None = None
    compared_calls: Count = 0
    followed_calls: Count = Field(
        0, description="of these, calls that chose other indices than eager, of as good values"
    )
    timing: Timing | None = None
    replacements: dict[str, int] = {}
    near_misses: tuple[dict[str, str], ...] = Field((), max_length=1000, description="a worker tells 100 at most")
    not_frozen: dict[str, str] = Field({}, description="rules whose calls could not be replayed, and why")
    findings: tuple[Finding, ...] = ()
    tamper_proof: bool = True
    kernels: tuple[str, ...] | None = Field(
        None, description="kernels that the profiler saw in wrappers; null: no GPU, or no profiler there"
    )
    kernel_us: dict[str, NotNegative] = Field(
        {}, description="microseconds of these kernels in one call by the profiler in the worker: information, no score"
    )
    own_kernels: bool | None = Field(
        None,
        description="the outputs are made by kernels of the pass: with these switched off they went wrong, or the "
        "profiler saw them on the device; null: nobody could tell, or the record is older than this field",
    )
    sandbox: tuple[str, ...] | None = Field(
        None, description="active layers round the candidate; empty: none; null: nothing untrusted was run"
    )
    given_up: tuple[str, ...] = Field((), description="what was done without for want of memory")
    input_seed: int | None = None
    same_inputs: tuple[str, ...] = Field((), description="inputs with the same values in every timed call")
    compile_s: NotNegative | None = Field(
        None,
        description="seconds until the candidate's first program was ready in a fresh process, first calls of both "
        "conventions included; pass sets are loaded with a task's first graph; null: none was, or an older record",
    )
    seconds: NotNegative = 0.0

    @model_validator(mode="after")
    def _truth_table(self) -> GraphRecord:
        if self.outcome is Outcome.CORRECT and (self.correct_at is None or self.correct_at > STRICT_T):
            raise ValueError(
                f"correct means correct at t = {STRICT_T}; this graph is correct from t = {self.correct_at}"
            )
        if self.outcome not in JUDGED and self.timing is not None:
            raise ValueError(f"outcome {self.outcome} must not carry a timing")
        if (self.outcome is Outcome.INTEGRITY) != bool(self.findings):
            raise ValueError("findings and outcome integrity come together")
        return self

    def result(self) -> GraphResult:
        """The fields that scoring needs. ScoreError where a right graph has no timing, as in a check."""
        speedup = self.timing.speedup if self.timing is not None else None
        correct_at = self.correct_at if self.timing is not None else None
        solved, unknown = self.solution
        return GraphResult(
            self.graph, self.outcome, speedup, correct_at, task=self.task, solved=solved, unknown=unknown
        )

    @property
    def solution(self) -> tuple[bool | None, str]:
        """Whether the graph is solved (`passnet.score.solved`), and if this is not known, why."""
        low = self.timing.speedup_ci[0] if self.timing else None
        ran = kernels_ran(self.own_kernels, self.kernels)
        return solution(self.outcome, low, ran, with_passes=runs_passes(self.compiler))

    @property
    def bound_shares(self) -> tuple[float | None, float | None]:
        """The least time of the graph's work over what eager and the candidate took.

        That is device time on a GPU, and the call's time on a CPU. None where either is not known, and for a graph
        without work.
        """
        timing = self.timing
        if timing is None:
            return None, None
        if self.device == "cpu":
            return timing.share_of_bound(timing.eager_us), timing.share_of_bound(timing.compiled_us)
        return timing.share_of_bound(timing.eager_busy_us), timing.share_of_bound(timing.compiled_busy_us)

    def key(self) -> tuple[str, ...]:
        """The key that identifies the measurement for resuming."""
        return (self.task, self.graph, self.graph_hash, self.pass_set_hash or "", self.compiler, self.device)

    def summary(self) -> dict[str, Any]:
        """The graph's entry in the machine contract of `passnet eval --json`."""
        return GraphSummary.of(self).to_json()


class GraphSummary(_Record):
    """The part of a `GraphRecord` that documents and episodes keep. Fields that an older summary lacks have their
    defaults.
    """

    model_config = ConfigDict(extra="ignore")

    graph: str
    outcome: Outcome
    detail: str | None = None
    speedup: float | None = None
    speedup_ci: Interval | None = None
    deployed_speedup: float | None = None
    gpu_speedup: float | None = None
    captured_speedup: float | None = None
    busy_speedup: float | None = None
    eager_busy_us: float | None = None
    compiled_busy_us: float | None = None
    regime: Regime | None = None
    bound_us: float | None = None
    bound_by: Literal["memory", "compute"] | None = None
    eager_bound_share: float | None = Field(None, description="see `GraphRecord.bound_shares`")
    bound_share: float | None = None
    cold_speedup: float | None = None
    eager_us: float | None = None
    compiled_us: float | None = None
    control_ratio: float | None = None
    correct_at: int | None = None
    solved: bool | None = None
    own_kernels: bool | None = None
    kernel_us: dict[str, float] = {}
    max_error: MaxError | None = None
    replacements: dict[str, int] = {}
    not_frozen: dict[str, str] = {}
    given_up: tuple[str, ...] = ()
    sandbox: tuple[str, ...] | None = None
    tamper_proof: bool = True
    findings: tuple[Finding, ...] = ()
    compile_s: float | None = None
    seconds: float = 0.0

    @classmethod
    def of(cls, record: GraphRecord) -> Self:
        timed = {**dict(record.timing), "regime": record.timing.regime} if record.timing else {}
        derived = {
            "solved": record.solution[0],
            "own_kernels": kernels_ran(record.own_kernels, record.kernels),
            **dict(zip(("eager_bound_share", "bound_share"), record.bound_shares, strict=True)),
        }
        known = {**timed, **dict(record), **derived}
        return cls.model_validate({name: known[name] for name in cls.model_fields if name in known})

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True)

    def result(self, task: str = "") -> GraphResult:
        """The fields that scoring needs."""
        solved, unknown = self.solved, "" if self.solved is not None else NO_PROOF
        if "solved" not in self.model_fields_set:  # the summary is older than that field
            low = self.speedup_ci[0] if self.speedup_ci else None
            solved, unknown = solution(self.outcome, low, None)
        correct_at = self.correct_at if self.speedup is not None else None
        return GraphResult(
            self.graph, self.outcome, self.speedup, correct_at, task=task, solved=solved, unknown=unknown
        )


def not_replayed(reasons: Iterable[Mapping[str, str]]) -> list[str]:
    """The `not_frozen` of several records in words, each rule once.

    The wrappers of these rules are called in full, so small graphs lose much of their gain.
    """
    found = sorted({(rule, why) for one in reasons for rule, why in one.items()})
    return [f"{rule}: its calls are not replayed: {why}" for rule, why in found]
