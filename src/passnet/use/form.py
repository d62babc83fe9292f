"""A form: one way to run a model. Eager, a mode of `torch.compile`, or a program of ours; it says what loading makes.

A form is data, and may come from a file that somebody changed. So it holds choices, never settings of Inductor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, model_validator

Engine = Literal["eager", "torch.compile", "inductor"]
GraphKind = Literal["none", "copied", "static"]
# Modes of `torch.compile` as this torch names them; "default" is `torch.compile(model)`.
Mode = Literal["default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs", "lite"]
MODES: tuple[Mode, ...] = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs", "lite")
_SETTINGS_OF_CUDA = ("triton.", "coordinate_descent_tuning")


class Form(BaseModel):
    """One way to run a model.

    - `engine`: "torch.compile" is the user's own line; "inductor" calls Inductor's result behind our guard.
    - `mode`: of torch.compile, or the settings of that mode for Inductor.
    - `passes`: whether the passes of the bundle are in it.
    - `frozen`: weights are constants of the program. A changed weight is noticed, and the model itself runs.
    - `wrapper`: Inductor's calls of kernels are C++, not Python.
    - `graph`: a CUDA graph; "static" leaves results in its memory until the next call.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: Engine
    mode: Mode = "default"
    passes: bool = False
    frozen: bool = False
    wrapper: bool = False
    graph: GraphKind = "none"

    @model_validator(mode="after")
    def _can_be(self) -> Form:
        ours = self.passes or self.frozen or self.wrapper or self.graph != "none"
        if self.engine == "torch.compile" and ours:
            raise ValueError("torch.compile is the user's own line: without passes and settings of ours")
        if self.engine == "eager" and (self.mode != "default" or self.frozen or self.wrapper):
            raise ValueError("eager has no modes and no settings of Inductor")
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
    def complexity(self) -> int:
        """How much it asks of its user: of forms that are equally fast, the least is taken."""
        ours = 4 * self.passes + 2 * self.frozen + self.wrapper + 3 * (self.graph != "none") + (self.mode != "default")
        return {"eager": 0, "torch.compile": 1, "inductor": 2}[self.engine] * 4 + ours

    def settings(self) -> dict[str, Any]:
        """Inductor's settings of a form with the engine "inductor"."""
        from torch._inductor import list_mode_options

        found = dict(list_mode_options().get(self.mode, {}))
        found.pop("triton.cudagraphs", None)  # a CUDA graph is made by us
        return found | ({"freezing": True} if self.frozen else {}) | ({"cpp_wrapper": True} if self.wrapper else {})


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


def plain_forms(device: str, *, frozen: bool, static: bool) -> list[Form]:
    """Our forms without passes, the most promising first. `frozen`, `static`: whether the user allows these."""
    tuned: Mode = "max-autotune"
    direct = [Form(engine="inductor")]
    direct += [Form(engine="inductor", frozen=True)] if frozen else []
    direct += [Form(engine="inductor", mode=tuned, frozen=frozen)]
    if device == "cuda":
        graph: GraphKind = "static" if static else "copied"
        return [with_graph(EAGER, graph), *(with_graph(form, graph) for form in direct), *direct[:1]]
    return [*direct, Form(engine="inductor", frozen=frozen, wrapper=True)]


def with_graph(form: Form, graph: GraphKind) -> Form:
    """The same program in a CUDA graph."""
    return form.model_copy(update={"graph": graph})


def with_passes(fastest: Iterable[Form], device: str, *, static: bool) -> list[Form]:
    """Forms with passes: on eager, inside Inductor, and inside the fastest of our own forms."""
    graph: GraphKind = "none" if device == "cpu" else "static" if static else "copied"
    found = [Form(engine="inductor", passes=True, graph=graph), Form(engine="eager", passes=True, graph=graph)]
    ours = [form for form in fastest if form.engine == "inductor" and not form.passes]
    found += [form.model_copy(update={"passes": True}) for form in ours[:1]]
    return list(dict.fromkeys(found))
