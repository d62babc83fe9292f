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
    """The model is built. `layers`: the sandbox around it. `problem`: why there is no model, for its user.

    `seconds`: from the order to start the process until now.
    """

    device: str
    seconds: Annotated[float, Field(ge=0, le=1e9)] = 0.0
    layers: Names = ()
    problem: Text | None = None


class FormBuilt(WireMessage):
    """`reason`: why the form is not to be used. `right`: None where it gave no results.

    `raised`: whether it raises an error of its own, and so is nothing that a user could have.

    `verify_s`: of its seconds, those in which its results were compared. `start_s`: those that its process and the
    model in it took before; 0 where the process was there already.
    """

    seconds: Annotated[float, Field(ge=0, le=1e9)]
    verify_s: Annotated[float, Field(ge=0, le=1e9)] = 0.0
    start_s: Annotated[float, Field(ge=0, le=1e9)] = 0.0
    right: bool | None
    reason: Text | None = None
    raised: bool = False


class CallsMade(WireMessage):
    """The calls were made. `reason`: why not."""

    reason: Text | None = None
