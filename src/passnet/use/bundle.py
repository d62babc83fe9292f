"""The output of `passnet optimize`: the fastest form of one model, its passes and the evidence.

`passnet.load_passes` reads it, and `apply` makes the form.

BUNDLE/bundle.json        the model, its forms with times and reasons, the kept and the left passes
BUNDLE/passes/00-NAME/    an ordinary pass directory for each kept set, in order of application
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from passnet import authored
from passnet.errors import UsageError
from passnet.rewrite import PassSet, read_pass_set
from passnet.use.form import Form
from passnet.writing import new_directory

BUNDLE, PASSES = "bundle.json", "passes"
SCHEMA: Literal[1] = 1
Interval = Annotated[tuple[float, float], "low and high end of the bootstrap interval"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Whole(_Record):
    """The whole model before and after, timed in turn in fresh processes: the model's graph called directly.

    `deployed_speedup`: the same as a user calls it, guards included. `correct_at` is the smallest tolerance t at which
    every output agreed, `fp64_ratio` how many times as far from float64 as before.
    """

    before_us: float
    after_us: float
    speedup: float
    speedup_ci: Interval
    deployed_speedup: float | None
    deployed_speedup_ci: Interval | None
    control_ratio: float | None
    correct_at: int
    max_abs_error: float | None
    fp64_ratio: float | None


class KeptPasses(_Record):
    """One pass set of the bundle: its directory, its source, its rules with their matches, and its gain alone."""

    directory: str
    source: str
    content_hash: str
    replacements: dict[str, int]
    speedup: float | None
    speedup_ci: Interval | None


class Left(_Record):
    """A pass set that was tried and is not in the bundle, and why."""

    source: str
    rules: tuple[str, ...]
    reason: str
    speedup: float | None = None
    speedup_ci: Interval | None = None


class FormSeconds(_Record):
    """Where the seconds of a form went: its process with the model, making it, comparing its results, a first look.

    `ended_s`: when it was tried to the end, in seconds since the command began.
    """

    start_s: float
    make_s: float
    verify_s: float
    look_s: float
    ended_s: float


class FormRow(_Record):
    """One form that was tried. `us`: of a call, in the last comparison in which it was; None when it was not timed.

    `right`: None where that is not known. `reason`: why it was not timed, or not to the end. `raised`: whether that is
    an error which the form itself raises. `compile_s`: seconds until its results were compared. `seconds`: where they
    went; None in older bundles, and where it was not begun.
    """

    form: str
    us: float | None
    right: bool | None
    reason: str | None = None
    raised: bool = False
    compile_s: float | None = None
    seconds: FormSeconds | None = None


class Best(_Record):
    """The fastest right form, compared side by side with eager and with the best mode of torch.compile.

    `ci`: the interval of the speedup over that mode. `processes`: how many processes were measured. `again`: whether
    they are other processes than those that chose the form. `not_compared`: modes of torch.compile that were not
    measured, so it is not known whether one of them is faster; those that are wrong or raise are not among them.
    """

    form: str
    us: float
    speedup_over_eager: float
    best_torch_compile: str | None
    speedup_over_best_torch_compile: float | None
    ci: Interval | None
    processes: int
    again: bool
    not_compared: tuple[str, ...] = ()


class Bundle(_Record):
    """The content of `bundle.json`.

    `before`: the compiler with which the passes were compared (eager or inductor), `whole` the result of that. `form`:
    what loading makes; None in bundles that hold passes only. `graph_hash`: None for a model of several graphs.
    """

    schema_version: Literal[1] = SCHEMA
    model: str
    graph_hash: str | None
    before: str
    compiler: str
    device: str
    policy: Literal["strict", "native"]
    form: Form | None = None
    best: Best | None = None
    forms: tuple[FormRow, ...] = ()
    minutes: float | None = None
    whole: Whole | None
    kept: tuple[KeptPasses, ...]
    left: tuple[Left, ...]
    notes: tuple[str, ...]
    snippet: tuple[str, ...]
    protocol: dict[str, object]
    environment: dict[str, object]

    @field_validator("kept")
    @classmethod
    def _are_needed(cls, kept: tuple[KeptPasses, ...], info: ValidationInfo) -> tuple[KeptPasses, ...]:
        form = info.data.get("form")
        if not kept and (form is None or form.passes):
            raise ValueError("passes are needed, and there are none")
        return kept


def is_bundle(path: Path) -> bool:
    """Whether a directory is meant as a bundle."""
    return (path / BUNDLE).exists()


def read_bundle(path: Path) -> tuple[Bundle, tuple[PassSet, ...]]:
    """A bundle and its passes as data. UsageError for a malformed one, and for files that are not those measured."""
    file = path / BUNDLE
    try:
        bundle = Bundle.model_validate(authored.parse_json(authored.read_bytes(file)))
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path=file) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or None
        raise UsageError(f"not a bundle of this version: {first['msg']}", path=file, field=place) from None
    except ValueError as error:
        raise UsageError(f"not a bundle of this version: {authored.one_line(str(error))[:200]}", path=file) from None
    sets = []
    for kept in bundle.kept:
        if not authored.is_name(kept.directory):
            raise UsageError("the path leaves the bundle", path=file, field="directory", found=kept.directory)
        found = read_pass_set(path / PASSES / kept.directory)
        if found.content_hash != kept.content_hash:
            raise UsageError("the files differ from the measured ones", path=found.directory, hint="optimize again")
        sets.append(found)
    return bundle, tuple(sets)


def write_bundle(path: Path, bundle: Bundle, files: Mapping[str, str], *, overwrite: bool) -> None:
    """Write a bundle all or nothing. `files` are names below `passes/` with their text."""
    with new_directory(path, overwrite=overwrite) as directory:
        for name, text in files.items():
            target = directory / PASSES / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        (directory / BUNDLE).write_text(json.dumps(bundle.model_dump(mode="json"), indent=1) + "\n", encoding="utf-8")
