"""`passnet.optimize(model, args)`: the fastest right form of a model of this process, ready to be called."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import torch
from torch import nn

from passnet.agent.run.for_model import AuthorForModel
from passnet.errors import UsageError
from passnet.use.forms.calls import examples_of
from passnet.use.forms.stage import build_form
from passnet.use.forms.user_model import UserModel
from passnet.use.model.applied import Applied
from passnet.use.optimise.answer import Optimized
from passnet.use.optimise.session import Optimization, Step
from passnet.use.optimise.trials import TrialRequest
from passnet.use.passes import load_passes

_HERE = "model"


def optimize(
    model: nn.Module,
    args: Sequence[object] | torch.Tensor,
    kwargs: Mapping[str, object] | None = None,
    *,
    more: Sequence[object] = (),
    minutes: float = 5.0,
    passes: Path | str | None = None,
    author: str | None = "distill",
    frozen: bool = True,
    static: bool = False,
    out: Path | str | None = None,
    report: Callable[[Step], None] = lambda step: None,
) -> Applied:
    """`model` in its fastest right form for calls like the example, measured against every mode of `torch.compile`.

    `more`: calls of other shapes, which are optimised together with the first. All further shapes run the model itself.
    `minutes`: for all of it, 0 for any time. `passes`: a library or a directory; else `author` writes some for this
    model, and None means that nobody does. `frozen`, `static`: see `passnet optimize`. `out`: where the bundle and the
    measurements stay; None keeps neither. `report` is called after each step. The result of the search is
    `fast.evidence`.

    The forms are made in this process, and so are passes after the bench has judged them in its sandbox.
    Errors: UsageError for a model in training mode, or that fails on an example.
    """
    if not isinstance(model, nn.Module):
        raise UsageError("not a model", expected="a torch.nn.Module", found=type(model).__name__)
    if model.training:
        raise UsageError("the model is in training mode", field=type(model).__name__, hint="call model.eval() first")
    if isinstance(args, str) or not isinstance(args, (torch.Tensor, Sequence)):
        kind = type(args).__name__
        raise UsageError("wrong example inputs", expected="the arguments of one call as a tuple", found=kind)
    given = (args,) if isinstance(args, torch.Tensor) else tuple(args)
    calls = examples_of([(given, dict(kwargs or {}))], "args")
    own = UserModel(type(model).__name__, model, (*calls, *examples_of(more, "more")))
    with ExitStack() as stack:
        home = Path(out) if out is not None else Path(stack.enter_context(tempfile.TemporaryDirectory())) / _HERE
        request = TrialRequest(
            spec=own.name,
            passes=Path(passes) if passes is not None else None,
            out=home,
            work=home.with_name(f"{home.name}.run"),
            threads=torch.get_num_threads(),
            minutes=minutes,
            frozen=frozen,
            static=static,
            overwrite=True,
        )
        write = None
        if passes is None and author is not None:
            writer = AuthorForModel(
                author, home.with_name(f"{home.name}.author"), request.protocol, minutes, lambda progress: None
            )
            writer.check()
            write = writer.passes
        found = Optimization(request, report, write, own).run()
        fast = _made(own, found, home)
    fast.evidence = found
    return fast


def _made(own: UserModel, found: Optimized, home: Path) -> Applied:
    """The form in place. The model itself where nothing is faster."""
    if found.bundle is None:
        return Applied(own.model, None, None)
    loaded = load_passes(home)
    assert loaded.form is not None, "a bundle of this version has a form"
    made = build_form(loaded.form, own.model, own.calls, loaded)
    assert isinstance(made, Applied), "only eager is the model itself"
    return made
