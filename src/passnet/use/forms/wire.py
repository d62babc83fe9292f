"""Messages between the controller and the process of the forms. That process may run passes: replies are claims."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from passnet.bench.wire.message import Count, Names, Text, WireMessage
from passnet.use.form import Form


class BuildForm(WireMessage):
    """Make a form, call it, and compare its results with the model's. The reply is `FormBuilt`."""

    kind: Literal["build"] = "build"
    form: Form


class CallForm(WireMessage):
    """Make so many rounds of the example calls. The reply is `CallsMade`."""

    kind: Literal["call"] = "call"
    form: Form
    rounds: Count


class FormOrder(WireMessage):
    """Either of them."""

    order: Annotated[BuildForm | CallForm, Field(discriminator="kind")]


class StageReady(WireMessage):
    """The model is built. `layers`: the sandbox around it. `problem`: why there is no model, for its user."""

    device: str
    layers: Names = ()
    problem: Text | None = None


class FormBuilt(WireMessage):
    """`reason`: why the form is not to be used. `right`: None where it gave no results."""

    seconds: Annotated[float, Field(ge=0, le=1e9)]
    right: bool | None
    reason: Text | None = None


class CallsMade(WireMessage):
    """The calls were made. `reason`: why not."""

    reason: Text | None = None
