"""Shared parts of the adapters: seeded building of real, fake and meta models, and a trial run for usable inputs."""

from __future__ import annotations

import contextlib
import logging
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode, unset_fake_temporarily

from passnet.dataset.models.source import Case, Method

# A rare number, so that a batch dimension is seldom mistaken for another one.
BATCH = 2
# Real capture holds the weights several times. Above this size a model is captured under fake tensors.
MAX_REAL_PARAMETERS = 40_000_000


class NoInputs(RuntimeError):
    """The model was built, but runs on none of the inputs that were tried."""


class TooLarge(RuntimeError):
    """The model has more parameters than are worth allocating."""


Call = tuple[tuple[Any, ...], Mapping[str, Any]]


@dataclass(frozen=True)
class ModelRecipe:
    """One way to build a model and call it: `model()` and `call()` give the same for the same random state."""

    model: Callable[[], torch.nn.Module]
    call: Callable[[], Call]


@dataclass
class _Failures:
    """The errors of the recipes tried so far, the first one of each kind."""

    build: Exception | None = None
    run: Exception | None = None
    count: int = field(default=0)


def first_working(name: str, method: Method, recipes: Sequence[ModelRecipe]) -> Case:
    """The case of the first recipe that builds. A real model must also run once eagerly. Seeded by `name`.

    Errors: `NoInputs` when recipes build but none runs, `TooLarge` for a real model beyond the limit, else the error of
    the first recipe.
    """
    failures = _Failures()
    for recipe in recipes:
        with seeded(name):
            case = _build(recipe, method, failures)
        if case is not None:
            return case
    if failures.run is not None:
        error = failures.run
        raise NoInputs(f"{type(error).__name__}: {error}") from error
    raise failures.build or NoInputs("no recipe")


def _build(recipe: ModelRecipe, method: Method, failures: _Failures) -> Case | None:
    try:
        case = _BUILDERS[method](recipe)
    except TooLarge:
        raise
    except Exception as error:  # noqa: BLE001  constructors raise whatever they like; another recipe may work
        failures.build = failures.build or error
        return None
    if method == "real":
        try:
            with torch.no_grad():
                case.model(*case.args, **case.kwargs)
        except Exception as error:  # noqa: BLE001  so does a forward with unsuitable inputs
            failures.run = failures.run or error
            return None
    return case


def _real(recipe: ModelRecipe) -> Case:
    require_size(recipe.model)
    model = recipe.model().eval()
    season(model)
    args, kwargs = recipe.call()
    return Case(model, args, kwargs, "real")


def _fake(recipe: ModelRecipe) -> Case:
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    with mode:
        try:
            model = recipe.model()
        except DataDependentOutputException:
            # The constructor reads a value. The model is made on the meta device instead, with real small constants.
            model = _faked_from_meta(recipe, mode)
        model.eval()
        args, kwargs = recipe.call()
    return Case(model, args, kwargs, "fake", mode)


def _faked_from_meta(recipe: ModelRecipe, mode: FakeTensorMode) -> torch.nn.Module:
    with unset_fake_temporarily(), torch.device("meta"):
        model = recipe.model()
    with mode:
        return model.to_empty(device="cpu")


def _meta(recipe: ModelRecipe) -> Case:
    with torch.device("meta"):
        model = recipe.model().eval()
        args, kwargs = recipe.call()
    return Case(model, args, kwargs, "meta")


_BUILDERS: Mapping[Method, Callable[[ModelRecipe], Case]] = {"real": _real, "fake": _fake, "meta": _meta}


def require_size(build: Callable[[], torch.nn.Module]) -> None:
    """Raise `TooLarge` when the model, built on the meta device first, has more than `MAX_REAL_PARAMETERS`."""
    state = torch.random.get_rng_state()
    try:
        with torch.device("meta"):
            count = sum(parameter.numel() for parameter in build().parameters())
    except Exception:  # noqa: BLE001  some constructors cannot do without values; then the size shows later
        return
    finally:
        torch.random.set_rng_state(state)
    if count > MAX_REAL_PARAMETERS:
        raise TooLarge(f"{count} parameters, more than {MAX_REAL_PARAMETERS}")


@contextlib.contextmanager
def seeded(name: str) -> Iterator[None]:
    """Random numbers that depend on the name alone. The caller's random state is restored."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(zlib.crc32(name.encode()))
        yield


def season(model: torch.nn.Module) -> None:
    """Spread every constant parameter and buffer (ones, zeros, 1e-6) around its value, as training would.

    In a fresh model all normalisation weights are one and all biases zero. A pass that forgets them would look right.
    Variances stay positive. Draws from the global generator.
    """
    with torch.no_grad():
        for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
            if not tensor.is_floating_point() or tensor.numel() < 2 or not bool((tensor == tensor.flatten()[0]).all()):
                continue
            if name.endswith("running_var"):
                tensor.uniform_(0.5, 1.5)
            else:
                tensor.add_(torch.randn_like(tensor), alpha=0.2)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Silences warnings of the model libraries and Dynamo. None of them concerns capture."""
    loggers = [logging.getLogger(name) for name in ("transformers", "timm", "torch._dynamo")]
    levels = [logger.level for logger in loggers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for logger in loggers:
            logger.setLevel(logging.ERROR)
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)
