"""How long the candidates of one pass set may take over all graphs. A request may take many, each with its limit."""

from __future__ import annotations

import math
from dataclasses import dataclass

# Seconds that a pass set may take over all graphs of its task where a trainer asks for its reward.
REWARD_LIMIT_S = 600.0


@dataclass
class CandidateTime:
    """Seconds in which candidates had something to do, and how many they may have. By default there is no bound.

    What eager, comparing and waiting take is not theirs.
    """

    limit_s: float = math.inf
    spent_s: float = 0.0

    @property
    def used_up(self) -> bool:
        return self.spent_s >= self.limit_s

    def __str__(self) -> str:
        return f"the {self.limit_s:g} s that its pass set may take over all graphs"
