"""A form: one way to run a model. Eager, a mode of `torch.compile`, or a program of ours; it says what loading makes.

A form is data, and may come from a file that somebody changed. So it holds choices, never settings of Inductor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, model_validator

from passnet.errors import UsageError

Engine = Literal["eager", "torch.compile", "inductor"]
GraphKind = Literal["none", "copied", "static"]
# Modes of `torch.compile` as this torch names them; "default" is `torch.compile(model)`.
Mode = Literal["default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs", "lite"]
MODES: tuple[Mode, ...] = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs", "lite")
# What an option of a form sets in Inductor.
_SETTINGS = {
    "frozen": "freezing",
    "wrapper": "cpp_wrapper",
    "combined": "combo_kernels",
    "convolutions": "force_layout_optimization",
}
_SETTINGS_OF_CUDA = ("triton.", "coordinate_descent_tuning")


class Form(BaseModel):
    """One way to run a model.

    - `engine`: "torch.compile" is the user's own line; "inductor" calls Inductor's result behind our guard.
    - `mode`: of torch.compile, or the settings of that mode for Inductor.
    - `passes`: whether the passes of the bundle are in it.
    - `frozen`: weights are constants of the program. A changed weight is noticed, and the model itself runs.
    - `wrapper`: Inductor's calls of kernels are C++, not Python.
    - `combined`: Inductor puts small kernels that do not depend on each other into one.
    - `convolutions`: Inductor lays them out channels last throughout, and cuDNN times its algorithms for each while the
      CUDA graph is made. The graph keeps them, so no setting of the user's process changes.
    - `graph`: a CUDA graph; "static" leaves results in its memory until the next call.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: Engine
    mode: Mode = "default"
    passes: bool = False
    frozen: bool = False
    wrapper: bool = False
    combined: bool = False
    convolutions: bool = False
    graph: GraphKind = "none"

    @model_validator(mode="after")
    def _can_be(self) -> Form:
        of_inductor = self.frozen or self.wrapper or self.combined
        ours = self.passes or of_inductor or self.graph != "none"
        if self.engine == "torch.compile" and ours:
            raise ValueError("torch.compile is the user's own line: without passes and settings of ours")
        if self.engine == "eager" and (self.mode != "default" or of_inductor):
            raise ValueError("eager has no modes and no settings of Inductor")
        if self.convolutions and self.graph == "none":
            raise ValueError("only a CUDA graph keeps the algorithms of convolutions")
        return self

    @property
    def name(self) -> str:
        """The form in words: `passes+inductor max-autotune, frozen weights`."""
        engine: str = self.engine
        if self.passes:
            engine = "passes" if engine == "eager" else "passes+inductor"
        words = [engine if self.mode == "default" else f"{engine} {self.mode}"]
        words += ["frozen weights"] if self.frozen else []
        words += ["C++ wrapper"] if self.wrapper else []
        words += ["combined kernels"] if self.combined else []
        words += ["tuned convolutions"] if self.convolutions else []
        words += {"none": [], "copied": ["cuda graph"], "static": ["static cuda graph"]}[self.graph]
        return ", ".join(words)

    @property
    def is_baseline(self) -> bool:
        """Whether a user gets it by one line of torch."""
        return self.engine == "torch.compile"

    @property
    def is_eager(self) -> bool:
        """Whether it is the model as it is."""
        return self == EAGER

    @property
    def tunes(self) -> bool:
        """Whether it times many kernels for each product or convolution while it is made, which takes longest."""
        return self.mode.startswith("max-autotune")

    @property
    def complexity(self) -> int:
        """How much it asks of its user: of forms that are equally fast, the least is taken."""
        settings = self.wrapper + self.combined + self.convolutions + (self.mode != "default")
        ours = 4 * self.passes + 2 * self.frozen + settings + 3 * (self.graph != "none")
        return {"eager": 0, "torch.compile": 1, "inductor": 2}[self.engine] * 4 + ours

    def settings(self) -> dict[str, Any]:
        """Inductor's settings of a form with the engine "inductor". UsageError where this torch lacks one."""
        from torch._inductor import config, list_mode_options

        found = dict(list_mode_options().get(self.mode, {}))
        found.pop("triton.cudagraphs", None)  # a CUDA graph is made by us
        chosen = {name for option, name in _SETTINGS.items() if getattr(self, option)}
        missing = sorted(name for name in chosen if not hasattr(config, name))
        if missing:
            raise UsageError("this torch's Inductor has no such setting", field=self.name, found=missing[0])
        return found | dict.fromkeys(chosen, True)


EAGER = Form(engine="eager")


def modes_of(device: str, options: Mapping[str, Mapping[str, object]] | None = None) -> dict[Mode, tuple[str, ...]]:
    """The modes of torch.compile that differ on a device, each with the names of the modes that are the same there.

    `options`: Inductor's settings by mode; asked of torch when None.
    """
    if options is None:
        from torch._inductor import list_mode_options

        options = list_mode_options()
    assert options is not None
    alike: dict[tuple[str, ...], list[Mode]] = {}
    for mode in MODES:
        if mode in options:
            alike.setdefault(_effective(options[mode], device), []).append(mode)
    return {min(names, key=len): tuple(sorted(set(names) - {min(names, key=len)})) for names in alike.values()}


def _effective(options: Mapping[str, object], device: str) -> tuple[str, ...]:
    """The settings that matter on a device."""
    kept = (
        f"{name}={value}"
        for name, value in options.items()
        if device == "cuda" or not name.startswith(_SETTINGS_OF_CUDA)
    )
    return tuple(sorted(kept))


def baselines(device: str) -> list[Form]:
    """Eager, and every mode of torch.compile that is another program on this device."""
    return [EAGER, *(Form(engine="torch.compile", mode=mode) for mode in modes_of(device))]


def plain_forms(device: str, *, frozen: bool, static: bool, convolutions: bool = False) -> list[Form]:
    """Our forms without passes, the most promising first.

    `frozen`, `static`: whether the user allows these. `convolutions`: whether the model has any.
    """
    if device == "cuda":
        return _forms_of_cuda(frozen, "static" if static else "copied", convolutions)
    best = Form(engine="inductor", frozen=frozen)
    others: list[dict[str, Any]] = [{"wrapper": True}, {"mode": "max-autotune"}, {"frozen": False}]
    return list(dict.fromkeys([best, *(best.model_copy(update=other) for other in others)]))


def _forms_of_cuda(frozen: bool, graph: GraphKind, convolutions: bool) -> list[Form]:
    """Weights as constants let Inductor fold normalisations into convolutions, and join products with one input."""
    tuned: Mode = "max-autotune"
    best = Form(engine="inductor", frozen=frozen, graph=graph)
    autotuned = best.model_copy(update={"mode": tuned})
    found = [best, autotuned]
    if convolutions:
        found += [each.model_copy(update={"convolutions": True}) for each in (best, autotuned)]
    found += [each.model_copy(update={"combined": True}) for each in (best, autotuned)]
    found += [Form(engine="inductor", graph=graph), Form(engine="eager", convolutions=convolutions, graph=graph)]
    # Where no graph can be captured, the host's calls are what is left to save.
    found += [Form(engine="inductor"), Form(engine="inductor", frozen=frozen, wrapper=True)]
    return list(dict.fromkeys(found))


def with_passes(fastest: Iterable[Form], device: str, *, static: bool) -> list[Form]:
    """Forms with passes: on eager, inside Inductor, and inside the fastest of our own forms."""
    graph: GraphKind = "none" if device == "cpu" else "static" if static else "copied"
    found = [Form(engine="inductor", passes=True, graph=graph), Form(engine="eager", passes=True, graph=graph)]
    ours = [form for form in fastest if form.engine == "inductor" and not form.passes]
    found += [form.model_copy(update={"passes": True}) for form in ours[:1]]
    return list(dict.fromkeys(found))
