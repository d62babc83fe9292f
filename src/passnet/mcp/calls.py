"""What a client asks, and what it is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from passnet.agent.run.hand_over import HandOverQueue


@dataclass(frozen=True)
class Reply:
    """What a tool says. `ok`: it could do its work."""

    text: str
    ok: bool = True


@dataclass(frozen=True)
class ClientCall:
    """One call of a tool, its arguments not checked yet. `client`: who asks, as it calls itself."""

    name: str
    arguments: Mapping[str, object]
    client: str = ""


ClientCalls = HandOverQueue[ClientCall, Reply]
