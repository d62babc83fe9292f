"""A client's request and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from passnet.agent.run.hand_over import HandOverQueue


@dataclass(frozen=True)
class ClientReply:
    """The answer of a tool. `ok`: it could do its work."""

    text: str
    ok: bool = True


@dataclass(frozen=True)
class ClientCall:
    """One call of a tool. Its arguments are not checked yet. `client` is the client's own name."""

    name: str
    arguments: Mapping[str, object]
    client: str = ""


ClientCalls = HandOverQueue[ClientCall, ClientReply]
