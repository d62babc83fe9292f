"""Every architecture of transformers with random weights, from a configuration that is shrunk automatically."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from passnet.dataset.models import families, forward_inputs
from passnet.dataset.models.building import NoInputs, require_size, season, seeded
from passnet.dataset.models.shrink import LADDER, Strength, cut, prepare, shrink, spread_weights
from passnet.dataset.models.source import Case, Domain, Method
from passnet.dataset.models.transformers import models
from passnet.dataset.models.transformers.overrides import assign, override
from passnet.dataset.models.transformers.placeholders import fill
from passnet.dataset.models.transformers.special_inputs import special_inputs
from passnet.dataset.models.transformers.wanted import Wanted


class TransformersSource:
    """Adapter of transformers: the base model of every model type.

    "real": a shrunk configuration, tried from the smallest to the default widths until the model runs. "meta": the
    default configuration with few layers. "fake": the default configuration whole, without its weights in memory.
    """

    library = "transformers"

    def names(self) -> Sequence[str]:
        """All model types with a base model, sorted. Errors: UsageError when transformers cannot be imported."""
        return models.names()

    def family(self, name: str) -> str:
        """The family of the model type. Parts of multimodal models count as their whole."""
        return families.normalise(name)

    def domain(self, name: str) -> Domain:
        """The purpose from the model's inputs. Errors: those of the import of the model's module."""
        return models.domain(models.parameters(models.model_class(name)))

    def methods(self, name: str) -> Sequence[Method]:
        """Real first. Then meta, for a model that runs at no reduced size. Fake last: full depth is slowest."""
        return ("real", "meta", "fake")

    def build(self, name: str, method: Method) -> Case:
        """The model and its inputs, seeded by the name.

        Inputs without images and sound are tried last. `kwargs` of the case show the given inputs. Errors: `NoInputs`
        with one line for each attempt if a model was built, else the error of its first building.
        """
        attempts = _Attempts(name, method)
        for text_only in (False, True):
            before: Sequence[str] = ()
            for strength in LADDER if method == "real" else LADDER[-1:]:
                if (case := attempts.run(strength, text_only)) is not None:
                    return case
                # An error that stays the same at every reduced size will not go away with a larger one.
                if before == (before := attempts.reasons(strength)):
                    break
            if not attempts.built:
                break
        raise attempts.failed()


class _Attempts:
    """Builds one architecture again and again until it runs, and remembers what went wrong."""

    def __init__(self, name: str, method: Method) -> None:
        self.name = name
        self.method = method
        self.deviation = override(name)
        self.failures: list[str] = []
        self.cause: Exception | None = None
        self.built = False

    def failed(self) -> Exception:
        if self.cause is not None and not self.built:
            return self.cause
        error = NoInputs("; ".join(dict.fromkeys(self.failures)) or "no way of calling it is known")
        error.__cause__ = self.cause
        return error

    def reasons(self, strength: Strength) -> Sequence[str]:
        """The error at this strength of shrinking, without the strength's name."""
        mark = f"({strength.name})"
        return [failure.replace(mark, "") for failure in self.failures if mark in failure]

    def run(self, strength: Strength, text_only: bool) -> Case | None:
        """The case of the first recipe that works with this strength of shrinking."""
        mode = FakeTensorMode(allow_non_fake_inputs=True) if self.method == "fake" else None
        where = mode or (torch.device("meta") if self.method == "meta" else contextlib.nullcontext())
        try:
            cls = models.model_class(self.name)
            given = models.parameters(cls)
            recipes = forward_inputs.text_recipes(given) if text_only else forward_inputs.recipes(given)
            if not recipes:
                return None
            with seeded(self.name), where:
                model = self._model(cls, strength)
        except Exception as error:  # noqa: BLE001  constructors raise whatever they like; the next strength may work
            self._note(strength, "building", error)
            return None
        self.built = True
        for recipe in recipes:
            try:
                with seeded(self.name), where, torch.no_grad():
                    kwargs = fill(model, Wanted(model.config, given, recipe), special_inputs(self.name))
                    model(**kwargs)
                return Case(model, (), kwargs, self.method, mode)
            except Exception as error:  # noqa: BLE001  so does a forward with unsuitable inputs
                self._note(strength, "calling", error)
        return None

    def _model(self, cls: Any, strength: Strength) -> torch.nn.Module:
        config = self._config(strength)
        make = functools.partial(models.create, cls, config)
        if self.method != "real":
            return make().eval()
        spread_weights(config)
        if not (strength.widths and strength.vocabulary and self.deviation.widths):
            require_size(make)
        model = make().eval()
        season(model)
        return model

    def _config(self, strength: Strength) -> Any:
        config = models.configuration(self.name)
        if self.method == "real":
            shrink(config, strength if self.deviation.widths else replace(strength, widths=False))
        elif self.method == "fake":
            prepare(config)
        else:
            cut(config)
        if self.method != "fake":
            assign(config, self.deviation.after)
        return getattr(config, self.deviation.part) if self.deviation.part else config

    def _note(self, strength: Strength, stage: str, error: Exception) -> None:
        self.cause = self.cause or error
        first = (str(error).strip().splitlines() or [""])[0]
        self.failures.append(f"{stage} ({strength.name}): {type(error).__name__}: {first}")
